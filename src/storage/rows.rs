#![expect(unsafe_code, reason = "rows are moved between columns whose type is erased")]

use thiserror::Error;

use super::{ArchetypeId, ChunkHome, ChunkId, ColumnTable, Doomed, Place, Storage};
use crate::component::{BundleSink, Component, ComponentId};
use crate::entity::{Entity, EntityCapacity};

/// Rows of the first chunk of an archetype, at first: thousands of small archetypes stay small.
const FIRST_ROWS: u32 = 8;

/// Chunks that an archetype gets at a time at most, next to each other in memory.
const MAX_RUN: u32 = 16;

/// Bytes that one column of a run takes at most, unless a single chunk takes more.
const MAX_RUN_BYTES: usize = 1 << 22;

/// No row can be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StorageFull {
    /// As many entities live as may.
    #[error(transparent)]
    Entities(#[from] EntityCapacity),
    /// Every chunk number is taken.
    #[error(
        "no room for another chunk: the world has {chunks}; raise `chunk_rows` of its builder, or use fewer different \
         sets of components"
    )]
    Chunks {
        /// How many chunks there are.
        chunks: u32,
    },
}

impl StorageFull {
    /// A stable code for programs: `entity-capacity` or `chunk-limit`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Entities(error) => error.code(),
            Self::Chunks { .. } => "chunk-limit",
        }
    }
}

impl Storage {
    /// Makes room for `additional` more rows, so that pushing them asks for no memory.
    ///
    /// # Errors
    ///
    /// [`StorageFull::Chunks`]; what was reserved before that stays.
    pub(crate) fn reserve_rows(&mut self, archetype: ArchetypeId, additional: u32) -> Result<(), StorageFull> {
        let wanted = self.archetypes.get(archetype).len().saturating_add(additional);
        while self.archetypes.get(archetype).capacity(self.shape) < wanted {
            self.grow(archetype, wanted)?;
        }
        Ok(())
    }

    /// Whether the world can have the chunks that as many rows of an archetype need.
    fn check_chunks(&self, archetype: ArchetypeId, rows: u32) -> Result<(), StorageFull> {
        let (has, needs) = (self.archetypes.get(archetype).chunks().len(), self.shape.chunks_for(rows));
        let lacks = (needs as usize).saturating_sub(has);
        if lacks > self.free_chunks() as usize {
            return Err(StorageFull::Chunks { chunks: self.homes.len() as u32 });
        }
        Ok(())
    }

    fn free_chunks(&self) -> u32 {
        self.shape.max_chunks() - self.homes.len() as u32
    }

    #[cold]
    fn grow(&mut self, archetype: ArchetypeId, wanted: u32) -> Result<(), StorageFull> {
        self.check_chunks(archetype, wanted)?;
        let full = self.shape.chunk_rows();
        let (chunks, capacity) = {
            let archetype = self.archetypes.get(archetype);
            (archetype.chunks().len() as u32, archetype.capacity(self.shape))
        };
        match chunks {
            0 => self.add_run(archetype, 1, wanted.max(FIRST_ROWS).min(full).next_power_of_two()),
            1 if capacity < full => {
                self.enlarge_first(archetype, wanted.max(capacity * 2).min(full).next_power_of_two());
                Ok(())
            }
            _ => self.add_run(archetype, self.run_length(archetype, chunks, wanted - capacity), full),
        }
    }

    /// How many chunks to add to `chunks`: as many as there are, and enough for the rows that are known to come, within
    /// bounds.
    fn run_length(&self, archetype: ArchetypeId, chunks: u32, rows: u32) -> u32 {
        let rows_per_chunk = self.shape.chunk_rows();
        let widest = self.archetypes.get(archetype).components().iter().map(|&id| self.column(id).value_size()).max();
        let chunk_bytes = widest.unwrap_or(0).max(size_of::<Entity>()).saturating_mul(rows_per_chunk as usize);
        let by_bytes = (MAX_RUN_BYTES / chunk_bytes).clamp(1, MAX_RUN as usize) as u32;
        chunks.max(rows.div_ceil(rows_per_chunk)).min(by_bytes).min(self.free_chunks().max(1))
    }

    fn add_run(&mut self, archetype: ArchetypeId, count: u32, capacity: u32) -> Result<(), StorageFull> {
        let first = self.homes.len() as u32;
        if count > self.free_chunks() {
            return Err(StorageFull::Chunks { chunks: first });
        }
        let owner = self.archetypes.get_mut(archetype);
        let index = owner.chunks().len() as u32;
        owner.add_chunks(ChunkId(first), count, capacity);
        self.homes.extend((0..count).map(|next| ChunkHome { archetype, index: index + next }));
        self.entities.add_chunks(ChunkId(first), count, capacity, &self.pool);
        for &id in self.archetypes.get(archetype).components() {
            self.columns[id.index()].add_chunks(ChunkId(first), count, capacity, &self.pool);
        }
        Ok(())
    }

    fn enlarge_first(&mut self, archetype: ArchetypeId, capacity: u32) {
        let (chunk, rows) = {
            let archetype = self.archetypes.get_mut(archetype);
            archetype.set_first_capacity(capacity);
            (archetype.chunks()[0], archetype.len())
        };
        self.entities.enlarge(chunk, rows, capacity, &self.pool);
        for &id in self.archetypes.get(archetype).components() {
            self.columns[id.index()].enlarge(chunk, rows, capacity, &self.pool);
        }
    }

    /// Appends a row for a live entity and returns its place.
    ///
    /// # Safety
    ///
    /// Until the caller has written a value to the row in every column of the archetype, no code of a user may run and
    /// nothing may read the row.
    pub(crate) unsafe fn push_row(
        &mut self,
        archetype: ArchetypeId,
        entity: Entity,
        stamp: u64,
    ) -> Result<Place, StorageFull> {
        self.reserve_rows(archetype, 1)?;
        let owner = self.archetypes.get_mut(archetype);
        let row = owner.len();
        owner.set_len(row + 1);
        let place = owner.place(row, self.shape);
        self.set_entity(place, entity, stamp);
        Ok(place)
    }

    /// Writes the entity of a row and notes the place in its slot.
    fn set_entity(&mut self, place: Place, entity: Entity, stamp: u64) {
        let rows = self.unshare_table(&self.entities, place.chunk).cast::<Entity>();
        // SAFETY: the place lies within the chunk's capacity, the block is unshared, and we hold the storage alone.
        unsafe { rows.add(place.row as usize).write(entity) };
        self.entities.mark(place.chunk, stamp);
        self.slots.place(entity, self.shape.pack(place));
    }

    /// The entity of a row.
    ///
    /// # Panics
    ///
    /// If the row is not in use.
    pub(crate) fn entity_at(&self, place: Place) -> Entity {
        assert!(self.in_use(place, 1), "row {} of {:?} is not in use", place.row, place.chunk);
        // SAFETY: rows in use hold their entity, and nobody writes that column while the storage is shared.
        unsafe { self.entities.value(place).cast::<Entity>().read() }
    }

    /// Whether so many rows from a place on are in use.
    pub(crate) fn in_use(&self, first: Place, rows: u32) -> bool {
        let home = self.home(first.chunk);
        let used = self.archetypes.get(home.archetype).rows_in(home.index as usize, self.shape);
        first.row <= used && rows <= used - first.row
    }

    /// Ends an entity: its values go to `doomed`, its slot is free.
    pub(crate) fn despawn(&mut self, entity: Entity, doomed: &mut Doomed, stamp: u64) {
        if let Some((archetype, row)) = self.row_of(entity) {
            let place = self.archetypes.get(archetype).place(row, self.shape);
            for index in 0..self.archetypes.get(archetype).components().len() {
                let id = self.archetypes.get(archetype).components()[index];
                // SAFETY: the row is in use, the storage is ours, and the gap is closed over it below.
                unsafe { self.bury(id, place, doomed) };
                self.note_removal(id, entity, stamp);
            }
            // SAFETY: every value that is more than bytes was moved out of the row.
            unsafe { self.close_gap(archetype, row, stamp) };
        }
        self.slots.release(entity);
    }

    /// Moves an entity to another archetype. Values of components that the target lacks go to `doomed`.
    ///
    /// # Safety
    ///
    /// As for [`push_row`](Self::push_row), for the components of the target that the source lacks.
    pub(crate) unsafe fn move_entity(
        &mut self,
        entity: Entity,
        target: ArchetypeId,
        doomed: &mut Doomed,
        stamp: u64,
    ) -> Result<Place, StorageFull> {
        // SAFETY: the contract is passed on; nothing was taken from the row.
        unsafe { self.move_row_of(entity, target, None, doomed, stamp) }
    }

    /// The same for an entity whose value of `taken` was moved out of its row by the caller.
    ///
    /// # Safety
    ///
    /// As for [`move_entity`](Self::move_entity); the target lacks `taken`, whose value is never used again.
    pub(crate) unsafe fn move_entity_without(
        &mut self,
        entity: Entity,
        target: ArchetypeId,
        taken: ComponentId,
        doomed: &mut Doomed,
        stamp: u64,
    ) -> Result<Place, StorageFull> {
        // SAFETY: the contract is passed on.
        unsafe { self.move_row_of(entity, target, Some(taken), doomed, stamp) }
    }

    /// # Safety
    ///
    /// As for [`move_entity`](Self::move_entity) and [`move_entity_without`](Self::move_entity_without).
    unsafe fn move_row_of(
        &mut self,
        entity: Entity,
        target: ArchetypeId,
        taken: Option<ComponentId>,
        doomed: &mut Doomed,
        stamp: u64,
    ) -> Result<Place, StorageFull> {
        let Some((source, row)) = self.row_of(entity) else {
            // SAFETY: this function's contract is that of `push_row`.
            return unsafe { self.push_row(target, entity, stamp) };
        };
        let from = self.archetypes.get(source).place(row, self.shape);
        // SAFETY: the shared values are moved right below, the others are the caller's duty.
        let to = unsafe { self.push_row(target, entity, stamp) }?;
        for index in 0..self.archetypes.get(source).components().len() {
            let id = self.archetypes.get(source).components()[index];
            if self.archetypes.get(target).mask().contains(id.bit()) {
                self.unshare(id, to.chunk);
                if let Some(stamps) = self.column(id).row_stamps() {
                    self.unshare_table(&stamps.added, to.chunk);
                    self.unshare_table(&stamps.changed, to.chunk);
                }
                // SAFETY: both chunks have the column, the rows are in use and different (different archetypes), the
                // target's blocks were unshared just now, and its row of the column holds nothing yet.
                unsafe { self.column(id).move_row(from, to) };
                self.column(id).mark(to.chunk, stamp);
            } else {
                if taken != Some(id) {
                    // SAFETY: the row is in use, the storage is ours, and the gap is closed over it below; the caller took
                    // the value of `taken` only.
                    unsafe { self.bury(id, from, doomed) };
                }
                self.note_removal(id, entity, stamp);
            }
        }
        // SAFETY: every value of the source row was moved to the target or to `doomed`, or taken by the caller.
        unsafe { self.close_gap(source, row, stamp) };
        Ok(to)
    }

    /// Moves a value with a destructor out of its row.
    ///
    /// # Safety
    ///
    /// The row is in use and holds a value of the component, which nobody else uses; afterwards it counts as moved from.
    pub(crate) unsafe fn bury(&self, id: ComponentId, place: Place, doomed: &mut Doomed) {
        let column = self.column(id);
        if let Some((layout, drop)) = column.value_to_drop() {
            self.unshare(id, place.chunk);
            // SAFETY: the row holds a value that is ours, and counts as moved from, by this function's contract. Layout and
            // hook are the column's own.
            unsafe { doomed.bury(column.value(place), layout, drop) };
        }
    }

    fn note_removal(&mut self, id: ComponentId, entity: Entity, stamp: u64) {
        if self.columns[id.index()].row_stamps().is_some() {
            self.removals.push(id, entity, stamp);
        }
    }

    /// Has the last row take the place of a row whose values are gone.
    ///
    /// # Safety
    ///
    /// The row is in use, and its values are moved from or mere bytes.
    unsafe fn close_gap(&mut self, archetype: ArchetypeId, row: u32, stamp: u64) {
        let owner = self.archetypes.get_mut(archetype);
        let last = owner.len() - 1;
        owner.set_len(last);
        let (gap, from) = (owner.place(row, self.shape), owner.place(last, self.shape));
        for index in 0..self.archetypes.get(archetype).components().len() {
            let id = self.archetypes.get(archetype).components()[index];
            let column = self.column(id);
            column.mark(from.chunk, stamp);
            if row == last {
                continue;
            }
            self.unshare(id, gap.chunk);
            if let Some(stamps) = column.row_stamps() {
                self.unshare_table(&stamps.added, gap.chunk);
                self.unshare_table(&stamps.changed, gap.chunk);
            }
            // SAFETY: both rows were in use, so they lie within the capacity, and differ; the gap's blocks were unshared
            // just now; its value is gone by this function's contract.
            unsafe { column.move_row(from, gap) };
            column.mark(gap.chunk, stamp);
        }
        self.entities.mark(from.chunk, stamp);
        if row != last {
            // SAFETY: the row was in use until now, so that it holds its entity.
            let moved = unsafe { self.entities.value(from).cast::<Entity>().read() };
            self.set_entity(gap, moved, stamp);
        }
    }

    /// Notes a write of one row at `stamp`: in its chunk, and in the row's own stamp if the component is tracked.
    ///
    /// # Safety
    ///
    /// The row lies in a chunk with the component, within its capacity, and nobody else uses its value or its stamps.
    pub(crate) unsafe fn mark_row(&self, component: ComponentId, place: Place, stamp: u64) {
        self.column(component).mark(place.chunk, stamp);
        if let Some(stamps) = self.column(component).row_stamps() {
            // SAFETY: stamps have the chunks and rows of their component; the rest is this function's contract.
            unsafe { self.write_stamp(&stamps.changed, place, stamp) };
        }
    }

    /// Writes the stamp of one row to a column of stamps.
    ///
    /// # Safety
    ///
    /// The row lies in a chunk with such stamps, within its capacity, and nobody else uses its stamps.
    unsafe fn write_stamp(&self, table: &ColumnTable, place: Place, stamp: u64) {
        let rows = self.unshare_table(table, place.chunk).cast::<u64>();
        // SAFETY: the place lies within the capacity and the stamp is ours by this function's contract; the block was
        // unshared just now.
        unsafe { rows.add(place.row as usize).write(stamp) };
    }

    /// Despawns every entity; slots, archetypes, chunks and registries stay.
    ///
    /// The slots are freed in ascending order, so that the next entity takes the highest.
    pub(crate) fn clear(&mut self, doomed: &mut Doomed, stamp: u64) {
        for slot in 0..self.slots.len() {
            if let Some(entity) = self.slots.live_in(slot) {
                self.despawn(entity, doomed, stamp);
            }
        }
    }
}

impl Drop for Storage {
    fn drop(&mut self) {
        // Destructors may panic: the other values are dropped all the same, and blocks go home in the guard.
        struct Release<'a>(&'a mut Storage);
        impl Drop for Release<'_> {
            fn drop(&mut self) {
                let storage = &mut *self.0;
                storage.settle();
                storage.entities.release(&storage.pool);
                storage.columns.iter_mut().for_each(|column| column.release(&storage.pool));
            }
        }
        let guard = Release(self);
        let mut last = LastRows { storage: &*guard.0, runs: guard.0.rows_to_drop() };
        last.drop_all();
    }
}

impl Storage {
    /// The rows in use of every column whose values have a destructor, the first to be dropped last.
    fn rows_to_drop(&self) -> Vec<(ComponentId, ChunkId, u32)> {
        let mut runs = Vec::new();
        for (_, archetype) in self.archetypes.iter() {
            for &id in archetype.components().iter().filter(|&&id| self.column(id).needs_drop()) {
                let chunks = 0..archetype.used_chunks(self.shape);
                runs.extend(chunks.map(|at| (id, archetype.chunks()[at], archetype.rows_in(at, self.shape))));
            }
        }
        runs.reverse();
        runs
    }
}

/// The values of a storage that goes: each is dropped once, also when one panics.
struct LastRows<'s> {
    storage: &'s Storage,
    runs: Vec<(ComponentId, ChunkId, u32)>,
}

impl LastRows<'_> {
    fn drop_all(&mut self) {
        while let Some((id, chunk, rows)) = self.runs.pop() {
            // SAFETY: the chunk holds values in as many rows; the run left the list, so that they are dropped once, and
            // the storage, which goes away, reads none of them again.
            unsafe { self.storage.column(id).drop_rows(chunk, rows) };
        }
    }
}

impl Drop for LastRows<'_> {
    fn drop(&mut self) {
        self.drop_all();
    }
}

/// Writes the values of a bundle into the columns of one row.
#[derive(Debug)]
pub(crate) struct RowWriter<'s> {
    storage: &'s Storage,
    columns: &'s [ComponentId],
    place: Place,
    stamp: u64,
    next: usize,
}

impl<'s> RowWriter<'s> {
    /// A writer of one value for each of `columns`, in that order.
    ///
    /// # Safety
    ///
    /// The row's archetype has the columns, they are different, the row is in use and the caller may write it alone. Rows
    /// of these columns hold no value with a destructor: it was moved out. The bundle that is put names these columns.
    pub(crate) unsafe fn new(storage: &'s Storage, columns: &'s [ComponentId], place: Place, stamp: u64) -> Self {
        Self { storage, columns, place, stamp, next: 0 }
    }
}

impl BundleSink for RowWriter<'_> {
    #[inline]
    fn take<T: Component>(&mut self, value: T) {
        let id = self.columns[self.next];
        self.next += 1;
        let column = self.storage.column(id);
        let rows = self.storage.unshare(id, self.place.chunk).cast::<T>();
        // SAFETY: by the contract of `new` the chunk has a column of `T` here, the row lies within it, and what it held
        // needs no drop; the block was unshared just now.
        unsafe { rows.add(self.place.row as usize).write(value) };
        column.mark(self.place.chunk, self.stamp);
        if let Some(stamps) = column.row_stamps() {
            // SAFETY: stamps have the chunks and rows of their component, and the row is ours by the contract of `new`.
            unsafe {
                self.storage.write_stamp(&stamps.added, self.place, self.stamp);
                self.storage.write_stamp(&stamps.changed, self.place, self.stamp);
            }
        }
    }
}
