//! `Countdown`. Bounds: three predecessors, each on a thread; every order.

use std::collections::BTreeSet;

use tickweave::fault::Fault;
use tickweave::kernels::Countdown;
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::CountdownLoadsThenStores, by: LAST, says: "how many were told so" },
    Caught { fault: Fault::CountdownUnordered, by: LAST, says: "Causality violation" },
];
const LAST: &str = "countdown::the_last_predecessor_alone_is_told_so_and_sees_what_all_wrote";

#[test]
fn the_last_predecessor_alone_is_told_so_and_sees_what_all_wrote() {
    let lasts = explore(None, || {
        let (countdown, written) = (Countdown::new(3), [(); 3].map(|()| Plain::new(0)));
        let told = hands(3, move |number| {
            written[number as usize].set(number + 1);
            let last = countdown.down();
            if last {
                assert_eq!(written.each_ref().map(Plain::get), [1, 2, 3]);
            }
            last
        });
        assert_eq!(told.iter().filter(|&&last| last).count(), 1, "how many were told so");
        told.iter().position(|&last| last)
    });
    assert_eq!(lasts, BTreeSet::from([0, 1, 2].map(Some)), "any may be the last");
}
