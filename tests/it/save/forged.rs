use tickweave::prelude::*;

use super::kit::*;

/// Loads bytes that somebody made up: never a panic, and a world that refuses is as it was.
fn try_load((world, schedule): &mut (World, Schedule), bytes: &[u8]) -> bool {
    let before = world.save().unwrap();
    match world.load(bytes) {
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.code().is_empty());
            assert_eq!(world.save().unwrap(), before);
            false
        }
        Ok(()) => {
            let saved = world.save().unwrap();
            world.load(&saved).unwrap();
            assert_eq!(world.save().unwrap(), saved);
            if world.torn().is_none() && schedule.build(world).is_ok() {
                for _ in 0..2 {
                    let code = schedule.run(world).err().map(|error| error.code());
                    assert!(matches!(code, None | Some("resource-missing" | "world-torn")), "{code:?}");
                }
            }
            let _ = world.dump();
            *world = game().0;
            *schedule = super::kit::schedule();
            true
        }
    }
}

#[test]
fn bytes_that_were_cut_off_anywhere_are_refused_with_the_checksum_right_or_wrong() {
    let (world, _schedule) = lived();
    let bytes = world.save().unwrap();
    let mut here = game();
    for length in 0..bytes.len() {
        let mut cut = bytes[..length].to_vec();
        assert!(!try_load(&mut here, &cut), "{length}");
        seal(&mut cut);
        assert!(!try_load(&mut here, &cut), "{length}, sealed");
    }
}

#[test]
fn every_flipped_byte_is_refused() {
    let (world, _schedule) = lived();
    let bytes = world.save().unwrap();
    let mut here = game();
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(!try_load(&mut here, &flipped), "{at}");
    }
}

#[test]
fn flipped_bytes_with_a_right_checksum_are_refused_or_make_a_sound_world() {
    let (world, _schedule) = lived();
    let bytes = world.save().unwrap();
    let mut here = game();
    let (mut taken, mut refused) = (0, 0);
    for at in 0..bytes.len() - 8 {
        for change in [1, 0x80, 0xff] {
            let mut flipped = bytes.clone();
            flipped[at] ^= change;
            seal(&mut flipped);
            if try_load(&mut here, &flipped) { taken += 1 } else { refused += 1 }
        }
    }
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused: both are tried");
}

#[test]
fn forged_counts_are_refused() {
    let (world, _schedule) = lived();
    let bytes = world.save().unwrap();
    let mut here = game();
    for at in 24..bytes.len() - 12 {
        for count in [u32::MAX, 1 << 31, 1 << 20] {
            let mut forged = bytes.clone();
            forged[at..at + 4].copy_from_slice(&count.to_le_bytes());
            seal(&mut forged);
            try_load(&mut here, &forged);
        }
    }
}

/// Where a part of the bytes stands last.
fn find(bytes: &[u8], part: &[u8]) -> usize {
    (0..bytes.len()).rev().find(|&at| bytes[at..].starts_with(part)).unwrap()
}

#[test]
fn a_value_that_its_type_does_not_have_is_refused_and_told_where_it_is() {
    #[derive(Component, Clone, Copy)]
    #[repr(C)]
    struct Marked {
        mark: [u8; 7],
        mood: Mood,
    }
    let make = || World::builder().with_component::<Marked>().build().unwrap();
    let mut world = make();
    world.spawn(Marked { mark: *b"abcdefg", mood: Mood::Angry });
    let mut bytes = world.save().unwrap();
    let at = find(&bytes, b"abcdefg");
    bytes[at + 7] = 2;
    seal(&mut bytes);
    let error = make().load(&bytes).unwrap_err();
    assert_eq!(error.code(), "load-value");
    assert!(error.to_string().contains("Marked") && error.to_string().contains(&format!("byte {at}")), "{error}");
}

#[test]
fn two_rows_of_one_entity_are_refused() {
    let make = || World::builder().with_component::<Small>().build().unwrap();
    let mut world = make();
    let [a, b] = [world.spawn(()), world.spawn(Small(3))];
    let mut bytes = world.save().unwrap();
    let at = find(&bytes, &b.to_bits().to_le_bytes());
    bytes[at..at + 8].copy_from_slice(&a.to_bits().to_le_bytes());
    seal(&mut bytes);
    assert_eq!(make().load(&bytes).unwrap_err().code(), "load-malformed");
    assert_eq!(make().load_entities(&bytes).unwrap_err().code(), "load-malformed");
}
