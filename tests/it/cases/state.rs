//! F5, F9 to F12: snapshots, hashes, and what is kept.

use tickweave::state::SnapshotRing;

use super::*;

#[derive(Clone, Debug, PartialEq, StateValue, Resource)]
#[resource(input)]
struct Stick(u32);

fn steer(number: &mut Number, stick: Res<Stick>) {
    number.0 = number.0.wrapping_mul(3).wrapping_add(stick.0);
}

#[test]
fn f5_what_waits_for_its_barrier_is_in_no_snapshot_and_no_save_half_way() {
    let mut world = tiny();
    let target = world.spawn((Number(1), Watched(2)));
    let bytes = world.save().unwrap();
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World, mut commands: Commands| {
        commands.remove::<Watched>(target);
        assert_eq!(world.snapshot().unwrap_err().code(), "snapshot-inside-tick");
        assert_eq!(world.save().unwrap_err().code(), "save-inside-tick");
        assert_eq!(world.load(&bytes).unwrap_err().code(), "load-inside-tick");
    });
    schedule.run(&mut world).unwrap();
    let (snapshot, bytes) = (world.snapshot().unwrap(), world.save().unwrap());
    assert!(!snapshot.world().has::<Watched>(target));
    world.insert(target, Watched(3)).unwrap();
    world.load(&bytes).unwrap();
    assert!(!world.has::<Watched>(target), "nothing that was removed comes back");
}

#[test]
fn f5_a_buffer_that_was_not_applied_is_no_state() {
    let mut world = tiny();
    let target = world.spawn((Number(1), Watched(2)));
    let (mut buffer, before) = (CommandBuffer::new(), world.dump());
    buffer.remove::<Watched>(target);
    let snapshot = world.snapshot().unwrap();
    assert_eq!(world.dump().diff(&before), None);
    buffer.apply(&mut world);
    assert!(!world.has::<Watched>(target) && snapshot.world().has::<Watched>(target));
    world.restore(&snapshot).unwrap();
    assert!(world.has::<Watched>(target));
}

#[test]
fn f9_the_hash_of_a_tick_that_is_run_again_is_that_of_its_new_past_and_never_the_one_from_before() {
    let play = |inputs: &[u32]| {
        let mut world = tiny();
        world.spawn_batch((0..9).map(Number));
        world.insert_resource(Stick(0));
        let (mut schedule, mut ring) = (Schedule::new(), SnapshotRing::new(8));
        schedule.add(each(steer));
        (0..inputs.len() as u64).for_each(|tick| step(&mut world, &mut schedule, &mut ring, inputs[tick as usize]));
        (world, schedule, ring)
    };
    fn step(world: &mut World, schedule: &mut Schedule, ring: &mut SnapshotRing, input: u32) {
        ring.push(world).unwrap();
        world.insert_resource(Stick(input));
        schedule.run(world).unwrap();
        world.state_hash().unwrap();
    }
    let (guessed, confirmed) = ([1, 1, 1, 1, 1, 1], [1, 1, 5, 6, 7, 8]);
    let (mut world, mut schedule, mut ring) = play(&guessed);
    let provisional = world.state_hash().unwrap();
    ring.restore(2, &mut world).unwrap();
    confirmed[2..].iter().for_each(|&input| step(&mut world, &mut schedule, &mut ring, input));
    let (straight, _, its_ring) = play(&confirmed);
    assert_ne!(world.state_hash().unwrap(), provisional);
    assert_eq!(world.state_hash().unwrap(), straight.state_hash().unwrap());
    assert_eq!(world.state_hash().unwrap(), world.state_hash_from_scratch().unwrap());
    for tick in 0..6 {
        let [ours, theirs] = [&ring, &its_ring].map(|ring| ring.get(tick).expect("none fell out").world());
        assert_eq!(ours.state_hash().unwrap(), theirs.state_hash().unwrap(), "the ring has the new past, tick {tick}");
    }
}

/// A component with the bytes of `Number`.
#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Other(u32);

/// The world has other hashes after the step.
#[track_caller]
fn assert_shows(mut world: World, what: &str, step: impl FnOnce(&mut World)) {
    let before = (world.state_hash().unwrap(), world.content_hash().unwrap());
    step(&mut world);
    assert_ne!(world.state_hash().unwrap(), before.0, "state: {what}");
    assert_ne!(world.content_hash().unwrap(), before.1, "content: {what}");
}

#[test]
fn f10_swapped_values_and_equal_pairs_do_not_cancel_out_in_a_hash() {
    let world = || {
        let mut world = tiny();
        let [a, b] = [(Number(1), Other(2)), (Number(2), Other(1))].map(|values| world.spawn(values));
        (world, a, b)
    };
    let (first, a, b) = world();
    assert_shows(first, "values of two entities are swapped", |world| {
        world.get_mut::<Number>(a).unwrap().0 = 2;
        world.get_mut::<Number>(b).unwrap().0 = 1;
    });
    let (second, a, _) = world();
    assert_shows(second, "values of two components are swapped", |world| {
        world.get_mut::<Number>(a).unwrap().0 = 2;
        world.get_mut::<Other>(a).unwrap().0 = 1;
    });
    assert_shows(world().0, "two equal entities come", |world| _ = world.spawn_batch([Enemy, Enemy]));
    assert_shows(world().0, "two empty entities come", |world| _ = world.spawn_batch([(), ()]));
    let (third, a, b) = world();
    assert_shows(third, "both lose what the other still has", |world| {
        world.remove::<Number>(a).unwrap();
        world.remove::<Other>(b).unwrap();
    });
}

#[test]
fn f11_a_ring_of_snapshots_takes_no_more_memory_once_it_is_full() {
    let mut world = World::builder().chunk_rows(64).batch_rows(8).build().unwrap();
    world.spawn_batch((0..2_000).map(|number| (Number(number), Watched(number), Other(number))));
    let (mut schedule, mut ring) = (Schedule::new(), SnapshotRing::new(8));
    schedule.add(each(|number: &mut Number, watched: &mut Watched| {
        number.0 = number.0.wrapping_mul(3) ^ watched.0;
        watched.0 += 1;
    }));
    let mut tick = |ticks: u64| {
        for tick in 0..ticks {
            ring.push(&world).unwrap();
            schedule.run(&mut world).unwrap();
            world.state_hash().unwrap();
            if tick % 16 == 15 {
                ring.restore(world.tick() - 8, &mut world).unwrap();
            }
        }
        world.reserved_bytes()
    };
    let full = tick(64);
    assert_eq!(tick(256), full);
}

#[derive(Clone, StateValue, Event)]
struct Unheard(u32);

#[test]
fn f12_what_is_tracked_and_told_goes_though_nobody_ever_looks() {
    let mut world = tiny();
    world.add_event::<Unheard>().unwrap();
    world.spawn_batch((0..20).map(|number| (Watched(number), Number(number))));
    let mut schedule = crate::serial();
    schedule.add(|tick: Tick, rows: Query<Entity, With<Watched>>, mut commands: Commands| {
        for entity in rows.iter().skip(tick.0 as usize % 5).step_by(5) {
            commands.despawn(entity);
            commands.spawn((Watched(tick.0 as u32), Number(0)));
            commands.send(Unheard(1));
        }
    });
    let mut tick = |ticks: u32| {
        (0..ticks).for_each(|_| schedule.run(&mut world).unwrap());
        (world.reserved_bytes(), world.save().unwrap().len(), world.events::<Unheard>().unwrap().len())
    };
    let warm = tick(100);
    assert_eq!(tick(4_000), warm);
}
