//! `Crew` over `Door`, and with a loop on its `Board`.
//! Bounds: the caller and one hand, or two callers and a hand; a hand has patience for one look; at most two preemptions.

use std::sync::Arc;

use loom::sync::{Condvar, Mutex};
use loom::thread::yield_now;
use tickweave::fault::Fault;
use tickweave::kernels::{Crew, Hand, Team, run_units};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::DoorClosedWithoutWaiting, by: LATE, says: "x" },
    Caught { fault: Fault::DoorLeftUnordered, by: LATE, says: "Causality violation" },
    Caught { fault: Fault::CrewWakesUnlocked, by: WAKE, says: "deadlock" },
    Caught { fault: Fault::CrewDismissesSilently, by: WAKE, says: "deadlock" },
];
const LATE: &str = "crew::a_hand_that_comes_late_works_on_what_is_lent_and_leaves_before_it_is_gone";
const WAKE: &str = "crew::a_hand_that_sleeps_comes_when_it_is_called_and_goes_when_it_is_dismissed";

#[test]
fn a_hand_that_comes_late_works_on_what_is_lent_and_leaves_before_it_is_gone() {
    explore(Some(2), || {
        let crew = Arc::new(Crew::new());
        hands(2, move |number| {
            if number == 1 {
                return crew.serve(1, true);
            }
            for tick in 1..=2 {
                let visits = [Plain::new(0), Plain::new(0)];
                let visit = |hand: &Hand| {
                    let visits = &visits[hand.number() as usize];
                    visits.set(visits.get() + tick);
                };
                assert!(crew.lend(2, || {}, &visit));
                assert_eq!(visits[0].get(), tick, "the caller works too");
                assert!([0, tick].contains(&visits[1].get()), "a hand comes once to what is lent once");
            }
        });
    });
}

#[test]
fn a_hand_that_sleeps_comes_when_it_is_called_and_goes_when_it_is_dismissed() {
    explore(Some(2), || {
        let crew = Arc::new(Crew::new());
        hands(2, move |number| {
            if number == 1 {
                return crew.serve(1, false);
            }
            let (here, arrival) = (Mutex::new(false), Condvar::new());
            let meet = |hand: &Hand| {
                let mut here = here.lock().expect("no panic");
                if hand.number() == 1 {
                    *here = true;
                    arrival.notify_all();
                }
                while !*here {
                    here = arrival.wait(here).expect("no panic");
                }
            };
            assert!(crew.lend(2, || crew.wake(), &meet));
            crew.dismiss();
        });
    });
}

#[test]
fn of_two_callers_at_a_time_one_works_alone() {
    explore(Some(2), || {
        let crew = Arc::new(Crew::new());
        let lent = Plain::new(0);
        let ran = hands(2, move |_| crew.lend(2, || {}, &|_| lent.set(lent.get() + 1)));
        assert!(ran[0] || ran[1]);
    });
}

#[test]
fn a_number_is_one_hands_at_a_time() {
    explore(None, || {
        let (crew, desk) = (Crew::new(), Plain::new(0));
        let sent = hands(3, move |_| crew.take_number(1));
        assert_eq!(sent.iter().filter(|&&sent| sent).count(), 1);
        desk.get();
    });
}

#[test]
fn a_hand_that_comes_late_helps_with_a_loop() {
    explore(Some(2), || {
        let crew = Arc::new(Crew::new());
        hands(2, move |number| {
            if number == 1 {
                return crew.serve(1, true);
            }
            let done = [Plain::new(0), Plain::new(0)];
            let job = |hand: &Hand| {
                if hand.number() == 1 {
                    yield_now();
                    crew.board().help(hand, None);
                    return;
                }
                let team = Team::new(crew.board(), hand, None, None);
                let outcome = run_units(Some(team), 2, &|claim| {
                    while let Some(unit) = claim.next() {
                        done[unit as usize].set(done[unit as usize].get() + 1);
                    }
                    Ok(())
                });
                assert!(outcome.is_ok());
                assert!(done.iter().all(|done| done.get() == 1), "each unit once");
            };
            assert!(crew.lend(2, || {}, &job));
        });
    });
}
