//! Failures: the lowest wins, whatever order they come in; everything before it has run, and nothing leaks.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tickweave::executor::{Cause, RunError};
use tickweave::prelude::*;

use super::kit::{tiny_chunks, ways};

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Other(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Parent(Entity);

#[derive(Component)]
#[component(opaque)]
struct Counted(#[expect(dead_code, reason = "dropped, and counted by its owners")] Arc<()>);

/// Runs a program once every way; it must fail with the same position, system and words.
fn every_way_fails_alike(program: impl Fn() -> (World, Schedule), check: impl Fn(&RunError, &World)) {
    let mut expected: Option<String> = None;
    for way in ways() {
        let (mut world, mut schedule) = program();
        way.prepare(&mut schedule);
        let failed = schedule.run(&mut world).unwrap_err();
        assert!(world.torn().is_some(), "{way:?}");
        check(&failed, &world);
        let failed = failed.to_string();
        assert_eq!(&failed, expected.get_or_insert_with(|| failed.clone()), "{way:?}");
    }
}

fn numbers() -> World {
    let mut world = tiny_chunks().with_component::<Counted>().build().unwrap();
    world.spawn_batch((0..60).map(|number| (Number(number), Other(number))));
    world
}

#[test]
fn of_several_failures_the_one_with_the_lowest_position_is_told() {
    every_way_fails_alike(
        || {
            let mut schedule = Schedule::new();
            schedule.add((|_: Query<&Number>| {}).named("fine"));
            schedule.add(
                (|| {
                    std::thread::sleep(std::time::Duration::from_micros(300));
                    Err::<(), _>("slow and first")
                })
                .named("first"),
            );
            schedule.add((|numbers: Query<&Number>| assert!(numbers.is_empty(), "fast and second")).named("second"));
            schedule.add((|_: Query<&mut Other>| Err::<(), _>("third")).named("third"));
            (numbers(), schedule)
        },
        |failed, _| {
            let RunError::Failed(failure) = failed else { panic!("{failed}") };
            assert_eq!((failure.system.as_str(), failure.position, failure.cause.code()), ("first", 2, "system-error"));
        },
    );
}

#[test]
fn every_system_before_the_failure_runs_and_none_that_waits_for_it() {
    for way in ways() {
        let ran = Arc::new([(); 6].map(|()| AtomicU32::new(0)));
        let note = |index: usize| {
            let ran = Arc::clone(&ran);
            move || {
                std::thread::sleep(std::time::Duration::from_micros(20 * (6 - index) as u64));
                ran[index].fetch_add(1, Ordering::Relaxed);
                if index == 3 { Err("the fourth fails") } else { Ok(()) }
            }
        };
        let mut schedule = Schedule::new();
        for index in 0..5 {
            schedule.add(note(index).named(format!("{index}")));
        }
        schedule.add(note(5).after("3"));
        way.prepare(&mut schedule);
        schedule.run(&mut World::new()).unwrap_err();
        let runs: Vec<u32> = ran.iter().map(|ran| ran.load(Ordering::Relaxed)).collect();
        assert_eq!(runs[..4], [1, 1, 1, 1], "{way:?}");
        assert_eq!(runs[5], 0, "{way:?}");
    }
}

#[test]
fn the_lowest_row_that_fails_is_told_whichever_hand_met_it() {
    every_way_fails_alike(
        || {
            let mut schedule = Schedule::new();
            schedule.add(each(|number: &mut Number| match number.0 % 20 {
                13 => Err(format!("row {}", number.0)),
                14 => panic!("row {}", number.0),
                _ => Ok(()),
            }));
            (numbers(), schedule)
        },
        |failed, _| assert!(failed.to_string().contains("row 13"), "{failed}"),
    );
}

#[test]
fn commands_of_a_failed_tick_are_dropped_and_their_values_once() {
    let value = Arc::new(());
    every_way_fails_alike(
        || {
            let (held, spawned) = (Arc::clone(&value), Arc::clone(&value));
            let mut schedule = Schedule::new();
            schedule.add(move |mut numbers: Query<&Number>, mut commands: Commands| {
                commands.spawn(Counted(Arc::clone(&held)));
                numbers.par_for_each_with(&mut commands, |number, lane| {
                    lane.spawn(Counted(Arc::clone(&held)));
                    assert!(number.0 < 50, "enough");
                });
            });
            schedule.add(each(move |_: &Other, mut commands: Commands| {
                commands.spawn(Counted(Arc::clone(&spawned)));
            }));
            (numbers(), schedule)
        },
        |_, world| assert_eq!(world.len(), 60, "no command took effect"),
    );
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn a_panic_in_a_merge_leaves_the_steps_before_it_applied_and_drops_the_rest() {
    let value = Arc::new(());
    every_way_fails_alike(
        || {
            let held = Arc::clone(&value);
            let mut schedule = Schedule::new();
            schedule.add(
                (move |mut numbers: Query<&Number>, mut commands: Commands| {
                    numbers.par_for_each_with(&mut commands, |number, lane| {
                        lane.spawn(Counted(Arc::clone(&held)));
                        if number.0 == 30 {
                            lane.queue(|_| panic!("in the merge"));
                        }
                    });
                })
                .named("fills"),
            );
            (numbers(), schedule)
        },
        |failed, world| {
            let RunError::Failed(failure) = failed else { panic!("{failed}") };
            assert!(matches!(failure.cause, Cause::CommandPanic(_)), "{failed}");
            assert_eq!(world.len(), 60 + 31);
        },
    );
    assert_eq!(Arc::strong_count(&value), 1);
}

#[test]
fn a_pending_handle_that_leaves_its_commands_is_found_by_every_executor() {
    every_way_fails_alike(
        || {
            let mut world = numbers();
            let wolf = world.spawn(());
            world.spawn_batch((0..20).map(|_| Parent(wolf)));
            let mut schedule = Schedule::new();
            schedule.add(
                (|mut parents: Query<&mut Parent>, mut commands: Commands| {
                    let pending = commands.spawn(()).id();
                    parents.iter_mut().last().unwrap().0 = pending;
                })
                .named("stores"),
            );
            schedule.add(each(|number: &mut Number| number.0 += 1));
            (world, schedule)
        },
        |failed, _| assert_eq!(failed.code(), "pending-escaped", "{failed}"),
    );
}
