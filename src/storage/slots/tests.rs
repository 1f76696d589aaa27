use super::*;

/// Slots of a world with tiny chunks.
fn slots(capacity: u32) -> Slots {
    Slots::new(capacity, ChunkShape::new(4, 2).unwrap(), &Arc::new(BlockPool::new()))
}

#[test]
fn the_slot_freed_last_is_used_first() {
    let mut slots = slots(u32::MAX);
    let made: Vec<Entity> = (0..10).map(|_| slots.reserve().unwrap()).collect();
    slots.release(made[3]);
    slots.release(made[7]);
    assert_eq!(slots.reserve().unwrap(), Entity::new(7, 2));
    assert_eq!(slots.reserve().unwrap(), Entity::new(3, 2));
    assert_eq!(slots.reserve().unwrap(), Entity::new(10, 1));
}

#[test]
fn a_full_table_refuses_and_changes_nothing() {
    let mut slots = slots(1);
    let only = slots.reserve().unwrap();
    assert_eq!(slots.reserve(), Err(EntityCapacity { capacity: 1 }));
    assert_eq!((slots.len(), slots.live()), (1, 1));
    slots.release(only);
    assert_eq!(slots.reserve().unwrap(), Entity::new(0, 2));
}

#[test]
fn a_slot_whose_generations_are_used_up_is_retired_in_every_build() {
    let mut slots = slots(u32::MAX);
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
    let mut slots = slots(u32::MAX);
    let entity = slots.reserve().unwrap();
    slots.release(entity);
    assert!(slots.was_issued(entity));
    assert!(!slots.was_issued(Entity::new(0, 2)));
    assert!(!slots.was_issued(Entity::new(1, 1)));
}

#[test]
fn the_last_slot_numbers_are_used_up_to_an_error_never_wrapped() {
    assert_eq!(fresh_slot(u32::MAX - 1), Some(u32::MAX - 1));
    assert_eq!(fresh_slot(u32::MAX), None);
}
