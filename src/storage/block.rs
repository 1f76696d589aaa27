#![expect(unsafe_code, reason = "blocks are raw memory with a header in front")]
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
use crate::sync::{Mutex, RefCount};

/// Every block starts on a cache line.
pub(crate) const BLOCK_ALIGN: usize = 64;

/// Bytes in front of the rows of a block: the header, padded to a cache line.
const HEADER_BYTES: usize = 64;

/// Memory for a number of rows of one column: the header in front, the rows behind it.
///
/// ```text
/// run: | pad | header | rows ........ | header | rows ........ | ...
///              64 bytes ^ Block points here
/// ```
///
/// A block is a counted reference without a destructor: its owner gives it back to its pool. Whoever holds it alone may
/// write to it.
#[derive(Debug)]
#[repr(transparent)]
pub struct Block(NonNull<u8>);

#[repr(C)]
struct Header {
    holders: RefCount,
    shelf: u32,
}

const _: () = assert!(size_of::<Header>() <= HEADER_BYTES && align_of::<Header>() <= BLOCK_ALIGN);

// SAFETY: a block is a counted reference to memory that any thread may read; who may write to it is the rule of the count,
// and what its rows hold is sent by whoever knows their type.
unsafe impl Send for Block {}

impl Block {
    /// The first row.
    #[inline]
    pub const fn rows(&self) -> NonNull<u8> {
        self.0
    }

    pub(crate) const fn into_raw(self) -> *mut u8 {
        self.0.as_ptr()
    }

    /// The block that [`into_raw`](Self::into_raw) made a pointer of.
    ///
    /// # Safety
    ///
    /// `rows` came from `into_raw`, and each `into_raw` is undone once.
    pub(crate) const unsafe fn from_raw(rows: NonNull<u8>) -> Self {
        Self(rows)
    }

    fn header(&self) -> &Header {
        // SAFETY: the pool wrote a `Header` 64 bytes in front of the rows, in the same allocation, aligned to a cache
        // line; it lives as long as the pool, which outlives every block, and is only read through shared references.
        unsafe { self.0.sub(HEADER_BYTES).cast::<Header>().as_ref() }
    }

    /// Whether nobody else holds the block.
    #[inline]
    pub fn is_sole(&self) -> bool {
        self.header().holders.is_sole()
    }

    /// Whether somebody holds the block, as whoever asks does.
    #[inline]
    pub fn is_held(&self) -> bool {
        self.header().holders.is_held()
    }

    /// Another reference to the same rows.
    pub fn share(&self) -> Self {
        self.header().holders.share();
        Self(self.0)
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
        self.bytes.checked_add(HEADER_BYTES)?.checked_next_multiple_of(self.align)
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
    free: VecDeque<NonNull<u8>>,
}

#[derive(Debug, Default)]
struct Shelves {
    shelves: Vec<Shelf>,
    runs: Vec<(NonNull<u8>, Layout)>,
    reserved: usize,
    held: usize,
}

/// Where blocks come from and go home to, from any thread. It keeps the memory until it is dropped.
///
/// Blocks are made in runs, so that the chunks of a column lie next to each other; a block that comes home is used again
/// before new memory is asked for, oldest first.
#[derive(Debug)]
pub struct BlockPool(Mutex<Shelves>);

// SAFETY: the pointers inside are to memory that the pool owns and that no thread touches while the block is home; the
// mutex orders every access to the lists.
unsafe impl Send for BlockPool {}
// SAFETY: as above: every method locks the mutex.
unsafe impl Sync for BlockPool {}

impl BlockPool {
    pub fn new() -> Self {
        Self(Mutex::new(Shelves::default()))
    }

    /// Hands `count` blocks to `each`, in the order of their addresses where they are new.
    ///
    /// The rows are uninitialised; each block has one holder.
    pub fn take(&self, layout: BlockLayout, count: usize, mut each: impl FnMut(Block)) {
        let mut shelves = self.0.lock().expect("no code of a user runs under this lock");
        let shelf = shelves.shelf(layout);
        if shelves.shelves[shelf].free.len() < count {
            shelves.grow(shelf, count);
        }
        shelves.held += count;
        for _ in 0..count {
            let rows = shelves.shelves[shelf].free.pop_front().expect("grown to hold enough");
            // SAFETY: blocks at home are owned by the pool; the header lies 64 bytes in front of the rows, in the same
            // allocation, aligned; nobody else refers to it.
            unsafe {
                let header = Header { holders: RefCount::one(), shelf: shelf as u32 };
                rows.sub(HEADER_BYTES).cast::<Header>().write(header);
            }
            each(Block(rows));
        }
    }

    /// Takes a reference back; with the last one the block is home.
    pub fn give(&self, block: Block) {
        if !block.header().holders.release() && !planted(Fault::BlockHomeEarly) {
            return;
        }
        let shelf = block.header().shelf as usize;
        let mut shelves = self.0.lock().expect("no code of a user runs under this lock");
        shelves.held -= 1;
        shelves.shelves[shelf].free.push_back(block.0);
    }

    /// Bytes that the pool has asked the allocator for.
    pub(crate) fn reserved_bytes(&self) -> usize {
        self.0.lock().expect("no code of a user runs under this lock").reserved
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
            // SAFETY: `align + count * stride` bytes were allocated, so the rows of each block and the 64 bytes in front
            // of them lie inside; `align` is a multiple of 64 and `stride` of `align`.
            self.shelves[shelf].free.push_back(unsafe { start.add(layout.align + index * stride) });
        }
    }
}

impl Drop for BlockPool {
    fn drop(&mut self) {
        let Ok(shelves) = self.0.get_mut() else { return };
        debug_assert_eq!(shelves.held, 0, "blocks are still held while their pool is dropped");
        for (start, layout) in shelves.runs.drain(..) {
            // SAFETY: allocated in `grow` with this layout, and every block of it is home.
            unsafe { dealloc(start.as_ptr(), layout) };
        }
    }
}

#[cfg(test)]
mod tests;
