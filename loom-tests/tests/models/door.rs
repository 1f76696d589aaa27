//! `Door`. Bounds: an owner and two hands, or two owners and a hand, with at most three preemptions; an owner, a hand and
//! somebody who rings, every interleaving.

use std::sync::Arc;

use loom::thread::yield_now;
use tickweave::fault::Fault;
use tickweave::kernels::Door;
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::DoorOpenedUnordered, by: LENT, says: "Causality violation" },
    Caught { fault: Fault::DoorEnteredUnordered, by: LENT, says: "Causality violation" },
    Caught { fault: Fault::DoorLeftUnordered, by: LENT, says: "Causality violation" },
    Caught { fault: Fault::DoorClosedUnordered, by: LENT, says: "Causality violation" },
    Caught { fault: Fault::DoorClosedWithoutWaiting, by: LENT, says: "Causality violation" },
    Caught { fault: Fault::DoorOwnedTwice, by: OWNERS, says: "Causality violation" },
    Caught { fault: Fault::DoorHandedOverUnordered, by: OWNERS, says: "Causality violation" },
    Caught { fault: Fault::DoorRingLoadsThenStores, by: RING, says: "x" },
];
const LENT: &str = "door::what_is_lent_is_read_while_the_door_is_open_and_the_owner_sees_what_hands_did";
const OWNERS: &str = "door::two_owners_shut_each_other_out";
const RING: &str = "door::a_hand_comes_in_once_more_for_each_ring";

#[test]
fn what_is_lent_is_read_while_the_door_is_open_and_the_owner_sees_what_hands_did() {
    explore(Some(3), || {
        let (door, lent, done) = (Door::closed(), Plain::new(0), [(); 3].map(|()| Plain::new(0)));
        hands(3, move |number| {
            if number > 0 {
                if let Some(inside) = door.enter(0) {
                    assert_eq!((inside.value(), lent.get()), (7, 5));
                    done[number as usize].set(number);
                }
                return;
            }
            lent.set(5);
            let opening = door.open(7).expect("a door without an owner");
            opening.close(yield_now);
            lent.set(0);
            assert!(done.iter().all(|done| done.get() < 3));
        });
    });
}

#[test]
fn two_owners_shut_each_other_out() {
    explore(Some(3), || {
        let (door, own) = (Door::closed(), Plain::new(0));
        let opened = hands(3, move |number| {
            if number == 2 {
                return door.enter(0).is_some_and(|inside| inside.value() > 1);
            }
            let Some(opening) = door.open(number) else { return false };
            own.set(own.get() + 1);
            opening.close(yield_now);
            true
        });
        assert!(opened[0] || opened[1], "one of them at least found the door without an owner");
        assert!(!opened[2], "a hand that is inside sees what an owner lends");
    });
}

#[test]
fn a_hand_comes_in_once_more_for_each_ring() {
    explore(None, || {
        let door = Arc::new(Door::closed());
        let opening = door.open(7).expect("a door without an owner");
        let shared = Arc::clone(&door);
        let visits = hands(3, move |number| {
            if number != 1 {
                if number == 2 {
                    shared.ring();
                }
                return 0;
            }
            let first = shared.enter(0).expect("the door is open").epoch();
            let again = shared.enter(first).map(|inside| inside.epoch());
            1 + again.map_or(0, |seen| 1 + u32::from(shared.calls(seen)))
        });
        assert!((1..=2).contains(&visits[1]), "one visit, and one more if the ring came in time");
        opening.close(|| unreachable!("whoever was inside has left"));
        assert!(door.open(8).is_some(), "nobody owns the door");
    });
}
