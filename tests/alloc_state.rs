//! Ticks with churn that are kept and hashed do not allocate: one test, since its allocator counts for all threads.

#![cfg(feature = "parallel")]

mod watched;

use tickweave::prelude::*;
use tickweave::state::{SnapshotRing, StateHash};

use watched::allocates_nothing;

/// How many ticks the ring keeps.
const KEPT: usize = 60;

/// After so many every snapshot of the ring has been overwritten several times.
const WARM: u64 = 500;

/// Fewer in debug builds: the test harness says so, and allocates, when a test takes a minute.
const TICKS: u64 = if cfg!(debug_assertions) { 500 } else { 10_000 };

const ENTITIES: u32 = 200;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Health(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Speed(f32);

#[derive(Component)]
struct Enemy;

#[derive(Clone, StateValue, Resource)]
struct Score(u64);

#[derive(Clone, StateValue, Event)]
struct Died(Entity);

fn age(age: &mut Age) {
    age.0 += 1;
}

fn heal(healths: &mut [Health]) {
    healths.iter_mut().for_each(|health| health.0 = (health.0 + 1) % 64);
}

fn replace_the_old(age: &Age, entity: Entity, mut commands: Commands<Died>) {
    if age.0 > 20 {
        commands.send(Died(entity));
        commands.despawn(entity);
        commands.spawn((Age(1), Health(0)));
    }
}

fn wander(mut rows: Query<(Entity, &Age, Has<Speed>)>, mut commands: Commands) {
    rows.par_for_each_with(&mut commands, |(entity, age, moves), lane| match (age.0 % 7, moves) {
        (3, false) => lane.insert(entity, (Speed(age.0 as f32), Enemy)),
        (5, true) => lane.remove::<Speed>(entity),
        (6, _) => lane.remove::<Enemy>(entity),
        _ => {}
    });
}

fn count(mut died: EventReader<Died>, lost: Removed<Health>, mut score: ResMut<Score>, mut seen: Local<u64>) {
    *seen += died.read().count() as u64;
    score.0 ^= *seen + lost.iter().count() as u64;
}

fn world_and_schedule() -> (World, Schedule) {
    let mut world = World::builder().chunk_rows(16).batch_rows(4).build().unwrap();
    world.spawn_batch((0..ENTITIES).map(|number| (Age(number % 20), Health(number % 64))));
    world.ensure_component::<Speed>().unwrap();
    world.ensure_component::<Enemy>().unwrap();
    world.insert_resource(Score(0));
    world.add_event::<Died>().unwrap();
    let mut schedule = Schedule::new();
    schedule.add(each(age));
    schedule.add(chunk(heal));
    schedule.add(each(replace_the_old));
    schedule.barrier();
    schedule.add(wander);
    schedule.add(count);
    (world, schedule)
}

/// Runs all ticks, watches those after the first ones, and returns the hash of the last.
fn run(what: &str, set: impl FnOnce(&mut Schedule)) -> StateHash {
    let (mut world, mut schedule) = world_and_schedule();
    set(&mut schedule);
    let mut ring = SnapshotRing::new(KEPT);
    let mut tick = || {
        schedule.run(&mut world).unwrap();
        ring.push(&world).unwrap();
        world.state_hash().unwrap()
    };
    (0..WARM).for_each(|_| _ = tick());
    allocates_nothing(what, || (0..TICKS).for_each(|_| _ = tick()));
    let last = tick();
    assert_eq!((world.len(), ring.len(), world.tick()), (ENTITIES as usize, KEPT, WARM + TICKS + 1));
    assert!(schedule.report().applied > 0 && world.query::<&Speed, With<Enemy>>().count() > 0);
    last
}

#[test]
fn ticks_with_churn_snapshot_and_hash_allocate_nothing_serially_and_at_one_and_two_threads() {
    let serial = run("serial", |schedule| schedule.set_executor(Executor::Serial));
    for threads in [1, 2] {
        let parallel = run(&format!("{threads} threads"), |schedule| {
            schedule.set_executor(Executor::Parallel);
            schedule.set_eagerness(Eagerness::Always);
            schedule.set_pool(Pool::new(threads).unwrap());
        });
        assert_eq!(serial, parallel);
    }
}
