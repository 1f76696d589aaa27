#![expect(unsafe_code, reason = "columns are raw rows of values whose type is erased")]

use core::alloc::Layout;
use core::mem::ManuallyDrop;
use core::ptr::NonNull;

use super::block::{Block, BlockLayout, BlockPool};
use super::chunk::{ChunkId, Place};
use crate::component::{CloneRow, ComponentDescriptor, DropRows, EncodeRow, MapRow};
use crate::fault::{Fault, planted};
use crate::sync::{AtomicPtr, AtomicU32, AtomicU64, Latch, Ordering, at_rest};

/// The values of one component in every chunk of the world: a table by chunk of blocks and their stamps.
///
/// ```text
/// chunk       0        1        2        3
/// blocks   [ rows ] [ rows ]  (null)  [ rows ]     null: the archetype of that chunk lacks the component
/// stamps       7        7        0        3        the last write to the block
/// hashes      h0        ?        ?       h3        of what the block held when it was last hashed; unknown once written
/// latches   open     shut     open     open        shut: a snapshot holds the block too
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
    /// Whether rows carry stamps of their own.
    tracked: bool,
    /// Whether values are their bytes, so that blocks can be shared.
    plain: bool,
    drop_rows: Option<DropRows>,
    clone_row: Option<CloneRow>,
    encode_row: Option<EncodeRow>,
    map_row: Option<MapRow>,
}

/// One chunk of a column: half a cache line.
#[derive(Debug)]
struct ColumnChunk {
    /// The rows of the block; null if the chunk has no such column.
    rows: AtomicPtr<u8>,
    /// When the block was last written.
    stamp: AtomicU64,
    /// The hash of the rows; 0 while it is not known.
    hash: AtomicU64,
    /// Shut while others may hold the block.
    latch: Latch,
    /// The number of the block in its pool.
    number: AtomicU32,
}

impl ColumnChunk {
    fn absent() -> Self {
        Self {
            rows: AtomicPtr::new(core::ptr::null_mut()),
            stamp: AtomicU64::new(0),
            hash: AtomicU64::new(0),
            latch: Latch::open(),
            number: AtomicU32::new(0),
        }
    }

    /// Notes a write at `stamp`. What was hashed before is no longer what the rows hold.
    #[inline(always)]
    fn mark(&self, stamp: u64) {
        self.stamp.store(stamp, Ordering::Relaxed);
        if !planted(Fault::HashKeptTooLong) {
            self.hash.store(0, Ordering::Relaxed);
        }
    }

    fn address(&self) -> *mut u8 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Notes a write; the rows if the block is ours, `None` if others may hold it.
    #[inline(always)]
    fn marked_rows(&self, stamp: u64) -> Option<*mut u8> {
        self.mark(stamp);
        self.latch.is_open().then(|| self.address())
    }

    /// Holds what another chunk holds from now on.
    fn share_from(&mut self, other: &Self, value: Layout, pool: &BlockPool) {
        if self.address() != other.address() {
            give_back(self, value, pool);
            *self = other.shared(value, pool);
        }
        self.hash = copy_of(&other.hash);
        if !planted(Fault::StampNotRestored) {
            self.stamp = copy_of(&other.stamp);
        }
    }

    /// The same block for another table, which shuts the latches of both. Stamp and hash are left to the caller.
    fn shared(&self, value: Layout, pool: &BlockPool) -> Self {
        let chunk = Self { rows: AtomicPtr::new(self.address()), ..Self::absent() };
        // SAFETY: the values have bytes.
        if let Some(block) = (value.size() != 0).then(|| unsafe { self.block() }).flatten() {
            chunk.put(pool.share(&block));
            self.latch.shut();
            chunk.latch.shut();
        }
        chunk
    }

    /// The block, looked at and not released; `None` if there is none.
    ///
    /// # Safety
    ///
    /// The values of the column have bytes, and nobody puts another block here meanwhile.
    unsafe fn block(&self) -> Option<ManuallyDrop<Block>> {
        let (rows, number) = (NonNull::new(self.address())?, self.number.load(Ordering::Relaxed));
        // SAFETY: rows of values with bytes are those of a block, whose number was put here with them; the table owns one
        // reference, which the caller undoes by giving it back or not at all.
        Some(ManuallyDrop::new(unsafe { Block::from_raw(rows, number) }))
    }

    /// Holds a block, whatever was here before. Readers of the rows may be here meanwhile.
    fn put(&self, block: Block) {
        let (rows, number) = block.into_raw();
        self.number.store(number, Ordering::Relaxed);
        self.rows.store(rows, Ordering::Release);
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
            plain: true,
            drop_rows: None,
            clone_row: None,
            encode_row: None,
            map_row: None,
            chunks: Vec::new(),
            tracked: false,
            row_stamps: None,
        }
    }

    pub(crate) fn of(descriptor: &ComponentDescriptor) -> Self {
        Self {
            value: descriptor.layout,
            plain: descriptor.is_plain(),
            drop_rows: descriptor.drop_rows,
            clone_row: descriptor.clone_row,
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
        self.chunks.get(chunk.index()).map_or(core::ptr::null_mut(), |chunk| chunk.rows.load(Ordering::Acquire))
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

    /// The same for a chunk that is there, without a look.
    ///
    /// # Safety
    ///
    /// The table has the chunk, and nobody puts another block in its place meanwhile.
    #[inline(always)]
    pub(super) unsafe fn rows_of_present(&self, chunk: ChunkId) -> *const u8 {
        debug_assert!(chunk.index() < self.chunks.len(), "{chunk:?} is not there");
        // SAFETY: this function's contract.
        unsafe { at_rest(&self.chunks.get_unchecked(chunk.index()).rows) }
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
        self.chunks[chunk.index()].mark(stamp);
    }

    /// The same for a chunk that has the column; returns its rows if its block is ours, `None` if others may hold it.
    #[inline(always)]
    pub(crate) fn marked_rows(&self, chunk: ChunkId, stamp: u64) -> Option<*mut u8> {
        self.chunks[chunk.index()].marked_rows(stamp)
    }

    /// The same, where the caller knows that the chunk has the column.
    ///
    /// # Safety
    ///
    /// It has.
    #[inline(always)]
    pub(crate) unsafe fn marked_rows_of_present(&self, chunk: ChunkId, stamp: u64) -> Option<*mut u8> {
        debug_assert!(self.has(chunk), "{chunk:?} has no such column");
        // SAFETY: the table has an entry for each chunk that has the column.
        unsafe { self.chunks.get_unchecked(chunk.index()) }.marked_rows(stamp)
    }

    /// The rows of a chunk if its block is ours (null if the chunk has no such column), `None` if others may hold it.
    #[inline(always)]
    pub(crate) fn own_rows(&self, chunk: ChunkId) -> Option<*mut u8> {
        match self.chunks.get(chunk.index()) {
            Some(chunk) => chunk.latch.is_open().then(|| chunk.rows.load(Ordering::Relaxed)),
            None => Some(core::ptr::null_mut()),
        }
    }

    /// Makes the chunk's block ours alone, so that it may be written: a copy takes the place of a block that others hold,
    /// and the table's reference to it goes to `retire`. `capacity` are the rows that fit into it.
    ///
    /// Returns the rows; callers fetch them from here, after the block became theirs, and keep them over no code of a user.
    ///
    /// # Determinism
    ///
    /// Hands that come at the same time meet at the latch: one copies, before any of them writes.
    #[cold]
    pub(crate) fn unshare(&self, at: ChunkId, capacity: u32, pool: &BlockPool, retire: impl FnOnce(Block)) -> *mut u8 {
        let chunk = &self.chunks[at.index()];
        chunk.latch.pass(|| {
            // SAFETY: only values with bytes are ever shared; others wait at the latch meanwhile.
            let block = unsafe { chunk.block() }.expect("a chunk that was shared has a block");
            if !pool.is_sole(&block) && !planted(Fault::SharedWritten) {
                chunk.put(self.copied(&block, capacity, pool));
                retire(ManuallyDrop::into_inner(block));
            }
        });
        chunk.rows.load(Ordering::Relaxed)
    }

    /// A copy of a block.
    fn copied(&self, block: &Block, capacity: u32, pool: &BlockPool) -> Block {
        debug_assert!(self.plain, "values that are more than bytes are never shared by their bytes");
        let layout = self.layout(capacity);
        let copy = take_block(pool, layout);
        // SAFETY: both blocks have room for `capacity` rows of this layout and are different allocations; a shared block
        // is written by nobody. Rows beyond those in use may be uninitialised, which a copy of bytes allows.
        unsafe { copy.rows().copy_from_nonoverlapping(block.rows(), layout.bytes()) };
        copy
    }

    /// The hash of the chunk's rows, if nothing was written since it was kept.
    pub(crate) fn kept_hash(&self, chunk: ChunkId) -> Option<u64> {
        let hash = self.chunks[chunk.index()].hash.load(Ordering::Relaxed);
        (hash != 0).then_some(hash)
    }

    /// Keeps the hash of the chunk's rows, which may not be 0, until the next write.
    pub(crate) fn keep_hash(&self, chunk: ChunkId, hash: u64) {
        debug_assert!(hash != 0, "0 stands for an unknown hash");
        self.chunks[chunk.index()].hash.store(hash, Ordering::Relaxed);
    }

    /// Holds the blocks of `source` from now on, with their stamps and hashes: both tables hold them, and neither may write
    /// before it has made them its own. Blocks that both hold already are left alone.
    ///
    /// Values that are more than bytes are not shared: a storage clones them, one by one.
    pub(super) fn share_from(&mut self, source: &Self, pool: &BlockPool) {
        debug_assert!(self.value == source.value && self.plain, "columns of the same plain type");
        for chunk in self.chunks.drain(source.chunks.len().min(self.chunks.len())..) {
            give_back(&chunk, self.value, pool);
        }
        self.reach(source.chunks.len());
        let both = self.chunks.iter_mut().zip(&source.chunks);
        both.for_each(|(ours, theirs)| ours.share_from(theirs, self.value, pool));
        self.share_row_stamps(source, pool);
    }

    /// Holds the stamps of the rows of `source` from now on.
    pub(super) fn share_row_stamps(&mut self, source: &Self, pool: &BlockPool) {
        if let Some(theirs) = &source.row_stamps {
            let ours = self.row_stamps.get_or_insert_with(Box::default);
            ours.added.share_from(&theirs.added, pool);
            ours.changed.share_from(&theirs.changed, pool);
        } else if let Some(mut ours) = self.row_stamps.take() {
            ours.added.release(pool);
            ours.changed.release(pool);
        }
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
            pool.take(layout, count as usize, |block| chunks.next().expect("as many chunks as blocks").put(block));
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
        let (layout, size) = (self.layout(capacity), self.value.size());
        let chunk = &mut self.chunks[chunk.index()];
        // SAFETY: the values have bytes, and the table is ours alone.
        let old = unsafe { chunk.block() }.expect("only columns that the chunk has are enlarged");
        let new = take_block(pool, layout);
        // SAFETY: the old block holds `rows` rows, the new one has room for more; they are different allocations. The
        // values move: the old block is given back without dropping them. A block with values that are more than bytes
        // has no other holder.
        unsafe { new.rows().copy_from_nonoverlapping(old.rows(), rows as usize * size) };
        chunk.put(new);
        chunk.latch = Latch::open();
        pool.give(ManuallyDrop::into_inner(old));
    }

    /// Moves the value at `from` of this column to the uninitialised row `to`; `from` is uninitialised afterwards, though its
    /// bytes stay: others may hold them. The stamps of a tracked row move along.
    ///
    /// # Safety
    ///
    /// Both places lie in chunks with this column, within their capacity, and are different; the blocks of `to` are
    /// unshared; `from` holds a value, `to` holds none; nobody writes `from` or uses `to`.
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

    /// Whether values are their bytes, so that blocks can be shared.
    pub(crate) const fn is_plain(&self) -> bool {
        self.plain
    }

    /// An empty table for the same values.
    pub(super) fn like(&self) -> Self {
        Self { chunks: Vec::new(), row_stamps: None, ..*self }
    }

    /// Writes a clone of a value to the same row of another table.
    ///
    /// # Safety
    ///
    /// The row holds a value that nobody writes, the other table is for the same values, has the chunk with room for the
    /// row, and holds nothing there.
    ///
    /// # Panics
    ///
    /// If the values can't be cloned: callers ask for it first.
    pub(super) unsafe fn clone_row_to(&self, place: Place, other: &Self) {
        let clone = self.clone_row.expect("callers asked whether the values can be cloned");
        // SAFETY: this function's contract.
        unsafe { clone(self.value(place), other.row(place)) };
    }

    /// Whether a snapshot can hold the values.
    pub(crate) const fn can_be_kept(&self) -> bool {
        self.plain || self.clone_row.is_some()
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
            give_back(&chunk, self.value, pool);
        }
    }
}

/// Gives the reference of a chunk that leaves its table back.
fn give_back(chunk: &ColumnChunk, value: Layout, pool: &BlockPool) {
    if value.size() != 0 {
        // SAFETY: the values have bytes; the table's reference is given back once: the chunk goes, and nobody else has it.
        unsafe { chunk.block() }.map(ManuallyDrop::into_inner).into_iter().for_each(|block| pool.give(block));
    }
}

fn copy_of(word: &AtomicU64) -> AtomicU64 {
    AtomicU64::new(word.load(Ordering::Relaxed))
}

fn take_block(pool: &BlockPool, layout: BlockLayout) -> Block {
    let mut taken = None;
    pool.take(layout, 1, |block| taken = Some(block));
    taken.expect("the pool hands out as many as were asked for")
}

#[cfg(test)]
mod tests;
