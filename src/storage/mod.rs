//! Where the bytes are: blocks, columns, chunks, archetypes, the removal log, resources and sections.
//!
//! ```text
//! Entity --slot--> Place {chunk, row} --column table of T--> block --row--> value of T
//! Archetype: components, chunks [c0, c1, ...], rows   (row -> chunk by shift, row in chunk by mask)
//! ```
//!
//! Columns are tables by chunk, so that the place of an entity leads to any of its values in one step; an archetype is
//! the list of its chunks. See `docs/house.md` for who may know whom.

mod archetype;
mod block;
mod chunk;
mod column;
mod doomed;
mod paged;
mod rails;
mod rebuild;
mod removals;
pub(crate) mod resources;
mod rows;
mod sections;
mod share;
#[cfg(tickweave_loom)]
mod shared;
mod slots;
pub(crate) mod stamp;
mod upcoming;

pub use archetype::ArchetypeId;
pub(crate) use archetype::{Archetype, Archetypes, Edge};
use block::{Block, BlockPool};
pub use chunk::{BATCH_ROWS, CHUNK_ROWS, InvalidChunkShape, MAX_CHUNK_ROWS};
pub(crate) use chunk::{ChunkId, ChunkShape, Place};
pub(crate) use column::ColumnTable;
pub(crate) use doomed::Doomed;
pub(crate) use rebuild::{NewRows, Rebuild, StampBytes};
pub use removals::Removal;
pub(crate) use removals::RemovalLog;
pub(crate) use resources::Resources;
pub(crate) use rows::RowWriter;
pub use rows::StorageFull;
pub use sections::SectionId;
pub(crate) use sections::{AnyValue, SectionCount, SectionHooks, SectionKey, Sections, how_both_have, maker_of};
pub(crate) use share::Detached;
pub(crate) use slots::{SlotState, Slots};

/// What models explore.
#[cfg(tickweave_loom)]
pub(crate) mod kernels {
    pub use super::block::{Block, BlockLayout, BlockPool};
    pub use super::shared::SharedColumn;
}

use crate::component::{ComponentDescriptor, ComponentId, first_room};
use crate::entity::Entity;
use crate::sync::{Arc, Mutex, next_unique};

/// Which chunk of which archetype a chunk of the world is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkHome {
    pub(crate) archetype: ArchetypeId,
    pub(crate) index: u32,
}

/// Entities and their rows: the sole owner of slots, archetypes, chunks and columns.
///
/// While systems run it is only borrowed; blocks and stamps are atomics, and rows are reached through raw pointers under
/// the access that was granted. Whatever changes structure takes `&mut`.
#[derive(Debug)]
pub(crate) struct Storage {
    shape: ChunkShape,
    pool: Arc<BlockPool>,
    slots: Slots,
    archetypes: Archetypes,
    homes: Vec<ChunkHome>,
    entities: ColumnTable,
    columns: Vec<ColumnTable>,
    removals: RemovalLog,
    /// Blocks that hands put others in the place of while systems ran: rows of them may still be read.
    retired: Mutex<Vec<Block>>,
    /// Tells lists of archetypes apart, in this process: two storages with one label begin with the same archetypes.
    structure: u64,
}

impl Storage {
    pub(crate) fn new(shape: ChunkShape, entity_capacity: u32, max_components: u32, removal_ticks: u32) -> Self {
        let pool = Arc::new(BlockPool::new());
        Self {
            shape,
            slots: Slots::new(entity_capacity, shape, &pool),
            pool,
            archetypes: Archetypes::new(),
            homes: Vec::new(),
            entities: ColumnTable::plain::<Entity>(),
            columns: Vec::with_capacity(first_room(max_components) as usize),
            removals: RemovalLog::new(removal_ticks),
            retired: Mutex::new(Vec::new()),
            structure: next_unique(),
        }
    }

    /// Makes the column table of the next component id.
    pub(crate) fn add_column(&mut self, descriptor: &ComponentDescriptor) {
        self.columns.push(ColumnTable::of(descriptor));
    }

    /// Tells lists of archetypes apart; caches of matches are kept for one.
    pub(crate) const fn structure(&self) -> u64 {
        self.structure
    }

    pub(crate) fn column_count(&self) -> usize {
        self.columns.len()
    }

    #[inline]
    pub(crate) const fn shape(&self) -> ChunkShape {
        self.shape
    }

    #[inline]
    pub(crate) const fn slots(&self) -> &Slots {
        &self.slots
    }

    pub(crate) const fn slots_mut(&mut self) -> &mut Slots {
        &mut self.slots
    }

    pub(crate) const fn archetypes(&self) -> &Archetypes {
        &self.archetypes
    }

    pub(crate) const fn archetypes_mut(&mut self) -> &mut Archetypes {
        &mut self.archetypes
    }

    pub(crate) const fn removals(&self) -> &RemovalLog {
        &self.removals
    }

    pub(crate) const fn removals_mut(&mut self) -> &mut RemovalLog {
        &mut self.removals
    }

    #[inline]
    pub(crate) fn column(&self, id: ComponentId) -> &ColumnTable {
        &self.columns[id.index()]
    }

    /// The same without a look at how many there are.
    ///
    /// # Safety
    ///
    /// The registry of the storage's world gave the id, and has not forgotten it since: no restore came in between.
    #[inline(always)]
    #[expect(unsafe_code, reason = "a read by entity reaches the table of its column without a check")]
    pub(crate) unsafe fn column_of_registered(&self, id: ComponentId) -> &ColumnTable {
        debug_assert!(id.index() < self.columns.len(), "{id:?} was not given by this world");
        // SAFETY: a table was made for each id that the registry gave; a restore takes those away whose ids the registry
        // forgets with them.
        unsafe { self.columns.get_unchecked(id.index()) }
    }

    #[inline]
    pub(crate) const fn entity_column(&self) -> &ColumnTable {
        &self.entities
    }

    #[inline]
    pub(crate) fn home(&self, chunk: ChunkId) -> ChunkHome {
        self.homes[chunk.index()]
    }

    /// Bytes that the pool of blocks has asked the allocator for.
    pub(crate) fn reserved_bytes(&self) -> usize {
        self.pool.reserved_bytes()
    }

    /// Where the row of a live entity is; `None` if it is not alive or only reserved.
    #[inline]
    pub(crate) fn place_of(&self, entity: Entity) -> Option<Place> {
        self.slots.location(entity).map(|location| self.shape.unpack(location))
    }

    /// The archetype and row of a live entity.
    pub(crate) fn row_of(&self, entity: Entity) -> Option<(ArchetypeId, u32)> {
        self.place_of(entity).map(|place| {
            let home = self.home(place.chunk);
            (home.archetype, home.index * self.shape.chunk_rows() + place.row)
        })
    }

    /// Makes the chunk's block of a component ours alone and returns its rows: for writers that hold access to them.
    #[inline(always)]
    pub(crate) fn unshare(&self, component: ComponentId, chunk: ChunkId) -> *mut u8 {
        self.unshare_table(self.column(component), chunk)
    }

    /// The same for any table: of a component, of its stamps, of entities. The one door for writers.
    #[inline(always)]
    pub(crate) fn unshare_table(&self, table: &ColumnTable, chunk: ChunkId) -> *mut u8 {
        match table.own_rows(chunk) {
            Some(rows) => rows,
            None => self.unshare_block(table, chunk),
        }
    }

    /// The same for a table that has the chunk, which is marked as written at `stamp`.
    #[inline(always)]
    pub(crate) fn enter_table(&self, table: &ColumnTable, chunk: ChunkId, stamp: u64) -> *mut u8 {
        match table.marked_rows(chunk, stamp) {
            Some(rows) => rows,
            None => self.unshare_block(table, chunk),
        }
    }

    #[cold]
    fn unshare_block(&self, table: &ColumnTable, chunk: ChunkId) -> *mut u8 {
        let capacity = self.archetypes.get(self.home(chunk).archetype).chunk_capacity(self.shape);
        table.unshare(chunk, capacity, &self.pool, |block| {
            self.retired.lock().expect("no code of a user runs under this lock").push(block);
        })
    }
}

#[cfg(test)]
mod tests;
