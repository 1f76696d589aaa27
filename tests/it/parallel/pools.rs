//! Where a tick may be called from, and with how many threads.

use std::sync::Arc;

use tickweave::jobs::{MAX_THREADS, PoolError};
use tickweave::prelude::*;
use tickweave::world::World;

#[derive(Component, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Number(u32);

fn program() -> (World, Schedule) {
    let mut world = World::builder().chunk_rows(16).batch_rows(4).build().unwrap();
    world.spawn_batch((0..200).map(Number));
    let mut schedule = Schedule::new();
    schedule.add(each(|number: &mut Number| number.0 = number.0.rotate_left(3) ^ 0x55));
    schedule.add(|mut numbers: Query<(Entity, &Number)>, mut commands: Commands| {
        numbers.par_for_each_with(&mut commands, |(entity, number), lane| match number.0 % 17 {
            0 => lane.despawn(entity),
            1 => drop(lane.spawn(Number(number.0 / 3)).id()),
            _ => {}
        });
    });
    (world, schedule)
}

fn expected() -> String {
    let (mut world, mut schedule) = program();
    schedule.set_executor(Executor::Serial);
    run(&mut world, &mut schedule)
}

fn run(world: &mut World, schedule: &mut Schedule) -> String {
    (0..5).for_each(|_| schedule.run(world).unwrap());
    world.state_hash().unwrap().to_string()
}

fn parallel(pool: Pool) -> String {
    let (mut world, mut schedule) = program();
    schedule.set_executor(Executor::Parallel);
    schedule.set_pool(pool);
    schedule.set_eagerness(Eagerness::Always);
    run(&mut world, &mut schedule)
}

#[test]
fn any_number_of_threads_gives_the_same_result_and_none_stalls() {
    for threads in [0, 1, 2, 3, 16, MAX_THREADS] {
        assert_eq!(parallel(Pool::new(threads).unwrap()), expected(), "{threads} threads");
    }
    let refused = Pool::new(MAX_THREADS + 1).unwrap_err();
    assert_eq!((refused.code(), refused), ("pool-threads", PoolError::TooManyThreads { asked: MAX_THREADS + 1 }));
}

#[test]
fn one_pool_serves_two_schedules_on_two_threads() {
    let pool = Pool::new(3).unwrap();
    std::thread::scope(|scope| {
        let runs = [(); 4].map(|()| scope.spawn(|| parallel(pool.clone())));
        runs.into_iter().for_each(|run| assert_eq!(run.join().unwrap(), expected()));
    });
}

#[test]
fn a_system_may_own_a_world_and_run_it_on_the_same_pool() {
    let pool = Pool::new(2).unwrap();
    let (inner_world, inner_schedule) = program();
    let mut inner = (inner_world, inner_schedule);
    inner.1.set_executor(Executor::Parallel);
    inner.1.set_pool(pool.clone());
    inner.1.set_eagerness(Eagerness::Always);
    let (mut world, mut schedule) = program();
    let hashes = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&hashes);
    schedule.add(move || {
        inner.1.run(&mut inner.0).unwrap();
        seen.lock().unwrap().push(inner.0.state_hash().unwrap().to_string());
    });
    schedule.set_executor(Executor::Parallel);
    schedule.set_pool(pool);
    schedule.set_eagerness(Eagerness::Always);
    (0..5).for_each(|_| schedule.run(&mut world).unwrap());
    assert_eq!(hashes.lock().unwrap().last(), Some(&expected()));
}

#[test]
fn five_thousand_systems_run_on_a_thread_with_a_small_stack() {
    let run = || {
        let (mut world, mut schedule) = program();
        schedule.set_max_systems(6_000);
        for number in 0..5_000u32 {
            schedule.add(move |mut numbers: Query<&mut Number>| {
                if let Some(first) = numbers.iter_mut().next() {
                    first.0 = first.0.wrapping_mul(31) ^ number;
                }
            });
        }
        schedule.set_executor(Executor::Parallel);
        schedule.set_pool(Pool::new(2).unwrap());
        schedule.set_eagerness(Eagerness::Always);
        (0..2).for_each(|_| schedule.run(&mut world).unwrap());
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(run).unwrap().join().unwrap();
}

#[cfg(feature = "parallel")]
mod on_rayon {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_tick_runs_inside_of_install_and_on_a_given_pool() {
        let threads = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap());
        assert_eq!(threads.install(|| parallel(Pool::current())), expected());
        assert_eq!(parallel(Pool::given(Arc::clone(&threads))), expected());
        assert_eq!(threads.install(|| parallel(Pool::given(Arc::clone(&threads)))), expected());
        assert_eq!(threads.install(|| parallel(Pool::new(2).unwrap())), expected());
    }

    #[test]
    fn a_tick_runs_from_a_job_of_a_foreign_pool_of_one_thread() {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let (sender, receiver) = std::sync::mpsc::channel();
        threads.spawn(move || sender.send(parallel(Pool::current())).unwrap());
        assert_eq!(receiver.recv().unwrap(), expected());
    }

    #[test]
    fn both_halves_of_a_join_run_a_world_each() {
        let pool = Pool::current();
        let (left, right) = rayon::join(|| parallel(pool.clone()), || parallel(pool.clone()));
        assert_eq!((left, right), (expected(), expected()));
    }

    #[test]
    fn a_system_may_use_rayon_itself() {
        let program = || {
            let (world, mut schedule) = program();
            schedule.add(|mut numbers: Query<&mut Number>| {
                numbers.par_for_each(|number| {
                    let (a, b) = rayon::join(|| number.0 / 2, || number.0 % 7);
                    number.0 = a.wrapping_mul(3) ^ b;
                });
            });
            (world, schedule)
        };
        let (mut serial, mut oracle) = program();
        oracle.set_executor(Executor::Serial);
        let (mut world, mut schedule) = program();
        schedule.set_executor(Executor::Parallel);
        schedule.set_pool(Pool::current());
        schedule.set_eagerness(Eagerness::Always);
        assert_eq!(run(&mut world, &mut schedule), run(&mut serial, &mut oracle));
    }

    #[test]
    fn no_thread_is_started_after_the_pool() {
        static STARTED: AtomicUsize = AtomicUsize::new(0);
        let builder = rayon::ThreadPoolBuilder::new().num_threads(2);
        let count = |_| {
            STARTED.fetch_add(1, Ordering::Relaxed);
        };
        let threads = builder.start_handler(count).build().unwrap();
        let pool = Pool::given(Arc::new(threads));
        let (mut worlds, mut schedules) = ([World::new(), World::new()], [Schedule::new(), Schedule::new()]);
        for schedule in &mut schedules {
            schedule.add(each(|number: &mut Number| number.0 += 1));
            schedule.set_executor(Executor::Parallel);
            schedule.set_pool(pool.clone());
            schedule.set_eagerness(Eagerness::Always);
        }
        for turn in 0..10_000 {
            schedules[turn % 2].run(&mut worlds[turn % 2]).unwrap();
        }
        assert_eq!(STARTED.load(Ordering::Relaxed), 2);
    }
}
