//! A steady tick on two threads does not allocate, on either: one test, since its allocator counts for all threads.

#![cfg(feature = "parallel")]
#![expect(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tickweave::prelude::*;

/// The allocator of the system, which counts while it is told to, and notes where the first call came from.
struct Watched;

static WATCHED: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);
static FIRST: Mutex<String> = Mutex::new(String::new());

fn note() {
    if WATCHED.load(Ordering::Relaxed) && COUNT.fetch_add(1, Ordering::Relaxed) == 0 {
        WATCHED.store(false, Ordering::Relaxed);
        *FIRST.lock().unwrap() = Backtrace::force_capture().to_string();
        WATCHED.store(true, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the allocator of the system with the arguments that it came with.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the contract is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u64);

#[derive(Clone, StateValue, Event)]
struct Moved(Entity);

fn age(age: &mut Age) {
    age.0 += 1;
}

fn heal(healths: &mut [Health]) {
    healths.iter_mut().for_each(|health| health.0 += 1);
}

fn die(age: &Age, entity: Entity, mut commands: Commands<Moved>) {
    if age.0 > 20 {
        commands.send(Moved(entity));
        commands.despawn(entity);
        commands.spawn((Age(age.0 % 7), Health(0)));
    }
}

fn wander(mut rows: Query<(Entity, &Health)>, mut commands: Commands<Moved>) {
    rows.par_for_each_with(&mut commands, |(entity, health), lane| {
        if health.0 % 8 == 3 {
            let heir = lane.spawn((Age(3), Health(health.0))).id();
            lane.insert(heir, Health(4));
            lane.send(Moved(heir));
            lane.despawn(entity);
        }
    });
}

fn count(ages: Query<&Age>, mut score: ResMut<Score>) {
    score.0 += u64::from(ages.par_sum(|age| age.0)) + u64::from(ages.par_max(|age| age.0).unwrap_or(0));
}

fn follow(mut moved: EventReader<Moved>, mut score: ResMut<Score>) {
    score.0 += moved.read().filter(|moved| !moved.0.is_pending()).count() as u64;
}

fn steady() -> (World, Schedule) {
    let mut world = World::builder().chunk_rows(256).batch_rows(16).build().unwrap();
    world.spawn_batch((0..10_000).map(|number| (Age(number % 20), Health(number))));
    world.insert_resource(Score(0));
    world.add_event::<Moved>().unwrap();
    let mut schedule = Schedule::new();
    schedule.add(each(age));
    schedule.add(chunk(heal));
    schedule.add(count);
    schedule.add(each(die));
    schedule.barrier();
    schedule.add(wander);
    schedule.add(follow);
    schedule.set_executor(Executor::Parallel);
    schedule.set_pool(Pool::new(2).unwrap());
    (world, schedule)
}

#[test]
fn a_steady_tick_on_two_threads_allocates_nothing_on_either() {
    for eagerness in [Eagerness::Always, Eagerness::Measured, Eagerness::Never] {
        let (mut world, mut schedule) = steady();
        schedule.set_eagerness(eagerness);
        (0..400).for_each(|_| schedule.run(&mut world).unwrap());
        COUNT.store(0, Ordering::Relaxed);
        WATCHED.store(true, Ordering::Relaxed);
        (0..100).for_each(|_| schedule.run(&mut world).unwrap());
        WATCHED.store(false, Ordering::Relaxed);
        let first = FIRST.lock().unwrap();
        assert_eq!(COUNT.load(Ordering::Relaxed), 0, "{eagerness:?}, the first allocation:\n{first}");
        assert!(schedule.report().applied > 0);
    }
}
