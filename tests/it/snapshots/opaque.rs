//! Values that are more than bytes: cloned, dropped once each, refused where they can't be cloned.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use tickweave::entity::MapEntities;
use tickweave::prelude::*;
use tickweave::value::{DecodeError, Sink, Source};

use crate::parallel::kit::tiny_chunks;

/// Counts how many are alive, and panics in a clone when told so.
#[derive(Component, Debug)]
#[component(opaque, state)]
struct Counted {
    number: u32,
    alive: Arc<AtomicI64>,
}

impl Counted {
    fn new(number: u32, alive: &Arc<AtomicI64>) -> Self {
        alive.fetch_add(1, Ordering::Relaxed);
        Self { number, alive: Arc::clone(alive) }
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        assert!(self.number != 13, "thirteen is not cloned");
        Self::new(self.number, &self.alive)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.alive.fetch_sub(1, Ordering::Relaxed);
    }
}

impl MapEntities for Counted {}

impl StateValue for Counted {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.number.encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        Ok(Self::new(u32::decode(source)?, &Arc::default()))
    }
}

fn counted(numbers: core::ops::Range<u32>) -> (World, Arc<AtomicI64>) {
    let (mut world, alive) = (tiny_chunks().build().unwrap(), Arc::default());
    world.spawn_batch(numbers.map(|number| Counted::new(number, &alive)));
    (world, alive)
}

fn numbers(world: &World) -> Vec<u32> {
    world.query::<&Counted, ()>().iter().map(|counted| counted.number).collect()
}

#[test]
fn each_clone_is_dropped_once_whoever_goes_first() {
    for world_first in [true, false] {
        let (mut world, alive) = counted(20..40);
        let snapshot = world.snapshot().unwrap();
        assert_eq!(alive.load(Ordering::Relaxed), 40);
        let some: Vec<Entity> = world.query::<Entity, With<Counted>>().iter().take(5).collect();
        some.into_iter().for_each(|entity| world.despawn(entity).unwrap());
        assert_eq!((numbers(snapshot.world()).len(), alive.load(Ordering::Relaxed)), (20, 35));
        world.restore(&snapshot).unwrap();
        assert_eq!((numbers(&world).len(), alive.load(Ordering::Relaxed)), (20, 40));
        if world_first {
            drop(world);
            assert_eq!(numbers(snapshot.world()), (20..40).collect::<Vec<_>>());
            drop(snapshot);
        } else {
            drop(snapshot);
            drop(world);
        }
        assert_eq!(alive.load(Ordering::Relaxed), 0);
    }
}

#[test]
fn a_clone_that_panics_leaves_the_world_as_it_was_and_no_value_behind() {
    let (world, alive) = counted(10..20);
    let dump = world.dump();
    let mut snapshot = tickweave::state::Snapshot::new();
    let taken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.snapshot_into(&mut snapshot)));
    assert!(taken.is_err());
    assert_eq!((world.dump().diff(&dump), alive.load(Ordering::Relaxed)), (None, 10));
    assert!(!snapshot.is_whole());
    let mut other = tiny_chunks().build().unwrap();
    assert_eq!(other.restore(&snapshot).unwrap_err().code(), "restore-empty");
    drop((world, snapshot));
    assert_eq!(alive.load(Ordering::Relaxed), 0);
}

#[test]
fn values_that_cannot_be_cloned_are_refused_by_name_while_entities_have_them() {
    #[derive(Component)]
    #[component(opaque)]
    struct Handle(#[expect(dead_code, reason = "it is only kept")] Box<u8>);
    let mut world = World::new();
    let entity = world.spawn(Handle(Box::new(1)));
    let error = world.snapshot().unwrap_err();
    assert_eq!(error.code(), "snapshot-opaque");
    assert!(error.to_string().contains("Handle"), "{error}");
    world.despawn(entity).unwrap();
    let snapshot = world.snapshot().unwrap();
    world.spawn(Handle(Box::new(2)));
    world.restore(&snapshot).unwrap();
    assert!(world.is_empty());
}

/// A resource whose clone panics once.
#[derive(Debug, Resource)]
struct Fuse(Arc<AtomicI64>);

impl Clone for Fuse {
    fn clone(&self) -> Self {
        assert!(self.0.fetch_sub(1, Ordering::Relaxed) != 1, "the fuse blows");
        Self(Arc::clone(&self.0))
    }
}

impl MapEntities for Fuse {}

impl StateValue for Fuse {
    fn encode(&self, _: &mut Sink<'_>) {}

    fn decode(_: &mut Source<'_>) -> Result<Self, DecodeError> {
        Ok(Self(Arc::default()))
    }
}

#[test]
fn a_restore_that_panicked_can_be_tried_again_and_schedules_run_after_it() {
    let (mut world, fuse) = (World::new(), Arc::new(AtomicI64::new(0)));
    world.insert_resource(Fuse(Arc::clone(&fuse)));
    let snapshot = world.snapshot().unwrap();
    let mut schedule = crate::serial();
    schedule.add(|mut calls: Local<u32>, _: ResMut<Fuse>| *calls += 1);
    schedule.run(&mut world).unwrap();
    fuse.store(1, Ordering::Relaxed);
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| world.restore(&snapshot))).unwrap_err();
    assert!(world.torn().is_some());
    world.restore(&snapshot).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.tick(), 1);
}
