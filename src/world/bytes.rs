#![expect(unsafe_code, reason = "the borrow of the world is the right to read every row")]

use super::World;
use crate::component::ComponentId;
use crate::entity::Entity;
use crate::storage::{Archetype, ArchetypeId, ChunkId, Place, SectionKey};
use crate::value::Sink;

/// Rows and sections as bytes, for hashes, dumps and saves.
impl World {
    /// The chunks of an archetype that have rows, and how many.
    pub(crate) fn chunks_of<'a>(&self, archetype: &'a Archetype) -> impl Iterator<Item = (ChunkId, u32)> + use<'a> {
        let shape = self.storage.shape();
        (0..archetype.used_chunks(shape)).map(move |index| (archetype.chunks()[index], archetype.rows_in(index, shape)))
    }

    /// What is read here as bytes must be there: the callers have no unsafe code, and hence no contract.
    fn assert_in_use(&self, first: Place, rows: u32) {
        assert!(self.storage.in_use(first, rows), "{rows} rows from {first:?} on are not in use");
    }

    /// The handles of the first rows of a chunk.
    ///
    /// # Panics
    ///
    /// If it has fewer; so do the others here.
    pub(crate) fn entity_rows(&self, chunk: ChunkId, rows: u32) -> &[u8] {
        self.assert_in_use(Place { chunk, row: 0 }, rows);
        let start = self.storage.entity_column().rows(chunk).cast_const();
        // SAFETY: the rows are in use, handles have no padding, and nobody writes while the world is borrowed.
        unsafe { core::slice::from_raw_parts(start, rows as usize * size_of::<Entity>()) }
    }

    /// The values of the first rows of a chunk that has the component: as they are if they are Data, else their canonical
    /// bytes, written to `encoded`. `None` for opaque values without `state`.
    pub(crate) fn rows_as_bytes<'b>(
        &'b self,
        id: ComponentId,
        chunk: ChunkId,
        rows: u32,
        encoded: &'b mut Vec<u8>,
    ) -> Option<&'b [u8]> {
        self.bytes_from(id, Place { chunk, row: 0 }, rows, encoded)
    }

    /// The same for one row.
    pub(crate) fn row_as_bytes<'b>(
        &'b self,
        id: ComponentId,
        place: Place,
        encoded: &'b mut Vec<u8>,
    ) -> Option<&'b [u8]> {
        self.bytes_from(id, place, 1, encoded)
    }

    fn bytes_from<'b>(
        &'b self,
        id: ComponentId,
        first: Place,
        rows: u32,
        encoded: &'b mut Vec<u8>,
    ) -> Option<&'b [u8]> {
        self.assert_in_use(first, rows);
        let column = self.storage.column(id);
        assert!(column.has(first.chunk), "{first:?} has no {id:?}");
        let descriptor = self.components.descriptor(id);
        if descriptor.is_plain() {
            let start = column.value(first);
            // SAFETY: the rows are in use; tags have no bytes and Data values no padding; nobody writes while the world is
            // borrowed.
            return Some(unsafe { core::slice::from_raw_parts(start, rows as usize * column.value_size()) });
        }
        let encode = column.encode_row()?;
        for row in first.row..first.row + rows {
            // SAFETY: the row is in use, so that it holds a value of the hook's type, and nobody writes it meanwhile.
            unsafe { encode(column.value(Place { chunk: first.chunk, row }), &mut Sink::new(encoded)) };
        }
        Some(encoded)
    }

    /// The stamps of the first rows of a chunk, of when each was added and last changed; `None` if it is not tracked.
    pub(crate) fn row_stamps(&self, id: ComponentId, chunk: ChunkId, rows: u32) -> Option<(&[u8], &[u8])> {
        self.assert_in_use(Place { chunk, row: 0 }, rows);
        let stamps = self.storage.column(id).row_stamps()?;
        assert!(stamps.added.has(chunk), "{chunk:?} has no {id:?}");
        let read = |start: *mut u8| {
            // SAFETY: a tracked column has a stamp for each row in use, and nobody writes while the world is borrowed.
            unsafe { core::slice::from_raw_parts(start.cast_const(), rows as usize * size_of::<u64>()) }
        };
        Some((read(stamps.added.rows(chunk)), read(stamps.changed.rows(chunk))))
    }

    /// Every section that is state and has a value, in order: its number, its key and the canonical bytes of its value.
    pub(crate) fn for_each_section(&self, each: impl FnMut(u32, &SectionKey, &[u8])) {
        // SAFETY: the world is borrowed, so that nobody writes a section.
        unsafe { self.sections.for_each_state(each) }
    }

    /// The hash of every section that is state and has a value, in order, with its number and its key. `trusted`: those that are
    /// known from before are used.
    pub(crate) fn for_each_section_hash(&self, trusted: bool, each: impl FnMut(u32, &SectionKey, u64)) {
        // SAFETY: the world is borrowed, so that nobody writes a section.
        unsafe { self.sections.for_each_hash(trusted, each) }
    }

    /// An archetype, if there is one of this number.
    pub(crate) fn archetype_at(&self, id: ArchetypeId) -> Option<&Archetype> {
        (id.index() < self.storage.archetypes().len()).then(|| self.storage.archetypes().get(id))
    }
}
