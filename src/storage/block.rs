#![expect(unsafe_code, reason = "blocks are raw memory")]
#![cfg_attr(
    not(tickweave_loom),
    expect(unreachable_pub, reason = "the models name the kernels, which are private otherwise")
)]
#![cfg_attr(tickweave_loom, expect(missing_docs, reason = "models read the kernels, users don't"))]

use core::alloc::Layout;
use core::ptr::NonNull;
use std::alloc::{alloc, dealloc, handle_alloc_error};
use std::collections::VecDeque;

use crate::fault::{Fault, planted};
use crate::sync::{Mutex, MutexGuard, RefCounts};

/// Every block starts on a cache line.
pub(crate) const BLOCK_ALIGN: usize = 64;

/// Bytes between two blocks of a run, so that blocks whose size is that of some pages do not all begin at one place of a page.
const GAP_BYTES: usize = 64;

/// Memory for a number of rows of one column, and the number of its count.
///
/// ```text
/// run:    | pad | gap | rows ........ | gap | rows ........ | ...
///                     ^ Block points here
/// counts: 1 2 1 1 ... by number, next to each other: see `RefCounts`
/// ```
///
/// A block is a counted reference without a destructor: its owner gives it back to its pool. Whoever holds it alone may
/// write to it.
#[derive(Debug)]
pub struct Block {
    rows: NonNull<u8>,
    number: u32,
}

// SAFETY: a block is a counted reference to memory that any thread may read; who may write to it is the rule of the count,
// and what its rows hold is sent by whoever knows their type.
unsafe impl Send for Block {}

impl Block {
    /// The first row.
    #[inline]
    pub const fn rows(&self) -> NonNull<u8> {
        self.rows
    }

    pub(crate) const fn into_raw(self) -> (*mut u8, u32) {
        (self.rows.as_ptr(), self.number)
    }

    /// The block that [`into_raw`](Self::into_raw) took apart.
    ///
    /// # Safety
    ///
    /// Both came from one `into_raw`, and each is undone once.
    pub(crate) const unsafe fn from_raw(rows: NonNull<u8>, number: u32) -> Self {
        Self { rows, number }
    }
}

/// Bytes and alignment of the rows of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLayout {
    bytes: usize,
    align: usize,
}

impl BlockLayout {
    /// Room for `rows` values; `None` if that is beyond the address space.
    pub fn for_rows(value: Layout, rows: usize) -> Option<Self> {
        let bytes = value.size().checked_mul(rows)?;
        let align = value.align().max(BLOCK_ALIGN);
        let layout = Self { bytes, align };
        layout.run(1).map(|_| layout)
    }

    pub(crate) const fn bytes(self) -> usize {
        self.bytes
    }

    /// From the rows of one block of a run to the rows of the next; `None` if that is beyond the address space.
    fn stride(self) -> Option<usize> {
        self.bytes.checked_add(GAP_BYTES)?.checked_next_multiple_of(self.align)
    }

    /// The allocation of a run of blocks.
    fn run(self, blocks: usize) -> Option<Layout> {
        let bytes = self.stride()?.checked_mul(blocks)?.checked_add(self.align)?;
        Layout::from_size_align(bytes, self.align).ok()
    }
}

/// Blocks of one layout that nobody holds, the one freed first in front.
#[derive(Debug)]
struct Shelf {
    layout: BlockLayout,
    free: VecDeque<Block>,
}

#[derive(Debug, Default)]
struct Shelves {
    shelves: Vec<Shelf>,
    runs: Vec<(NonNull<u8>, Layout)>,
    /// The shelf of each block, by its number.
    shelf_of: Vec<u32>,
    reserved: usize,
    held: usize,
}

/// Where blocks come from and go home to, from any thread. It keeps the memory until it is dropped.
///
/// Blocks are made in runs, so that the chunks of a column lie next to each other, and so do their counts; a block that comes
/// home is used again before new memory is asked for, oldest first. Blocks are only shown to the pool that they came from.
#[derive(Debug)]
pub struct BlockPool {
    shelves: Mutex<Shelves>,
    counts: RefCounts,
}

// SAFETY: the pointers inside are to memory that the pool owns and that no thread touches while the block is home; the
// mutex orders every access to the lists, and counts may be used by any thread.
unsafe impl Send for BlockPool {}
// SAFETY: as above: every method that uses the lists locks the mutex.
unsafe impl Sync for BlockPool {}

impl BlockPool {
    pub fn new() -> Self {
        Self { shelves: Mutex::new(Shelves::default()), counts: RefCounts::new() }
    }

    /// Hands `count` blocks to `each`, in the order of their addresses where they are new.
    ///
    /// The rows are uninitialised; each block has one holder.
    pub fn take(&self, layout: BlockLayout, count: usize, mut each: impl FnMut(Block)) {
        let mut shelves = self.lists();
        let shelf = shelves.shelf(layout);
        if shelves.shelves[shelf].free.len() < count {
            shelves.grow(shelf, count);
            self.counts.reach(shelves.shelf_of.len() as u32);
        }
        shelves.held += count;
        for block in shelves.shelves[shelf].free.drain(..count) {
            self.counts.get(block.number).begin();
            each(block);
        }
    }

    /// Whether nobody but the caller holds the block.
    #[inline]
    pub fn is_sole(&self, block: &Block) -> bool {
        self.counts.get(block.number).is_sole()
    }

    /// Another reference to the same rows.
    #[inline]
    pub fn share(&self, block: &Block) -> Block {
        self.counts.get(block.number).share();
        Block { ..*block }
    }

    /// Takes a reference back; with the last one the block is home.
    pub fn give(&self, block: Block) {
        if !self.counts.get(block.number).release() && !planted(Fault::BlockHomeEarly) {
            return;
        }
        let mut shelves = self.lists();
        shelves.held -= 1;
        let shelf = shelves.shelf_of[block.number as usize];
        shelves.shelves[shelf as usize].free.push_back(block);
    }

    /// Bytes of blocks that the pool has asked the allocator for.
    pub(crate) fn reserved_bytes(&self) -> usize {
        self.lists().reserved
    }

    fn lists(&self) -> MutexGuard<'_, Shelves> {
        self.shelves.lock().expect("no code of a user runs under this lock")
    }
}

impl Shelves {
    fn shelf(&mut self, layout: BlockLayout) -> usize {
        self.shelves.iter().position(|shelf| shelf.layout == layout).unwrap_or_else(|| {
            self.shelves.push(Shelf { layout, free: VecDeque::new() });
            self.shelves.len() - 1
        })
    }

    /// Makes a run of `count` blocks.
    fn grow(&mut self, shelf: usize, count: usize) {
        let layout = self.shelves[shelf].layout;
        let (Some(run), Some(stride)) = (layout.run(count), layout.stride()) else {
            panic!("a run of {count} blocks of {} bytes is beyond the address space", layout.bytes);
        };
        // SAFETY: the size is not zero: a run has at least the padding of `align` bytes.
        let Some(start) = NonNull::new(unsafe { alloc(run) }) else { handle_alloc_error(run) };
        self.runs.push((start, run));
        self.reserved += run.size();
        for index in 0..count {
            let number = u32::try_from(self.shelf_of.len()).expect("fewer blocks than numbers");
            // SAFETY: `align + count * stride` bytes were allocated, so that the rows of each block lie inside.
            let rows = unsafe { start.add(layout.align + index * stride) };
            self.shelf_of.push(shelf as u32);
            self.shelves[shelf].free.push_back(Block { rows, number });
        }
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        let Ok(shelves) = self.shelves.get_mut() else { return };
        debug_assert_eq!(shelves.held, 0, "blocks are still held while their pool is dropped");
        for (start, layout) in shelves.runs.drain(..) {
            // SAFETY: allocated in `grow` with this layout, and every block of it is home.
            unsafe { dealloc(start.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests;
