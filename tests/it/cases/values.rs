//! E: values that are the same everywhere.

use std::collections::BTreeMap;

use tickweave::value::Sink;

use super::*;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct Everything {
    wide: i64,
    real: f32,
    short: i16,
    flag: bool,
    byte: u8,
    target: Option<Entity>,
}

#[derive(Clone, Debug, PartialEq, StateValue, Resource)]
struct Ledger {
    names: Vec<String>,
    by_number: BTreeMap<u16, Option<u64>>,
    pair: (char, i128),
}

fn golden_world() -> World {
    let mut world = tiny();
    let first = world.spawn(Number(7));
    let everything = Everything { wide: -2, real: -0.5, short: -300, flag: true, byte: 200, target: Some(first) };
    world.spawn_batch((0..6).map(|byte| (Everything { byte, ..everything }, Number(byte.into()))));
    world.spawn(());
    world.despawn(first).unwrap();
    world.insert_resource(ledger());
    world
}

fn ledger() -> Ledger {
    Ledger {
        names: vec!["wolf".into(), "é".into()],
        by_number: BTreeMap::from([(3, None), (1, Some(9))]),
        pair: ('x', -1),
    }
}

/// A change of these numbers is a change of the format: old recordings and peers of an older version no longer agree.
#[test]
fn e4_hashes_have_the_same_numbers_on_every_machine() {
    let world = golden_world();
    assert_eq!(world.state_hash().unwrap().get(), 3257366750470436430);
    assert_eq!(world.content_hash().unwrap().get(), 7069902102713737343);
}

#[test]
fn e4_values_are_encoded_in_fixed_widths_with_the_low_byte_first() {
    let mut bytes = Vec::new();
    ledger().encode(&mut Sink::new(&mut bytes));
    let mut expected = Vec::new();
    for word in ["wolf", "é"] {
        if expected.is_empty() {
            expected.extend(2_u64.to_le_bytes());
        }
        expected.extend((word.len() as u64).to_le_bytes());
        expected.extend(word.as_bytes());
    }
    expected.extend(2_u64.to_le_bytes());
    expected.extend(1_u16.to_le_bytes());
    expected.push(1);
    expected.extend(9_u64.to_le_bytes());
    expected.extend(3_u16.to_le_bytes());
    expected.push(0);
    expected.extend(u32::from('x').to_le_bytes());
    expected.extend((-1_i128).to_le_bytes());
    assert_eq!(bytes, expected);
}

#[test]
fn e4_a_handle_is_eight_bytes_slot_first() {
    let entity = Entity::from_bits(0x0000_0002_0000_0051).unwrap();
    assert_eq!((entity.slot(), entity.generation(), entity.to_string()), (0x51, 2, "81v2".to_owned()));
    let mut bytes = Vec::new();
    entity.encode(&mut Sink::new(&mut bytes));
    assert_eq!(bytes, [0x51, 0, 0, 0, 2, 0, 0, 0]);
}
