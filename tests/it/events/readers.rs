//! Each reader sees each event once, in order, whenever it runs.

use tickweave::prelude::*;

use super::kit::{Heard, Noise, heard, kept, listen, listener, quiet, run, shout};

#[test]
fn readers_of_any_rate_see_each_event_once_in_order() {
    for (every, offset) in [(1, 0), (3, 1), (4, 0), (7, 5)] {
        let mut world = quiet();
        let mut schedule = Schedule::new();
        schedule.add(shout);
        schedule.add(|tick: Tick, mut noises: EventWriter<Noise>| noises.send(Noise(100 + tick.0 as u32)));
        schedule.barrier();
        schedule.add(listen.every(every).offset(offset));
        run(&mut schedule, &mut world, 28 + offset);
        let last = (1..=28 + offset).rev().find(|tick| tick % every == offset).unwrap();
        let expected: Vec<u32> = (1..=last).flat_map(|tick| [tick, 100 + tick]).collect();
        assert_eq!(heard(&mut world), expected, "every {every}, offset {offset}");
    }
}

#[test]
fn a_reader_that_is_quicker_than_the_writer_sees_nothing_twice() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout.every(3));
    schedule.barrier();
    schedule.add(listener("once"));
    schedule.barrier();
    schedule.add(listener("again"));
    run(&mut schedule, &mut world, 7);
    assert_eq!(heard(&mut world), [3, 3, 6, 6]);
}

#[test]
fn a_reader_that_leaves_its_loop_finds_the_rest_the_next_time() {
    let mut world = quiet();
    for number in 0..5 {
        world.send_event(Noise(number)).unwrap();
    }
    let mut schedule = Schedule::new();
    schedule.add(|mut noises: EventReader<Noise>, mut heard: ResMut<Heard>| {
        let left = noises.len();
        assert_eq!((noises.is_empty(), noises.read().len()), (left == 0, left));
        for noise in noises.read() {
            heard.0.push(noise.0);
            if noise.0 % 2 == 1 {
                break;
            }
        }
    });
    for expected in [&[0, 1][..], &[2, 3], &[4], &[]] {
        run(&mut schedule, &mut world, 1);
        assert_eq!(heard(&mut world), expected);
    }
}

#[test]
fn clear_passes_everything_and_readers_of_one_system_are_apart() {
    let mut world = quiet();
    world.send_event(Noise(1)).unwrap();
    let mut schedule = Schedule::new();
    schedule.add(
        |mut one: EventReader<Noise>, (mut other, tick): (EventReader<Noise>, Tick), mut heard: ResMut<Heard>| {
            if tick.0 == 1 {
                one.clear();
            }
            assert!(one.is_empty());
            heard.0.extend(other.read().map(|noise| noise.0));
        },
    );
    run(&mut schedule, &mut world, 2);
    assert_eq!(heard(&mut world), [1]);
}

#[test]
fn events_are_visible_behind_the_next_barrier_or_in_the_next_tick_as_the_scope_says() {
    for (scope, expected) in [(EventScope::Barrier, [0, 0, 1, 1, 1, 2]), (EventScope::Tick, [0, 0, 0, 1, 1, 1])] {
        let mut world = quiet();
        #[derive(Clone, StateValue, Event)]
        struct Scoped;
        world.add_event::<Scoped>().unwrap().scope(scope);
        let count = |mut events: EventReader<Scoped>, mut total: Local<u32>, mut heard: ResMut<Heard>| {
            *total += events.read().count() as u32;
            heard.0.push(*total);
        };
        let mut schedule = Schedule::new();
        schedule.add(count.named("before"));
        schedule.add(|mut events: EventWriter<Scoped>| events.send(Scoped));
        schedule.add(count.named("beside"));
        schedule.barrier();
        schedule.add(count.named("behind"));
        run(&mut schedule, &mut world, 2);
        assert_eq!(heard(&mut world), expected, "{scope:?}");
    }
}

#[test]
fn a_reader_that_joins_begins_with_what_is_kept() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(shout);
    schedule.add(listener("first").every(4));
    run(&mut schedule, &mut world, 6);
    assert_eq!((heard(&mut world), kept(&world)), (vec![1, 2, 3], vec![4, 5, 6]));
    schedule.add(listener("second"));
    run(&mut schedule, &mut world, 1);
    assert_eq!(heard(&mut world), [4, 5, 6]);
    schedule.add(|noises: EventReader<Noise>| assert_eq!(noises.missed(), 0));
    run(&mut schedule, &mut world, 2);
    assert_eq!(heard(&mut world), [4, 5, 6, 7, 7, 8]);
}
