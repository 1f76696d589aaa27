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
