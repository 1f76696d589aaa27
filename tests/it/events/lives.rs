//! How long events live.

use tickweave::prelude::*;

use super::kit::{Heard, Noise, heard, kept, listen, listener, quiet, run, shout};

#[test]
fn an_event_lives_until_the_tick_after_every_reader_has_passed_it() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    schedule.barrier();
    schedule.add(listener("quick"));
    schedule.add(listener("slow").every(3));
    for expected in [&[1][..], &[1, 2], &[1, 2, 3], &[4], &[4, 5], &[4, 5, 6], &[7]] {
        run(&mut schedule, &mut world, 1);
        assert_eq!(kept(&world), expected);
    }
}

#[test]
fn without_readers_an_event_lives_until_the_next_tick_begins() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    for tick in 1..4 {
        run(&mut schedule, &mut world, 1);
        assert_eq!(kept(&world), [tick]);
    }
    let events = world.events::<Noise>().unwrap();
    assert_eq!((events.len(), events.end(), events.dropped()), (1, 3, 0));
}

#[test]
fn kept_events_leave_after_so_many_commits_and_those_that_a_reader_had_not_passed_are_counted() {
    let mut world = World::new();
    world.add_event::<Noise>().unwrap().keep(4);
    world.insert_resource(Heard::default());
    let mut schedule = Schedule::new();
    // Two barriers, hence two commits, in each tick.
    schedule.add(shout);
    schedule.barrier();
    schedule.add(listen.every(5));
    schedule.add(|mut noises: EventReader<Noise>| noises.clear());
    run(&mut schedule, &mut world, 4);
    assert_eq!(kept(&world), [3, 4]);
    assert_eq!((world.events::<Noise>().unwrap().dropped(), schedule.report().dropped_events), (2, 1));
    // It begins with 3, which leaves at the first barrier of the tick in which it runs first.
    schedule.add((|noises: EventReader<Noise>| assert_eq!(noises.missed(), 1)).named("younger"));
    run(&mut schedule, &mut world, 1);
    assert_eq!(heard(&mut world), [4, 5]);
    assert_eq!(world.events::<Noise>().unwrap().dropped(), 3);
}

#[test]
fn a_reader_learns_how_many_events_it_missed() {
    let mut world = World::new();
    world.add_event::<Noise>().unwrap().keep(1);
    let mut schedule = Schedule::new();
    schedule.add(shout);
    schedule.barrier();
    schedule.add((|noises: EventReader<Noise>, tick: Tick| assert_eq!(noises.missed(), tick.0 - 1)).every(3));
    run(&mut schedule, &mut world, 3);
    schedule.add(|mut noises: EventReader<Noise>| assert_eq!(noises.read().count(), 1));
    run(&mut schedule, &mut world, 3);
}

#[test]
fn a_removed_reader_holds_nothing_back() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    let slow = schedule.add(listen.every(100));
    run(&mut schedule, &mut world, 3);
    assert_eq!(kept(&world), [1, 2, 3]);
    schedule.remove(slow);
    run(&mut schedule, &mut world, 1);
    assert_eq!(kept(&world), [4]);
}

#[test]
fn a_disabled_reader_holds_nothing_back_and_is_told_what_it_missed() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    schedule.barrier();
    let reader = schedule.add(|mut noises: EventReader<Noise>, mut heard: ResMut<Heard>| {
        heard.0.push(1_000 + noises.missed() as u32);
        heard.0.extend(noises.read().map(|noise| noise.0));
    });
    run(&mut schedule, &mut world, 1);
    schedule.set_enabled(reader, false);
    run(&mut schedule, &mut world, 3);
    assert_eq!((heard(&mut world), kept(&world)), (vec![1_000, 1], vec![4]));
    schedule.set_enabled(reader, true);
    run(&mut schedule, &mut world, 1);
    assert_eq!(heard(&mut world), [1_002, 4, 5]);
}

#[test]
fn a_reader_whose_condition_does_not_hold_holds_events_back() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    schedule.barrier();
    schedule.add(listen.run_if(|tick: Tick| tick.0 == 5));
    run(&mut schedule, &mut world, 5);
    assert_eq!(heard(&mut world), [1, 2, 3, 4, 5]);
}

#[test]
fn readers_of_two_schedules_each_see_every_event_and_hold_it_back_until_their_schedule_is_gone() {
    let mut world = quiet();
    let (mut writers, mut readers) = (Schedule::new(), Schedule::new());
    writers.add(shout);
    writers.add(listener("at home"));
    readers.add(listener("abroad"));
    run(&mut readers, &mut world, 1);
    run(&mut writers, &mut world, 3);
    assert_eq!((heard(&mut world), kept(&world)), (vec![2, 3], vec![2, 3, 4]));
    run(&mut readers, &mut world, 1);
    assert_eq!(heard(&mut world), [2, 3, 4]);
    run(&mut writers, &mut world, 2);
    assert_eq!((heard(&mut world), kept(&world)), (vec![4, 6], vec![6, 7]));
    drop(readers);
    run(&mut writers, &mut world, 2);
    assert_eq!(kept(&world), [8, 9]);
}
