//! Whole worlds and schedules are replaced, moved and dropped where a `&mut` is handed out.

use std::sync::{Arc, Mutex};

use tickweave::prelude::*;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Age(u32);

#[derive(Component)]
#[component(opaque)]
struct Name(#[allow(dead_code, reason = "owns memory")] String);

fn herd(size: u32) -> World {
    let mut world = World::new();
    world.spawn_batch((0..size).map(Age));
    world
}

fn ages(world: &World) -> Vec<u32> {
    world.query::<&Age, ()>().into_iter().map(|age| age.0).collect()
}

#[test]
fn what_is_recorded_behind_a_closure_that_replaces_the_world_touches_no_other_world() {
    let mut world = herd(2);
    let old = world.query::<Entity, ()>().into_iter().next().unwrap();
    let mut buffer = CommandBuffer::new();
    let pup = buffer.spawn(Age(10)).id();
    buffer.queue(|world| *world = herd(5));
    buffer.insert(pup, Name("pup".into()));
    buffer.insert(old, Age(99));
    buffer.spawn(Age(11));
    buffer.despawn(old);
    buffer.queue(|_| panic!("meant for the world before"));
    let report = buffer.apply(&mut world);
    assert_eq!((report.applied, report.refused), (2, 5));
    assert!(report.refusals.iter().all(|refusal| refusal.reason.code() == "command-other-world"), "{report:?}");
    assert_eq!(ages(&world), [0, 1, 2, 3, 4]);
    buffer.spawn(Age(12));
    assert_eq!(buffer.apply(&mut world).applied, 1);
}

#[test]
fn a_tick_whose_command_replaces_the_world_fails_and_touches_no_other_world() {
    let mut world = World::builder().with_component::<Age>().build().unwrap();
    world.spawn(Age(1));
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| {
        commands.spawn(Age(10));
        commands.queue(|world| *world = herd(3));
        commands.spawn(Age(11));
    });
    schedule.add(|all: Query<Entity>, mut commands: Commands| all.iter().for_each(|entity| commands.despawn(entity)));
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "world-replaced");
    assert_eq!(ages(&world), [0, 1, 2]);
}

#[test]
fn a_system_run_once_that_replaces_the_world_has_its_commands_dropped() {
    let mut world = herd(2);
    let old = world.query::<Entity, ()>().into_iter().next().unwrap();
    let replace = move |world: &mut World, mut commands: Commands| {
        commands.despawn(old);
        commands.spawn(Age(10));
        *world = herd(3);
    };
    assert_eq!(world.run_once(replace).unwrap_err().code(), "world-replaced");
    assert_eq!(ages(&world), [0, 1, 2]);
}

#[test]
fn worlds_swapped_and_swapped_back_inside_of_a_tick_are_themselves_again() {
    let spare = Arc::new(Mutex::new(herd(4)));
    let mut world = herd(1);
    let mut schedule = crate::serial();
    let held = Arc::clone(&spare);
    schedule.add(move |world: &mut World| {
        let mut other = held.lock().unwrap();
        std::mem::swap(world, &mut other);
        world.spawn(Age(100));
        std::mem::swap(world, &mut other);
    });
    schedule.add(each(|age: &mut Age| age.0 += 1));
    schedule.run(&mut world).unwrap();
    assert_eq!((ages(&world), ages(&spare.lock().unwrap())), (vec![1], vec![0, 1, 2, 3, 100]));
}

#[test]
fn a_schedule_and_its_world_go_to_another_thread_run_there_and_are_dropped_in_any_order() {
    for schedule_first in [false, true] {
        let mut world = herd(3);
        world.spawn(Name("Fenris".into()));
        let mut schedule = crate::serial();
        schedule.add(|mut calls: Local<u32>, mut commands: Commands| {
            *calls += 1;
            commands.spawn(Name(format!("call {}", *calls)));
        });
        world.ensure_component::<Name>().unwrap();
        schedule.run(&mut world).unwrap();
        let ran = std::thread::spawn(move || {
            schedule.run(&mut world).unwrap();
            let names = world.query::<&Name, ()>().count();
            if schedule_first {
                drop(schedule);
                drop(world);
            } else {
                drop(world);
                drop(schedule);
            }
            names
        });
        assert_eq!(ran.join().unwrap(), 3);
    }
}

#[test]
fn which_types_may_cross_threads_is_fixed() {
    fn send<T: Send>() {}
    fn sync<T: Sync>() {}
    send::<World>();
    sync::<World>();
    send::<Schedule>();
    send::<CommandBuffer>();
    send::<tickweave::world::PreparedQuery<&'static mut Age>>();
}
