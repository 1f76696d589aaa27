//! Values that a system keeps from run to run.

use super::kit::{A, Log, failed, small_world};
use tickweave::prelude::*;

/// A system that says how often this very instance ran.
fn counter(log: &Log) -> impl FnMut(Local<u32>) + Send + use<> {
    let log = log.clone();
    move |mut runs: Local<u32>| {
        *runs += 1;
        log.say(runs.to_string());
    }
}

#[test]
fn each_instance_of_a_function_has_locals_of_its_own() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(counter(&log).every(2));
    schedule.add(counter(&log));
    schedule.add(counter(&log).every(2).offset(1));
    for expected in ["1 1", "1 2", "3 2", "2 4"] {
        schedule.run(&mut world).unwrap();
        assert_eq!(log.take(), expected);
    }
}

#[test]
fn several_locals_of_one_system_are_different_values() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(|mut a: Local<u32>, mut b: Local<u32>, (mut c, _): (Local<Vec<u32>>, Tick)| {
        *a += 1;
        *b += *a;
        c.push(*b);
        assert_eq!(c.len(), *a as usize);
        if *a == 3 { Err(format!("{:?}", *c)) } else { Ok(()) }
    });
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    let error = schedule.run(&mut world).unwrap_err();
    assert!(error.to_string().contains("[1, 3, 6]"), "{error}");
}

#[test]
fn locals_outlive_a_change_of_the_schedule_and_a_failed_tick() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(counter(&log));
    schedule.run(&mut world).unwrap();
    let failing = schedule.add((|| Err::<(), _>("no")).named("fails"));
    assert_eq!(failed(schedule.run(&mut world)).0, "fails");
    world.clear_torn();
    schedule.remove(failing);
    schedule.run(&mut world).unwrap();
    world.ensure_component::<Extra>().unwrap();
    schedule.build(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "1 2 3 4");
}

#[derive(Component)]
struct Extra;

#[test]
fn a_system_that_takes_the_place_of_a_removed_one_starts_with_fresh_locals() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    let first = schedule.add(counter(&log));
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    schedule.remove(first);
    let second = schedule.add(counter(&log));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "1 2 1");
    assert_ne!(first, second);
}

#[test]
fn two_schedules_of_one_world_keep_their_locals_apart() {
    let log = Log::default();
    let mut world = small_world();
    let (mut first, mut second) = (crate::serial(), crate::serial());
    first.add(counter(&log));
    second.add(counter(&log));
    for schedule in [&mut first, &mut second] {
        schedule.run(&mut world).unwrap();
        schedule.run(&mut world).unwrap();
    }
    assert_eq!(log.take(), "1 2 1 2");
}

#[test]
fn a_local_is_part_of_the_world_not_of_the_function() {
    fn remember(mut seen: Local<Vec<Entity>>, rows: Query<Entity, With<A>>) {
        seen.clear();
        seen.extend(&rows);
    }
    let mut world = small_world();
    world.spawn_batch([A(0), A(1)]);
    let mut schedule = crate::serial();
    schedule.add(remember);
    schedule.run(&mut world).unwrap();
    drop(schedule);
    assert_eq!(world.len(), 2);
}
