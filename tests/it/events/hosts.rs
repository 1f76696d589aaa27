//! What the host sends and sees.

use tickweave::prelude::*;

use super::kit::{Heard, Noise, heard, kept, listen, listener, quiet, run, shout};

#[test]
fn what_the_host_sends_between_ticks_is_visible_at_once_and_in_the_whole_next_tick() {
    for scope in [EventScope::Barrier, EventScope::Tick] {
        let mut world = World::new();
        world.add_event::<Noise>().unwrap().scope(scope);
        world.insert_resource(Heard::default());
        let mut schedule = Schedule::new();
        schedule.add(listener("early"));
        schedule.barrier();
        schedule.add(listener("late"));
        schedule.build(&mut world).unwrap();
        world.send_event(Noise(1)).unwrap();
        let mut buffer = CommandBuffer::new();
        buffer.send(Noise(2));
        buffer.apply(&mut world);
        world.run_once(|mut noises: EventWriter<Noise>| noises.send(Noise(3))).unwrap();
        assert_eq!(kept(&world), [1, 2, 3]);
        run(&mut schedule, &mut world, 2);
        assert_eq!(heard(&mut world), [1, 2, 3, 1, 2, 3], "{scope:?}");
        assert!(kept(&world).is_empty());
    }
}

#[test]
fn what_an_exclusive_system_sends_waits_for_the_barrier_behind_it() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    schedule.add(|world: &mut World| {
        assert_eq!(kept(world), [1]);
        world.send_event(Noise(50)).unwrap();
        assert_eq!(kept(world), [1]);
    });
    schedule.add(listen);
    run(&mut schedule, &mut world, 1);
    assert_eq!(heard(&mut world), [1, 50]);
}

#[test]
fn to_look_holds_nothing_back_and_changes_no_hash() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    run(&mut schedule, &mut world, 1);
    let before = world.state_hash().unwrap();
    let events = world.events::<Noise>().unwrap();
    assert_eq!(format!("{events:?}"), "[Noise(1)]");
    assert_eq!(events.iter().rev().map(|noise| noise.0).collect::<Vec<_>>(), [1]);
    assert_eq!((events.since(1).len(), events.is_empty()), (0, false));
    assert_eq!(world.state_hash().unwrap(), before);
    run(&mut schedule, &mut world, 1);
    assert_eq!(kept(&world), [2]);
}

#[test]
fn worlds_have_events_of_their_own() {
    let (mut one, mut other) = (quiet(), quiet());
    one.send_event(Noise(1)).unwrap();
    assert_eq!((kept(&one).len(), kept(&other).len()), (1, 0));
    std::mem::swap(&mut one, &mut other);
    assert_eq!((kept(&one).len(), kept(&other).len()), (0, 1));
}
