//! To look changes nothing, and neither does what is refused.

use tickweave::prelude::*;
use tickweave::system::DynamicSystem;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Unmet(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

#[derive(Clone, StateValue, Resource)]
struct Other(u32);

fn world() -> World {
    let mut world = World::new();
    world.spawn(Age(3));
    world
}

#[track_caller]
fn assert_untouched(world: &World, before: &World) {
    assert_eq!(world.dump().diff(&before.dump()).map(|difference| difference.to_string()), None);
    assert_eq!(world.state_hash(), before.state_hash());
}

/// Looks in every way that asks for a resource or a component that the world has never met.
fn look(world: &mut World) {
    assert_eq!(world.query::<&Unmet, ()>().count(), 0);
    world
        .run_once(|score: Option<Res<Score>>, unmet: Query<&Unmet>| assert!(score.is_none() && unmet.is_empty()))
        .unwrap();
    world.run_once(|score: Option<ResMut<Score>>| assert!(score.is_none())).unwrap();
    let missing = world.run_once(|other: Res<Other>, _: Option<Res<Score>>| _ = other.0).unwrap_err();
    assert_eq!(missing.code(), "resource-missing");
    let clash = world.run_once(|_: Option<Res<Other>>, _: Query<&Age>, _: Query<&mut Age>| ()).unwrap_err();
    assert_eq!(clash.code(), "param-clash");
    let dynamic = DynamicSystem::new("look", |_: &mut tickweave::system::DynamicWorld<'_>| ());
    world.run_once(dynamic.reads_resource::<Other>()).unwrap();
}

#[test]
fn a_look_at_what_the_world_has_never_met_changes_no_state_and_no_id_to_come() {
    let (mut looked, mut other) = (world(), world());
    look(&mut looked);
    assert_untouched(&looked, &other);
    for world in [&mut looked, &mut other] {
        world.insert_resource(Other(1));
        world.insert_resource(Score(2));
        world.spawn(Unmet(1));
    }
    assert_untouched(&looked, &other);
}

#[test]
fn a_look_that_panics_changes_no_state() {
    let (mut looked, other) = (world(), world());
    fn fall(_: Option<Res<Score>>) {
        panic!("while it looks")
    }
    let look = std::panic::AssertUnwindSafe(|| _ = looked.run_once(fall));
    assert!(std::panic::catch_unwind(look).is_err());
    assert_untouched(&looked, &other);
}

#[test]
fn what_a_look_records_may_insert_the_resource_that_it_missed() {
    let mut world = world();
    world
        .run_once(|score: Option<Res<Score>>, mut commands: Commands| {
            assert!(score.is_none());
            commands.queue(|world| _ = world.insert_resource(Score(7)));
        })
        .unwrap();
    assert_eq!(world.resource::<Score>().unwrap().0, 7);
    world.run_once(|mut score: ResMut<Score>| score.0 += 1).unwrap();
    assert_eq!(world.resource::<Score>().unwrap().0, 8);
}

#[derive(Clone, StateValue)]
struct Explosive(u32);

impl Default for Explosive {
    fn default() -> Self {
        panic!("no default")
    }
}

fn clash(_: Query<&Age>, _: Query<&mut Age>) {}
fn remember(mut calls: Local<u32>, _: Option<Res<Score>>) {
    *calls += 1;
}

#[test]
fn a_schedule_that_can_not_be_built_leaves_the_world_as_it_was() {
    let (mut tried, before) = (world(), world());
    let mut schedule = crate::serial();
    schedule.add(remember);
    let bad = schedule.add(clash);
    assert_eq!(schedule.build(&mut tried).unwrap_err().code(), "param-clash");
    assert_untouched(&tried, &before);

    let mut other = world();
    schedule.remove(bad);
    schedule.run(&mut other).unwrap();
    assert_eq!(schedule.build(&mut tried).unwrap_err().code(), "schedule-other-world");
    assert_untouched(&tried, &before);
}

#[test]
fn a_failed_build_keeps_what_the_systems_remember() {
    let mut world = world();
    let mut schedule = crate::serial();
    schedule.add(remember);
    schedule.run(&mut world).unwrap();
    let hash = world.state_hash();
    let bad = schedule.add(clash);
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "param-clash");
    assert_eq!(world.state_hash(), hash);
    schedule.remove(bad);
    schedule.run(&mut world).unwrap();
    assert!(world.dump().to_string().contains("local 1 of system 1 of schedule 1: 02000000"), "{}", world.dump());
}

#[test]
fn a_default_that_panics_while_a_schedule_is_built_leaves_the_world_as_it_was() {
    let (mut tried, before) = (world(), world());
    let mut schedule = crate::serial();
    schedule.add(remember);
    schedule.add(|_: Local<Explosive>| ());
    for _ in 0..2 {
        let build = std::panic::AssertUnwindSafe(|| _ = schedule.build(&mut tried));
        assert!(std::panic::catch_unwind(build).is_err(), "the default is asked for again");
        assert_untouched(&tried, &before);
    }
}
