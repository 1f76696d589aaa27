//! `Span`. Bounds: the owner, which goes on at the front, another at the front and one at the back of four numbers; at most
//! three preemptions.

use core::ops::Range;
use std::collections::BTreeSet;

use tickweave::fault::Fault;
use tickweave::kernels::Span;
use tickweave_loom_tests::{Caught, explore, hands};

pub(crate) const CAUGHT: &[Caught] =
    &[Caught { fault: Fault::SpanLoadsThenStores, by: ONCE, says: "each number once" }];
const ONCE: &str = "span::each_number_is_claimed_once_from_both_ends";

#[test]
fn each_number_is_claimed_once_from_both_ends() {
    let left_to_owner = explore(Some(3), || {
        let span = Span::new(3..7);
        let claimed = hands(3, move |number| match number {
            0 => all(going_on(&span)),
            1 => all(|| span.take_back(2)),
            _ => all(|| span.take_front(1)),
        });
        let mut all = claimed.concat();
        all.sort_unstable();
        assert_eq!(all, [3, 4, 5, 6], "each number once");
        claimed[0].len()
    });
    assert_eq!(left_to_owner, BTreeSet::from([0, 1, 2, 3, 4]), "nobody has to wait for the others");
}

/// As a claim of a loop does, and then the next claim.
fn going_on(span: &Span) -> impl FnMut() -> Option<Range<u32>> + '_ {
    let mut next = None;
    move || {
        let more = next.and_then(|next| span.go_on(next, 1));
        let taken = more.or_else(|| span.take_front(1))?;
        next = Some(taken.end);
        Some(taken)
    }
}

fn all(claim: impl FnMut() -> Option<Range<u32>>) -> Vec<u32> {
    core::iter::from_fn(claim).flatten().collect()
}
