//! Loops that hands share: `Board` and `Team` over `Door`, `Span` and `Failure`.
//!
//! Bounds: the owner and a hand that looks twice for a loop to help with, four units, at most four preemptions; the owner
//! and two such hands, which count as there whenever they come, three units, at most one preemption.

use std::collections::BTreeSet;
use std::panic::resume_unwind;

use loom::thread::{ThreadId, current, yield_now};
use tickweave::fault::Fault;
use tickweave::kernels::{Board, Claim, Hand, Label, Payload, Team, run_units};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::SpanLoadsThenStores, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::DoorClosedWithoutWaiting, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::DoorLeftUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::DoorEnteredUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::SpanLoadsThenStores, by: THREE, says: "Causality violation" },
    Caught { fault: Fault::SpanLoadsThenStores, by: NESTED, says: "Causality violation" },
    Caught { fault: Fault::FailureByTime, by: LOWEST, says: "the lowest failure" },
    Caught { fault: Fault::FailureStopsLower, by: LOWEST, says: "the lowest failure" },
];
const ONCE: &str = "team::each_unit_is_done_once_and_the_owner_sees_them_all";
const THREE: &str = "team::each_unit_is_done_once_by_three_hands";
const NESTED: &str = "team::loops_inside_of_units_are_done_once_too";
const LOWEST: &str = "team::the_lowest_failure_of_a_loop_is_found_whichever_comes_first";

/// Lets hand 0 run loops, and others come to help with them; returns what came of the loops.
fn together<R: 'static>(count: u32, owner: impl Fn(Team<'_>) -> R + 'static) -> Option<R> {
    beside_helpers(count, Board::new(1), owner, |board, hand| {
        board.come();
        help_twice(board, hand);
        board.go();
    })
}

fn beside_helpers<R: 'static>(
    count: u32,
    board: Board,
    owner: impl Fn(Team<'_>) -> R + 'static,
    helper: fn(&Board, &Hand),
) -> Option<R> {
    let label = Label::new("a system");
    let came = hands(count, move |number| {
        let hand = Hand::new(number);
        if number > 0 {
            helper(&board, &hand);
            return None;
        }
        board.set_hands(count);
        Some(owner(Team::new(&board, &hand, None, None, &label)))
    });
    came.into_iter().next().flatten()
}

fn help_twice(board: &Board, hand: &Hand) {
    for _ in 0..2 {
        if !board.help(hand, None) {
            yield_now();
        }
    }
}

/// Shares out so many units, and does something for each of them.
fn run(team: Team<'_>, units: u32, each: impl Fn(u32) -> Result<(), Payload> + Sync) -> Result<(), Payload> {
    run_units(Some(team), units, &|claim: &mut Claim<'_>| {
        while let Some(unit) = claim.next() {
            each(unit)?;
        }
        Ok(())
    })
}

/// Units of a loop: how often each was done, and by whom.
struct Units<const N: usize> {
    owner: ThreadId,
    done: [Plain<u32>; N],
    helped: [Plain<bool>; N],
}

impl<const N: usize> Units<N> {
    fn new() -> Self {
        let (done, helped) = ([(); N].map(|()| Plain::new(0)), [(); N].map(|()| Plain::new(false)));
        Self { owner: current().id(), done, helped }
    }

    fn count(&self, unit: u32) -> Result<(), Payload> {
        let done = &self.done[unit as usize];
        done.set(done.get() + 1);
        self.helped[unit as usize].set(current().id() != self.owner);
        Ok(())
    }

    /// How many others did, after each was done once.
    fn helped(&self) -> usize {
        assert_eq!(self.done.each_ref().map(Plain::get), [1; N], "each unit once");
        self.helped.iter().filter(|helped| helped.get()).count()
    }
}

#[test]
fn each_unit_is_done_once_and_the_owner_sees_them_all() {
    let helped = explore(Some(4), || {
        together(2, |team| {
            let units = Units::<4>::new();
            assert!(run(team, 4, |unit| units.count(unit)).is_ok());
            units.helped()
        })
    });
    assert_eq!(helped, BTreeSet::from([0, 1, 2, 3, 4].map(Some)), "the owner waits for no helper, nor they for it");
}

#[test]
fn each_unit_is_done_once_by_three_hands() {
    let helped = explore(Some(1), || {
        let owner = |team: Team<'_>| {
            let units = Units::<3>::new();
            assert!(run(team, 3, |unit| units.count(unit)).is_ok());
            units.helped()
        };
        beside_helpers(3, Board::new(2), owner, help_twice)
    });
    assert_eq!(helped, BTreeSet::from([0, 1, 2, 3].map(Some)));
}

#[test]
fn loops_inside_of_units_are_done_once_too() {
    let helped = explore(Some(3), || {
        together(2, |team| {
            let units = Units::<4>::new();
            let outer = run(team, 2, |outer| run(team, 2, |inner| units.count(2 * outer + inner)));
            assert!(outer.is_ok());
            units.helped()
        })
    });
    assert_eq!(helped, BTreeSet::from([0, 2, 4].map(Some)), "a loop inside of a unit is not shared once more");
}

#[test]
fn the_lowest_failure_of_a_loop_is_found_whichever_comes_first() {
    let done = explore(Some(4), || {
        together(2, |team| {
            let units = Units::<4>::new();
            let outcome = run(team, 4, |unit| {
                units.count(unit)?;
                match unit {
                    1 => Err(Box::new(unit)),
                    // A panic, without the message.
                    3 => resume_unwind(Box::new(unit)),
                    _ => Ok(()),
                }
            });
            let failed = outcome.expect_err("two units fail").downcast::<u32>().expect("the number of a unit");
            assert_eq!(*failed, 1, "the lowest failure");
            units.done.each_ref().map(Plain::get)
        })
    });
    let above = [[1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 0, 1], [1, 1, 1, 1]];
    assert_eq!(done, BTreeSet::from(above.map(Some)), "nothing lower is left out, whatever was done above");
}
