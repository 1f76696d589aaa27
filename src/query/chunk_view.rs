#![expect(unsafe_code, reason = "hands out rows under the access that its maker was granted")]

use super::RunStamps;
use crate::access::IdSet;
use crate::component::{Component, ComponentId};
use crate::entity::Entity;
use crate::storage::{ChunkId, ColumnTable, Place, Storage};

/// One chunk as the terms of a query see it: where its columns are.
///
/// Only the library makes one; a named query row passes it on to its fields.
#[derive(Clone, Copy, Debug)]
pub struct ChunkView<'w> {
    storage: &'w Storage,
    chunk: ChunkId,
    stamps: RunStamps,
}

impl<'w> ChunkView<'w> {
    /// # Safety
    ///
    /// While the view and what was fetched through it live, whoever uses it holds access to what its terms name, and
    /// nothing changes structure.
    pub(crate) const unsafe fn new(storage: &'w Storage, chunk: ChunkId, stamps: RunStamps) -> Self {
        Self { storage, chunk, stamps }
    }

    pub(crate) const fn chunk(&self) -> ChunkId {
        self.chunk
    }

    pub(crate) const fn stamps(&self) -> RunStamps {
        self.stamps
    }

    /// The components of the chunk's archetype.
    pub(crate) fn mask(&self) -> &'w IdSet {
        self.storage.archetypes().get(self.storage.home(self.chunk).archetype).mask()
    }

    pub(crate) fn column(&self, id: ComponentId) -> &'w ColumnTable {
        self.storage.column(id)
    }

    /// Whether the chunk has a column of the component.
    #[inline]
    pub(crate) fn has(&self, id: Option<ComponentId>) -> bool {
        id.is_some_and(|id| self.column(id).has(self.chunk))
    }

    /// The rows of a component, for reading; null if the chunk has none.
    ///
    /// # Safety
    ///
    /// The id, if there is one, is of the view's world, and the caller holds the component in this chunk for reading.
    #[inline(always)]
    pub(crate) unsafe fn read<T>(&self, id: Option<ComponentId>) -> *const T {
        let Some(id) = id else { return core::ptr::null() };
        // SAFETY: the contract is passed on: who may write the component may move its block, and nobody may now.
        unsafe { self.storage.column_of_registered(id).rows_at_rest(self.chunk).cast() }
    }

    /// The rows of a component, for writing, and the stamps of their changes (null where it is not tracked): the blocks are
    /// ours alone, and the chunk is marked as written now.
    ///
    /// # Safety
    ///
    /// The id is of the view's world, and the chunk has the component.
    #[inline(always)]
    pub(crate) unsafe fn write<T>(&self, id: ComponentId) -> (*mut T, *mut u64) {
        // SAFETY: the contract is passed on.
        let column = unsafe { self.storage.column_of_registered(id) };
        let rows = self.storage.enter_table(column, self.chunk, self.stamps.now).cast();
        let stamps = column.row_stamps().map(|stamps| self.storage.unshare_table(&stamps.changed, self.chunk).cast());
        (rows, stamps.unwrap_or(core::ptr::null_mut()))
    }

    /// The same for a loop over the rows.
    ///
    /// It is one piece of code for all types: a tick of many small systems then needs few lines of the cache for it.
    ///
    /// # Safety
    ///
    /// As for [`write`](Self::write).
    #[inline(always)]
    pub(crate) unsafe fn enter<T: Component>(&self, id: ComponentId) -> (*mut T, *mut u64) {
        #[inline(never)]
        unsafe fn enter(storage: &Storage, chunk: ChunkId, now: u64, id: ComponentId) -> *mut u8 {
            // SAFETY: the contract is passed on.
            let rows = unsafe { storage.column_of_registered(id).marked_rows_of_present(chunk, now) };
            // SAFETY: as above.
            rows.unwrap_or_else(|| unsafe { enter_with_stamps(storage, chunk, now, id) }.0)
        }
        /// The same for rows that have stamps, or for a block that others may hold.
        #[inline(never)]
        unsafe fn enter_with_stamps(
            storage: &Storage,
            chunk: ChunkId,
            now: u64,
            id: ComponentId,
        ) -> (*mut u8, *mut u64) {
            // SAFETY: the contract is passed on.
            unsafe { ChunkView::new(storage, chunk, RunStamps { now, last: 0 }).write(id) }
        }
        // SAFETY: the contract is passed on.
        let (rows, changed) = unsafe {
            match T::TRACKED {
                true => enter_with_stamps(self.storage, self.chunk, self.stamps.now, id),
                false => (enter(self.storage, self.chunk, self.stamps.now, id), core::ptr::null_mut()),
            }
        };
        (rows.cast(), changed)
    }

    /// The entities of the chunk.
    #[inline]
    pub(crate) fn entities(&self) -> *const Entity {
        self.storage.entity_column().rows(self.chunk).cast_const().cast()
    }

    pub(crate) const fn place(&self, row: u32) -> Place {
        Place { chunk: self.chunk, row }
    }
}
