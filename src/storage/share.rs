#![expect(unsafe_code, reason = "values that are more than bytes are cloned row by row")]

use crate::sync::Arc;

use super::block::BlockPool;
use super::chunk::{ChunkId, Place};
use super::column::ColumnTable;
use super::{Archetypes, Storage};
use crate::component::ComponentId;
use crate::sync::next_unique;

/// A column that is in no storage: its values are dropped with it, each once, also when one panics.
pub(crate) struct Detached {
    id: ComponentId,
    table: ColumnTable,
    /// Chunks and how many values each holds.
    rows: Vec<(ChunkId, u32)>,
    pool: Arc<BlockPool>,
}

impl Storage {
    /// Clones of the columns of a storage whose values are more than bytes: code of users, before anything has changed.
    ///
    /// # Panics
    ///
    /// If a clone panics; those made so far are dropped then.
    pub(crate) fn cloned_columns(&self) -> Vec<Detached> {
        let opaque = self.columns.iter().enumerate().filter(|(_, column)| !column.is_plain());
        opaque.map(|(index, column)| self.cloned(ComponentId::from_bit(index as u32), column)).collect()
    }

    fn cloned(&self, id: ComponentId, column: &ColumnTable) -> Detached {
        let mut clone = Detached { id, table: column.like(), rows: Vec::new(), pool: Arc::clone(&self.pool) };
        for (chunk, rows, capacity) in self.chunks_with(id) {
            clone.table.add_chunks(chunk, 1, capacity, &self.pool);
            clone.rows.push((chunk, 0));
            for row in 0..rows {
                let place = Place { chunk, row };
                // SAFETY: the row is in use, so that it holds a value, which nobody writes while the storage is borrowed; the
                // clone's chunk has as much room, and the row there holds nothing yet.
                unsafe { column.clone_row_to(place, &clone.table) };
                clone.rows.last_mut().expect("pushed above").1 += 1;
            }
            clone.table.mark(chunk, column.stamp(chunk));
        }
        clone.table.share_row_stamps(column, &self.pool);
        clone
    }

    /// The chunks with a component, the rows in use and the room of each.
    fn chunks_with(&self, id: ComponentId) -> impl Iterator<Item = (ChunkId, u32, u32)> + '_ {
        let with = self.archetypes.iter().filter(move |(_, archetype)| archetype.mask().contains(id.bit()));
        with.flat_map(move |(_, archetype)| {
            let chunks = archetype.chunks().iter().enumerate();
            let capacity = archetype.chunk_capacity(self.shape);
            chunks.map(move |(index, &chunk)| (chunk, archetype.rows_in(index, self.shape), capacity))
        })
    }

    /// Holds what `source` holds from now on, with `clones` in the place of its columns that are more than bytes. What was
    /// held of those is returned, to be dropped when all is in its place. A copy that is only read from now on says so.
    ///
    /// The caller has seen to it that the components that both have are the same.
    ///
    /// # Determinism
    ///
    /// Slots, free list, archetypes, rows, stamps and removals are those of `source`: the same future.
    pub(crate) fn share_from(&mut self, source: &Self, clones: Vec<Detached>, read_only: bool) -> Vec<Detached> {
        self.settle();
        source.settle();
        let old = self.detach_opaque();
        self.adopt_pool(&source.pool);
        self.relabel(source, read_only);
        self.shape = source.shape;
        self.archetypes.copy_from(&source.archetypes);
        self.homes.clone_from(&source.homes);
        self.entities.share_from(&source.entities, &self.pool);
        self.share_columns(&source.columns);
        for mut clone in clones {
            self.columns[clone.id.index()] = clone.take();
        }
        self.slots.share_from(&source.slots);
        self.removals.clone_from(&source.removals);
        old
    }

    /// Holds the plain columns of `source`, and as many columns as there are.
    fn share_columns(&mut self, source: &[ColumnTable]) {
        let extra = self.columns.drain(source.len().min(self.columns.len())..);
        extra.for_each(|mut column| column.release(&self.pool));
        let known = self.columns.len();
        self.columns.extend(source[known..].iter().map(ColumnTable::like));
        for (ours, theirs) in self.columns.iter_mut().zip(source).filter(|(_, theirs)| theirs.is_plain()) {
            ours.share_from(theirs, &self.pool);
        }
    }

    /// Takes the columns whose values are more than bytes out.
    fn detach_opaque(&mut self) -> Vec<Detached> {
        let mut all = Vec::new();
        for index in 0..self.columns.len() {
            if self.columns[index].is_plain() {
                continue;
            }
            let id = ComponentId::from_bit(index as u32);
            let rows = self.chunks_with(id).map(|(chunk, rows, _)| (chunk, rows)).collect();
            let empty = self.columns[index].like();
            let table = core::mem::replace(&mut self.columns[index], empty);
            all.push(Detached { id, table, rows, pool: Arc::clone(&self.pool) });
        }
        all
    }

    /// Takes memory from another pool from now on; what was held of plain columns goes home first.
    fn adopt_pool(&mut self, pool: &Arc<BlockPool>) {
        if Arc::ptr_eq(&self.pool, pool) {
            return;
        }
        self.entities.release(&self.pool);
        self.columns.iter_mut().for_each(|column| column.release(&self.pool));
        self.slots.move_to(pool);
        self.pool = Arc::clone(pool);
    }

    /// Sees to it that caches of matches which were made for other archetypes do not fit any more.
    fn relabel(&mut self, source: &Self, read_only: bool) {
        if read_only {
            // Nobody adds archetypes to a copy that is only read: all that have this label begin alike.
            self.structure = source.structure;
        } else if self.structure != source.structure || self.archetypes.len() != source.archetypes.len() {
            self.structure = next_unique();
        }
    }

    /// Brings the blocks home that writers put others in the place of. Nobody reads them any more: whoever did held the
    /// world for writing, and that is over when it is borrowed otherwise.
    pub(crate) fn settle(&self) {
        let mut retired = self.retired.lock().expect("no code of a user runs under this lock");
        retired.drain(..).for_each(|block| self.pool.give(block));
    }
}

impl Archetypes {
    /// Makes the list that of `source`, and keeps what memory it can.
    fn copy_from(&mut self, source: &Self) {
        let alike = self.iter().zip(source.iter()).take_while(|((_, ours), (_, theirs))| ours.is_like(theirs)).count();
        self.truncate(alike);
        for (id, theirs) in source.iter().skip(alike) {
            let made = self.of(theirs.components());
            debug_assert_eq!(made, id, "archetypes are made in the order of the source");
        }
        for (id, theirs) in source.iter() {
            self.get_mut(id).copy_rows_from(theirs);
        }
    }
}

impl Detached {
    /// Takes the column out, to put it into a storage.
    fn take(&mut self) -> ColumnTable {
        self.rows.clear();
        let empty = self.table.like();
        core::mem::replace(&mut self.table, empty)
    }

    fn drop_rows(&mut self) {
        while let Some((chunk, rows)) = self.rows.pop() {
            // SAFETY: the chunk holds values in as many rows, which are ours; the chunk left the list, so that they are
            // dropped once.
            unsafe { self.table.drop_rows(chunk, rows) };
        }
    }
}

impl Drop for Detached {
    fn drop(&mut self) {
        struct Release<'d>(&'d mut Detached);
        impl Drop for Release<'_> {
            fn drop(&mut self) {
                // Empty unless a destructor panicked.
                let detached = &mut *self.0;
                detached.drop_rows();
                detached.table.release(&detached.pool);
            }
        }
        Release(self).0.drop_rows();
    }
}

impl core::fmt::Debug for Detached {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Detached").field("id", &self.id).field("rows", &self.rows).finish_non_exhaustive()
    }
}
