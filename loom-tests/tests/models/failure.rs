//! `Failure`. Bounds: three numbers fail, each on a thread; every order.

use std::collections::BTreeSet;
use std::sync::Arc;

use tickweave::fault::Fault;
use tickweave::kernels::Failure;
use tickweave_loom_tests::{Caught, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::FailureByTime, by: LOWEST, says: "the lowest number and its cause" },
    Caught { fault: Fault::FailureStopsLower, by: LOWEST, says: "may start" },
];
const LOWEST: &str = "failure::the_lowest_number_wins_and_is_never_stopped";

#[test]
fn the_lowest_number_wins_and_is_never_stopped() {
    let stopped = explore(None, || {
        let failure = Arc::new(Failure::none());
        let shared = Arc::clone(&failure);
        let fates = hands(3, move |number| {
            assert!(shared.allows(0), "the lowest number may start whatever failed above it");
            let starts = shared.allows(number);
            (starts, if starts { shared.note(number, number) } else { Some(number) })
        });
        assert_eq!(failure.take(), Some((0, 0)), "the lowest number and its cause");
        let mut lost: Vec<u32> = fates.iter().filter_map(|(_, lost)| *lost).collect();
        lost.sort_unstable();
        assert_eq!(lost, [1, 2], "each that lost comes back once");
        fates.iter().filter(|(starts, _)| !starts).count()
    });
    assert_eq!(stopped, BTreeSet::from([0, 1, 2]), "those above may be stopped, or come first");
}
