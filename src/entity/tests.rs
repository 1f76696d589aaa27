use super::*;

#[test]
fn an_optional_entity_is_eight_bytes() {
    assert_eq!(size_of::<Entity>(), 8);
    assert_eq!(size_of::<Option<Entity>>(), 8);
}

#[test]
fn bits_round_trip_and_generation_zero_is_no_handle() {
    let entity = Entity::new(u32::MAX - 1, MAX_GENERATION);
    assert_eq!(Entity::from_bits(entity.to_bits()), Some(entity));
    assert!(!entity.is_pending());
    assert_eq!(Entity::from_bits(7), None);
    assert_eq!(Entity::from_bits(0), None);
}

#[test]
fn handles_are_ordered_by_slot_then_generation() {
    let mut handles = [Entity::new(2, 1), Entity::new(1, 9), Entity::new(1, 3)];
    handles.sort();
    assert_eq!(handles, [Entity::new(1, 3), Entity::new(1, 9), Entity::new(2, 1)]);
}

#[test]
fn the_slot_freed_last_is_used_first() {
    let mut slots = Slots::new(u32::MAX);
    let made: Vec<Entity> = (0..10).map(|_| slots.reserve().unwrap()).collect();
    slots.release(made[3]);
    slots.release(made[7]);
    assert_eq!(slots.reserve().unwrap(), Entity::new(7, 2));
    assert_eq!(slots.reserve().unwrap(), Entity::new(3, 2));
    assert_eq!(slots.reserve().unwrap(), Entity::new(10, 1));
}

#[test]
fn a_full_table_refuses_and_changes_nothing() {
    let mut slots = Slots::new(1);
    let only = slots.reserve().unwrap();
    assert_eq!(slots.reserve(), Err(EntityCapacity { capacity: 1 }));
    assert_eq!((slots.len(), slots.live()), (1, 1));
    slots.release(only);
    assert_eq!(slots.reserve().unwrap(), Entity::new(0, 2));
}

#[test]
fn a_slot_whose_generations_are_used_up_is_retired_in_every_build() {
    let mut slots = Slots::new(u32::MAX);
    let first = slots.reserve().unwrap();
    slots.release(first);
    slots.set_next_generation(0, MAX_GENERATION - 2);
    let mut held = vec![first];
    for _ in 0..5 {
        let entity = slots.reserve().unwrap();
        assert!(!held.contains(&entity) && !entity.is_pending());
        held.push(entity);
        slots.release(entity);
        assert!(held.iter().all(|&stale| !slots.contains(stale)));
    }
    assert_eq!(slots.state(0), Some(SlotState::Retired));
    assert_eq!(slots.state(1), Some(SlotState::Free(3)));
}

#[test]
fn a_never_issued_handle_is_told_from_a_stale_one() {
    let mut slots = Slots::new(u32::MAX);
    let entity = slots.reserve().unwrap();
    slots.release(entity);
    assert!(slots.was_issued(entity));
    assert!(!slots.was_issued(Entity::new(0, 2)));
    assert!(!slots.was_issued(Entity::new(1, 1)));
}
