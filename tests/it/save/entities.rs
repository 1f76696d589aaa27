use proptest::prelude::*;
use tickweave::prelude::*;

use super::kit::*;

#[test]
fn handles_follow_to_the_new_entities_in_data_and_in_opaque_values() {
    let mut editor = empty();
    let outside = editor.spawn(());
    let [a, b] = [editor.spawn(Small(1)), editor.spawn(Small(2))];
    editor.insert(a, Link { to: b, other: Some(outside) }).unwrap();
    editor.insert(b, (Name { word: "b".into(), friends: vec![a, b, outside] }, Mood::Calm)).unwrap();
    let bytes = editor.save_entities([b, a, b]).unwrap();

    let (mut world, _schedule) = lived();
    let before = world.len();
    let map = world.load_entities(&bytes).unwrap();
    assert_eq!((map.len(), map.is_empty(), map.dangling(), world.len()), (2, false, 2, before + 2));
    let [new_a, new_b] = [a, b].map(|entity| map.get(entity).unwrap());
    assert_eq!(map.get(outside), None);
    assert_eq!(world.get::<Link>(new_a).unwrap(), &Link { to: new_b, other: Some(Entity::NOBODY) });
    let name = world.get::<Name>(new_b).unwrap();
    assert_eq!(name, &Name { word: "b".into(), friends: vec![new_a, new_b, Entity::NOBODY] });
    assert_eq!(world.get::<Mood>(new_b).unwrap(), &Mood::Calm);
    assert!(!world.contains(Entity::NOBODY));
}

#[test]
fn loaded_entities_are_those_that_the_same_spawns_make() {
    let mut editor = empty();
    let saved = editor.spawn_batch((0..9).map(|number| (Small(number), Enemy)));
    let bytes = editor.save_entities(saved.iter().rev().copied()).unwrap();
    let ((mut loaded, one), (mut spawned, two)) = (lived(), lived());
    let map = loaded.load_entities(&bytes).unwrap();
    let made: Vec<Entity> = (0..9).map(|number| spawned.spawn((Small(number), Enemy))).collect();
    assert_eq!(map.iter().collect::<Vec<_>>(), saved.into_iter().zip(made).collect::<Vec<_>>());
    assert_same_future((loaded, one), (spawned, two));
}

#[test]
fn component_types_are_found_by_name_and_only_those_that_are_needed() {
    let mut editor = World::builder().with_component::<Late>().with_component::<Small>().build().unwrap();
    #[derive(Component, Clone, Copy)]
    #[repr(C)]
    struct Late(u64);
    let (small, late) = (editor.spawn(Small(4)), editor.spawn((Small(5), Late(6))));
    let mut world = World::builder().with_component::<Small>().build().unwrap();
    let map = world.load_entities(&editor.save_entities([small]).unwrap()).unwrap();
    assert_eq!(world.get::<Small>(map.get(small).unwrap()).unwrap(), &Small(4));
    let (hash, bytes) = (world.state_hash().unwrap(), editor.save_entities([late]).unwrap());
    let error = world.load_entities(&bytes).unwrap_err();
    assert!(error.code() == "load-components" && error.to_string().contains("Late"), "{error}");
    assert_eq!(world.state_hash().unwrap(), hash);
    world.register_component::<Late>().unwrap();
    let map = world.load_entities(&bytes).unwrap();
    assert_eq!(world.get::<Late>(map.get(late).unwrap()).unwrap().0, 6);
}

#[test]
fn entities_that_are_gone_cannot_be_saved() {
    let mut world = World::new();
    let gone = world.spawn(());
    world.despawn(gone).unwrap();
    assert_eq!(world.save_entities([gone]).unwrap_err().code(), "no-such-entity");
}

#[test]
fn bytes_of_entities_that_were_cut_or_changed_are_refused_or_make_a_sound_world() {
    let (source, _schedule) = lived();
    let all: Vec<Entity> = source.query::<Entity, Show<Ghost>>().iter().collect();
    let bytes = source.save_entities(all).unwrap();
    let mut world = empty();
    for at in 0..bytes.len() {
        let mut cut = bytes[..at].to_vec();
        seal(&mut cut);
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        seal(&mut flipped);
        for forged in [cut, flipped] {
            let before = world.save().unwrap();
            match world.load_entities(&forged) {
                Err(_) => assert_eq!(world.save().unwrap(), before),
                Ok(map) => {
                    assert!(map.iter().all(|(_, new)| world.contains(new)));
                    assert!(world.save().is_ok());
                    world = empty();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn all_entities_of_a_saved_world_come_into_another_with_their_values(history in any_history(), other in any_history()) {
        let (mut source, mut schedule) = game();
        play(&mut source, &mut schedule, &history);
        let (mut world, mut schedule) = game();
        play(&mut world, &mut schedule, &other);
        let (before, bytes) = (world.len(), source.save().unwrap());
        let map = world.load_entities(&bytes).unwrap();
        prop_assert_eq!((map.len(), world.len()), (source.len(), before + source.len()));
        for (saved, new) in map.iter() {
            prop_assert_eq!(source.get::<Small>(saved).ok(), world.get::<Small>(new).ok());
            let to = source.get::<Link>(saved).ok().map(|link| map.get(link.to).unwrap_or(Entity::NOBODY));
            prop_assert_eq!(to, world.get::<Link>(new).ok().map(|link| link.to));
            prop_assert_eq!(source.get::<Name>(saved).ok().map(|name| &name.word), world.get::<Name>(new).ok().map(|name| &name.word));
        }
        schedule.run(&mut world).unwrap();
    }
}
