//! Queues and cursors are state.

use tickweave::event::EventSetup;
use tickweave::prelude::*;

use super::kit::{Heard, Noise, kept, listen, quiet, run, shout};

#[test]
fn hash_and_dump_cover_what_is_queued() {
    let (mut one, mut other) = (quiet(), quiet());
    assert_eq!(one.state_hash(), other.state_hash());
    one.send_event(Noise(1)).unwrap();
    other.send_event(Noise(2)).unwrap();
    assert_ne!(one.state_hash(), other.state_hash());
    let difference = one.dump().diff(&other.dump()).unwrap();
    assert_eq!(difference.lines.len(), 1);
    assert!(difference.lines[0].0.ends_with("kit::Noise"), "{difference}");
}

#[test]
fn hash_and_dump_cover_how_far_each_reader_has_come() {
    let program = |reads: bool| {
        let mut world = World::new();
        world.add_event::<Noise>().unwrap().keep(10);
        let mut schedule = Schedule::new();
        schedule.add(
            (move |mut noises: EventReader<Noise>| {
                if reads {
                    noises.clear()
                }
            })
            .named("reader"),
        );
        schedule.build(&mut world).unwrap();
        world.send_event(Noise(1)).unwrap();
        run(&mut schedule, &mut world, 1);
        world
    };
    let (passed, left) = (program(true), program(false));
    assert_eq!(kept(&passed), kept(&left));
    assert_ne!(passed.state_hash(), left.state_hash());
    let difference = passed.dump().diff(&left.dump()).unwrap();
    assert_eq!(difference.lines.len(), 1);
    assert!(difference.lines[0].0.contains("reader 1 of system 1 of schedule 1"), "{difference}");
}

#[test]
fn how_long_events_live_is_state_too() {
    let hash = |set: for<'w> fn(EventSetup<'w, Noise>) -> EventSetup<'w, Noise>| {
        let mut world = World::new();
        set(world.add_event::<Noise>().unwrap());
        world.state_hash().unwrap()
    };
    let hashes = [
        hash(|setup| setup),
        hash(|setup| setup.scope(EventScope::Tick)),
        hash(|setup| setup.keep(1)),
        hash(|setup| setup.keep(2)),
    ];
    for (index, one) in hashes.iter().enumerate() {
        assert!(hashes[..index].iter().all(|other| other != one));
    }
    assert_eq!(hash(|setup| setup.keep(0)), hashes[2], "one commit is the least");
}

#[test]
fn worlds_that_saw_the_same_are_the_same_whatever_ran_between() {
    let played = |looks: bool| {
        let mut world = quiet();
        let mut schedule = Schedule::new();
        schedule.add(shout);
        schedule.add(listen.every(2));
        for _ in 0..5 {
            run(&mut schedule, &mut world, 1);
            if looks {
                assert!(!kept(&world).is_empty());
                assert!(world.run_once(|_: EventReader<Noise>| {}).is_err());
                schedule.build(&mut world).unwrap();
            }
        }
        (world.state_hash().unwrap(), world.resource::<Heard>().unwrap().clone())
    };
    assert_eq!(played(false), played(true));
}

#[test]
fn a_build_that_is_refused_leaves_no_cursor_behind() {
    #[derive(Clone, StateValue, Event)]
    struct Unknown;
    let mut world = quiet();
    let before = world.dump();
    let mut schedule = Schedule::new();
    schedule.add(listen);
    schedule.add(|_: EventWriter<Unknown>| {});
    assert_eq!(schedule.build(&mut world).unwrap_err().code(), "event-not-added");
    assert_eq!(world.dump().diff(&before), None);
    world.send_event(Noise(1)).unwrap();
    run(&mut Schedule::new(), &mut world, 1);
    assert!(kept(&world).is_empty(), "the refused schedule holds nothing back");
}
