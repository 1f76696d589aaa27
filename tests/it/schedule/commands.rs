//! Commands of every kind of system are applied, once.

use std::sync::Mutex;

use crate::systems::kit::{A, Census, Counted, Log, T, Tag, small_world, spawn, values};
use tickweave::prelude::*;

/// The values of `A` after a run of the schedule.
fn after_a_run(schedule: &mut Schedule, world: &mut World) -> Vec<i32> {
    schedule.run_with(world, &mut 0_u8).unwrap();
    values::<A>(world).iter().map(|a| a.0).collect()
}

#[test]
fn commands_of_every_kind_of_system_are_applied_once_each() {
    let mut world = small_world();
    world.spawn(T(0));
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| spawn(&mut commands, A(1)));
    schedule.add(each(|_: &T, mut commands: Commands| spawn(&mut commands, A(2))));
    schedule.add(chunk(|_: &[T], mut commands: Commands| spawn(&mut commands, A(3))));
    schedule.add(|_: &mut World, mut commands: Commands| spawn(&mut commands, A(4)));
    schedule.add((|mut commands: Commands| spawn(&mut commands, A(5))).pinned());
    schedule.add(|_: Host<u8>, mut commands: Commands| spawn(&mut commands, A(6)));
    let script = |world: &mut DynamicWorld<'_>| world.commands().map(|commands| spawn(commands, A(7)));
    schedule.add(DynamicSystem::new("script", script).records_commands());
    schedule.add((|mut commands: Commands| spawn(&mut commands, A(8))).named("last"));
    assert_eq!(after_a_run(&mut schedule, &mut world), [1, 2, 3, 4, 5, 6, 7, 8]);
    assert_eq!((schedule.report().applied, schedule.report().refused), (8, 0));
    assert_eq!(after_a_run(&mut schedule, &mut world).len(), 16);
}

#[test]
fn commands_of_a_system_that_runs_once_at_the_start_are_applied() {
    let mut world = small_world();
    world.run_once(|mut commands: Commands| spawn(&mut commands, A(1))).unwrap();
    let mut schedule = crate::serial();
    schedule.add((|mut commands: Commands| spawn(&mut commands, A(2))).run_if(|tick: Tick| tick.0 == 1));
    assert_eq!(after_a_run(&mut schedule, &mut world), [1, 2]);
    assert_eq!(after_a_run(&mut schedule, &mut world), [1, 2]);
}

/// A world inside of a world, with a schedule of its own.
#[derive(Resource)]
#[resource(host)]
struct Inner {
    world: World,
    schedule: Mutex<Schedule>,
}

#[test]
fn commands_of_a_schedule_on_a_world_that_a_resource_owns_are_applied_there() {
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| spawn(&mut commands, A(1)));
    let mut world = small_world();
    world.insert_resource(Inner { world: small_world(), schedule: Mutex::new(schedule) });
    let mut outer = crate::serial();
    outer.add(|mut inner: ResMut<Inner>, mut commands: Commands| {
        let Inner { world, schedule } = &mut *inner;
        schedule.get_mut().unwrap().run(world)?;
        commands.spawn(A(10 + world.len() as i32));
        Ok::<(), RunError>(())
    });
    outer.run(&mut world).unwrap();
    outer.run(&mut world).unwrap();
    let inner = &world.resource::<Inner>().unwrap().world;
    assert_eq!((values::<A>(&world), values::<A>(inner)), (vec![A(11), A(12)], vec![A(1), A(1)]));
    assert_eq!((world.tick(), inner.tick()), (2, 2));
}

#[test]
fn a_failure_of_an_inner_schedule_is_an_error_of_the_outer_system_and_tears_both() {
    let mut inner = crate::serial();
    inner.add((|| Err::<(), _>("inner trouble")).named("inner"));
    let mut world = small_world();
    world.insert_resource(Inner { world: small_world(), schedule: Mutex::new(inner) });
    let mut outer = crate::serial();
    outer.add(
        (|mut inner: ResMut<Inner>| {
            let Inner { world, schedule } = &mut *inner;
            schedule.get_mut().unwrap().run(world)
        })
        .named("outer"),
    );
    let error = outer.run(&mut world).unwrap_err();
    assert!(error.to_string().contains("`outer`") && error.to_string().contains("inner trouble"), "{error}");
    assert!(world.torn().is_some() && world.resource::<Inner>().unwrap().world.torn().is_some());
}

#[test]
fn lanes_are_merged_in_schedule_order_and_commands_in_the_order_of_rows() {
    let mut world = small_world();
    world.spawn_batch((0..10).map(T));
    let mut schedule = crate::serial();
    schedule.add((|mut commands: Commands| spawn(&mut commands, A(-2))).named("late").after("rows"));
    let rows = |t: &T, mut commands: Commands| spawn(&mut commands, A(t.0));
    schedule.add(each(rows).named("rows"));
    schedule.add(|mut commands: Commands| spawn(&mut commands, A(-1)));
    assert_eq!(after_a_run(&mut schedule, &mut world), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, -2, -1]);
}

#[test]
fn the_second_despawn_of_one_entity_is_counted_and_hits_nobody_else() {
    let mut world = small_world();
    let victim = world.spawn(A(0));
    let mut schedule = crate::serial();
    for name in ["first", "second", "third"] {
        let despawn = move |mut commands: Commands| {
            commands.despawn(victim);
            commands.spawn(A(1));
        };
        schedule.add(despawn.named(name));
    }
    schedule.run(&mut world).unwrap();
    let report = schedule.report();
    assert_eq!((report.applied, report.refused, world.len()), (4, 2, 3));
    assert_eq!(report.refusals.iter().map(|refusal| refusal.position).collect::<Vec<_>>(), [2, 3]);
    assert!(
        report.refusals.iter().all(|refusal| refusal.command == "despawn" && refusal.reason.code() == "no-such-entity")
    );
    let mut calm = crate::serial();
    calm.add(|| {});
    calm.run(&mut world).unwrap();
    assert_eq!(calm.report().refused, 0);
}

#[test]
fn opaque_values_of_applied_refused_and_replaced_commands_are_dropped_once() {
    let census = Census::default();
    let mut world = small_world();
    world.register_component::<Counted>().unwrap();
    let gone = world.spawn(Tag);
    world.despawn(gone).unwrap();
    let born = census.clone();
    let mut schedule = crate::serial();
    schedule.add(move |mut commands: Commands| {
        let kept = commands.spawn(born.born()).id();
        commands.insert(kept, born.born());
        commands.insert(gone, born.born());
        let captured = born.born();
        commands.queue(move |_| drop(captured));
    });
    schedule.run(&mut world).unwrap();
    assert_eq!(census.living(), 1);
    drop(world);
    assert_eq!(census.living(), 0);
}

#[test]
fn what_a_queued_closure_does_is_done_at_the_barrier_with_real_entities() {
    let log = Log::default();
    let said = log.clone();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(move |mut commands: Commands| {
        let said = said.clone();
        commands.spawn(A(1)).queue(|entity| entity.get_mut::<A>().unwrap().0 += 1);
        commands.queue(move |world| said.say(format!("{:?}", values::<A>(world))));
    });
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "[A(2)]");
}
