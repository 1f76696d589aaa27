//! The readers of saved bytes: whatever comes in, no panic, and a world that refuses is as it was.
//!
//! Inputs get a right length and checksum, or no mutation would ever come past these; the first byte says whether. What is
//! taken must be a sound world: it is saved, loaded again, and run.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzz_target};
use tickweave::hash::StateHasher;
use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Small(u8);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Link {
    to: Entity,
    other: Option<Entity>,
}

#[derive(Component, Clone, Copy)]
#[repr(u8)]
enum Mood {
    Calm = 1,
    Angry = 3,
}

#[derive(Component)]
#[component(track)]
struct Enemy;

#[derive(Component, Clone, StateValue)]
#[component(opaque, state)]
struct Name {
    word: String,
    friends: Vec<Entity>,
}

#[derive(Component)]
#[component(opaque)]
struct Secret(#[expect(dead_code, reason = "its presence is enough")] String);

#[derive(Clone, Default, StateValue, Resource)]
struct Score {
    points: u64,
    by_word: std::collections::BTreeMap<String, Option<Entity>>,
    tree: Option<Box<Tree>>,
}

#[derive(Clone, StateValue)]
struct Tree(Vec<Tree>, Option<char>);

fn grow(small: &mut Small) {
    small.0 = small.0.wrapping_mul(3);
}

fn count(changed: Query<(&Link, Option<&Name>), Changed<Link>>, mut seen: Local<u64>, mut score: ResMut<Score>) {
    *seen = seen.wrapping_add(changed.count() as u64);
    score.points ^= *seen;
}

fn breed(links: Query<(Entity, &Link)>, removed: Removed<Link>, mut commands: Commands) {
    for (entity, link) in links.iter().take(4) {
        commands.insert(link.to, Small(1));
        commands.remove::<Link>(entity);
        commands.spawn((Small(2), Enemy));
    }
    removed.iter().take(4).for_each(|entity| commands.despawn(entity));
}

fn game() -> (World, Schedule) {
    let builder = World::builder().chunk_rows(4).batch_rows(2).entity_capacity(1 << 20);
    let builder = builder.with_component::<Small>().with_component::<Link>().with_component::<Mood>();
    let builder = builder.with_component::<Enemy>().with_component::<Name>().with_component::<Secret>();
    let mut world = builder.build().expect("a possible world");
    world.insert_resource(Score::default());
    let mut schedule = Schedule::new();
    schedule.add(each(grow));
    schedule.add(count);
    schedule.add(breed);
    schedule.build(&mut world).expect("a possible schedule");
    (world, schedule)
}

/// Saves that mutations begin with: a world and a set of entities.
static SAVES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let (mut world, mut schedule) = game();
    for number in 0..9 {
        let to = world.spawn((Small(number), Mood::Calm));
        let named = world.spawn((Link { to, other: Some(to) }, Name { word: "wolf".into(), friends: vec![to] }));
        world.spawn((Link { to: named, other: None }, Enemy));
        world.despawn(to).expect("it lives");
    }
    schedule.run(&mut world).expect("a tick");
    world.resource_mut::<Score>().expect("inserted").tree = Some(Box::new(Tree(vec![Tree(vec![], Some('x'))], None)));
    let all: Vec<Entity> = world.query::<Entity, ()>().iter().collect();
    [world.save().expect("all can be saved"), world.save_entities(all).expect("all can be saved")]
});

/// Length and checksum as the format asks for.
fn seal(bytes: &mut [u8]) {
    let length = bytes.len();
    if length >= 32 {
        bytes[16..24].copy_from_slice(&(length as u64).to_le_bytes());
        let mut hasher = StateHasher::new(9);
        hasher.bytes(&bytes[..length - 8]);
        bytes[length - 8..].copy_from_slice(&hasher.finish().to_le_bytes());
    }
}

/// The bytes as they are, sealed, or a good save that is changed as the input says.
fn input(data: &[u8]) -> Option<Vec<u8>> {
    let (&way, rest) = data.split_first()?;
    let mut bytes = match way % 5 {
        0 => return Some(rest.to_vec()),
        1 => rest.to_vec(),
        how => changed(SAVES[usize::from(way / 5) % 2].clone(), how, rest),
    };
    seal(&mut bytes);
    Some(bytes)
}

/// Each three bytes of the input are a place and what happens there.
fn changed(mut bytes: Vec<u8>, how: u8, changes: &[u8]) -> Vec<u8> {
    for change in changes.chunks_exact(3) {
        let (at, what) = (usize::from(u16::from_le_bytes([change[0], change[1]])), change[2]);
        match bytes.get_mut(at) {
            None => {}
            Some(byte) if how == 2 => *byte = what,
            Some(_) if how == 3 => drop(bytes.drain(at..bytes.len().min(at + usize::from(what)))),
            Some(_) => bytes.insert(at, what),
        }
    }
    bytes
}

fuzz_target!(|data: &[u8]| -> Corpus {
    let Some(bytes) = input(data) else { return Corpus::Reject };
    let (mut world, mut schedule) = game();
    let before = world.save().expect("all can be saved");
    if world.load_entities(&bytes).is_err() {
        assert!(world.save().is_ok_and(|after| after == before), "a world that refuses is as it was");
    } else {
        assert!(world.save().is_ok(), "what was loaded can be saved");
        (world, schedule) = game();
    }
    if world.load(&bytes).is_err() {
        assert!(world.save().is_ok_and(|after| after == before), "a world that refuses is as it was");
        return Corpus::Keep;
    }
    let saved = world.save().expect("what was loaded can be saved");
    world.load(&saved).expect("what was saved can be loaded");
    assert_eq!(world.save().as_ref(), Ok(&saved));
    if world.torn().is_none() && schedule.build(&mut world).is_ok() {
        for _ in 0..2 {
            let _ = schedule.run(&mut world);
        }
    }
    let _ = (world.dump(), world.state_hash());
    Corpus::Keep
});
