//! B: the life of entities.

use std::process::Command;

use tickweave::entity::MAX_GENERATION;
use tickweave::query::QueryError;
use tickweave::world::{ComponentError, Missing};

use super::*;

fn handle(slot: u32, generation: u32) -> Entity {
    Entity::from_bits(u64::from(generation) << 32 | u64::from(slot)).expect("a generation that is not 0")
}

/// Every handle that could be made up for the first slots is dead unless it is one of `live`.
#[track_caller]
fn assert_only(world: &World, live: &[Entity]) {
    for slot in (0..200).chain([u32::MAX - 1, u32::MAX]) {
        assert_eq!(Entity::from_bits(slot.into()), None, "no handle has generation 0");
        for generation in [1, 2, 3, MAX_GENERATION, MAX_GENERATION + 1, u32::MAX] {
            let entity = handle(slot, generation);
            assert_eq!(world.contains(entity), live.contains(&entity), "{entity}");
            assert_eq!(world.archetype_of(entity).is_some(), live.contains(&entity), "{entity}");
            assert_eq!(world.query::<Entity, ()>().get(entity).is_ok(), live.contains(&entity), "{entity}");
        }
    }
}

#[test]
fn b4_handles_that_were_never_issued_are_dead() {
    let mut world = tiny();
    assert_only(&world, &[]);
    let all = world.spawn_batch([(); 101]);
    assert_only(&world, &all);
    all[..100].iter().for_each(|&entity| world.despawn(entity).unwrap());
    assert_only(&world, &all[100..]);
    let again = world.spawn(());
    assert_eq!(again, handle(99, 2));
    assert_only(&world, &[again, all[100]]);
}

#[test]
fn b4_every_verb_refuses_a_handle_that_was_never_issued_and_changes_nothing() {
    let mut world = tiny();
    world.spawn(Number(1));
    for (entity, why) in [
        (handle(1, 1), Missing::NeverIssued),
        (handle(0, 2), Missing::NeverIssued),
        (handle(u32::MAX, MAX_GENERATION), Missing::NeverIssued),
        (handle(0, MAX_GENERATION + 1), Missing::Pending),
    ] {
        assert_unchanged(&mut world, |world| {
            assert_eq!(world.despawn(entity).unwrap_err().why, why);
            assert_eq!(world.remove::<Number>(entity).unwrap_err().why, why);
            assert_eq!(world.entity_mut(entity).unwrap_err().why, why);
            assert_eq!(world.insert(entity, Enemy).unwrap_err().code(), "no-such-entity");
            assert_eq!(world.take::<Number>(entity).unwrap_err().code(), "no-such-entity");
            assert_eq!(world.get_mut::<Number>(entity).unwrap_err().code(), "no-such-entity");
            assert_eq!(world.get_many_mut::<Number, 1>([entity]).unwrap_err().code(), "no-such-entity");
        });
    }
}

#[test]
fn b4_an_entity_without_components_is_one_like_any_other() {
    let mut world = tiny();
    let entity = world.spawn(());
    assert_eq!(world.query::<Entity, ()>().single(), Ok(entity));
    assert_eq!(world.query::<Entity, Without<Number>>().count(), 1);
    assert_eq!(world.archetype_of(entity).unwrap().components().count(), 0);
    world.insert(entity, Number(2)).unwrap();
    world.remove::<Number>(entity).unwrap();
    assert_eq!(world.query::<Entity, ()>().single(), Ok(entity));
    world.despawn(entity).unwrap();
    assert!(world.is_empty() && !world.contains(entity));
}

/// Uses a slot up from three generations before its last; returns the handles.
fn use_up(world: &mut World, entity: Entity) -> Vec<Entity> {
    world.despawn(entity).unwrap();
    world.set_next_generation(entity.slot(), MAX_GENERATION - 2);
    let recycle = |_| {
        let entity = world.spawn(Number(1));
        world.despawn(entity).unwrap();
        entity
    };
    (0..5).map(recycle).collect()
}

#[test]
fn b5_a_slot_whose_generations_are_used_up_is_retired_and_no_handle_comes_back() {
    let mut world = tiny();
    let first = world.spawn(());
    let last = world.spawn_batch([(); 3])[2];
    for used in [first, last] {
        let fresh = world.query::<Entity, ()>().iter().map(Entity::slot).max().unwrap().max(last.slot()) + 1;
        let handles = use_up(&mut world, used);
        let slots: Vec<u32> = handles.iter().map(|entity| entity.slot()).collect();
        assert_eq!(slots, [used.slot(), used.slot(), used.slot(), slots[3], slots[3]]);
        assert_ne!(slots[3], used.slot(), "after the last generation another slot is used");
        assert!(slots[3] <= fresh);
        let generations: Vec<u32> = handles[..3].iter().map(|entity| entity.generation()).collect();
        assert_eq!(generations, [MAX_GENERATION - 2, MAX_GENERATION - 1, MAX_GENERATION]);
        for (index, entity) in handles.iter().enumerate() {
            assert!(!handles[..index].contains(entity), "{entity} came back");
            assert!(!world.contains(*entity) && !entity.is_pending());
            assert_eq!(world.get::<Number>(*entity).unwrap_err().code(), "no-such-entity");
        }
    }
}

#[test]
fn b5_no_live_handle_is_the_niche() {
    let mut world = tiny();
    assert_eq!(size_of::<Option<Entity>>(), size_of::<Entity>());
    for entity in world.spawn_batch([(); 9]) {
        assert_eq!(Entity::from_bits(entity.to_bits()), Some(entity));
        assert_ne!(entity.to_bits(), 0);
    }
}

#[test]
fn b6_a_batch_with_one_entity_twice_or_of_another_generation_is_refused_before_anything_changes() {
    let mut world = tiny();
    let old = world.spawn(Watched(1));
    world.despawn(old).unwrap();
    let [a, b] = [world.spawn(Watched(2)), world.spawn(Watched(3))];
    assert_eq!(a.slot(), old.slot());
    let without = world.spawn(Number(1));
    assert_unchanged(&mut world, |world| {
        let error = |entities| world.get_many_mut::<Watched, 3>(entities).unwrap_err();
        let mut error = error;
        assert_eq!(error([a, b, a]), ComponentError::Aliased { entity: a });
        assert_eq!(error([a, b, old]).code(), "no-such-entity");
        assert_eq!(error([a, b, without]).code(), "component-missing");
        let mut query = world.query_mut::<Write<Watched>, ()>();
        assert_eq!(query.get_many_mut([b, a, b]).unwrap_err(), QueryError::Aliased(b));
        assert_eq!(query.get_many_mut([b, old]).unwrap_err(), QueryError::NoSuchEntity(old));
        assert_eq!(query.get_many_mut([b, without]).unwrap_err(), QueryError::Mismatch(without));
    });
    let [first, second] = world.get_many_mut::<Watched, 2>([b, a]).unwrap();
    core::mem::swap(first, second);
    assert_eq!((world.get::<Watched>(a), world.get::<Watched>(b)), (Ok(&Watched(3)), Ok(&Watched(2))));
}

#[test]
fn b7_clear_ends_everyone_as_one_despawn_after_the_other_does() {
    let [mut cleared, mut one_by_one] = [tiny(), tiny()];
    let mut handles = Vec::new();
    for world in [&mut cleared, &mut one_by_one] {
        handles = world.spawn_batch([(Watched(1), Number(2)), (Watched(2), Number(3)), (Watched(3), Number(4))]);
        world.despawn(handles[1]).unwrap();
    }
    cleared.clear();
    one_by_one.despawn(handles[0]).unwrap();
    one_by_one.despawn(handles[2]).unwrap();
    assert_eq!(cleared.dump().diff(&one_by_one.dump()), None);
    assert!(cleared.is_empty() && cleared.query::<Entity, ()>().is_empty());
    let again = cleared.spawn_batch([(); 4]);
    assert_eq!(again[0], handle(2, 2), "the slot that was freed last");
    assert!(handles.iter().all(|&entity| !cleared.contains(entity)), "stale handles stay dead");
    assert_eq!(again.len(), cleared.len());
}

/// Handles and everything else after some coming and going.
fn comings_and_goings() -> String {
    let mut world = tiny();
    let mut handles = Vec::new();
    for number in 0..40 {
        handles.push(world.spawn((Number(number), Enemy)));
        if number % 3 == 0 {
            let _ = world.despawn(handles[number as usize / 2]);
        }
        if number % 5 == 0 {
            let _ = world.insert(handles[number as usize / 3], Parent(handles[0]));
        }
    }
    format!("{handles:?}\n{}", world.dump())
}

#[test]
fn b9_two_processes_give_the_same_handles() {
    const CHILD: &str = "TICKWEAVE_CASE_B9";
    if std::env::var_os(CHILD).is_some() {
        return println!("begin\n{}\nend", comings_and_goings());
    }
    let child = |padding: &str| {
        let mut command = Command::new(std::env::current_exe().expect("the test binary"));
        command.args(["--exact", "cases::entities::b9_two_processes_give_the_same_handles", "--nocapture"]);
        let output = command.env(CHILD, padding).output().expect("the child runs");
        let said = String::from_utf8(output.stdout).expect("text");
        let (begin, end) = (said.find("begin\n").expect("the child speaks"), said.find("\nend").expect("to the end"));
        said[begin + "begin\n".len()..end].to_owned()
    };
    let long = "x".repeat(10_000);
    let [first, second] = [child("1"), child(&long)];
    assert_eq!(first, second);
    assert_eq!(first, comings_and_goings());
}

#[test]
fn b10_the_slot_freed_last_is_used_first_and_order_by_age_is_the_users_own() {
    let mut world = tiny();
    let ten = world.spawn_batch((0..10).map(Number));
    world.despawn(ten[3]).unwrap();
    world.despawn(ten[7]).unwrap();
    let two = world.spawn_batch([Number(10), Number(11)]);
    assert_eq!(two, [handle(7, 2), handle(3, 2)]);
    let sorted: Vec<u32> = world.query::<&Number, ()>().iter_sorted_by_entity().map(|number| number.0).collect();
    assert_eq!(sorted, [0, 1, 2, 11, 4, 5, 6, 10, 8, 9], "sorted by entity is by slot, not by age");
    let rows: Vec<u32> = world.query::<&Number, ()>().into_iter().map(|number| number.0).collect();
    assert_eq!(rows, [0, 1, 2, 9, 4, 5, 6, 8, 10, 11], "the last row takes the place of a removed one");
}
