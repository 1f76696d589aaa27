//! `RefCount`. Bounds: the owner and two other holders; every order.

use std::collections::BTreeSet;

use tickweave::fault::Fault;
use tickweave::kernels::RefCount;
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::RefCountLoadsThenStores, by: SOLE, says: "how many were told so" },
    Caught { fault: Fault::RefCountLeftUnordered, by: SOLE, says: "Causality violation" },
    Caught { fault: Fault::RefCountSoleUnordered, by: SOLE, says: "Causality violation" },
    Caught { fault: Fault::RefCountSharedByStore, by: SHARE, says: "it holds another" },
    Caught { fault: Fault::RefCountLastUnfenced, by: LAST, says: "Causality violation" },
];
const SOLE: &str = "ref_count::a_sole_holder_writes_after_all_that_others_did";
const SHARE: &str = "ref_count::a_holder_that_shares_while_another_leaves_is_counted";
const LAST: &str = "ref_count::the_last_holder_alone_is_told_so_and_comes_after_all_others";

#[test]
fn a_sole_holder_writes_after_all_that_others_did() {
    let sole = explore(None, || {
        let (count, rows) = (shared_by(3), Plain::new(5));
        let fates = hands(3, move |number| {
            let sole = number == 0 && count.is_sole();
            if sole {
                rows.set(6);
            } else {
                rows.get();
            }
            (sole, count.release())
        });
        assert_eq!(fates.iter().filter(|(_, last)| *last).count(), 1, "how many were told so");
        fates[0].0
    });
    assert_eq!(sole, BTreeSet::from([false, true]));
}

#[test]
fn the_last_holder_alone_is_told_so_and_comes_after_all_others() {
    let lasts = explore(None, || {
        let (count, rows) = (shared_by(3), Plain::new(5));
        let told = hands(3, move |_| {
            rows.get();
            let last = count.release();
            if last {
                rows.set(0);
            }
            last
        });
        assert_eq!(told.iter().filter(|&&last| last).count(), 1, "how many were told so");
        told.iter().position(|&last| last)
    });
    assert_eq!(lasts, BTreeSet::from([0, 1, 2].map(Some)), "any may be the last");
}

#[test]
fn a_holder_that_shares_while_another_leaves_is_counted() {
    let lasts = explore(None, || {
        let count = shared_by(2);
        let told = hands(2, move |number| {
            if number == 0 {
                count.share();
                assert!(!count.release(), "it holds another");
            }
            count.release()
        });
        assert_eq!(told.iter().filter(|&&last| last).count(), 1, "how many were told so");
        told
    });
    assert_eq!(lasts, BTreeSet::from([vec![false, true], vec![true, false]]));
}

fn shared_by(holders: u32) -> RefCount {
    let count = RefCount::of_nobody();
    count.begin();
    (1..holders).for_each(|_| count.share());
    count
}
