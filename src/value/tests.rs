use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::*;
use crate::entity::{Entity, EntityMapper};

fn encoded<T: StateValue>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.encode(&mut Sink::new(&mut bytes));
    bytes
}

#[track_caller]
fn round_trip<T: StateValue + PartialEq + core::fmt::Debug>(value: T) {
    let bytes = encoded(&value);
    let mut source = Source::new(&bytes);
    assert_eq!(T::decode(&mut source), Ok(value));
    assert_eq!(source.remaining(), 0);
    for cut in 0..bytes.len() {
        assert!(T::decode(&mut Source::new(&bytes[..cut])).is_err(), "cut at {cut} of {}", bytes.len());
    }
}

#[test]
fn every_kind_of_value_round_trips_and_every_truncation_is_refused() {
    round_trip((1u8, -2i64, 1.5f32, true));
    round_trip(('ä', u128::MAX, [1u16, 2, 3]));
    round_trip((Some(Entity::new(4, 2)), None::<Entity>, Some(7u32)));
    round_trip((String::from("wolf"), vec![String::from("a"), String::new()]));
    round_trip(VecDeque::from([1u8, 2]));
    round_trip(BTreeSet::from([3i8, -3]));
    round_trip(crate::rng::Stream::new(42, "a"));
    round_trip(BTreeMap::from([(1u32, vec![true]), (0, vec![])]));
    round_trip((Box::new(5u64), std::sync::Arc::new(6u64)));
    round_trip(fixed::types::I16F16::from_num(-1.25));
}

#[test]
fn patterns_that_a_type_does_not_have_are_refused() {
    assert_eq!(bool::decode(&mut Source::new(&[2])), Err(DecodeError::invalid::<bool>()));
    assert_eq!(DecodeError::invalid::<bool>().code(), "bytes-invalid");
    assert_eq!(bool::decode(&mut Source::new(&[])).unwrap_err().code(), "bytes-too-short");
    assert!(char::decode(&mut Source::new(&0xD800u32.to_le_bytes())).is_err());
    assert!(Entity::decode(&mut Source::new(&7u64.to_le_bytes())).is_err());
    assert!(Entity::decode(&mut Source::new(&u64::MAX.to_le_bytes())).is_err(), "a pending handle");
    assert!(String::decode(&mut Source::new(&[1, 0, 0, 0, 0, 0, 0, 0, 0xff])).is_err());
}

#[test]
fn a_forged_length_reserves_nothing() {
    let lie = u64::MAX.to_le_bytes();
    assert!(Vec::<u64>::decode(&mut Source::new(&lie)).is_err());
    assert!(BTreeMap::<u8, u8>::decode(&mut Source::new(&lie)).is_err());
    assert!(Vec::<()>::decode(&mut Source::new(&lie)).is_err());
}

struct Shift;

impl EntityMapper for Shift {
    fn map(&mut self, entity: Entity) -> Entity {
        Entity::new(entity.slot() + 100, entity.generation())
    }
}

#[test]
fn entities_are_mapped_wherever_they_lie() {
    let old = Entity::new(1, 1);
    let new = Entity::new(101, 1);
    let mut value = (vec![old], BTreeMap::from([(old, [Some(old), None])]), (Box::new(old), 3u8));
    crate::entity::MapEntities::map_entities(&mut value, &mut Shift);
    assert_eq!(value, (vec![new], BTreeMap::from([(new, [Some(new), None])]), (Box::new(new), 3u8)));
}

#[test]
fn leaves_name_each_value() {
    let schema = <[Option<Entity>; 2] as Data>::SCHEMA;
    let mut seen = Vec::new();
    schema.leaves(data::bytes_of(&[Some(Entity::new(81, 2)), None]), &mut String::new(), &mut |path, value| {
        seen.push(format!("{path}={value}"))
    });
    assert_eq!(seen, ["[0]=81v2", "[1]=none"]);
    let mut printed = String::new();
    <i16 as Data>::SCHEMA.leaves(&(-5i16).to_le_bytes(), &mut String::new(), &mut |_, value| printed = value);
    assert_eq!(printed, "-5");
}

#[test]
fn bytes_that_nest_without_end_are_refused_before_the_stack_is_used_up() {
    #[derive(Clone, StateValue)]
    struct Tree(Vec<Self>);
    let mut tree = Tree(Vec::new());
    (1..MAX_NESTING).for_each(|_| tree = Tree(vec![tree.clone()]));
    let mut bytes = Vec::new();
    tree.encode(&mut Sink::new(&mut bytes));
    assert!(Tree::decode(&mut Source::new(&bytes)).is_ok());
    let endless = [1, 0, 0, 0, 0, 0, 0, 0].repeat(1 << 16);
    assert_eq!(Tree::decode(&mut Source::new(&endless)).err(), Some(DecodeError::TooDeep));
}
