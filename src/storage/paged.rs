#![expect(unsafe_code, reason = "reads and writes rows of a column by number")]

use crate::sync::Arc;
use core::marker::PhantomData;

use super::block::BlockPool;
use super::chunk::{ChunkId, ChunkShape, Place};
use super::column::ColumnTable;

/// Values of a page at first: a small world stays small.
const FIRST_ROWS: u32 = 8;

/// Pages that come at a time at most, next to each other in memory.
const MAX_RUN: u32 = 16;

/// A list of plain values whose pages are chunks of a column: shared with snapshots, copied page by page at the first write.
///
/// What grows with the number of entities and is no component lies in such lists.
#[derive(Debug)]
pub(super) struct Paged<T> {
    table: ColumnTable,
    shape: ChunkShape,
    len: u32,
    /// Values that fit without more memory.
    capacity: u32,
    pool: Arc<BlockPool>,
    marker: PhantomData<T>,
}

impl<T: Copy> Paged<T> {
    pub(super) fn new(shape: ChunkShape, pool: Arc<BlockPool>) -> Self {
        Self { table: ColumnTable::plain::<T>(), shape, len: 0, capacity: 0, pool, marker: PhantomData }
    }

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    /// The pages that hold values, and how many each holds.
    pub(super) fn pages(&self) -> impl Iterator<Item = (ChunkId, u32)> + use<T> {
        let (len, rows) = (self.len, self.shape.chunk_rows());
        (0..self.shape.chunks_for(len)).map(move |page| (ChunkId(page), (len - page * rows).min(rows)))
    }

    pub(super) const fn table(&self) -> &ColumnTable {
        &self.table
    }

    #[inline(always)]
    pub(super) fn get(&self, index: u32) -> Option<T> {
        if index >= self.len {
            return None;
        }
        let place = self.shape.unpack(index);
        // SAFETY: there is a page for each value below `len`, which holds it; pages are put in place of others only under
        // `&mut self`.
        Some(unsafe { self.table.rows_of_present(place.chunk).cast::<T>().add(place.row as usize).read() })
    }

    /// # Panics
    ///
    /// If there is no such value.
    #[inline]
    pub(super) fn set(&mut self, index: u32, value: T) {
        assert!(index < self.len, "value {index} of {}", self.len);
        self.write(index, value);
    }

    #[inline]
    fn write(&mut self, index: u32, value: T) {
        let Place { chunk, row } = self.shape.unpack(index);
        let rows = match self.table.marked_rows(chunk, 0) {
            Some(rows) => rows,
            None => self.unshare(chunk),
        };
        // SAFETY: there is room for the value in the page, which is ours alone, as is the list.
        unsafe { rows.cast::<T>().add(row as usize).write(value) };
    }

    #[cold]
    fn unshare(&self, chunk: ChunkId) -> *mut u8 {
        let rows = self.capacity.min(self.shape.chunk_rows());
        self.table.unshare(chunk, rows, &self.pool, |block| self.pool.give(block))
    }

    pub(super) fn push(&mut self, value: T) {
        if self.len == self.capacity {
            self.grow();
        }
        self.len += 1;
        self.write(self.len - 1, value);
    }

    pub(super) fn pop(&mut self) -> Option<T> {
        let last = self.get(self.len.checked_sub(1)?);
        self.len -= 1;
        self.table.mark(self.shape.chunk_of(self.len), 0);
        last
    }

    #[cold]
    fn grow(&mut self) {
        let full = self.shape.chunk_rows();
        let pages = self.capacity.div_ceil(full);
        self.capacity = match self.capacity {
            0 => FIRST_ROWS.min(full),
            rows if rows < full => (rows * 2).min(full),
            rows => rows.saturating_add(pages.min(MAX_RUN) * full),
        };
        if pages == 1 && self.capacity <= full {
            self.table.enlarge(ChunkId(0), self.len, self.capacity, &self.pool);
        } else {
            let more = self.capacity.div_ceil(full) - pages;
            self.table.add_chunks(ChunkId(pages), more, self.capacity.min(full), &self.pool);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.len).map_while(|index| self.get(index))
    }

    /// The first values of a page.
    pub(super) fn iter_page(&self, page: ChunkId, rows: u32) -> impl Iterator<Item = T> + '_ {
        let first = self.shape.pack(Place { chunk: page, row: 0 });
        (first..first + rows).map_while(|index| self.get(index))
    }

    /// Holds what `source` holds from now on. Both have pages of the same shape.
    pub(super) fn share_from(&mut self, source: &Self) {
        self.table.share_from(&source.table, &self.pool);
        (self.shape, self.len, self.capacity) = (source.shape, source.len, source.capacity);
    }

    /// Gives every page back and takes others from `pool`.
    pub(super) fn move_to(&mut self, pool: &Arc<BlockPool>) {
        self.table.release(&self.pool);
        (self.len, self.capacity, self.pool) = (0, 0, Arc::clone(pool));
    }
}

impl<T> Drop for Paged<T> {
    fn drop(&mut self) {
        self.table.release(&self.pool);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: u32) -> Paged<u32> {
        let mut list = Paged::new(ChunkShape::new(4, 2).unwrap(), Arc::new(BlockPool::new()));
        (0..count).for_each(|number| list.push(number));
        list
    }

    #[test]
    fn values_survive_every_growth_and_come_back_last_in_first_out() {
        let mut list = numbers(100);
        assert!(list.iter().eq(0..100));
        assert_eq!(list.pages().map(|(_, rows)| rows).sum::<u32>(), 100);
        list.set(7, 1000);
        assert_eq!((list.get(7), list.get(100)), (Some(1000), None));
        assert_eq!((list.pop(), list.pop(), list.len()), (Some(99), Some(98), 98));
        list.push(5);
        assert_eq!(list.get(98), Some(5));
    }

    #[test]
    fn a_holder_of_shared_pages_sees_nothing_of_what_the_other_writes_or_appends() {
        let mut list = numbers(6);
        let mut held = Paged::new(list.shape, Arc::clone(&list.pool));
        held.share_from(&list);
        list.set(0, 77);
        list.push(6);
        list.pop();
        list.pop();
        list.push(88);
        assert!(held.iter().eq(0..6));
        assert!(list.iter().eq([77, 1, 2, 3, 4, 88]));
        list.share_from(&held);
        assert!(list.iter().eq(0..6));
    }

    #[test]
    fn a_kept_hash_is_forgotten_with_the_first_write_to_its_page() {
        let mut list = numbers(8);
        let [first, second] = [ChunkId(0), ChunkId(1)];
        [first, second].into_iter().for_each(|page| list.table().keep_hash(page, 3));
        list.set(1, 9);
        assert_eq!([first, second].map(|page| list.table().kept_hash(page)), [None, Some(3)]);
        list.pop();
        assert_eq!(list.table().kept_hash(second), None);
    }
}
