//! Snapshots are read and dropped on other threads while the world runs on.

use std::sync::mpsc::sync_channel;
use std::thread;

use tickweave::prelude::*;
use tickweave::state::Snapshot;

use crate::parallel::kit::tiny_chunks;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Step(u64);

fn world() -> World {
    let mut world = tiny_chunks().build().unwrap();
    world.spawn_batch((0..100).map(|_| Step(0)));
    world
}

#[test]
fn a_reader_sees_whole_ticks_only_and_its_snapshots_die_with_it() {
    let (mut world, mut schedule) = (world(), Schedule::new());
    schedule.set_eagerness(Eagerness::Always);
    schedule.add(each(|step: &mut Step, mut commands: Commands| {
        step.0 += 1;
        if step.0 % 5 == 0 {
            commands.spawn(Step(step.0));
        }
    }));
    let (send, receive) = sync_channel::<Snapshot>(2);
    let reader = thread::spawn(move || {
        let mut read = 0;
        for snapshot in receive {
            let (world, tick) = (snapshot.world(), snapshot.tick());
            assert!(world.query::<&Step, ()>().iter().all(|step| step.0 == tick), "half a tick");
            assert_eq!(world.state_hash().unwrap(), world.state_hash_from_scratch().unwrap());
            read += 1;
        }
        read
    });
    for _ in 0..30 {
        send.send(world.snapshot().unwrap()).unwrap();
        schedule.run(&mut world).unwrap();
    }
    drop(send);
    assert_eq!(reader.join().unwrap(), 30);
}

#[test]
fn a_snapshot_outlives_its_world() {
    let world = world();
    let snapshot = world.snapshot().unwrap();
    let hash = world.state_hash().unwrap();
    drop(world);
    assert_eq!(snapshot.world().state_hash_from_scratch().unwrap(), hash);
    let mut heir = tiny_chunks().build().unwrap();
    heir.restore(&snapshot).unwrap();
    drop(snapshot);
    assert_eq!(heir.state_hash().unwrap(), hash);
    heir.query_mut::<&mut Step, ()>().for_each(|step| step.0 += 1);
    assert_ne!(heir.state_hash().unwrap(), hash);
}
