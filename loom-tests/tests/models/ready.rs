//! `ReadyList`. Bounds: two hands that push a node each and take, and one that only takes; at most three preemptions.

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
    explore(Some(3), || {
        let mut ready = ReadyList::default();
        ready.reset(2);
        let (ready, made) = (ready, [(); 2].map(|()| Plain::new(0)));
        let shared = std::sync::Arc::new((ready, made));
        let rest = std::sync::Arc::clone(&shared);
        let mut taken = hands(3, move |number| {
            let (ready, made) = &*shared;
            if number < 2 {
                made[number as usize].set(number + 1);
                ready.push(number);
            }
            take(ready, made)
        });
        // What a hand did not see in time is there for whoever looks next.
        taken.push(take(&rest.0, &rest.1));
        let mut taken = taken.concat();
        taken.sort_unstable();
        assert_eq!(taken, [0, 1], "each node once");
    });
}

/// Takes until nothing is left, and reads what made each node ready.
fn take(ready: &ReadyList, made: &[Plain<u32>]) -> Vec<u32> {
    let nodes = core::iter::from_fn(|| ready.take());
    nodes.inspect(|&node| assert_eq!(made[node as usize].get(), node + 1)).collect()
}
