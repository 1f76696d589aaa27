//! Systems that run once, between ticks.

use std::sync::{Arc, Mutex};

use super::kit::{A, B, Census, Link, Log, Score, T, small_world, spawn, values};
use tickweave::executor::RunError;
use tickweave::prelude::*;

#[test]
fn a_system_of_any_shape_runs_once_and_its_commands_are_applied() {
    let mut world = small_world();
    world.spawn_batch((0..10).map(A));
    world.run_once(each(|a: &mut A| a.0 += 1)).unwrap();
    world.run_once(chunk(|a: &mut [A]| a.iter_mut().for_each(|a| a.0 += 1)).filter::<Without<B>>()).unwrap();
    world.run_once(|world: &mut World| world.insert_resource(Score(7)).map_or((), drop)).unwrap();
    let report = world
        .run_once(|rows: Query<Entity, With<A>>, mut commands: Commands| {
            for entity in &rows {
                commands.insert(entity, B(0));
            }
            commands.despawn(rows.iter().next().unwrap());
        })
        .unwrap();
    assert_eq!((report.applied, report.refused), (11, 0));
    assert_eq!(values::<A>(&world).len(), 9);
    assert_eq!(world.query::<Entity, With<B>>().count(), 9);
}

#[test]
fn it_is_no_tick_and_sees_every_change_as_new() {
    let mut world = small_world();
    world.spawn(T(0));
    let log = Log::default();
    for _ in 0..2 {
        let said = log.clone();
        let look =
            move |tick: Tick, changed: Query<&T, Changed<T>>| said.say(format!("{}:{}", tick.0, changed.count()));
        world.run_once(look).unwrap();
    }
    assert_eq!((log.take().as_str(), world.tick()), ("0:1 0:1", 0));
}

#[test]
fn its_error_drops_its_commands_and_leaves_the_world_whole() {
    let census = Census::default();
    let mut world = small_world();
    world.ensure_component::<super::kit::Counted>().unwrap();
    let counted = census.born();
    let mut counted = Some(counted);
    let outcome = world.run_once(move |mut commands: Commands| {
        commands.spawn(counted.take().unwrap());
        Err::<(), _>("changed its mind")
    });
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), "system-error");
    assert!(error.to_string().contains("changed its mind"));
    assert_eq!((census.living(), world.len(), world.torn()), (0, 0, None));
}

#[test]
fn what_it_needs_must_be_there() {
    let mut world = small_world();
    let code =
        |outcome: Result<_, RunError>| outcome.map(|_: tickweave::command::CommandReport| ()).unwrap_err().code();
    assert_eq!(code(world.run_once(|_: Res<Score>| {})), "resource-missing");
    assert_eq!(code(world.run_once(|_: Host<u8>| {})), "host-missing");
    assert_eq!(code(world.run_once(|_: Local<u8>| {})), "param-not-once");
    assert_eq!(code(world.run_once(|_: Query<&A>, _: Query<&mut A>| {})), "param-clash");
    world.run_once(|score: Option<Res<Score>>| assert!(score.is_none())).unwrap();
}

#[test]
fn a_panic_goes_to_the_caller_and_values_are_dropped_once() {
    let census = Census::default();
    let mut world = small_world();
    world.ensure_component::<super::kit::Counted>().unwrap();
    let mut counted = Some(census.born());
    let run = std::panic::AssertUnwindSafe(|| {
        world.run_once(move |mut commands: Commands| {
            commands.spawn(counted.take().unwrap());
            assert!(counted.is_some(), "half-way");
        })
    });
    assert!(std::panic::catch_unwind(run).is_err());
    assert_eq!((census.living(), world.len()), (0, 0));
    world.run_once(|mut commands: Commands| spawn(&mut commands, A(1))).unwrap();
    assert_eq!(values::<A>(&world), [A(1)]);
}

#[test]
fn a_pending_handle_that_it_stores_is_found() {
    let mut world = small_world();
    let first = world.spawn(A(0));
    world.spawn(Link(first));
    let outcome = world.run_once(|mut links: Query<&mut Link>, mut commands: Commands| {
        let pending = commands.spawn(A(1)).id();
        links.for_each(|link| link.0 = pending);
    });
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), "pending-escaped");
    assert!(error.to_string().contains("Link"), "{error}");
    assert_eq!(world.query::<Entity, With<A>>().count(), 1, "its commands were dropped");
}

/// A value that panics when it is dropped.
#[derive(Component)]
#[component(opaque)]
struct Bomb(#[expect(dead_code, reason = "takes room")] u8);

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("bang");
    }
}

#[test]
fn an_error_is_told_also_where_a_command_that_is_dropped_for_it_panics() {
    let mut world = small_world();
    let error = world.run_once(|mut commands: Commands| {
        commands.spawn(Bomb(1));
        Err::<(), _>("changed its mind")
    });
    assert!(error.unwrap_err().to_string().contains("changed its mind"));
    assert!(world.is_empty());
}

/// Runs a system once that spawns, and returns its pending handle.
fn pending(world: &mut World) -> Entity {
    let kept = Arc::new(Mutex::new(None));
    let keep = Arc::clone(&kept);
    world.run_once(move |mut commands: Commands| *keep.lock().unwrap() = Some(commands.spawn(A(1)).id())).unwrap();
    kept.lock().unwrap().take().unwrap()
}

#[test]
fn bits_of_its_pending_handles_follow_from_the_state_of_the_world() {
    let bits = || {
        let mut world = small_world();
        let _ = CommandBuffer::new().spawn(A(0)).id();
        let mut schedule = crate::serial();
        schedule.add(|mut commands: Commands| spawn(&mut commands, A(2)));
        let mut bits = Vec::new();
        for _ in 0..3 {
            bits.extend([pending(&mut world).to_bits(), pending(&mut world).to_bits()]);
            schedule.run(&mut world).unwrap();
        }
        let state = world.snapshot().unwrap();
        bits.push(pending(&mut world).to_bits());
        world.restore(&state).unwrap();
        assert_eq!(bits.last(), Some(&pending(&mut world).to_bits()), "the same state, the same bits");
        bits
    };
    let first = bits();
    let mut different = first.clone();
    different.sort_unstable();
    different.dedup();
    assert_eq!((bits(), different.len()), (first, 7));
}

#[test]
fn a_pending_handle_of_an_earlier_one_names_nothing() {
    let mut world = small_world();
    let stale = pending(&mut world);
    for despawned in [false, true] {
        if despawned {
            let last = world.query::<Entity, ()>().into_iter().last().unwrap();
            world.despawn(last).unwrap();
        }
        let report = world.run_once(move |mut commands: Commands| {
            commands.spawn(A(2));
            commands.despawn(stale);
        });
        let report = report.unwrap();
        assert_eq!((report.applied, report.refused), (1, 1));
        assert_eq!(report.refusals[0].reason.code(), "pending-unknown");
    }
}

#[test]
fn one_inside_of_another_knows_no_pending_handle_of_it() {
    let mut world = small_world();
    let report = world.run_once(|world: &mut World, mut commands: Commands| {
        let outer = commands.spawn(A(1)).id();
        let inner = world.run_once(move |mut commands: Commands| {
            let inner = commands.spawn(A(2)).id();
            assert_ne!(inner, outer);
            commands.despawn(outer);
        });
        assert_eq!(inner.unwrap().refusals[0].reason.code(), "pending-unknown");
    });
    assert_eq!((report.unwrap().applied, values::<A>(&world)), (1, vec![A(2), A(1)]));
}
