//! Limits, crossed in every verb.

use tickweave::prelude::*;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Parent(Entity);

#[derive(Component)]
struct Enemy;

#[test]
fn a_batch_beyond_the_chunks_of_a_world_is_refused_and_changes_nothing() {
    let mut world = World::builder().chunk_rows(1 << 16).build().unwrap();
    world.spawn(());
    let before = world.dump();
    let refused = world.try_spawn_batch(vec![(); u32::MAX as usize - 1]).unwrap_err();
    assert_eq!(refused.code(), "chunk-limit");
    assert_eq!(world.dump().diff(&before), None);
    world.spawn_batch([(), ()]);
    assert_eq!(world.query::<Entity, ()>().count(), 3);
}

#[test]
fn a_commanded_spawn_without_room_says_so_and_so_does_what_refers_to_it() {
    let mut world = World::builder().entity_capacity(1).build().unwrap();
    let mut buffer = CommandBuffer::new();
    let first = buffer.spawn(Age(1)).id();
    let second = buffer.spawn(Age(2)).id();
    buffer.insert(second, Enemy);
    buffer.insert(first, Parent(second));
    buffer.entity(second).queue(|_| panic!("it was never made"));
    buffer.despawn(second);
    buffer.insert(first, Enemy);
    let report = buffer.apply(&mut world);
    let codes: Vec<_> = report.refusals.iter().map(|refusal| (refusal.command, refusal.reason.code())).collect();
    let refused = ["spawn", "insert", "insert", "queue", "despawn"];
    assert_eq!(codes, refused.map(|command| (command, "entity-capacity")));
    assert_eq!((report.applied, world.query::<&Age, With<Enemy>>().single()), (2, Ok(&Age(1))));
    assert!(!world.has::<Parent>(world.query::<Entity, ()>().single().unwrap()));
}

#[test]
fn a_system_that_spawns_without_room_is_told_so_and_the_tick_goes_on() {
    let mut world = World::builder().entity_capacity(2).with_component::<Age>().build().unwrap();
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| {
        for age in 0..3 {
            commands.spawn(Age(age));
        }
    });
    schedule.run(&mut world).unwrap();
    assert_eq!((schedule.report().applied, schedule.report().refused), (2, 1));
    assert_eq!(schedule.report().refusals[0].reason.code(), "entity-capacity");
    assert_eq!(world.query::<&Age, ()>().into_iter().map(|age| age.0).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn every_verb_says_that_there_is_no_room_for_a_type() {
    let mut world = World::builder().max_components(1).build().unwrap();
    let wolf = world.spawn(Age(1));
    let before = world.dump();
    assert_eq!(world.try_spawn(Enemy).unwrap_err().code(), "component-limit");
    assert_eq!(world.try_spawn_batch([Enemy]).unwrap_err().code(), "component-limit");
    assert_eq!(world.insert(wolf, Enemy).unwrap_err().code(), "component-limit");
    assert_eq!(world.ensure_component::<Enemy>().unwrap_err().code(), "component-limit");
    assert_eq!(world.hide_by_default::<Enemy>().unwrap_err().code(), "component-limit");
    let mut buffer = CommandBuffer::new();
    buffer.insert(wolf, Enemy);
    buffer.remove::<Enemy>(wolf);
    let report = buffer.apply(&mut world);
    assert_eq!(report.refusals[0].reason.code(), "component-limit");
    world.remove::<(Enemy, Parent)>(wolf).unwrap();
    assert_eq!(world.dump().diff(&before), None);
}

#[test]
fn a_world_for_all_the_component_types_that_there_can_be_is_made_without_room_for_them() {
    let mut world = World::builder().max_components(u32::MAX).removal_ticks(u32::MAX).build().unwrap();
    world.spawn((Age(1), Enemy));
    assert_eq!(world.component_count(), 2);
}

#[test]
fn a_world_without_room_for_anything_refuses_and_lives() {
    let mut world = World::builder().entity_capacity(0).max_components(0).removal_ticks(0).build().unwrap();
    assert_eq!(world.try_spawn(()).unwrap_err().code(), "entity-capacity");
    assert_eq!(world.try_spawn_batch([Age(1)]).unwrap_err().code(), "entity-capacity");
    crate::serial().run(&mut world).unwrap();
    assert!(world.state_hash().is_ok() && world.is_empty());
}
