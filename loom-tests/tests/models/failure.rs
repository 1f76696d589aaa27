//! `Failure`. Bounds: three numbers fail, each on a thread; every interleaving.

use std::sync::Arc;

use tickweave::fault::Fault;
use tickweave::kernels::Failure;
use tickweave_loom_tests::{Caught, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::FailureByTime, by: LOWEST, says: "the lowest" },
    Caught { fault: Fault::FailureStopsLower, by: LOWEST, says: "may start" },
];
const LOWEST: &str = "failure::the_lowest_number_wins_and_is_never_stopped";

#[test]
fn the_lowest_number_wins_and_is_never_stopped() {
    explore(None, || {
        let failure = Arc::new(Failure::none());
        let shared = Arc::clone(&failure);
        let lost = hands(3, move |number| {
            assert!(shared.allows(0), "the lowest number may start whatever failed above it");
            // A number that is told to stop has lost to a lower one.
            if !shared.allows(number) { Some(number) } else { shared.note(number, number) }
        });
        assert_eq!(failure.take(), Some((0, 0)), "the lowest number and its cause");
        let mut lost: Vec<u32> = lost.into_iter().flatten().collect();
        lost.sort_unstable();
        assert_eq!(lost, [1, 2], "each cause that lost comes back once");
    });
}
