//! `BlockPool` over `RefCount`.
//!
//! Bounds: one block that two threads hold, and another that each takes next; every order. The pool checks when it is dropped
//! that every block is home.

use core::alloc::Layout;
use std::collections::BTreeSet;

use loom::sync::Mutex;
use tickweave::fault::Fault;
use tickweave::kernels::{Block, BlockLayout, BlockPool};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::BlockHomeEarly, by: HOME, says: "Causality violation" },
    Caught { fault: Fault::RefCountLoadsThenStores, by: HOME, says: "blocks are still held" },
    Caught { fault: Fault::RefCountLastUnfenced, by: HOME, says: "Causality violation" },
];
const HOME: &str = "block::a_block_is_handed_out_again_when_its_last_holder_is_through_with_it";

#[test]
fn a_block_is_handed_out_again_when_its_last_holder_is_through_with_it() {
    let again = explore(None, || {
        let pool = BlockPool::new();
        let block = take(&pool);
        let (first, held) = (block.rows(), Mutex::new(vec![pool.share(&block), block]));
        // What is in the rows of the first block.
        let rows = Plain::new(5);
        hands(2, move |_| {
            let block = held.lock().expect("no panic").pop().expect("one for each");
            rows.get();
            pool.give(block);
            let next = take(&pool);
            let again = next.rows() == first;
            if again {
                rows.set(6);
            }
            pool.give(next);
            again
        })
    });
    let outcomes = [[false, false], [false, true], [true, false], [true, true]];
    assert_eq!(again, BTreeSet::from(outcomes.map(Vec::from)), "whoever takes next may be given it");
}

/// A block for one value.
fn take(pool: &BlockPool) -> Block {
    let layout = BlockLayout::for_rows(Layout::new::<u64>(), 1).expect("a small block");
    let mut taken = None;
    pool.take(layout, 1, |block| taken = Some(block));
    taken.expect("as many as asked for")
}
