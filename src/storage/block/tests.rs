#![expect(unsafe_code, reason = "takes blocks by hand and writes their rows")]

use super::*;

fn take(pool: &BlockPool, layout: BlockLayout, count: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    pool.take(layout, count, |block| blocks.push(block));
    blocks
}

fn layout(size: usize, align: usize, rows: usize) -> BlockLayout {
    BlockLayout::for_rows(Layout::from_size_align(size, align).unwrap(), rows).unwrap()
}

#[test]
fn blocks_of_a_run_are_aligned_disjoint_and_adjacent() {
    for (size, align, rows) in [(1, 1, 8), (12, 4, 2048), (128, 128, 3), (5, 1, 7), (4096, 4096, 1)] {
        let pool = BlockPool::new();
        let layout = layout(size, align, rows);
        let blocks = take(&pool, layout, 5);
        let stride = layout.stride().unwrap();
        for (index, block) in blocks.iter().enumerate() {
            assert_eq!(block.rows().as_ptr().addr() % align.max(64), 0);
            assert_eq!(block.rows().as_ptr().addr(), blocks[0].rows().as_ptr().addr() + index * stride);
            // SAFETY: a fresh block of `bytes` bytes that nobody else uses.
            unsafe { block.rows().as_ptr().write_bytes(index as u8, layout.bytes()) };
        }
        assert!(blocks.iter().all(|block| pool.is_sole(block)), "one holder each");
        blocks.into_iter().for_each(|block| pool.give(block));
    }
}

#[test]
fn a_shared_block_comes_home_with_its_last_holder_and_is_used_again() {
    let pool = BlockPool::new();
    let layout = layout(4, 4, 16);
    let block = take(&pool, layout, 1).remove(0);
    let shared = pool.share(&block);
    assert!(!pool.is_sole(&block));
    let address = block.rows();
    pool.give(block);
    assert!(pool.is_sole(&shared));
    let reserved = pool.reserved_bytes();
    pool.give(shared);
    let again = take(&pool, layout, 1).remove(0);
    assert_eq!(again.rows(), address);
    assert_eq!(pool.reserved_bytes(), reserved);
    pool.give(again);
}

#[test]
fn sizes_beyond_the_address_space_are_refused() {
    let huge = Layout::from_size_align(1 << 40, 8).unwrap();
    assert_eq!(BlockLayout::for_rows(huge, 1 << 30), None);
    assert!(BlockLayout::for_rows(huge, 1).is_some());
}

#[test]
fn blocks_may_be_given_back_on_another_thread() {
    let pool = BlockPool::new();
    let layout = layout(8, 8, 16);
    let block = take(&pool, layout, 1).remove(0);
    std::thread::scope(|scope| _ = scope.spawn(|| pool.give(block)));
    assert_eq!(take(&pool, layout, 1).into_iter().map(|block| pool.give(block)).count(), 1);
}

#[test]
fn counts_of_blocks_taken_one_after_the_other_lie_next_to_each_other() {
    let pool = BlockPool::new();
    let mut blocks = take(&pool, layout(4, 4, 16), 5);
    blocks.extend(take(&pool, layout(12, 4, 16), 5));
    assert!(blocks.iter().map(|block| block.number).eq(0..10));
    blocks.into_iter().for_each(|block| pool.give(block));
}
