//! Guard rails of a world: entities against the capacity, churn, archetypes.

use super::kit::{talkative, tick, told};
use crate::systems::kit::{A, B, C};
use tickweave::prelude::*;

const NONE: [&str; 0] = [];

/// A world with room for so many entities, that tells of nothing else than rails of entities.
fn room_for(entities: u32) -> World {
    talkative(World::builder().entity_capacity(entities).churn_budget(0).build().unwrap())
}

/// A schedule that spawns so many entities in each tick, and ends them in the same tick if asked.
fn spawner(count: usize, ends: bool) -> Schedule {
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World| {
        let entities = world.spawn_batch((0..count).map(|_| ()));
        entities.into_iter().filter(|_| ends).for_each(|entity| world.despawn(entity).unwrap());
    });
    schedule
}

#[test]
fn a_quarter_half_and_all_of_the_capacity_are_told_exactly_when_they_are_reached() {
    let (mut schedule, mut world) = (spawner(1, false), room_for(8));
    let told: Vec<_> = (0..8).map(|_| tick(&mut schedule, &mut world)).collect();
    let reached = ["", "25", "", "50", "", "", "", "100"].map(|rail| match rail {
        "" => vec![],
        "25" => vec!["world/entities-25"],
        "50" => vec!["world/entities-50"],
        _ => vec!["world/entities-100"],
    });
    assert_eq!(told, reached);
    assert_eq!(tick(&mut crate::serial(), &mut world), NONE, "standing there is no news");
}

#[test]
fn each_rail_is_told_once_in_a_tick_and_again_in_the_next_that_reaches_it() {
    let mut world = room_for(8);
    let mut schedule = spawner(4, true);
    schedule.add(|world: &mut World| {
        let entities = world.spawn_batch([(); 4]);
        entities.into_iter().for_each(|entity| world.despawn(entity).unwrap());
    });
    for _ in 0..2 {
        assert_eq!(tick(&mut schedule, &mut world), ["world/entities-25", "world/entities-50"]);
    }
}

#[test]
fn what_commands_spawn_reaches_rails_and_what_a_refused_spawn_would_have_reached_does_not() {
    let mut world = room_for(4);
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| (0..6).for_each(|_| _ = commands.spawn(()).id()));
    let expected = ["world/entities-25", "world/entities-50", "world/entities-100", "command/refused"];
    let mut names = tick(&mut schedule, &mut world);
    names.sort_by_key(|name| expected.iter().position(|known| known == name));
    assert_eq!((names, world.len()), (expected.to_vec(), 4));
    assert_eq!(tick(&mut schedule, &mut world), ["command/refused"]);
}

#[test]
fn what_the_host_spawns_between_ticks_is_told_by_the_next_tick() {
    let mut world = room_for(4);
    let entities = world.spawn_batch([(); 2]);
    assert_eq!(told(&mut world), NONE);
    let mut schedule = crate::serial();
    assert_eq!(tick(&mut schedule, &mut world), ["world/entities-25", "world/entities-50"]);
    world.despawn(entities[0]).unwrap();
    world.spawn(());
    assert_eq!(tick(&mut schedule, &mut world), NONE, "no tick began below the rail");
    world.despawn(entities[1]).unwrap();
    assert_eq!(tick(&mut schedule, &mut world), NONE);
    world.spawn(());
    assert_eq!(tick(&mut schedule, &mut world), ["world/entities-50"]);
}

#[test]
fn a_rail_at_zero_and_a_capacity_that_nobody_declared_tell_nothing() {
    let mut world = room_for(3);
    world.spawn(());
    assert_eq!(tick(&mut crate::serial(), &mut world), ["world/entities-50"]);
    let mut world = talkative(World::builder().churn_budget(0).build().unwrap());
    assert_eq!(tick(&mut spawner(100, false), &mut world), NONE);
}

#[test]
fn the_capacity_holds_after_rails_were_passed_and_after_a_restore() {
    let mut world = room_for(4);
    world.spawn_batch([(); 3]);
    let snapshot = world.snapshot().unwrap();
    for _ in 0..2 {
        world.spawn(());
        assert_eq!(world.try_spawn(()).unwrap_err().code(), "entity-capacity");
        world.restore(&snapshot).unwrap();
        assert_eq!(world.len(), 3);
    }
    let mut other = room_for(4);
    other.restore(&snapshot).unwrap();
    other.spawn(());
    assert_eq!(other.try_spawn(()).unwrap_err().code(), "entity-capacity");
}

/// A world with a churn budget, and a schedule with one system.
fn churning(budget: u32, system: impl Fn(&mut World) + Send + 'static) -> (Schedule, World) {
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World| system(world));
    let mut world = talkative(World::builder().churn_budget(budget).build().unwrap());
    world.spawn((A(0), B(0), C(0)));
    tick(&mut crate::serial(), &mut world);
    (schedule, world)
}

/// The changes that a record of churn tells, if there is one.
fn churn(budget: u32, system: impl Fn(&mut World) + Send + 'static) -> Option<u64> {
    let (mut schedule, mut world) = churning(budget, system);
    schedule.run(&mut world).unwrap();
    let mut records = world.records_mut().drain().filter(|record| record.name() == "world/churn");
    records.next().and_then(|record| record.value("changes"))
}

fn first(world: &World) -> Entity {
    world.query::<Entity, ()>().into_iter().next().unwrap()
}

#[test]
fn churn_counts_what_comes_what_is_replaced_and_what_goes() {
    assert_eq!(churn(1, |world| _ = world.spawn((A(1), B(1)))), Some(2), "a bundle that is spawned");
    assert_eq!(churn(1, |world| world.insert(first(world), (A(1), B(1))).unwrap()), Some(2), "values replaced");
    assert_eq!(churn(1, |world| world.remove::<(A, B)>(first(world)).unwrap()), Some(2), "values that go");
    let take_two = |world: &mut World| {
        world.take::<A>(first(world)).unwrap();
        world.take::<B>(first(world)).unwrap();
    };
    assert_eq!(churn(1, take_two), Some(2));
    assert_eq!(churn(1, |world| world.despawn(first(world)).unwrap()), None, "an entity that ends is no churn");
    let remove_again = |world: &mut World| {
        let entity = first(world);
        (0..9).for_each(|_| world.remove::<A>(entity).unwrap());
    };
    assert_eq!(churn(1, remove_again), None, "what an entity lacks can't go");
}

#[test]
fn churn_is_told_strictly_above_the_budget_and_never_without_one() {
    let change = |world: &mut World| drop(world.spawn_batch([A(0), A(1), A(2)]));
    assert_eq!([churn(2, change), churn(3, change), churn(0, change)], [Some(3), None, None]);
}

#[test]
fn churn_is_that_of_one_tick_and_told_once_in_it() {
    let (mut schedule, mut world) = churning(2, |world| drop(world.spawn_batch([A(0), A(1), A(2)])));
    world.spawn_batch([A(0), A(1), A(2)]);
    for _ in 0..2 {
        schedule.run(&mut world).unwrap();
        let changes: Vec<_> = world.records_mut().drain().filter_map(|record| record.value("changes")).collect();
        assert_eq!(changes, [3], "what the host does between ticks is none");
    }
}

#[test]
fn commands_are_churn_too() {
    let mut world = talkative(World::builder().churn_budget(255).build().unwrap());
    world.ensure_component::<A>().unwrap();
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| (0..256).for_each(|number| _ = commands.spawn(A(number)).id()));
    assert!(tick(&mut schedule, &mut world).contains(&"world/churn"));
}

#[test]
fn new_archetypes_are_told_once() {
    let mut world = talkative(World::new());
    world.spawn(A(0));
    world.spawn((A(0), B(0)));
    let mut schedule = crate::serial();
    schedule.run(&mut world).unwrap();
    let record = world.records_mut().drain().next().unwrap();
    assert_eq!((record.name(), record.value("new")), ("world/archetypes", Some(2)));
    assert_eq!(record.value("archetypes"), Some(world.archetypes().count() as u64));
    world.spawn(A(0));
    assert_eq!(tick(&mut schedule, &mut world), NONE);
}
