//! Runs that are refused before anything runs, and what is found missing in the middle of a tick.

use crate::systems::kit::{A, B, Log, Other, Score, failed, small_world};
use tickweave::prelude::*;
use tickweave::system::SystemConfig;

/// Eight systems of which the fourth is the given one.
fn eight(log: &Log, fourth: SystemConfig) -> Schedule {
    let mut schedule = crate::serial();
    for name in ["s1", "s2", "s3"] {
        schedule.add(log.spawner(name));
    }
    schedule.add(fourth);
    for name in ["s5", "s6", "s7", "s8"] {
        schedule.add(log.spawner(name));
    }
    schedule
}

/// A refusal that names a system and a resource; nothing was run.
#[track_caller]
fn missing(outcome: Result<(), RunError>, log: &Log, system: &str, resource: &str) {
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), "resource-missing");
    assert!(error.to_string().contains(system) && error.to_string().contains(resource), "{error}");
    assert_eq!(log.take(), "");
}

#[test]
fn a_resource_that_was_never_inserted_is_found_before_any_system_starts() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = eight(&log, (|_: Res<Score>| {}).named("needs"));
    missing(schedule.run(&mut world), &log, "`needs`", "Score");
    assert_eq!((world.len(), world.tick(), world.torn()), (0, 0, None));
    world.insert_resource(Score(1));
    schedule.run(&mut world).unwrap();
    assert_eq!((log.take().as_str(), world.len()), ("s1 s2 s3 s5 s6 s7 s8", 7));
}

#[test]
fn every_way_to_need_a_resource_is_checked_and_an_optional_one_may_be_missing() {
    let needs: [(SystemConfig, &str); 5] = [
        ((|_: ResMut<Score>| {}).named("writes"), "`writes`"),
        (each(|_: &A, _: Res<Score>| {}).named("row"), "`row`"),
        (chunk(|_: &[A], _: Res<Score>| {}).named("batch"), "`batch`"),
        ((|_: (Tick, (Res<Score>, Tick))| {}).named("nested"), "`nested`"),
        ((|| {}).named("guarded").run_if(|_: Res<Score>| false), "`guarded`"),
    ];
    for (system, name) in needs {
        let log = Log::default();
        missing(eight(&log, system).run(&mut small_world()), &log, name, "Score");
    }
    let log = Log::default();
    let optional = |read: Option<Res<Score>>, write: Option<ResMut<Other>>| assert!(read.is_none() && write.is_none());
    eight(&log, optional.named("optional")).run(&mut small_world()).unwrap();
    assert_eq!(log.take(), "s1 s2 s3 s5 s6 s7 s8");
}

fn take_score(world: &mut World) {
    assert!(world.remove_resource::<Score>().is_some());
}

#[test]
fn a_resource_removed_at_the_last_barrier_is_missed_before_the_next_tick() {
    let log = Log::default();
    let mut world = small_world();
    world.insert_resource(Score(0));
    let mut schedule = eight(&log, (|_: Res<Score>| {}).named("needs"));
    schedule.add(|mut commands: Commands| commands.queue(take_score));
    schedule.run(&mut world).unwrap();
    log.take();
    let before = world.state_hash().unwrap();
    missing(schedule.run(&mut world), &log, "`needs`", "Score");
    assert_eq!(world.state_hash().unwrap(), before, "a refusal changes nothing");
}

#[test]
fn a_resource_removed_earlier_in_the_same_tick_fails_the_system_that_needs_it() {
    let log = Log::default();
    let mut world = small_world();
    world.insert_resource(Score(0));
    let mut schedule = crate::serial();
    schedule.add(log.spawner("before"));
    schedule.add(take_score);
    schedule.add(log.system("between"));
    schedule.add((|_: Res<Score>| {}).named("needs"));
    schedule.add(log.system("behind"));
    assert_eq!(failed(schedule.run(&mut world)), ("needs".into(), 6, "resource-removed"));
    assert_eq!((log.take().as_str(), world.len()), ("before between", 1));
    world.clear_torn();
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "resource-missing");
}

#[test]
fn a_system_that_is_switched_off_needs_nothing() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    let id = schedule.add((|_: Res<Score>| {}).named("needs").disabled());
    schedule.add(log.system("runs"));
    schedule.run(&mut world).unwrap();
    schedule.set_enabled(id, true);
    log.take();
    missing(schedule.run(&mut world), &log, "`needs`", "Score");
}

#[test]
fn a_plan_older_than_its_registry_is_refused_before_anything_runs() {
    #[derive(Component)]
    struct Late;
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.spawner("runs"));
    schedule.run(&mut world).unwrap();
    let changes: [fn(&mut World); 3] = [
        |world| world.register_component::<Late>().map(|_| ()).unwrap(),
        |world| world.hide_by_default::<Late>().map(|_| ()).unwrap(),
        |world| world.unregister_component::<Late>().unwrap(),
    ];
    for change in changes {
        log.take();
        change(&mut world);
        let error = schedule.run(&mut world).unwrap_err();
        assert_eq!((error.code(), log.take().as_str(), world.torn()), ("schedule-stale", "", None));
        assert!(error.to_string().contains("build"), "{error}");
        schedule.build(&mut world).unwrap();
        schedule.run(&mut world).unwrap();
        assert_eq!(log.take(), "runs");
    }
    world.ensure_component::<A>().unwrap();
    world.hide_by_default::<Late>().unwrap();
    schedule.build(&mut world).unwrap();
    world.hide_by_default::<Late>().unwrap();
    schedule.run(&mut world).unwrap();
}

#[test]
fn a_schedule_belongs_to_the_world_of_its_first_build() {
    let (mut home, mut elsewhere) = (small_world(), small_world());
    let mut schedule = crate::serial();
    schedule.add(|_: Query<&A>| {});
    schedule.build(&mut home).unwrap();
    assert_eq!(schedule.build(&mut elsewhere).unwrap_err().code(), "schedule-other-world");
    assert_eq!(schedule.run(&mut elsewhere).unwrap_err().code(), "schedule-other-world");
    std::mem::swap(&mut home, &mut elsewhere);
    assert_eq!(schedule.run(&mut home).unwrap_err().code(), "schedule-other-world");
    schedule.run(&mut elsewhere).unwrap();
    assert_eq!((home.tick(), elsewhere.tick()), (0, 1));
}

#[test]
fn checks_come_in_order_torn_first_then_world_plan_registry_and_needs() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add((|_: Res<Score>| {}).named("needs"));
    schedule.build(&mut world).unwrap();
    world.unregister_component::<B>().unwrap();
    let mut bad = crate::serial();
    bad.add((|| Err::<(), _>("no")).named("bad"));
    bad.run(&mut world).unwrap_err();
    let mut code = |world: &mut World| schedule.run(world).unwrap_err().code();
    assert_eq!(code(&mut world), "world-torn");
    world.clear_torn();
    assert_eq!(code(&mut World::new()), "schedule-other-world");
    assert_eq!(code(&mut world), "schedule-stale");
    schedule.build(&mut world).unwrap();
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "resource-missing");
    schedule.add((|| {}).named(""));
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "empty-name");
}

#[test]
fn a_plan_with_more_steps_than_handles_can_name_is_refused() {
    let mut schedule = crate::serial();
    schedule.set_max_systems(10_000);
    for number in 0..8_200 {
        schedule.add((|| {}).named(number.to_string()));
        schedule.barrier();
    }
    let error = schedule.build(&mut World::new()).unwrap_err();
    assert_eq!(error.code(), "schedule-steps");
    assert!(error.to_string().contains("16400") && error.to_string().contains("split"), "{error}");
}
