//! Readers change nothing: not the order of archetypes, not the handles to come, not the registry.

use crate::systems::kit::{A, B, C, Score, T, Tag, small_world};
use tickweave::prelude::*;

/// A type that no world here registers.
#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Unmet(u32);

#[derive(Clone, StateValue, Resource)]
struct UnmetResource(u32);

/// Systems that make archetypes and entities.
fn game() -> Schedule {
    let mut schedule = crate::serial();
    schedule.add(|tick: Tick, mut commands: Commands| {
        commands.spawn((A(tick.0 as i32), B(0)));
        commands.spawn((C(1), A(2)));
    });
    schedule.add(|rows: Query<Entity, (With<A>, Without<T>)>, mut commands: Commands| {
        rows.iter().take(2).for_each(|entity| commands.insert(entity, T(1)));
    });
    schedule.add(|rows: Query<Entity, With<T>>, mut commands: Commands| {
        if rows.count() > 5 {
            commands.despawn(rows.iter().last().unwrap());
        }
    });
    schedule
}

/// What the host can look at.
fn look(world: &World) {
    let _ = world.query::<(Entity, &A, Option<&B>), Without<C>>().count();
    let _ = world.query::<&Unmet, With<Tag>>().count();
    let _ = world.query::<Has<Unmet>, Or<(With<Tag>, Changed<Unmet>)>>().iter().count();
    let _ = (world.has_resource::<UnmetResource>(), world.is_component_registered::<Unmet>());
    let _ = (world.component_id::<Unmet>(), world.archetypes().len(), world.reserved_bytes());
    let _ = (world.state_hash().unwrap(), world.content_hash().unwrap(), world.dump());
    let _ = world.removals::<Unmet>(0).count();
}

#[test]
fn a_host_that_looks_between_ticks_leaves_every_bit_of_state_as_it_is() {
    let (mut quiet, mut watched) = (small_world(), small_world());
    let (mut a, mut b) = (game(), game());
    for _ in 0..10 {
        a.run(&mut quiet).unwrap();
        look(&watched);
        b.run(&mut watched).unwrap();
        look(&watched);
        assert_eq!(quiet.dump().diff(&watched.dump()), None);
        assert_eq!(quiet.state_hash().unwrap(), watched.state_hash().unwrap());
    }
}

/// What decides the order of rows and the handles to come.
fn rows(world: &World) -> Vec<(String, Vec<Entity>)> {
    world.archetypes().map(|archetype| (archetype.name(), archetype.entities().collect())).collect()
}

#[test]
fn a_debug_system_that_only_reads_changes_no_archetype_order_and_no_handle() {
    let (mut quiet, mut watched) = (small_world(), small_world());
    let (mut a, mut b) = (game(), game());
    b.add(|_: Query<(Entity, &C, &A)>, _: Query<&Unmet, Without<A>>, _: Removed<T>, _: Option<Res<UnmetResource>>| {});
    b.add(each(|_: &A, _: Option<&Unmet>, _: Entity| {}));
    watched.run_once(|_: Query<(&A, &B, &C)>, _: Query<Entity, Changed<Unmet>>, _: Option<Res<Score>>| {}).unwrap();
    for _ in 0..10 {
        a.run(&mut quiet).unwrap();
        b.run(&mut watched).unwrap();
        assert_eq!(rows(&quiet), rows(&watched));
    }
    assert_eq!(quiet.spawn(()), watched.spawn(()));
    assert_eq!(quiet.content_hash().unwrap(), watched.content_hash().unwrap());
}

#[test]
fn a_read_of_an_unregistered_type_matches_nothing_and_registers_nothing() {
    let mut world = small_world();
    world.spawn((A(1), Tag));
    let count = world.component_count();
    assert_eq!(world.query::<&Unmet, ()>().count(), 0);
    assert_eq!(world.query_mut::<&mut Unmet, ()>().count(), 0);
    assert_eq!(world.query::<&A, With<Unmet>>().count(), 0);
    assert_eq!(world.query::<&A, Without<Unmet>>().count(), 1);
    assert_eq!(world.query::<(&A, Option<&Unmet>, Has<Unmet>), ()>().count(), 1);
    assert_eq!(world.query::<&A, Changed<Unmet>>().count(), 0);
    let mut schedule = crate::serial();
    schedule.add(each(|_: &mut Unmet| Err::<(), _>("there is none")));
    schedule.add(|rows: Query<&mut Unmet>, with: Query<Entity, Without<Unmet>>| {
        assert_eq!((rows.count(), with.count()), (0, 1));
    });
    schedule.run(&mut world).unwrap();
    assert_eq!((world.component_count(), world.is_component_registered::<Unmet>()), (count, false));
}

#[test]
fn a_plan_made_before_a_type_came_is_stale_and_sees_it_after_the_next_build() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(each(|unmet: &mut Unmet| unmet.0 += 1));
    schedule.run(&mut world).unwrap();
    let entity = world.spawn(Unmet(0));
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "schedule-stale");
    assert_eq!((world.tick(), world.get::<Unmet>(entity).unwrap().0), (1, 0));
    schedule.build(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.get::<Unmet>(entity).unwrap().0, 1);
}

#[test]
fn registering_in_one_order_and_touching_in_another_gives_the_same_state() {
    let (mut a, mut b) = (small_world(), small_world());
    a.run_once(|_: Query<&A>| {}).unwrap();
    b.run_once(|_: Query<(&Tag, &T, &C, &B)>| {}).unwrap();
    let _ = (a.has::<C>(a.query::<Entity, ()>().iter().next().unwrap_or_else(unmet)), b.len());
    for world in [&mut a, &mut b] {
        world.spawn((C(0), A(0)));
        world.spawn((A(0), C(0), B(0)));
    }
    assert_eq!(a.dump().diff(&b.dump()), None);
    assert_eq!(a.state_hash().unwrap(), b.state_hash().unwrap());
}

/// A handle that no world issued.
fn unmet() -> Entity {
    Entity::from_bits(7 << 32).unwrap()
}
