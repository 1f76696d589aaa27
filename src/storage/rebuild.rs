#![expect(unsafe_code, reason = "rows are filled with bytes that were checked, or by the hooks of their type")]

use super::{Archetype, ArchetypeId, ChunkId, ColumnTable, Place, RemovalLog, SlotState, Slots, Storage, StorageFull};
use crate::component::{ComponentId, Components};
use crate::entity::{Entity, EntityCapacity, EntityMapper};
use crate::sync::Arc;
use crate::value::{DecodeError, Source};

/// A storage that is put together beside that of a world, from rows that are given as bytes.
///
/// Until it is finished it is nobody's: whoever gives up drops it, values included.
#[derive(Debug)]
pub(crate) struct Rebuild<'c> {
    storage: Storage,
    components: &'c Components,
}

impl<'c> Rebuild<'c> {
    /// No archetype but the empty one, no rows and no slots: for the world that has `world` as its storage and `components`
    /// as its registry.
    pub(crate) fn new(world: &Storage, components: &'c Components) -> Self {
        let room = u32::try_from(world.columns.capacity()).unwrap_or(u32::MAX);
        let mut storage = Storage::new(world.shape, 0, room, world.removals.ticks());
        storage.slots = Slots::new(world.slots.capacity(), world.shape, &world.pool);
        storage.pool = Arc::clone(&world.pool);
        components.ids().for_each(|id| storage.add_column(components.descriptor(id)));
        Self { storage, components }
    }

    /// Makes the slots: they are placed once the storage is finished.
    ///
    /// # Errors
    ///
    /// [`EntityCapacity`] if more live than may.
    pub(crate) fn slots(&mut self, states: &[SlotState], free: &[u32]) -> Result<(), EntityCapacity> {
        self.storage.slots.fill(states, free)
    }

    /// The archetype with these components (ascending, registered ids), made if there is none.
    pub(crate) fn archetype(&mut self, components: &[ComponentId]) -> ArchetypeId {
        self.storage.archetypes.of(components)
    }

    pub(crate) fn removals_mut(&mut self) -> &mut RemovalLog {
        &mut self.storage.removals
    }

    /// Begins the rows of an archetype that has none yet.
    ///
    /// # Errors
    ///
    /// [`StorageFull::Chunks`].
    pub(crate) fn rows(&mut self, archetype: ArchetypeId, rows: u32) -> Result<NewRows<'_>, StorageFull> {
        assert_eq!(self.storage.archetypes.get(archetype).len(), 0, "the rows of an archetype are given once");
        self.storage.reserve_rows(archetype, rows)?;
        Ok(NewRows { storage: &mut self.storage, components: self.components, archetype, rows, filled: Vec::new() })
    }

    /// Replaces the entities inside of every value.
    pub(crate) fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        for (_, archetype) in self.storage.archetypes.iter().filter(|(_, archetype)| archetype.len() > 0) {
            for &id in archetype.components() {
                map_column(&self.storage, self.components, archetype, id, mapper);
            }
        }
    }

    /// The rows, for [`Storage::adopt`].
    pub(crate) fn into_rows(self) -> Storage {
        self.storage
    }

    /// The storage, with the row of each entity noted in its slot.
    pub(crate) fn finish(mut self) -> Storage {
        for index in 0..self.storage.archetypes.len() as u32 {
            for row in 0..self.storage.archetypes.get(ArchetypeId(index)).len() {
                let place = self.storage.archetypes.get(ArchetypeId(index)).place(row, self.storage.shape);
                let entity = self.storage.entity_at(place);
                self.storage.slots.place(entity, self.storage.shape.pack(place));
            }
        }
        self.storage
    }
}

fn map_column(
    storage: &Storage,
    components: &Components,
    archetype: &Archetype,
    id: ComponentId,
    mapper: &mut dyn EntityMapper,
) {
    let (column, hook) = (storage.column(id), storage.column(id).map_row());
    let mut offsets = Vec::new();
    if let (None, Some(schema)) = (hook, components.descriptor(id).schema) {
        schema.entity_offsets(0, &mut |offset| offsets.push(offset));
    }
    for row in 0..archetype.len() {
        let value = column.value(archetype.place(row, storage.shape)).cast_mut();
        if let Some(hook) = hook {
            // SAFETY: the row is in use, so that it holds a value of the hook's type; it is ours alone.
            unsafe { hook(value, mapper) };
        }
        for &offset in &offsets {
            // SAFETY: the schema says that an `Entity` or `Option<Entity>` lies there, both of the layout of the latter; the
            // row is ours alone, and an entity is only replaced by an entity.
            unsafe {
                let field = value.add(offset).cast::<Option<Entity>>();
                if let Some(entity) = field.read() {
                    field.write(Some(mapper.map(entity)));
                }
            }
        }
    }
}

/// When chunks and rows of a column were written, as little-endian words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StampBytes<'b> {
    pub(crate) chunks: &'b [u8],
    /// When each row was added and last changed, if the component is tracked.
    pub(crate) rows: Option<(&'b [u8], &'b [u8])>,
}

/// Rows that are being filled: first the handles, then the columns in the order of the archetype's components.
///
/// They count only once they are finished; until then values with a destructor are dropped with this.
#[derive(Debug)]
pub(crate) struct NewRows<'s> {
    storage: &'s mut Storage,
    components: &'s Components,
    archetype: ArchetypeId,
    rows: u32,
    /// Columns that have values, and how many.
    filled: Vec<(ComponentId, u32)>,
}

impl NewRows<'_> {
    /// The handles of the rows; a world's slots are told of them when the storage is finished.
    ///
    /// # Panics
    ///
    /// If there are not as many as rows; so do the others here.
    pub(crate) fn entities(&mut self, entities: impl ExactSizeIterator<Item = Entity>, stamps: &[u8]) {
        assert_eq!(entities.len(), self.rows as usize, "a handle for each row");
        let mut bytes = Vec::with_capacity(self.rows as usize * size_of::<Entity>());
        entities.for_each(|entity| bytes.extend_from_slice(&entity.to_bits().to_le_bytes()));
        self.copy(&self.storage.entities, &bytes);
        self.mark(&self.storage.entities, stamps);
    }

    /// Fills the next column, of Data or of a tag, with the bytes of its values.
    ///
    /// # Errors
    ///
    /// The first row whose bytes are no value.
    pub(crate) fn plain(&mut self, values: &[u8], stamps: StampBytes<'_>) -> Result<(), u32> {
        let id = self.next();
        let (descriptor, column) = (self.components.descriptor(id), self.storage.column(id));
        assert!(descriptor.is_plain() && column.value_size() == descriptor.layout.size(), "bytes that are values");
        if let Some(schema) = descriptor.schema.filter(|schema| schema.size() > 0) {
            let bad = values.chunks_exact(schema.size()).position(|value| !schema.is_valid(value));
            if let Some(row) = bad {
                return Err(row as u32);
            }
        }
        self.copy(column, values);
        self.stamp(id, stamps);
        self.filled.push((id, self.rows));
        Ok(())
    }

    /// Fills the next column, of an opaque component with state, with values that its hook reads.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] of the first value that can't be read.
    pub(crate) fn decoded(&mut self, source: &mut Source<'_>, stamps: StampBytes<'_>) -> Result<(), DecodeError> {
        let id = self.next();
        let decode = self.components.descriptor(id).decode_row.expect("a component with state");
        self.filled.push((id, 0));
        for row in 0..self.rows {
            let place = self.storage.archetypes.get(self.archetype).place(row, self.storage.shape);
            // SAFETY: the chunk has the column and the row lies within the room that was reserved; the hook is that of the
            // column's type; nothing is there yet, and the storage is ours.
            unsafe { decode(self.storage.column(id).row(place), source) }?;
            self.filled.last_mut().expect("pushed above").1 = row + 1;
        }
        self.stamp(id, stamps);
        Ok(())
    }

    /// The rows count from now on.
    pub(crate) fn finish(mut self) {
        let owner = self.storage.archetypes.get_mut(self.archetype);
        assert_eq!(self.filled.len(), owner.components().len(), "a value in every column");
        owner.set_len(self.rows);
        self.filled.clear();
    }

    fn next(&self) -> ComponentId {
        self.storage.archetypes.get(self.archetype).components()[self.filled.len()]
    }

    /// Chunks that the rows fill or begin, and how many rows of each.
    fn chunks(&self) -> impl Iterator<Item = (ChunkId, u32)> {
        let (shape, rows) = (self.storage.shape, self.rows);
        let chunks = &self.storage.archetypes.get(self.archetype).chunks()[..shape.chunks_for(rows) as usize];
        chunks
            .iter()
            .zip(0..)
            .map(move |(&chunk, at)| (chunk, (rows - at * shape.chunk_rows()).min(shape.chunk_rows())))
    }

    fn copy(&self, table: &ColumnTable, bytes: &[u8]) {
        assert_eq!(bytes.len(), self.rows as usize * table.value_size(), "bytes for each row");
        let mut rest = bytes;
        for (chunk, rows) in self.chunks() {
            let (part, others) = rest.split_at(rows as usize * table.value_size());
            rest = others;
            // SAFETY: the chunk has the column (that of entities, or of a component of its archetype) with room for these
            // rows, which was reserved; the block is fresh and ours, and another allocation than the bytes.
            unsafe { table.rows(chunk).copy_from_nonoverlapping(part.as_ptr(), part.len()) };
        }
    }

    fn stamp(&self, id: ComponentId, stamps: StampBytes<'_>) {
        let column = self.storage.column(id);
        self.mark(column, stamps.chunks);
        if let (Some(rows), Some((added, changed))) = (column.row_stamps(), stamps.rows) {
            self.copy(&rows.added, added);
            self.copy(&rows.changed, changed);
        }
    }

    fn mark(&self, table: &ColumnTable, stamps: &[u8]) {
        for ((chunk, _), bytes) in self.chunks().zip(stamps.chunks_exact(size_of::<u64>())) {
            table.mark(chunk, u64::from_le_bytes(bytes.try_into().expect("eight bytes")));
        }
    }
}

impl Drop for NewRows<'_> {
    fn drop(&mut self) {
        for &(id, values) in &self.filled {
            for (chunk, rows) in self.chunks() {
                let at = self.storage.home(chunk).index * self.storage.shape.chunk_rows();
                // SAFETY: so many values of the chunk were written and nobody else knows of them: the rows do not count.
                unsafe { self.storage.column(id).drop_rows(chunk, values.saturating_sub(at).min(rows)) };
            }
        }
    }
}

/// Rows that move into the storage of a world.
impl Storage {
    /// Whether there is room for the chunks of another storage's rows.
    ///
    /// # Errors
    ///
    /// [`StorageFull`]. Near the limit of chunks some are refused that would just fit.
    pub(crate) fn check_adoption(&self, other: &Self) -> Result<(), StorageFull> {
        let mut chunks = 0u64;
        for (_, archetype) in other.archetypes.iter() {
            let has = self.archetypes.find(archetype.components());
            let has = has.map_or(0, |id| self.archetypes.get(id).chunks().len());
            // Chunks come in runs of as many as there are.
            chunks += 2 * u64::from(self.shape.chunks_for(archetype.len())) + has as u64;
        }
        if self.homes.len() as u64 + chunks > u64::from(self.shape.max_chunks()) {
            return Err(StorageFull::Chunks { chunks: self.homes.len() as u32 });
        }
        Ok(())
    }

    /// Moves all rows here, as those of new entities, in the order of archetypes and rows.
    ///
    /// # Errors
    ///
    /// [`StorageFull`]: what [`check_adoption`](Self::check_adoption) says first.
    pub(crate) fn adopt(&mut self, mut from: Self, stamp: u64) -> Result<(), StorageFull> {
        for index in 0..from.archetypes.len() as u32 {
            let rows = from.archetypes.get(ArchetypeId(index)).len();
            if rows > 0 {
                let target = self.archetypes.of(from.archetypes.get(ArchetypeId(index)).components());
                self.reserve_rows(target, rows)?;
                // The values are ours from here on: nothing below runs code of a user or fails.
                from.archetypes.get_mut(ArchetypeId(index)).set_len(0);
                for row in 0..rows {
                    let place = from.archetypes.get(ArchetypeId(index)).place(row, from.shape);
                    let entity = self.slots.reserve()?;
                    // SAFETY: the row holds a value of each component, and lost count of them above.
                    unsafe { self.adopt_row(&from, place, target, entity, stamp) }?;
                }
            }
        }
        Ok(())
    }

    /// # Safety
    ///
    /// The place holds a value of each component of the target, whose type is that of the column here; they move.
    unsafe fn adopt_row(
        &mut self,
        from: &Self,
        place: Place,
        target: ArchetypeId,
        entity: Entity,
        stamp: u64,
    ) -> Result<(), StorageFull> {
        // SAFETY: a value is written to every column below, and no code of a user runs before.
        let to = unsafe { self.push_row(target, entity, stamp) }?;
        for &id in self.archetypes.get(target).components() {
            let (size, rows) = (self.column(id).value_size(), self.unshare(id, to.chunk));
            // SAFETY: both rows lie in use or in reserved room of columns of one type; the target's block was unshared just
            // now and its row holds nothing; the storages have no block in common.
            unsafe { rows.add(to.row as usize * size).copy_from_nonoverlapping(from.column(id).value(place), size) };
            if let Some(stamps) = self.column(id).row_stamps() {
                let added = self.unshare_table(&stamps.added, to.chunk).cast::<u64>();
                // SAFETY: stamps have the chunks and rows of their component; the block was unshared just now.
                unsafe { added.add(to.row as usize).write(stamp) };
                self.unshare_table(&stamps.changed, to.chunk);
            }
            // SAFETY: the row lies in a chunk with the component and is ours.
            unsafe { self.mark_row(id, to, stamp) };
        }
        Ok(())
    }
}
