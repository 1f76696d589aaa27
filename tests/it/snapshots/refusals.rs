//! What is refused, and that nothing has changed then.

use tickweave::prelude::*;
use tickweave::state::{RestoreError, Snapshot, SnapshotError};

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct One(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Two(u32);

#[derive(Clone, StateValue, Resource)]
struct Left(u32);

#[derive(Clone, StateValue, Resource)]
struct Right(u32);

fn refused(world: &mut World, snapshot: &Snapshot) -> RestoreError {
    let dump = world.dump();
    let error = world.restore(snapshot).unwrap_err();
    assert_eq!(world.dump().diff(&dump), None, "{error}");
    error
}

#[test]
fn an_empty_snapshot_is_refused() {
    assert_eq!(refused(&mut World::new(), &Snapshot::new()), RestoreError::Empty);
}

#[test]
fn worlds_of_other_settings_are_refused_with_the_setting() {
    let snapshot = World::builder().chunk_rows(8).batch_rows(4).build().unwrap().snapshot().unwrap();
    let error = refused(&mut World::builder().chunk_rows(16).batch_rows(4).build().unwrap(), &snapshot);
    assert_eq!(error, RestoreError::Settings { setting: "chunk_rows", ours: 16, theirs: 8 });
    let error =
        refused(&mut World::builder().chunk_rows(8).batch_rows(4).entity_capacity(3).build().unwrap(), &snapshot);
    assert_eq!(error.code(), "restore-settings");
}

#[test]
fn types_in_another_order_are_refused_with_both_names() {
    let world = World::builder().with_component::<One>().with_component::<Two>().build().unwrap();
    let snapshot = world.snapshot().unwrap();
    let error = refused(&mut World::builder().with_component::<Two>().build().unwrap(), &snapshot);
    assert_eq!(error.code(), "restore-registration");
    assert!(error.to_string().contains("One") && error.to_string().contains("Two"), "{error}");
    let mut world = World::new();
    world.insert_resource(Left(1));
    let snapshot = world.snapshot().unwrap();
    let mut other = World::new();
    other.insert_resource(Right(1));
    assert!(refused(&mut other, &snapshot).to_string().contains("Right"));
}

#[test]
fn inside_of_a_tick_both_are_refused() {
    let mut world = World::new();
    let snapshot = world.snapshot().unwrap();
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World| {
        assert_eq!(world.snapshot().unwrap_err(), SnapshotError::InsideTick);
        assert_eq!(world.restore(&snapshot).unwrap_err(), RestoreError::InsideTick);
    });
    schedule.run(&mut world).unwrap();
}

#[test]
fn half_a_tick_is_not_kept() {
    let mut world = World::new();
    let mut schedule = crate::serial();
    schedule.add(|| -> Result<(), String> { Err("no".into()) });
    schedule.run(&mut world).unwrap_err();
    assert_eq!(world.snapshot().unwrap_err().code(), "snapshot-torn");
    world.clear_torn();
    world.snapshot().unwrap();
}
