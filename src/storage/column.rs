#![expect(unsafe_code, reason = "columns are raw rows of values whose type is erased")]

use core::alloc::Layout;
use core::ptr::NonNull;

use super::block::{Block, BlockLayout, BlockPool};
use super::chunk::{ChunkId, Place};
use crate::component::{ComponentDescriptor, DropRows, EncodeRow, MapRow};
use crate::sync::{AtomicPtr, AtomicU64, Ordering, at_rest};

/// The values of one component in every chunk of the world: a table by chunk of blocks and their stamps.
///
/// ```text
/// chunk       0        1        2        3
/// blocks   [ rows ] [ rows ]  (null)  [ rows ]     null: the archetype of that chunk lacks the component
/// stamps       7        7        0        3        the last write to the block
/// ```
///
/// One table step leads from the place of an entity to its value. Types without bytes have a dangling, aligned pointer
/// in the place of rows. The tables grow only while nobody else refers to the storage (`&mut self`); blocks and stamps are
/// atomics, so that hands which write different chunks of a column never make a `&mut` of it.
///
/// What every pass needs comes first and fills one cache line.
#[derive(Debug)]
#[repr(C, align(64))]
pub(crate) struct ColumnTable {
    chunks: Vec<ColumnChunk>,
    value: Layout,
    /// Made with the first chunk, so that registration allocates nothing.
    row_stamps: Option<Box<RowStamps>>,
    /// Whether a block was ever shared. While none was, writers need not look at the counts, which lie with the blocks.
    shared: bool,
    /// Whether rows carry stamps of their own.
    tracked: bool,
    drop_rows: Option<DropRows>,
    encode_row: Option<EncodeRow>,
    map_row: Option<MapRow>,
}

/// One chunk of a column.
#[derive(Debug)]
struct ColumnChunk {
    /// The rows of the block; null if the chunk has no such column.
    rows: AtomicPtr<u8>,
    /// When the block was last written.
    stamp: AtomicU64,
}

impl ColumnChunk {
    fn absent() -> Self {
        Self { rows: AtomicPtr::new(core::ptr::null_mut()), stamp: AtomicU64::new(0) }
    }
}

/// When each row of a tracked component was added and last changed.
#[derive(Debug)]
pub(crate) struct RowStamps {
    pub(crate) added: ColumnTable,
    pub(crate) changed: ColumnTable,
}

impl Default for RowStamps {
    fn default() -> Self {
        Self { added: ColumnTable::plain::<u64>(), changed: ColumnTable::plain::<u64>() }
    }
}

impl ColumnTable {
    /// A table for values of plain bytes without hooks.
    pub(crate) fn plain<T: Copy>() -> Self {
        Self {
            value: Layout::new::<T>(),
            drop_rows: None,
            encode_row: None,
            map_row: None,
            chunks: Vec::new(),
            shared: false,
            tracked: false,
            row_stamps: None,
        }
    }

    pub(crate) fn of(descriptor: &ComponentDescriptor) -> Self {
        Self {
            value: descriptor.layout,
            drop_rows: descriptor.drop_rows,
            encode_row: descriptor.encode_row,
            map_row: descriptor.map_row,
            tracked: descriptor.tracked,
            ..Self::plain::<()>()
        }
    }

    pub(crate) const fn value_size(&self) -> usize {
        self.value.size()
    }

    pub(crate) const fn encode_row(&self) -> Option<EncodeRow> {
        self.encode_row
    }

    pub(crate) const fn map_row(&self) -> Option<MapRow> {
        self.map_row
    }

    /// The stamps of the rows of a tracked component; `None` also while it has no chunk.
    #[inline]
    pub(crate) fn row_stamps(&self) -> Option<&RowStamps> {
        self.row_stamps.as_deref()
    }

    /// The rows of a chunk, null if the chunk has no such column.
    #[inline]
    pub(crate) fn rows(&self, chunk: ChunkId) -> *mut u8 {
        self.chunks.get(chunk.index()).map_or(core::ptr::null_mut(), |chunk| chunk.rows.load(Ordering::Relaxed))
    }

    /// The same, where no writer can put another block in its place meanwhile: a plain read, which the compiler may keep.
    ///
    /// # Safety
    ///
    /// The caller holds the component in this chunk for reading.
    #[inline(always)]
    pub(crate) unsafe fn rows_at_rest(&self, chunk: ChunkId) -> *const u8 {
        match self.chunks.get(chunk.index()) {
            // SAFETY: only writers of the component in this chunk store the pointer, and there is none by this function's
            // contract.
            Some(chunk) => unsafe { at_rest(&chunk.rows) },
            None => core::ptr::null(),
        }
    }

    /// Whether the chunk has such a column.
    #[inline]
    pub(crate) fn has(&self, chunk: ChunkId) -> bool {
        !self.rows(chunk).is_null()
    }

    /// The value at a place, null if the chunk has no such column. Only for reading: the block may be shared.
    #[inline]
    pub(crate) fn value(&self, place: Place) -> *const u8 {
        let rows = self.rows(place.chunk);
        if rows.is_null() {
            return rows;
        }
        // Wrapping: that the row lies within the block is for those to know who read it.
        rows.wrapping_add(place.row as usize * self.value.size())
    }

    /// When the block was last written.
    #[inline]
    pub(crate) fn stamp(&self, chunk: ChunkId) -> u64 {
        self.chunks[chunk.index()].stamp.load(Ordering::Relaxed)
    }

    /// Notes that the block is written at `stamp`. Every hand that enters the chunk for the same system notes the same.
    #[inline]
    pub(crate) fn mark(&self, chunk: ChunkId, stamp: u64) {
        self.chunks[chunk.index()].stamp.store(stamp, Ordering::Relaxed);
    }

    /// The same, and the rows of the chunk, which has the column: both lie next to each other.
    #[inline(always)]
    pub(crate) fn marked_rows(&self, chunk: ChunkId, stamp: u64) -> *mut u8 {
        let chunk = &self.chunks[chunk.index()];
        chunk.stamp.store(stamp, Ordering::Relaxed);
        chunk.rows.load(Ordering::Relaxed)
    }

    /// Whether some block was ever shared, so that writers need [`unshare`](Self::unshare).
    #[inline(always)]
    pub(crate) const fn was_shared(&self) -> bool {
        self.shared
    }

    /// Makes the chunk's block ours alone, so that it may be written: by the count of the block. `capacity` are the rows that
    /// fit into it.
    ///
    /// Returns the rows; callers fetch them from here, after the block became theirs, and keep them over no code of a user.
    #[cold]
    pub(crate) fn unshare(&self, chunk: ChunkId, capacity: u32, pool: &BlockPool) -> *mut u8 {
        let Some(rows) = NonNull::new(self.rows(chunk)) else { return core::ptr::null_mut() };
        // SAFETY: a column that was shared has blocks (`share` refuses values without bytes), and the table owns one
        // reference to each; it is looked at, not released.
        let block = core::mem::ManuallyDrop::new(unsafe { Block::from_raw(rows) });
        if block.is_sole() { rows.as_ptr() } else { self.copy_shared(chunk, rows, capacity, pool) }
    }

    /// Another reference to the block of a chunk that has one, as a snapshot holds it.
    #[cfg(test)]
    fn share(&mut self, chunk: ChunkId) -> Block {
        assert!(self.value.size() != 0, "values without bytes have no block that could be shared");
        self.shared = true;
        let rows = NonNull::new(self.rows(chunk)).expect("the chunk has the column");
        // SAFETY: the table owns one reference to the block; it is looked at, not released.
        core::mem::ManuallyDrop::new(unsafe { Block::from_raw(rows) }).share()
    }

    /// Copies a shared block and puts the copy in its place.
    #[cold]
    fn copy_shared(&self, chunk: ChunkId, shared: NonNull<u8>, capacity: u32, pool: &BlockPool) -> *mut u8 {
        debug_assert!(self.drop_rows.is_none(), "values with destructors are never shared by their bytes");
        let copy = take_block(pool, self.layout(capacity));
        // SAFETY: both blocks have room for `capacity` rows of this layout and are different allocations; a shared block
        // is written by nobody. Rows beyond those in use may be uninitialised, which a copy of bytes allows.
        unsafe { copy.rows().copy_from_nonoverlapping(shared, self.layout(capacity).bytes()) };
        let rows = copy.into_raw();
        self.chunks[chunk.index()].rows.store(rows, Ordering::Relaxed);
        // SAFETY: the table's reference to the shared block came from `into_raw` and is given back once, here.
        pool.give(unsafe { Block::from_raw(shared) });
        rows
    }

    fn layout(&self, capacity: u32) -> BlockLayout {
        BlockLayout::for_rows(self.value, capacity as usize).expect("checked when the component was registered")
    }

    /// Gives the chunks `first..first + count` a column with room for `capacity` rows each, next to each other in memory.
    pub(crate) fn add_chunks(&mut self, first: ChunkId, count: u32, capacity: u32, pool: &BlockPool) {
        let end = first.index() + count as usize;
        self.reach(end);
        if self.value.size() == 0 {
            for chunk in &mut self.chunks[first.index()..end] {
                chunk.rows = AtomicPtr::new(core::ptr::without_provenance_mut(self.value.align()));
            }
        } else {
            let mut chunks = self.chunks[first.index()..end].iter_mut();
            let layout = BlockLayout::for_rows(self.value, capacity as usize).expect("checked at registration");
            pool.take(layout, count as usize, |block| {
                chunks.next().expect("as many chunks as blocks").rows = AtomicPtr::new(block.into_raw());
            });
        }
        if self.tracked {
            let stamps = self.row_stamps.get_or_insert_with(Box::default);
            stamps.added.add_chunks(first, count, capacity, pool);
            stamps.changed.add_chunks(first, count, capacity, pool);
        }
    }

    fn reach(&mut self, chunks: usize) {
        if chunks > self.chunks.len() {
            self.chunks.resize_with(chunks, ColumnChunk::absent);
        }
    }

    /// Moves the rows of a small first chunk to a block with more room.
    pub(crate) fn enlarge(&mut self, chunk: ChunkId, rows: u32, capacity: u32, pool: &BlockPool) {
        if let Some(stamps) = &mut self.row_stamps {
            stamps.added.enlarge(chunk, rows, capacity, pool);
            stamps.changed.enlarge(chunk, rows, capacity, pool);
        }
        if self.value.size() == 0 {
            return;
        }
        let old = NonNull::new(self.rows(chunk)).expect("only columns that the chunk has are enlarged");
        let new = take_block(pool, self.layout(capacity));
        // SAFETY: the old block holds `rows` rows, the new one has room for more; they are different allocations. The
        // values move: the old block is given back without dropping them. A block with values that are more than bytes
        // has no other holder.
        unsafe { new.rows().copy_from_nonoverlapping(old, rows as usize * self.value.size()) };
        self.chunks[chunk.index()].rows.store(new.into_raw(), Ordering::Relaxed);
        // SAFETY: the table's reference came from `into_raw` and is given back once, here.
        pool.give(unsafe { Block::from_raw(old) });
    }

    /// Moves the value at `from` of this column to the uninitialised row `to`; `from` is uninitialised afterwards. The
    /// stamps of a tracked row move along.
    ///
    /// # Safety
    ///
    /// Both places lie in chunks with this column, within their capacity, and are different; both blocks are unshared;
    /// `from` holds a value, `to` holds none; nobody else uses either.
    pub(crate) unsafe fn move_row(&self, from: Place, to: Place) {
        let size = self.value.size();
        // SAFETY: the rows lie within their blocks and are different by this function's contract.
        unsafe { self.row(to).copy_from_nonoverlapping(self.row(from), size) };
        if let Some(stamps) = &self.row_stamps {
            // SAFETY: the stamp columns have the same chunks and rows as this one.
            unsafe {
                stamps.added.move_row(from, to);
                stamps.changed.move_row(from, to);
            }
        }
    }

    /// # Safety
    ///
    /// The chunk has this column and the row lies within its capacity.
    #[inline]
    pub(crate) unsafe fn row(&self, place: Place) -> *mut u8 {
        // SAFETY: the caller says that the row lies within the block.
        unsafe { self.rows(place.chunk).add(place.row as usize * self.value.size()) }
    }

    /// Drops the first `count` values of a chunk.
    ///
    /// # Safety
    ///
    /// The chunk holds that many values, nobody else uses them, and they are never used again.
    pub(crate) unsafe fn drop_rows(&self, chunk: ChunkId, count: u32) {
        if let Some(drop_rows) = self.drop_rows {
            // SAFETY: as many valid values in a row by this function's contract.
            unsafe { drop_rows(self.rows(chunk), count as usize) };
        }
    }

    /// Whether dropping a row runs code of the user.
    pub(crate) const fn needs_drop(&self) -> bool {
        self.drop_rows.is_some()
    }

    /// Layout and destructor of the values, if they have one.
    pub(crate) fn value_to_drop(&self) -> Option<(Layout, DropRows)> {
        self.drop_rows.map(|drop| (self.value, drop))
    }

    /// Gives every block back. Values with a destructor were dropped before.
    pub(crate) fn release(&mut self, pool: &BlockPool) {
        if let Some(stamps) = &mut self.row_stamps {
            stamps.added.release(pool);
            stamps.changed.release(pool);
        }
        for chunk in self.chunks.drain(..) {
            let rows = NonNull::new(chunk.rows.load(Ordering::Relaxed)).filter(|_| self.value.size() != 0);
            if let Some(rows) = rows {
                // SAFETY: the table's reference came from `into_raw` and is given back once: the table is empty now.
                pool.give(unsafe { Block::from_raw(rows) });
            }
        }
    }
}

fn take_block(pool: &BlockPool, layout: BlockLayout) -> Block {
    let mut taken = None;
    pool.take(layout, 1, |block| taken = Some(block));
    taken.expect("the pool hands out as many as were asked for")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHUNK: ChunkId = ChunkId(0);

    fn at(row: u32) -> Place {
        Place { chunk: CHUNK, row }
    }

    /// A table of `u32` with one chunk of four rows, numbered from 10.
    fn numbers(pool: &BlockPool) -> ColumnTable {
        let mut table = ColumnTable::plain::<u32>();
        table.add_chunks(CHUNK, 1, 4, pool);
        for row in 0..4 {
            // SAFETY: the chunk has four rows, and the block is fresh and ours.
            unsafe { table.row(at(row)).cast::<u32>().write(10 + row) };
        }
        table
    }

    fn read(rows: *const u8, row: usize) -> u32 {
        // SAFETY: the tests read rows that they wrote.
        unsafe { rows.cast::<u32>().add(row).read() }
    }

    #[test]
    fn the_first_writer_of_a_shared_block_copies_it_and_the_other_holder_sees_nothing() {
        let pool = BlockPool::new();
        let mut table = numbers(&pool);
        let before = table.rows(CHUNK);
        let held = table.share(CHUNK);
        let rows = table.unshare(CHUNK, 4, &pool);
        assert_ne!(rows, before);
        // SAFETY: the copy is the table's alone and has four rows.
        unsafe { rows.cast::<u32>().write(99) };
        assert_eq!([read(held.rows().as_ptr(), 0), read(held.rows().as_ptr(), 3)], [10, 13]);
        assert_eq!([read(table.rows(CHUNK), 0), read(table.rows(CHUNK), 3)], [99, 13]);
        assert_eq!(table.unshare(CHUNK, 4, &pool), rows, "a sole holder writes in place");
        pool.give(held);
        table.release(&pool);
    }

    #[test]
    fn rows_keep_their_values_when_the_first_chunk_grows() {
        let pool = BlockPool::new();
        let mut table = numbers(&pool);
        table.enlarge(CHUNK, 4, 8, &pool);
        assert_eq!((0..4).map(|row| read(table.rows(CHUNK), row)).collect::<Vec<_>>(), [10, 11, 12, 13]);
        table.release(&pool);
    }

    #[test]
    fn zero_sized_values_of_any_alignment_have_aligned_places_and_no_block() {
        #[derive(Clone, Copy)]
        #[repr(align(256))]
        struct Wide;
        let pool = BlockPool::new();
        let mut table = ColumnTable::plain::<Wide>();
        table.add_chunks(CHUNK, 3, 2048, &pool);
        assert!(table.has(ChunkId(2)) && !table.has(ChunkId(3)));
        assert_eq!(table.rows(ChunkId(1)).addr() % 256, 0);
        assert_eq!(pool.reserved_bytes(), 0);
        table.release(&pool);
    }
}
