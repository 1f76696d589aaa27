//! `Crew` over `Door`: who lends, who comes, who sleeps.
//!
//! Bounds: the caller and one hand, two callers and a hand, or three that send hands; a hand has patience for one look at
//! the door; at most 50 preemptions, which is more than there can be, and three with two callers.

use std::collections::BTreeSet;

use loom::sync::atomic::{AtomicU32, Ordering};
use loom::sync::{Condvar, Mutex};
use tickweave::fault::Fault;
use tickweave::kernels::{Crew, Hand};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::DoorClosedWithoutWaiting, by: LATE, says: "Causality violation" },
    Caught { fault: Fault::DoorLeftUnordered, by: LATE, says: "Causality violation" },
    Caught { fault: Fault::CrewWakesUnlocked, by: WAKE, says: "deadlock" },
    Caught { fault: Fault::CrewDismissesSilently, by: WAKE, says: "deadlock" },
    Caught { fault: Fault::CrewWakesUnlocked, by: RING, says: "deadlock" },
    Caught { fault: Fault::DoorRingLoadsThenStores, by: RING, says: "deadlock" },
    Caught { fault: Fault::DoorOwnedTwice, by: CALLERS, says: "Causality violation" },
    Caught { fault: Fault::DoorHandedOverUnordered, by: CALLERS, says: "Causality violation" },
    Caught { fault: Fault::CrewSendsTwins, by: NUMBER, says: "one at a time" },
];
const LATE: &str = "crew::a_hand_that_comes_late_works_on_what_is_lent_and_leaves_before_it_is_gone";
const WAKE: &str = "crew::a_hand_that_sleeps_comes_when_it_is_called_and_goes_when_it_is_dismissed";
const RING: &str = "crew::a_hand_that_left_comes_again_when_it_is_called_back";
const CALLERS: &str = "crew::of_two_callers_at_a_time_one_has_the_hands";
const NUMBER: &str = "crew::one_hand_at_a_time_has_a_number";

/// Lets a hand serve while the caller does what it likes.
fn beside_a_hand<R: 'static>(leave: bool, caller: impl Fn(&Crew) -> R + 'static) -> Option<R> {
    let crew = Crew::new();
    let came = hands(2, move |number| match number {
        0 => Some(caller(&crew)),
        _ => {
            crew.serve(1, leave);
            None
        }
    });
    came.into_iter().next().flatten()
}

#[test]
fn a_hand_that_comes_late_works_on_what_is_lent_and_leaves_before_it_is_gone() {
    let visits = explore(Some(50), || {
        beside_a_hand(true, |crew| {
            [1, 2].map(|tick| {
                let visits = [Plain::new(0), Plain::new(0)];
                let visit = |hand: &Hand| {
                    let visits = &visits[hand.number() as usize];
                    visits.set(visits.get() + tick);
                };
                assert!(crew.lend(2, || {}, &visit));
                assert_eq!(visits[0].get(), tick, "the caller works too");
                visits[1].get()
            })
        })
    });
    let either = [[0, 0], [1, 0], [0, 2], [1, 2]];
    assert_eq!(visits, BTreeSet::from(either.map(Some)), "a hand comes once to what is lent once, or too late");
}

/// A place where the caller waits until the hand has come so many times.
struct Meeting {
    visits: Mutex<u32>,
    arrival: Condvar,
}

impl Meeting {
    fn new() -> Self {
        Self { visits: Mutex::new(0), arrival: Condvar::new() }
    }

    fn arrive(&self) {
        *self.visits.lock().expect("no panic") += 1;
        self.arrival.notify_all();
    }

    fn await_visits(&self, count: u32) {
        let mut visits = self.visits.lock().expect("no panic");
        while *visits < count {
            visits = self.arrival.wait(visits).expect("no panic");
        }
    }
}

#[test]
fn a_hand_that_sleeps_comes_when_it_is_called_and_goes_when_it_is_dismissed() {
    explore(Some(50), || {
        beside_a_hand(false, |crew| {
            let meeting = Meeting::new();
            let meet = |hand: &Hand| if hand.number() == 0 { meeting.await_visits(1) } else { meeting.arrive() };
            assert!(crew.lend(2, || crew.wake(), &meet));
            crew.dismiss();
        })
    });
}

#[test]
fn a_hand_that_left_comes_again_when_it_is_called_back() {
    explore(Some(4), || {
        beside_a_hand(false, |crew| {
            let meeting = Meeting::new();
            let meet = |hand: &Hand| {
                if hand.number() == 1 {
                    return meeting.arrive();
                }
                meeting.await_visits(1);
                crew.ring();
                crew.wake();
                meeting.await_visits(2);
            };
            assert!(crew.lend(2, || crew.wake(), &meet));
            crew.dismiss();
        })
    });
}

#[test]
fn of_two_callers_at_a_time_one_has_the_hands() {
    let outcomes = explore(Some(3), || {
        let (crew, own) = (Crew::new(), Plain::new(0));
        let visited = AtomicU32::new(0);
        hands(3, move |number| {
            if number == 2 {
                crew.serve(1, true);
                return false;
            }
            crew.lend(2, || {}, &|hand| match hand.number() {
                0 => own.set(own.get() + 1),
                _ => drop(visited.fetch_add(1, Ordering::Relaxed)),
            })
        })
    });
    let lent = [[true, false, false], [false, true, false], [true, true, false]];
    assert_eq!(outcomes, BTreeSet::from(lent.map(Vec::from)), "one of them at least is let in");
}

#[test]
fn one_hand_at_a_time_has_a_number() {
    let sent = explore(None, || {
        let (crew, here) = (Crew::new(), AtomicU32::new(0));
        let sent = hands(3, move |_| {
            let sent = crew.take_number(1);
            if sent {
                assert_eq!(here.fetch_add(1, Ordering::Relaxed), 0, "one at a time");
                here.fetch_sub(1, Ordering::Relaxed);
                crew.give_number(1);
            }
            sent
        });
        sent.into_iter().filter(|&sent| sent).count()
    });
    assert_eq!(sent, BTreeSet::from([1, 2, 3]), "each, if one after the other");
}
