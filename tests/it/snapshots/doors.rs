//! Every door through which a world is written leaves its snapshots alone, and makes its hash another.

use tickweave::prelude::*;
use tickweave::query::Write;

use crate::parallel::kit::tiny_chunks;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct Seen(u32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Plain(u64);

#[derive(Component)]
struct Tag;

#[derive(Clone, StateValue, Resource)]
struct Count(u32);

fn world() -> (World, Vec<Entity>) {
    let mut world = tiny_chunks().build().unwrap();
    world.insert_resource(Count(0));
    let entities = world.spawn_batch((0..40).map(|n| (Seen(n), Plain(u64::from(n)))));
    (world, entities)
}

type Door = (&'static str, fn(&mut World, &[Entity]));

const DOORS: &[Door] = &[
    ("get_mut", |world, all| world.get_mut::<Seen>(all[3]).unwrap().0 += 1),
    ("get_mut of an untracked one", |world, all| world.get_mut::<Plain>(all[3]).unwrap().0 += 1),
    ("get_many_mut", |world, all| world.get_many_mut::<Plain, 2>([all[0], all[39]]).unwrap()[1].0 += 1),
    ("a query", |world, _| world.query_mut::<&mut Plain, ()>().for_each(|plain| plain.0 += 1)),
    ("a query of tracked rows", |world, _| world.query_mut::<&mut Seen, ()>().for_each(|seen| seen.0 ^= 1)),
    ("Write", |world, _| {
        for (row, mut plain) in world.query_mut::<Write<'static, Plain>, ()>().iter_mut().enumerate() {
            if row == 17 {
                plain.0 = 99;
            }
        }
    }),
    ("Write of tracked rows", |world, _| {
        world.query_mut::<Write<'static, Seen>, ()>().iter_mut().last().unwrap().0 = 99;
    }),
    ("query get_mut", |world, all| world.query_mut::<&mut Plain, ()>().get_mut(all[9]).unwrap().0 = 1),
    ("insert of a value that is there", |world, all| world.insert(all[5], Seen(1000)).unwrap()),
    ("insert of another type", |world, all| world.insert(all[5], Tag).unwrap()),
    ("remove", |world, all| world.remove::<Seen>(all[5]).unwrap()),
    ("take", |world, all| _ = world.take::<Plain>(all[5]).unwrap()),
    ("despawn of the last row", |world, all| world.despawn(all[39]).unwrap()),
    ("despawn of the first row", |world, all| world.despawn(all[0]).unwrap()),
    ("spawn", |world, _| _ = world.spawn((Seen(1), Plain(1)))),
    ("spawn of another archetype", |world, _| _ = world.spawn((Tag, Plain(1)))),
    ("spawn_batch", |world, _| _ = world.spawn_batch((0..20).map(|n| (Seen(n), Plain(1))))),
    ("clear", |world, _| world.clear()),
    ("a resource", |world, _| world.resource_mut::<Count>().unwrap().0 += 1),
    ("a new resource", |world, _| _ = world.insert_resource(Count(9))),
    ("no resource", |world, _| _ = world.remove_resource::<Count>()),
    ("a chunk system", |world, _| {
        let mut schedule = Schedule::new();
        schedule.add(chunk(|plain: &mut [Plain]| plain.iter_mut().for_each(|plain| plain.0 += 1)));
        schedule.run(world).unwrap();
    }),
    ("an each system with commands", |world, _| {
        let mut schedule = Schedule::new();
        schedule.add(each(|entity: Entity, seen: &mut Seen, mut commands: Commands| {
            seen.0 += 1;
            if seen.0 % 3 == 0 {
                commands.despawn(entity);
            }
        }));
        schedule.run(world).unwrap();
    }),
];

#[test]
fn no_write_reaches_a_snapshot_and_every_write_makes_another_hash() {
    for (name, door) in DOORS {
        let (mut world, entities) = world();
        let (hash, dump) = (world.state_hash().unwrap(), world.dump());
        let snapshot = world.snapshot().unwrap();
        door(&mut world, &entities);
        assert_eq!(snapshot.world().dump().diff(&dump), None, "{name}");
        assert_eq!(snapshot.world().state_hash_from_scratch().unwrap(), hash, "{name}");
        assert_eq!(world.state_hash().unwrap(), world.state_hash_from_scratch().unwrap(), "{name}");
        assert_ne!(world.state_hash().unwrap(), hash, "{name}");
        world.restore(&snapshot).unwrap();
        assert_eq!(world.dump().diff(&dump), None, "{name}");
        // And the other way: what is written after a restore leaves the snapshot alone too.
        door(&mut world, &entities);
        assert_eq!(snapshot.world().dump().diff(&dump), None, "{name}, after a restore");
    }
}

#[test]
fn a_snapshot_that_is_overwritten_forgets_what_it_held() {
    let (mut world, entities) = world();
    let mut snapshot = world.snapshot().unwrap();
    for (name, door) in DOORS {
        if *name == "clear" {
            continue;
        }
        if world.contains(entities[39]) && world.contains(entities[5]) && world.has_resource::<Count>() {
            let whole = world.get::<Seen>(entities[5]).is_ok() && world.get::<Plain>(entities[5]).is_ok();
            if whole && world.contains(entities[0]) && world.contains(entities[3]) && world.contains(entities[9]) {
                door(&mut world, &entities);
            }
        }
        world.snapshot_into(&mut snapshot).unwrap();
        assert_eq!(snapshot.world().dump().diff(&world.dump()), None, "{name}");
    }
}

#[test]
fn taking_and_dropping_snapshots_changes_nothing() {
    let (mut left, _) = world();
    let (mut right, _) = world();
    for n in 0..10 {
        drop(left.snapshot().unwrap());
        left.state_hash().unwrap();
        for world in [&mut left, &mut right] {
            world.spawn((Seen(n), Plain(2)));
            world.query_mut::<&mut Plain, ()>().for_each(|plain| plain.0 += 1);
        }
    }
    assert_eq!(left.dump().diff(&right.dump()), None);
}

#[test]
fn a_prepared_query_answers_for_snapshots_with_more_and_fewer_archetypes() {
    let (mut world, _) = world();
    let few = world.snapshot().unwrap();
    world.spawn((Plain(1), Tag));
    let many = world.snapshot().unwrap();
    let mut prepared = PreparedQuery::<&Plain>::new();
    for _ in 0..2 {
        assert_eq!(prepared.query(many.world()).count(), 41);
        assert_eq!(prepared.query(few.world()).count(), 40);
        assert_eq!(prepared.query(&world).count(), 41);
    }
    world.restore(&few).unwrap();
    assert_eq!(prepared.query(&world).count(), 40);
    world.spawn((Seen(1), Tag));
    assert_eq!(prepared.query(&world).count(), 40, "another archetype has the number that the lost one had");
}

#[test]
fn the_levels_of_a_hash_tell_where_a_difference_lies() {
    let (mut world, entities) = world();
    let id = world.component_id::<Plain>().unwrap();
    let archetype = world.archetypes().find(|archetype| archetype.len() == 40).unwrap().id();
    let all = |world: &World| {
        (
            world.archetype_hash(archetype).unwrap().unwrap(),
            world.column_hash(archetype, id).unwrap().unwrap(),
            world.block_hashes(archetype, id).unwrap(),
            world.section_hashes(),
        )
    };
    let before = all(&world);
    world.get_mut::<Plain>(entities[20]).unwrap().0 = 7;
    let after = all(&world);
    assert_ne!(before.0, after.0);
    assert_ne!(before.1, after.1);
    let changed: Vec<usize> = (0..5).filter(|&block| before.2[block] != after.2[block]).collect();
    assert_eq!((before.2.len(), changed), (5, vec![2]), "rows 16 to 23");
    assert_eq!(before.3, after.3);
    world.resource_mut::<Count>().unwrap().0 = 9;
    assert_ne!(before.3, all(&world).3);
    let seen = world.component_id::<Seen>().unwrap();
    assert_eq!(world.column_hash(tickweave::world::ArchetypeId::EMPTY, seen), Ok(None));
}
