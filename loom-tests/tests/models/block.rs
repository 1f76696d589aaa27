//! `BlockPool`. Bounds: one block that two threads hold, and another that is taken meanwhile; every interleaving.

use core::alloc::Layout;
use std::sync::Arc;

use loom::sync::Mutex;
use tickweave::fault::Fault;
use tickweave::kernels::{Block, BlockLayout, BlockPool};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[Caught { fault: Fault::BlockHomeEarly, by: HOME, says: "Causality violation" }];
const HOME: &str = "block::a_block_is_handed_out_again_when_its_last_holder_is_through_with_it";

#[test]
fn a_block_is_handed_out_again_when_its_last_holder_is_through_with_it() {
    explore(None, || {
        let pool = Arc::new(BlockPool::new());
        let block = take(&pool);
        let (first, shared) = (block.rows(), Mutex::new(vec![block.share(), block]));
        // What is in the rows of the first block.
        let rows = Plain::new(5);
        let owner = Arc::clone(&pool);
        hands(2, move |_| {
            let held = shared.lock().expect("no panic").pop().expect("a block for each");
            rows.get();
            owner.give(held);
            let other = take(&owner);
            if other.rows() == first {
                rows.set(6);
            }
            owner.give(other);
        });
    });
}

/// A block for one value.
fn take(pool: &BlockPool) -> Block {
    let layout = BlockLayout::for_rows(Layout::new::<u64>(), 1).expect("a small block");
    let mut taken = None;
    pool.take(layout, 1, |block| taken = Some(block));
    taken.expect("as many as asked for")
}
