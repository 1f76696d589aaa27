//! C: where the bytes are.

use tickweave::world::{MAX_CHUNK_ROWS, StructureError};

use super::*;

macro_rules! aligned {
    ($($name:ident: $align:literal, $bytes:literal;)*) => {$(
        #[derive(Component, Clone, Copy, Debug, PartialEq)]
        #[repr(C, align($align))]
        struct $name([u8; $bytes]);

        impl $name {
            fn of(seed: usize) -> Self {
                Self([seed as u8; $bytes])
            }

            fn assert_is(&self, seed: usize) {
                assert!(core::ptr::from_ref(self).is_aligned(), "the place of a {} is aligned", stringify!($name));
                assert_eq!(*self, Self::of(seed));
            }
        }
    )*};
}

aligned! {
    One: 1, 1;
    Three: 1, 3;
    Thirteen: 1, 13;
    A16: 16, 16;
    A32: 32, 96;
    A64: 64, 64;
    A128: 128, 256;
}

/// An opaque value of an odd size that wants a wide place.
#[derive(Component, Debug)]
#[component(opaque)]
#[repr(align(128))]
struct Wide(Box<usize>, u8);

impl Wide {
    fn of(seed: usize) -> Self {
        Self(Box::new(seed), seed as u8)
    }

    fn assert_is(&self, seed: usize) {
        assert_eq!(core::ptr::from_ref(self).addr() % 128, 0, "the place of a Wide is aligned");
        assert_eq!((*self.0, self.1), (seed, seed as u8));
    }
}

type Mixed = ((One, A128, Three), (A16, Thirteen, A64), A32, Wide);

fn mixed(seed: usize) -> Mixed {
    let first = (One::of(seed), A128::of(seed), Three::of(seed));
    (first, (A16::of(seed), Thirteen::of(seed), A64::of(seed)), A32::of(seed), Wide::of(seed))
}

fn assert_mixed(world: &World, entity: Entity, seed: usize) {
    world.get::<One>(entity).unwrap().assert_is(seed);
    world.get::<Three>(entity).unwrap().assert_is(seed);
    world.get::<Thirteen>(entity).unwrap().assert_is(seed);
    world.get::<A16>(entity).unwrap().assert_is(seed);
    world.get::<A32>(entity).unwrap().assert_is(seed);
    world.get::<A64>(entity).unwrap().assert_is(seed);
    world.get::<A128>(entity).unwrap().assert_is(seed);
    world.get::<Wide>(entity).unwrap().assert_is(seed);
}

#[test]
fn c2_over_aligned_values_are_aligned_and_whole_while_columns_grow_and_rows_move() {
    for (chunk, batch) in [(1, 1), (4, 2), (16, 4), (2048, 128)] {
        let mut world = World::builder().chunk_rows(chunk).batch_rows(batch).build().unwrap();
        let entities: Vec<Entity> = (0..300).map(|seed| world.spawn(mixed(seed))).collect();
        for (seed, &entity) in entities.iter().enumerate().filter(|(seed, _)| seed % 3 == 0) {
            world.insert(entity, Number(seed as u32)).unwrap();
        }
        for &entity in entities.iter().step_by(7) {
            world.despawn(entity).unwrap();
        }
        for (seed, &entity) in entities.iter().enumerate().filter(|(seed, _)| seed % 7 != 0) {
            assert_mixed(&world, entity, seed);
        }
        for (number, wide) in world.query::<(&A128, &Wide), ()>() {
            wide.assert_is(*wide.0);
            number.assert_is(*wide.0);
        }
    }
}

#[test]
fn c2_a_thousand_recorded_inserts_of_mixed_alignments_arrive_whole() {
    let mut world = tiny();
    let entities = world.spawn_batch([(); 200]);
    let mut buffer = CommandBuffer::new();
    for seed in 0..1_000 {
        let entity = entities[seed % 200];
        match seed % 6 {
            0 => buffer.insert(entity, mixed(seed)),
            1 => buffer.insert(entity, (One::of(seed), A128::of(seed))),
            2 => buffer.insert(entity, Thirteen::of(seed)),
            3 => buffer.insert(entity, (Wide::of(seed), Three::of(seed))),
            4 => buffer.insert(entity, (A64::of(seed), (A16::of(seed), A32::of(seed)))),
            _ => buffer.entity(entity).queue(move |entity| drop(entity.insert(mixed(seed)))).despawn(),
        }
        buffer.spawn(mixed(seed));
    }
    let report = buffer.apply(&mut world);
    assert_eq!(report.applied + report.refused, 2_000 + 166, "each command is counted");
    let spawned = world.query::<(Entity, &Wide), ()>();
    let found: Vec<(Entity, usize)> = spawned.iter().map(|(entity, wide)| (entity, *wide.0)).collect();
    assert!(found.len() >= 1_000);
    for (entity, seed) in found.into_iter().filter(|(entity, _)| !entities.contains(entity)) {
        assert_mixed(&world, entity, seed);
    }
}

macro_rules! tags {
    ($($name:ident $bit:literal),*) => {
        $(#[derive(Component)] struct $name;)*

        /// Gives an entity the tags of a number's bits, from the lowest up.
        fn tag(world: &mut World, entity: Entity, bits: u32) {
            $(if bits & 1 << $bit != 0 {
                world.insert(entity, $name).unwrap();
            })*
        }

        fn untag(world: &mut World, entity: Entity, bits: u32) {
            $(if bits & 1 << $bit != 0 {
                world.remove::<$name>(entity).unwrap();
            })*
        }

        /// A query for each tag, against each tag, and for pairs of neighbours.
        fn watchers() -> Vec<Watcher> {
            let mut watchers = vec![watcher::<()>(|_| true)];
            $(
                watchers.push(watcher::<With<$name>>(|bits| bits & 1 << $bit != 0));
                watchers.push(watcher::<Without<$name>>(|bits| bits & 1 << $bit == 0));
                watchers.push(watcher::<(With<$name>, Without<T0>)>(|bits| bits & 1 << $bit != 0 && bits & 1 == 0));
                watchers.push(watcher::<Or<(With<$name>, With<T11>)>>(|bits| bits & (1 << $bit | 1 << 11) != 0));
            )*
            watchers
        }
    };
}

tags!(T0 0, T1 1, T2 2, T3 3, T4 4, T5 5, T6 6, T7 7, T8 8, T9 9, T10 10, T11 11);

const ALL_TAGS: u32 = (1 << 12) - 1;

/// The numbers that a query sees.
type Ask = dyn FnMut(&World) -> Vec<u32>;

/// A prepared query and the tags that it lets pass.
struct Watcher {
    ask: Box<Ask>,
    passes: fn(u32) -> bool,
}

fn watcher<F: tickweave::query::QueryFilter + 'static>(passes: fn(u32) -> bool) -> Watcher {
    let mut prepared = PreparedQuery::<&'static Number, F>::new();
    Watcher { ask: Box::new(move |world| prepared.query(world).into_iter().map(|number| number.0).collect()), passes }
}

#[test]
fn c7_thousands_of_archetypes_are_matched_once_and_memory_stays_flat() {
    let mut world = World::builder().chunk_rows(64).batch_rows(8).build().unwrap();
    let mut watchers = watchers();
    watchers.push(watcher::<(With<T3>, With<T5>, Without<T7>)>(|bits| bits & 0b1010_1000 == 0b0010_1000));
    assert_eq!(watchers.len(), 50);
    let entities: Vec<Entity> = (0..=ALL_TAGS).map(|bits| world.spawn(Number(bits))).collect();
    for (bits, &entity) in entities.iter().enumerate() {
        tag(&mut world, entity, bits as u32);
    }
    assert_eq!(world.archetypes().filter(|archetype| !archetype.is_empty()).count(), 4096);
    for watcher in &mut watchers {
        let mut seen = (watcher.ask)(&world);
        seen.sort_unstable();
        assert_eq!(seen, (0..=ALL_TAGS).filter(|&bits| (watcher.passes)(bits)).collect::<Vec<_>>());
    }

    for (bits, &entity) in entities.iter().enumerate() {
        tag(&mut world, entity, ALL_TAGS & !(bits as u32));
    }
    assert_eq!(world.archetypes().filter(|archetype| !archetype.is_empty()).count(), 1);
    for watcher in &mut watchers {
        let expected = if (watcher.passes)(ALL_TAGS) { 4096 } else { 0 };
        assert_eq!((watcher.ask)(&world).len(), expected, "everyone has every tag");
    }

    let archetypes = world.archetypes().len();
    let mut warm = None;
    for tick in 0..10_000_usize {
        let entity = entities[tick * 37 % 64];
        untag(&mut world, entity, tick as u32 & ALL_TAGS);
        tag(&mut world, entity, ALL_TAGS);
        if tick == 5_000 {
            warm = Some(world.reserved_bytes());
        }
    }
    assert_eq!(world.archetypes().len(), archetypes, "no archetype but those of the first round");
    assert_eq!(warm, Some(world.reserved_bytes()), "memory is flat after the warm-up");
    let watcher = watchers.last_mut().unwrap();
    assert_eq!((watcher.ask)(&world).len(), if (watcher.passes)(ALL_TAGS) { 4096 } else { 0 });
}

/// What a fresh query and a prepared one see.
#[track_caller]
fn assert_sees(prepared: &mut PreparedQuery<&'static Number, With<Enemy>>, world: &World, expected: &[u32]) {
    let fresh: Vec<u32> = world.query::<&Number, With<Enemy>>().into_iter().map(|number| number.0).collect();
    let seen: Vec<u32> = prepared.query(world).into_iter().map(|number| number.0).collect();
    assert_eq!((&*fresh, &*seen), (expected, expected));
}

#[test]
fn c8_a_prepared_query_sees_archetypes_that_came_after_it_and_those_that_were_filled_again() {
    let mut world = tiny();
    let mut prepared = PreparedQuery::new();
    assert_sees(&mut prepared, &world, &[]);
    let a = world.spawn((Number(1), Enemy));
    assert_sees(&mut prepared, &world, &[1]);
    world.insert(a, Watched(0)).unwrap();
    assert_sees(&mut prepared, &world, &[1]);
    let b = world.spawn((Number(2), Enemy));
    assert_sees(&mut prepared, &world, &[2, 1]);
    world.despawn(b).unwrap();
    world.despawn(a).unwrap();
    assert_sees(&mut prepared, &world, &[]);
    world.spawn((Enemy, Number(3), Watched(0), Parent(a)));
    world.spawn((Enemy, Number(4)));
    assert_sees(&mut prepared, &world, &[4, 3]);

    let mut other = tiny();
    other.spawn(Enemy);
    other.spawn((Enemy, Number(9)));
    assert_sees(&mut prepared, &other, &[9]);
    assert_sees(&mut prepared, &world, &[4, 3]);
}

#[test]
fn c8_a_prepared_query_never_takes_one_world_for_another() {
    let [mut first, mut second] = [tiny(), tiny()];
    first.spawn(Number(1));
    first.spawn((Number(2), Enemy));
    second.spawn(Enemy);
    second.spawn((Number(3), Enemy));
    let mut prepared = PreparedQuery::new();
    for _ in 0..2 {
        assert_sees(&mut prepared, &first, &[2]);
        assert_sees(&mut prepared, &second, &[3]);
    }
}

#[test]
fn c8_a_prepared_query_forgets_ids_when_the_registry_changes() {
    let mut world = tiny();
    let mut prepared = PreparedQuery::new();
    let entity = world.spawn(Number(1));
    assert_sees(&mut prepared, &world, &[]);
    world.insert(entity, Enemy).unwrap();
    assert_sees(&mut prepared, &world, &[1]);
    world.remove::<Enemy>(entity).unwrap();
    world.unregister_component::<Enemy>().unwrap();
    assert_sees(&mut prepared, &world, &[]);
    world.insert(entity, Enemy).unwrap();
    assert_sees(&mut prepared, &world, &[1]);
}

#[test]
fn c8_the_table_of_archetypes_grows_in_the_middle_of_one_merge() {
    let mut world = tiny();
    let mut prepared = PreparedQuery::<&Number>::new();
    assert_eq!(prepared.query(&world).count(), 0);
    let mut buffer = CommandBuffer::new();
    for bits in 0..512 {
        let entity = buffer.spawn(Number(bits)).id();
        buffer.queue(move |world| {
            let entity = world.query::<(Entity, &Number), ()>().into_iter().find(|row| row.1.0 == bits).unwrap().0;
            tag(world, entity, bits);
        });
        buffer.insert(entity, Parent(entity));
    }
    assert_eq!(buffer.apply(&mut world).refused, 0);
    let mut seen: Vec<u32> = prepared.query(&world).into_iter().map(|number| number.0).collect();
    seen.sort_unstable();
    assert_eq!(seen, (0..512).collect::<Vec<_>>(), "each is seen exactly once");
    assert!(world.query::<(Entity, &Parent), ()>().into_iter().all(|(entity, parent)| parent.0 == entity));
}

#[test]
fn c8_a_system_sees_the_archetype_that_a_barrier_made_in_the_same_tick() {
    let mut world = tiny();
    world.spawn((Number(1), Enemy));
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let mut schedule = crate::serial();
    schedule.add(|enemies: Query<&Number, With<Enemy>>, mut commands: Commands| {
        commands.spawn((Enemy, Number(enemies.count() as u32 + 1), Parent(Entity::from_bits(1 << 32).unwrap())));
    });
    schedule.barrier();
    let shared = seen.clone();
    schedule.add(move |enemies: Query<&Number, With<Enemy>>| {
        shared.lock().unwrap().push(enemies.iter().map(|number| number.0).collect::<Vec<_>>());
    });
    world.ensure_component::<Parent>().unwrap();
    for _ in 0..2 {
        schedule.run(&mut world).unwrap();
    }
    assert_eq!(*seen.lock().unwrap(), [vec![1, 2], vec![1, 2, 3]]);
}

/// A tag for each number.
#[derive(Component)]
struct Bit<const N: u8>;

type Toggle = fn(&mut World, Entity) -> Result<(), StructureError>;

fn toggle<const N: u8>(world: &mut World, entity: Entity) -> Result<(), StructureError> {
    if world.has::<Bit<N>>(entity) { Ok(world.remove::<Bit<N>>(entity)?) } else { world.insert(entity, Bit::<N>) }
}

const TOGGLES: [Toggle; 16] = [
    toggle::<0>,
    toggle::<1>,
    toggle::<2>,
    toggle::<3>,
    toggle::<4>,
    toggle::<5>,
    toggle::<6>,
    toggle::<7>,
    toggle::<8>,
    toggle::<9>,
    toggle::<10>,
    toggle::<11>,
    toggle::<12>,
    toggle::<13>,
    toggle::<14>,
    toggle::<15>,
];

#[test]
fn where_every_chunk_is_taken_an_insert_is_refused_a_removal_panics_and_the_entity_stays_as_it_is() {
    let mut world = World::builder().chunk_rows(MAX_CHUNK_ROWS).build().unwrap();
    let entity = world.spawn(());
    // A Gray code: each step flips one tag, and each set of tags comes up once. A chunk stays when its last row leaves.
    for step in 1..u32::from(u16::MAX) {
        TOGGLES[step.trailing_zeros() as usize](&mut world, entity).unwrap();
    }
    let error = world.insert(entity, Bit::<16>).unwrap_err();
    assert_eq!(error.code(), "chunk-limit");
    assert!(error.to_string().contains("the world has 65535"), "{error}");
    let removal = catch_unwind(AssertUnwindSafe(|| world.remove::<Bit<0>>(entity)));
    assert!(removal.unwrap_err().downcast::<String>().unwrap().contains("chunk_rows"));
    let (taking, full) = (catch_unwind(AssertUnwindSafe(|| world.take::<Bit<0>>(entity))), world.try_spawn(()));
    assert!(taking.is_err() && full.is_ok(), "a row that fits into a chunk is made");
    assert_eq!(world.archetype_of(entity).unwrap().components().count(), 2);
    assert!(world.has::<Bit<0>>(entity) && world.has::<Bit<15>>(entity));
}
