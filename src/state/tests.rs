use crate::prelude::*;
use crate::storage::ChunkId;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct A(u32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct B(u32);

#[derive(Component)]
#[component(opaque)]
struct Secret(#[expect(dead_code, reason = "only its presence matters")] String);

#[derive(Component, Clone, StateValue)]
#[component(opaque, state)]
struct Name(String);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

fn world() -> World {
    let mut world = World::builder().chunk_rows(2).batch_rows(1).build().unwrap();
    world.spawn_batch([(A(1), B(2)), (A(3), B(4)), (A(5), B(6))]);
    world.spawn(Name("wolf".into()));
    world.insert_resource(Score(7));
    Schedule::new().run(&mut world).unwrap();
    world
}

type Step = (&'static str, fn(&mut World));

/// Each step changes something that decides the future.
fn steps() -> Vec<Step> {
    vec![
        ("a value", |world| world.query_mut::<&mut A, ()>().into_iter().next().unwrap().0 += 1),
        ("an opaque value", |world| world.query_mut::<&mut Name, ()>().single_mut().unwrap().0.push('!')),
        ("a resource", |world| world.resource_mut::<Score>().unwrap().0 += 1),
        ("a resource that is gone", |world| assert!(world.remove_resource::<Score>().is_some())),
        ("an entity", |world| {
            world.spawn(());
        }),
        ("an archetype", |world| {
            let entity = world.spawn((A(0), Name(String::new())));
            world.despawn(entity).unwrap();
        }),
        ("the registry", |world| assert!(world.register_component::<Secret>().is_ok())),
        ("a stamp alone", |world| assert!(world.query_mut::<&mut B, ()>().into_iter().next().is_some())),
        ("the free list alone", |world| {
            let (a, b) = (world.spawn(()), world.spawn(()));
            world.despawn(a).unwrap();
            world.despawn(b).unwrap();
        }),
    ]
}

#[test]
fn whatever_decides_the_future_changes_the_hash_and_shows_in_the_dump() {
    for (what, step) in steps() {
        let (before, mut after) = (world(), world());
        assert_eq!(before.state_hash().unwrap(), after.state_hash().unwrap());
        assert_eq!(before.dump().diff(&after.dump()), None);
        step(&mut after);
        assert_ne!(before.state_hash().unwrap(), after.state_hash().unwrap(), "{what}");
        assert!(before.dump().diff(&after.dump()).is_some(), "{what}");
    }
}

#[test]
fn the_order_in_which_slots_were_freed_is_state() {
    let freed = |order: [usize; 2]| {
        let mut world = World::new();
        let entities = [world.spawn(()), world.spawn(())];
        order.into_iter().for_each(|index| world.despawn(entities[index]).unwrap());
        world
    };
    let (a, b) = (freed([0, 1]), freed([1, 0]));
    assert_ne!(a.state_hash().unwrap(), b.state_hash().unwrap());
    assert_eq!(a.content_hash().unwrap(), b.content_hash().unwrap());
}

#[test]
fn swapping_equal_bytes_between_entities_or_components_changes_both_hashes() {
    let make = |a, b| {
        let mut world = World::new();
        world.spawn((A(a), B(b)));
        world.spawn((A(9), B(9)));
        world
    };
    let (one, two) = (make(1, 2), make(2, 1));
    assert_ne!(one.state_hash().unwrap(), two.state_hash().unwrap());
    assert_ne!(one.content_hash().unwrap(), two.content_hash().unwrap());
}

#[test]
fn what_cannot_be_hashed_is_named() {
    let mut world = world();
    let secret = world.spawn(Secret("x".into()));
    let error = world.state_hash().unwrap_err();
    assert!(error.to_string().contains("Secret"), "{error}");
    assert_eq!(world.content_hash().unwrap_err(), error);
    world.despawn(secret).unwrap();
    assert!(world.state_hash().is_ok());
}

#[test]
fn reading_changes_nothing() {
    let world = world();
    let before = world.dump();
    let hashes: Vec<_> = (0..3).map(|_| world.state_hash().unwrap()).collect();
    let _ = (world.query::<(&A, Option<&Secret>), ()>().count(), world.archetypes().count());
    assert!(hashes.iter().all(|hash| *hash == hashes[0]));
    assert_eq!(world.dump().diff(&before), None);
    assert_eq!(world.component_count(), 3);
}

#[test]
fn a_row_that_takes_the_place_of_another_is_read_where_it_was_and_its_block_stays_shared() {
    let mut world = world();
    let kept = world.snapshot().unwrap();
    let id = world.component_id::<A>().unwrap();
    let rows = |world: &World, chunk| world.storage().column(id).rows(ChunkId(chunk));
    let first = world.query::<Entity, With<A>>().into_iter().next().unwrap();
    world.despawn(first).unwrap();
    assert_ne!(rows(&world, 0), rows(kept.world(), 0));
    assert_eq!(rows(&world, 1), rows(kept.world(), 1));
    let values = |world: &World| world.query::<&A, ()>().into_iter().map(|a| a.0).collect::<Vec<_>>();
    assert_eq!((values(&world), values(kept.world())), (vec![5, 3], vec![1, 3, 5]));
}

#[test]
fn a_ring_for_more_ticks_than_memory_holds_grows_with_what_it_is_given() {
    let (world, mut ring) = (world(), super::SnapshotRing::new(usize::MAX));
    ring.push(&world).unwrap();
    assert_eq!((ring.capacity(), ring.len()), (usize::MAX, 1));
}

fn run(world: &mut World) {
    Schedule::new().run(world).unwrap();
}

/// A world of three ticks, and the ring that has each.
fn kept() -> (World, super::SnapshotRing) {
    let (mut world, mut ring) = (World::new(), super::SnapshotRing::new(8));
    world.insert_resource(Score(0));
    for _ in 0..3 {
        run(&mut world);
        ring.push(&world).unwrap();
    }
    (world, ring)
}

#[test]
fn what_is_pushed_after_other_state_was_put_in_has_nothing_of_another_past_before_it() {
    let (other, _) = kept();
    let (snapshot, bytes) = (other.snapshot().unwrap(), other.save().unwrap());
    for loaded in [false, true] {
        let (mut world, mut ring) = kept();
        if loaded {
            world.load(&bytes).unwrap()
        } else {
            world.restore(&snapshot).unwrap()
        }
        ring.push(&world).unwrap();
        assert_eq!((ring.ticks(), ring.len()), (3..=3, 1));
        run(&mut world);
        ring.push(&world).unwrap();
        assert_eq!(ring.ticks(), 3..=4);
    }
}

#[test]
fn what_a_ring_gave_back_has_its_past_in_the_ring() {
    let (mut world, mut ring) = kept();
    assert!(ring.restore(1, &mut world).unwrap() && ring.restore(2, &mut world).unwrap());
    assert_eq!(ring.ticks(), 1..=3, "until the next push");
    run(&mut world);
    run(&mut world);
    ring.push(&world).unwrap();
    let ticks = |ring: &super::SnapshotRing| (0..9).filter(|&tick| ring.get(tick).is_some()).collect::<Vec<_>>();
    assert_eq!(ticks(&ring), [1, 2, 4], "tick 3 was undone");
    let mut twin = World::new();
    twin.insert_resource(Score(5));
    assert!(ring.restore(2, &mut twin).unwrap());
    run(&mut twin);
    ring.push(&twin).unwrap();
    assert_eq!(ticks(&ring), [1, 2, 3], "another world that goes on from a tick of the ring");
}

#[test]
fn a_ring_of_one_world_keeps_nothing_of_it_before_a_snapshot_of_another() {
    let (mut one, mut ring) = kept();
    let mut other = World::new();
    other.insert_resource(Score(0));
    let both = one.snapshot().unwrap();
    one.restore(&both).unwrap();
    other.restore(&both).unwrap();
    for _ in 0..2 {
        run(&mut one);
        ring.push(&one).unwrap();
    }
    (0..3).for_each(|_| run(&mut other));
    ring.push(&other).unwrap();
    assert_eq!((ring.ticks(), ring.len()), (6..=6, 1));
}
