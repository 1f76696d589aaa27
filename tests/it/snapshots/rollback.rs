//! To go on, to go back and go on again, or to go on in another world: the same bits.

use tickweave::prelude::*;
use tickweave::state::{Dump, SnapshotRing, StateHash};
use tickweave::world::WorldBuilder;

use crate::parallel::kit::{Way, every_way, tiny_chunks};

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct Energy(u32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Parent(Option<Entity>);

#[derive(Component)]
#[component(track)]
struct Tired;

#[derive(Component, Clone, Debug, PartialEq, StateValue)]
#[component(opaque, state)]
struct Name(String);

#[derive(Clone, Debug, Default, StateValue, Resource)]
struct Log {
    changed: u64,
    removed: Vec<Entity>,
}

fn builder() -> WorldBuilder {
    tiny_chunks().seed(7)
}

fn populated() -> World {
    let mut world = builder().build().unwrap();
    world.insert_resource(Log::default());
    world.spawn_batch((0..30).map(|n| (Energy(n), Parent(None))));
    for n in 0..5 {
        world.spawn((Energy(100 + n), Parent(None), Name(format!("n{n}"))));
    }
    world
}

fn schedule() -> Schedule {
    let mut schedule = Schedule::new();
    schedule.add(each(|energy: &mut Energy, parent: &mut Parent| {
        energy.0 = energy.0.wrapping_mul(5).wrapping_add(parent.0.map_or(1, |parent| parent.slot()));
    }));
    schedule.add(
        each(|entity: Entity, energy: &Energy, mut rng: Rng, mut commands: Commands| {
            match (energy.0 + rng.range(0..7u32)) % 11 {
                0 => _ = commands.spawn((Energy(energy.0 / 2), Parent(Some(entity)))),
                1 => commands.despawn(entity),
                2 => commands.insert(entity, Tired),
                3 => commands.remove::<Tired>(entity),
                _ => {}
            }
        })
        .named("live"),
    );
    schedule.barrier();
    schedule.add(
        |changed: Query<&Energy, Changed<Energy>>,
         removed: Removed<Tired>,
         mut log: ResMut<Log>,
         mut calls: Local<u64>| {
            *calls += 1;
            log.changed = log.changed.wrapping_mul(3).wrapping_add(changed.iter().count() as u64 + *calls);
            log.removed.extend(removed.iter());
        },
    );
    schedule.add(every_third.every(3));
    schedule
}

fn every_third(mut names: Query<&mut Name>) {
    names.iter_mut().for_each(|name| name.0.push('x'));
}

fn state(world: &World) -> (StateHash, Dump) {
    let hash = world.state_hash().unwrap();
    assert_eq!(hash, world.state_hash_from_scratch().unwrap(), "what is kept of hashes is true");
    (hash, world.dump())
}

fn assert_same(left: &(StateHash, Dump), right: &(StateHash, Dump), what: &str) {
    if let Some(difference) = left.1.diff(&right.1) {
        panic!("{what}: {difference}");
    }
    assert_eq!(left.0, right.0, "{what}");
}

fn ready(way: &Way) -> (World, Schedule) {
    let (world, mut schedule) = (populated(), schedule());
    way.prepare(&mut schedule);
    (world, schedule)
}

const TICKS: usize = 20;

/// The state after each tick of a run that nobody disturbs, serially.
fn straight() -> Vec<(StateHash, Dump)> {
    let (mut world, mut schedule) = ready(&Way::Serial);
    let mut states = vec![state(&world)];
    for _ in 0..TICKS {
        schedule.run(&mut world).unwrap();
        states.push(state(&world));
    }
    states
}

#[test]
fn going_back_one_to_eight_ticks_at_every_tick_changes_nothing_in_any_executor() {
    let straight = straight();
    for way in every_way() {
        for distance in 1..=8 {
            let (mut world, mut schedule) = ready(&way);
            let mut ring = SnapshotRing::new(distance);
            for tick in 0..TICKS {
                ring.push(&world).unwrap();
                schedule.run(&mut world).unwrap();
                let back = (tick + 1).saturating_sub(distance);
                assert!(ring.restore(back as u64, &mut world).unwrap());
                assert_same(&state(&world), &straight[back], "restored");
                for again in back..=tick {
                    ring.push(&world).unwrap();
                    schedule.run(&mut world).unwrap();
                    let expected = straight[again + 1].0;
                    assert_eq!(world.state_hash().unwrap(), expected, "{way:?}, {distance} back, at {again}");
                }
                assert_same(&state(&world), &straight[tick + 1], &format!("{way:?}, {distance} back"));
            }
        }
    }
}

#[test]
fn a_fresh_world_goes_on_as_the_first_would_have() {
    let straight = straight();
    let (mut world, mut first) = ready(&Way::Serial);
    for at in 0..TICKS {
        let snapshot = world.snapshot().unwrap();
        // Built, and its schedule bound or not.
        for bound in [false, true] {
            let (mut other, mut schedule) = (builder().build().unwrap(), schedule());
            if bound {
                other.insert_resource(Log { changed: 9, ..Log::default() });
                schedule.build(&mut other).unwrap();
            }
            let restored = other.restore(&snapshot);
            if bound && at == 0 {
                // What its schedule made has no value in a snapshot from before the first run.
                restored.unwrap();
                assert_same(&state(&other), &straight[0], "bound before the first tick");
                continue;
            }
            restored.unwrap();
            if bound {
                // The snapshot knows more components than were registered when it was bound.
                assert_eq!(schedule.run(&mut other).unwrap_err().code(), "schedule-stale");
                schedule.build(&mut other).unwrap();
            }
            for (tick, expected) in straight.iter().enumerate().skip(at) {
                assert_same(&state(&other), expected, &format!("from {at}, at {tick}"));
                if tick < TICKS {
                    schedule.run(&mut other).unwrap();
                }
            }
        }
        first.run(&mut world).unwrap();
    }
}

#[test]
fn ids_to_come_are_those_of_the_snapshot() {
    let (mut world, mut schedule) = ready(&Way::Serial);
    (0..5).for_each(|_| schedule.run(&mut world).unwrap());
    let snapshot = world.snapshot().unwrap();
    let come = |world: &mut World| -> Vec<Entity> { (0..40).map(|n| world.spawn(Energy(n))).collect() };
    let expected = come(&mut world);
    world.restore(&snapshot).unwrap();
    assert_eq!(come(&mut world), expected);
}

#[test]
fn a_snapshot_from_before_the_first_run_takes_the_bindings_back_and_the_schedule_binds_anew() {
    let straight = straight();
    let (mut world, mut schedule) = ready(&Way::Serial);
    let before = world.snapshot().unwrap();
    for round in 0..3 {
        for expected in &straight[1..4] {
            schedule.run(&mut world).unwrap();
            assert_same(&state(&world), expected, &format!("round {round}"));
        }
        world.restore(&before).unwrap();
        assert_same(&state(&world), &straight[0], "before the first run");
    }
}

#[test]
fn systems_added_after_a_snapshot_run_as_for_the_first_time_after_it_is_restored() {
    let (mut world, mut schedule) = ready(&Way::Serial);
    schedule.run(&mut world).unwrap();
    let before = world.snapshot().unwrap();
    schedule.add(|mut log: ResMut<Log>| log.changed += 1);
    let mut outcomes = Vec::new();
    for _ in 0..2 {
        schedule.run(&mut world).unwrap();
        outcomes.push(state(&world));
        world.restore(&before).unwrap();
    }
    assert_same(&outcomes[0], &outcomes[1], "twice the same");
}

#[test]
fn what_was_registered_after_a_snapshot_is_registered_again_under_the_same_id() {
    #[derive(Component)]
    struct Late;
    let mut world = populated();
    let before = world.snapshot().unwrap();
    let first = world.register_component::<Late>().unwrap();
    world.spawn(Late);
    world.restore(&before).unwrap();
    assert!(!world.is_component_registered::<Late>());
    assert_eq!(world.register_component::<Late>().unwrap(), first);
    world.spawn((Late, Tired));
    assert_eq!(world.query::<Entity, With<Late>>().count(), 1);
}

#[test]
fn a_failed_tick_is_undone_by_a_restore() {
    let (mut world, mut schedule) = ready(&Way::Serial);
    schedule.run(&mut world).unwrap();
    let before = world.snapshot().unwrap();
    let bomb = schedule.add(|mut energies: Query<&mut Energy>| -> Result<(), String> {
        energies.iter_mut().for_each(|energy| energy.0 = 0);
        Err("no".into())
    });
    schedule.run(&mut world).unwrap_err();
    assert!(world.torn().is_some());
    world.restore(&before).unwrap();
    assert_eq!(world.torn(), None);
    schedule.set_enabled(bomb, false);
    schedule.run(&mut world).unwrap();
}

#[derive(Clone, Debug, PartialEq, StateValue, Event)]
struct Ping(u32);

#[test]
fn events_and_cursors_go_back_too_and_a_late_event_type_is_added_again() {
    let (mut world, mut schedule) = ready(&Way::Serial);
    world.add_event::<Ping>().unwrap();
    schedule.add(|mut events: EventWriter<Ping>, tick: Tick| events.send(Ping(tick.0 as u32)));
    schedule.add(
        (|mut events: EventReader<Ping>, mut log: ResMut<Log>| {
            log.changed =
                events.read().fold(log.changed, |sum, ping| sum.wrapping_mul(31).wrapping_add(u64::from(ping.0)));
        })
        .every(4),
    );
    let mut ring = SnapshotRing::new(20);
    let mut states = Vec::new();
    for _ in 0..12 {
        ring.push(&world).unwrap();
        schedule.run(&mut world).unwrap();
        states.push(state(&world));
    }
    for back in [11, 7, 3, 0] {
        ring.restore(back, &mut world).unwrap();
        for expected in &states[back as usize..] {
            schedule.run(&mut world).unwrap();
            assert_same(&state(&world), expected, &format!("from {back}"));
        }
    }
    let (mut late, before) = (populated(), populated().snapshot().unwrap());
    late.add_event::<Ping>().unwrap();
    late.restore(&before).unwrap();
    assert_eq!(late.send_event(Ping(1)).unwrap_err().code(), "event-not-added");
    late.add_event::<Ping>().unwrap();
    late.send_event(Ping(1)).unwrap();
}

#[test]
fn two_resources_whose_types_have_one_name_are_told_apart() {
    let mut world = World::new();
    {
        #[derive(Clone, StateValue, Resource)]
        struct Twin(u32);
        world.insert_resource(Twin(1));
    }
    #[derive(Clone, StateValue, Resource)]
    struct Twin(u32);
    world.insert_resource(Twin(2));
    let snapshot = world.snapshot().unwrap();
    world.insert_resource(Twin(3));
    world.restore(&snapshot).unwrap();
    assert_eq!(world.resource::<Twin>().unwrap().0, 2);
    assert_eq!(snapshot.world().resource::<Twin>().unwrap().0, 2);
}

#[test]
fn a_build_that_is_refused_after_a_restore_leaves_nothing_in_the_sections_that_it_met() {
    let straight = straight();
    let (mut world, mut schedule) = ready(&Way::Serial);
    let before = world.snapshot().unwrap();
    schedule.run(&mut world).unwrap();
    world.restore(&before).unwrap();
    let wrong = schedule.add(|_: EventReader<Ping>| {});
    schedule.run(&mut world).unwrap_err();
    assert_same(&state(&world), &straight[0], "refused");
    schedule.remove(wrong);
    schedule.run(&mut world).unwrap();
    let (mut twin, mut undisturbed) = ready(&Way::Serial);
    undisturbed.run(&mut twin).unwrap();
    let changed = |world: &World| world.resource::<Log>().unwrap().changed;
    assert_eq!(changed(&world), changed(&twin), "the first call of a system that counts its calls");
}

#[test]
fn a_schedule_that_gets_the_number_of_one_that_was_taken_back_has_locals_of_its_own_types() {
    fn counts(mut calls: Local<u32>, mut log: ResMut<Log>) {
        *calls += 1;
        log.changed += u64::from(*calls);
    }
    fn writes(mut words: Local<String>, mut log: ResMut<Log>) {
        words.push('x');
        log.changed += words.len() as u64 * 100;
    }
    let written = |detour: bool| {
        let (mut world, _) = ready(&Way::Serial);
        let (before, mut kept) = (world.snapshot().unwrap(), Snapshot::new());
        if detour {
            let mut counter = Schedule::new();
            counter.add(counts);
            counter.run(&mut world).unwrap();
            world.snapshot_into(&mut kept).unwrap();
            world.restore(&before).unwrap();
        }
        let mut writer = Schedule::new();
        writer.add(writes);
        writer.run(&mut world).unwrap();
        world.snapshot_into(&mut kept).unwrap();
        writer.run(&mut world).unwrap();
        let there = state(&world);
        world.restore(&kept).unwrap();
        writer.run(&mut world).unwrap();
        assert_same(&state(&world), &there, "again");
        there
    };
    assert_same(&written(true), &written(false), "whoever had the number before");
}

#[test]
fn a_schedule_that_was_bound_in_a_future_that_is_taken_back_gets_its_number_anew() {
    let later = || {
        let mut schedule = Schedule::new();
        schedule.add(|mut log: ResMut<Log>, mut calls: Local<u32>| {
            *calls += 1;
            log.changed += u64::from(*calls);
        });
        schedule
    };
    let in_order = |world: &mut World, schedules: [&mut Schedule; 2]| {
        schedules.into_iter().for_each(|schedule| schedule.run(world).unwrap());
        state(world)
    };
    let (mut straight, mut first) = ready(&Way::Serial);
    let expected = in_order(&mut straight, [&mut later(), &mut first]);
    let (mut world, mut first) = ready(&Way::Serial);
    let before = world.snapshot().unwrap();
    let mut second = later();
    for _ in 0..3 {
        first.run(&mut world).unwrap();
        world.restore(&before).unwrap();
        assert_same(&in_order(&mut world, [&mut second, &mut first]), &expected, "in the other order");
        world.restore(&before).unwrap();
    }
}

#[test]
fn a_run_that_is_refused_after_a_restore_changes_nothing() {
    #[derive(Clone, StateValue, Resource)]
    struct Wanted(u32);
    let (mut world, mut schedule) = ready(&Way::Serial);
    world.insert_resource(Wanted(1));
    world.remove_resource::<Wanted>();
    schedule.run(&mut world).unwrap();
    let before = world.snapshot().unwrap();
    schedule.add(|mut wanted: ResMut<Wanted>| wanted.0 += 1);
    world.insert_resource(Wanted(1));
    schedule.run(&mut world).unwrap();
    world.restore(&before).unwrap();
    let restored = state(&world);
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "resource-missing");
    assert_same(&state(&world), &restored, "refused");
}
