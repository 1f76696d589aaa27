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

#[test]
fn e2_no_source_iterates_a_hash_table_and_how_a_table_was_filled_shows_in_no_hash() {
    assert!(include_str!("../../../Cargo.toml").contains("iter_over_hash_type = \"deny\""));
    let filled = |numbers: &[u16]| {
        let mut world = tiny();
        let by_number = numbers.iter().map(|&number| (number, Some(u64::from(number)))).collect();
        world.insert_resource(Ledger { by_number, ..ledger() });
        (world.state_hash().unwrap(), world.save().unwrap())
    };
    let (up, down): (Vec<u16>, Vec<u16>) = ((0..200).collect(), (0..200).rev().collect());
    assert_eq!(filled(&up), filled(&down));
    assert_ne!(filled(&up), filled(&up[1..]));
}

/// The policy: a value is its bits. They are hashed and kept as they are, and no operation of the library makes others of them.
#[test]
fn e3_a_value_is_its_bits_be_it_a_nan_or_a_zero_with_a_sign() {
    let bits = [0, 0x8000_0000, 0x7fc0_0000, 0xffc0_0000, 0x7fc0_0001, 0x7f80_0001];
    let mut seen = Vec::new();
    for bits in bits {
        let mut world = tiny();
        let everything =
            Everything { wide: 0, real: f32::from_bits(bits), short: 0, flag: false, byte: 0, target: None };
        let entity = world.spawn(everything);
        let (saved, snapshot) = (world.save().unwrap(), world.snapshot().unwrap());
        seen.push((world.state_hash().unwrap().get(), world.content_hash().unwrap().get()));
        world.get_mut::<Everything>(entity).unwrap().real = 1.0;
        world.restore(&snapshot).unwrap();
        assert_eq!(world.get::<Everything>(entity).unwrap().real.to_bits(), bits);
        world.load(&saved).unwrap();
        assert_eq!(world.get::<Everything>(entity).unwrap().real.to_bits(), bits);
        assert_eq!(world.state_hash().unwrap().get(), seen[seen.len() - 1].0);
    }
    for (at, (state, content)) in seen.iter().enumerate() {
        assert!(seen[..at].iter().all(|other| other.0 != *state && other.1 != *content), "{:#x}", bits[at]);
    }
}
