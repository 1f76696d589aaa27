//! `Latch`. Bounds: two hands that meet at a shut latch; at most three preemptions each, since a hand that waits yields.

use std::cell::Cell;
use std::collections::BTreeSet;

use tickweave::fault::Fault;
use tickweave::kernels::Latch;
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::LatchPassedTwice, by: PASS, says: "Causality violation" },
    Caught { fault: Fault::LatchPassedUnordered, by: PASS, says: "Causality violation" },
    Caught { fault: Fault::LatchOpenedUnordered, by: PASS, says: "Causality violation" },
    Caught { fault: Fault::LatchSeenUnordered, by: LOOK, says: "Causality violation" },
];
const PASS: &str = "latch::one_hand_puts_a_block_behind_the_latch_and_the_other_finds_it_there";
const LOOK: &str = "latch::a_hand_that_sees_an_open_latch_finds_what_is_behind_it";

#[test]
fn one_hand_puts_a_block_behind_the_latch_and_the_other_finds_it_there() {
    let opened = explore(Some(3), || {
        let (latch, block) = (Latch::open(), Plain::new(0));
        latch.shut();
        let opened = hands(2, move |_| {
            let opened = Cell::new(false);
            latch.pass(|| {
                opened.set(true);
                block.set(1);
            });
            assert_eq!(block.get(), 1);
            opened.get()
        });
        assert_eq!(opened.iter().filter(|&&opened| opened).count(), 1, "how many opened it");
        opened
    });
    assert_eq!(opened, BTreeSet::from([vec![false, true], vec![true, false]]), "any may be the first");
}

#[test]
fn a_hand_that_sees_an_open_latch_finds_what_is_behind_it() {
    let seen = explore(Some(3), || {
        let (latch, block) = (Latch::open(), Plain::new(0));
        latch.shut();
        hands(2, move |number| {
            if number == 0 {
                latch.pass(|| block.set(1));
                return true;
            }
            let open = latch.is_open();
            if open {
                assert_eq!(block.get(), 1);
            }
            open
        })[1]
    });
    assert_eq!(seen, BTreeSet::from([false, true]));
}
