#![expect(unsafe_code, reason = "reads and writes rows by hand")]

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

fn unshared(table: &ColumnTable, pool: &BlockPool) -> *mut u8 {
    table.own_rows(CHUNK).unwrap_or_else(|| table.unshare(CHUNK, 4, pool, |block| pool.give(block)))
}

#[test]
fn the_first_writer_of_a_shared_block_copies_it_and_the_other_holder_sees_nothing() {
    let pool = BlockPool::new();
    let mut table = numbers(&pool);
    let mut held = ColumnTable::plain::<u32>();
    held.share_from(&table, &pool);
    let before = table.rows(CHUNK);
    assert_eq!((held.rows(CHUNK), table.own_rows(CHUNK)), (before, None));
    let rows = unshared(&table, &pool);
    assert_ne!(rows, before);
    // SAFETY: the copy is the table's alone and has four rows.
    unsafe { rows.cast::<u32>().write(99) };
    assert_eq!([read(held.rows(CHUNK), 0), read(held.rows(CHUNK), 3)], [10, 13]);
    assert_eq!([read(table.rows(CHUNK), 0), read(table.rows(CHUNK), 3)], [99, 13]);
    assert_eq!(unshared(&table, &pool), rows, "what is ours is written in place");
    held.release(&pool);
    table.release(&pool);
}

#[test]
fn a_block_whose_other_holder_is_gone_is_written_in_place() {
    let pool = BlockPool::new();
    let mut table = numbers(&pool);
    let before = table.rows(CHUNK);
    let mut held = ColumnTable::plain::<u32>();
    held.share_from(&table, &pool);
    held.release(&pool);
    assert_eq!(unshared(&table, &pool), before);
    assert_eq!(table.own_rows(CHUNK), Some(before));
    table.release(&pool);
}

#[test]
fn what_both_hold_already_is_not_counted_twice() {
    let pool = BlockPool::new();
    let mut table = numbers(&pool);
    let mut held = ColumnTable::plain::<u32>();
    held.share_from(&table, &pool);
    held.share_from(&table, &pool);
    table.share_from(&held, &pool);
    table.release(&pool);
    assert_eq!(unshared(&held, &pool), held.rows(CHUNK), "the last holder");
    held.release(&pool);
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
