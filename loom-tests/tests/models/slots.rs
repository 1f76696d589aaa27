//! `Slots`. Bounds: two hands, every order.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tickweave::fault::Fault;
use tickweave::kernels::Slots;
use tickweave_loom_tests::{Caught, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::SlotTakenTwice, by: OUT, says: "moved out once" },
    Caught { fault: Fault::SlotWrittenTwice, by: IN, says: "Causality violation" },
];
const OUT: &str = "slots::results_of_all_hands_are_moved_out_once";
const IN: &str = "slots::of_two_that_write_one_slot_one_is_refused";

#[test]
fn results_of_all_hands_are_moved_out_once() {
    explore(None, || {
        let slots = Arc::new(Slots::<u32, 3>::empty());
        let shared = Arc::clone(&slots);
        hands(2, move |number| shared.put(number as usize, number + 1));
        let mut slots = Arc::into_inner(slots).expect("hands keep nothing");
        assert_eq!([0, 1, 2].map(|index| slots.take(index)), [Some(1), Some(2), None]);
        assert_eq!([0, 1, 2].map(|index| slots.take(index)), [None; 3], "moved out once");
    });
}

#[test]
fn of_two_that_write_one_slot_one_is_refused() {
    let written = explore(None, || {
        let slots = Slots::<u32, 1>::empty();
        hands(2, move |number| catch_unwind(AssertUnwindSafe(|| slots.put(0, number))).is_ok())
    });
    assert_eq!(written, BTreeSet::from([vec![true, false], vec![false, true]]));
}
