//! `Door`. Bounds: an owner and two hands, two owners and a hand, or an owner, a hand and somebody who rings; at most 50
//! preemptions, which is more than there can be.

use std::collections::BTreeSet;
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
    Caught { fault: Fault::DoorRingLoadsThenStores, by: RING, says: "exceeded maximum number of branches" },
];
const LENT: &str = "door::what_is_lent_is_read_while_the_door_is_open_and_the_owner_sees_what_hands_did";
const OWNERS: &str = "door::two_owners_shut_each_other_out";
const RING: &str = "door::a_hand_comes_in_once_more_after_a_ring";

#[test]
fn what_is_lent_is_read_while_the_door_is_open_and_the_owner_sees_what_hands_did() {
    let visits = explore(Some(50), || {
        let (door, lent, done) = (Door::closed(), Plain::new(0), [(); 3].map(|()| Plain::new(0)));
        let visits = hands(3, move |number| {
            if number > 0 {
                let Some(inside) = door.enter(0) else { return 0 };
                assert_eq!((inside.value(), lent.get()), (7, 5));
                done[number as usize].set(1);
                return 0;
            }
            lent.set(5);
            let opening = door.open(7).expect("a door without an owner");
            opening.close(yield_now);
            lent.set(0);
            done.iter().map(Plain::get).sum()
        });
        visits[0]
    });
    assert_eq!(visits, BTreeSet::from([0, 1, 2]), "hands that came in time");
}

#[test]
fn two_owners_shut_each_other_out() {
    let outcomes = explore(Some(50), || {
        let (door, own) = (Door::closed(), Plain::new(0));
        let went_in = hands(3, move |number| {
            if number == 2 {
                return door.enter(0).is_some_and(|inside| inside.value() < 2);
            }
            let Some(opening) = door.open(number) else { return false };
            own.set(own.get() + 1);
            opening.close(yield_now);
            true
        });
        (went_in[0], went_in[1], went_in[2])
    });
    let owners: BTreeSet<_> = outcomes.iter().map(|&(one, other, _)| (one, other)).collect();
    assert_eq!(owners, BTreeSet::from([(true, false), (false, true), (true, true)]), "one of them at least is let in");
    assert!(owners.iter().all(|&(one, other)| outcomes.contains(&(one, other, true))), "a hand may come in to any");
}

#[test]
fn a_hand_comes_in_once_more_after_a_ring() {
    let visits = explore(Some(50), || {
        let door = Arc::new(Door::closed());
        let opening = door.open(7).expect("a door without an owner");
        let shared = Arc::clone(&door);
        let visits = hands(3, move |number| match number {
            0 => 0,
            1 => visit_until_shut_out(&shared),
            _ => {
                shared.ring();
                0
            }
        });
        opening.close(yield_now);
        assert!(door.open(8).is_some(), "nobody owns the door");
        visits[1]
    });
    assert_eq!(visits, BTreeSet::from([1, 2]), "once, and once more if the ring came in time");
}

fn visit_until_shut_out(door: &Door<u32>) -> u32 {
    let (mut seen, mut visits) = (0, 0);
    while let Some(inside) = door.enter(seen) {
        seen = inside.epoch();
        visits += 1;
    }
    visits
}
