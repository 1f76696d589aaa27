//! `ReadyList`. Bounds: two hands that push a node each and take, and one that only takes; at most four preemptions.

use std::collections::BTreeSet;
use std::sync::Arc;

use tickweave::fault::Fault;
use tickweave::kernels::ReadyList;
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::ReadyPublishedUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::ReadyTakenByStore, by: ONCE, says: "each node once" },
];
const ONCE: &str = "ready::each_node_is_taken_once_with_what_made_it_ready";

#[test]
fn each_node_is_taken_once_with_what_made_it_ready() {
    let left_over = explore(Some(4), || {
        let mut ready = ReadyList::default();
        ready.reset(2, core::iter::empty());
        let shared = Arc::new((ready, [(); 2].map(|()| Plain::new(0))));
        let rest = Arc::clone(&shared);
        let taken = hands(3, move |number| {
            let (ready, made) = &*shared;
            if number < 2 {
                made[number as usize].set(number + 1);
                ready.push(number);
            }
            take(ready, made)
        });
        // What nobody saw in time is there for whoever looks next.
        let rest = take(&rest.0, &rest.1);
        let mut all = [taken.concat(), rest.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, [0, 1], "each node once");
        rest.len()
    });
    assert_eq!(left_over, BTreeSet::from([0, 1]));
}

/// Takes until nothing is left, and reads what made each node ready.
fn take(ready: &ReadyList, made: &[Plain<u32>]) -> Vec<u32> {
    let nodes = core::iter::from_fn(|| ready.take());
    nodes.inspect(|&node| assert_eq!(made[node as usize].get(), node + 1)).collect()
}
