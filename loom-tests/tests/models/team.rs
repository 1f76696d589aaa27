//! Loops that hands share: `Board` and `Team` over `Door`, `Span` and `Failure`.
//! Bounds: the owner and a hand that comes by, three or four units; at most two preemptions.

use std::sync::Arc;

use loom::thread::yield_now;
use tickweave::fault::Fault;
use tickweave::kernels::{Board, Claim, Hand, Payload, Team, run_units};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::SpanLoadsThenStores, by: ONCE, says: "x" },
    Caught { fault: Fault::DoorClosedWithoutWaiting, by: ONCE, says: "x" },
    Caught { fault: Fault::DoorLeftUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::DoorEnteredUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::FailureByTime, by: FAILURE, says: "x" },
    Caught { fault: Fault::FailureStopsLower, by: FAILURE, says: "x" },
];
const ONCE: &str = "team::each_unit_is_done_once_and_the_owner_sees_them_all";
const FAILURE: &str = "team::the_lowest_failure_of_a_loop_is_found_whichever_comes_first";

/// Runs a loop on hand 0, and lets hand 1 help.
fn share<R>(
    units: u32,
    each: impl Fn(&mut Claim<'_>) -> Result<(), Payload> + Sync + 'static,
    after: impl Fn(Result<(), Payload>) -> R + 'static,
) where
    R: 'static,
{
    let board = Arc::new(Board::new());
    board.set_hands(2);
    hands(2, move |number| {
        let hand = Hand::new(number);
        board.come();
        if number == 0 {
            let outcome = run_units(Some(Team::new(&board, &hand, None, None)), units, &each);
            after(outcome);
        } else if !board.help(&hand, None) {
            yield_now();
            board.help(&hand, None);
        }
        board.go();
    });
}

#[test]
fn each_unit_is_done_once_and_the_owner_sees_them_all() {
    explore(Some(2), || {
        let done = Arc::new([(); 4].map(|()| Plain::new(0)));
        let seen = Arc::clone(&done);
        let each = move |claim: &mut Claim<'_>| {
            while let Some(unit) = claim.next() {
                let done = &done[unit as usize];
                done.set(done.get() + 1);
            }
            Ok(())
        };
        share(4, each, move |outcome| {
            assert!(outcome.is_ok());
            assert!(seen.iter().all(|done| done.get() == 1), "each unit once");
        });
    });
}

#[test]
fn the_lowest_failure_of_a_loop_is_found_whichever_comes_first() {
    explore(Some(2), || {
        let done = Arc::new([(); 3].map(|()| Plain::new(false)));
        let seen = Arc::clone(&done);
        let each = move |claim: &mut Claim<'_>| {
            while let Some(unit) = claim.next() {
                done[unit as usize].set(true);
                if unit > 0 {
                    return Err(Box::new(unit) as Payload);
                }
            }
            Ok(())
        };
        share(3, each, move |outcome| {
            let failed = outcome.expect_err("two units fail").downcast::<u32>().expect("the number of a unit");
            assert_eq!(*failed, 1, "the lowest failure");
            assert!(seen[0].get(), "nothing lower is left out");
        });
    });
}
