//! Ways to run one program, and what is compared.

use tickweave::prelude::*;
use tickweave::world::WorldBuilder;

/// Who runs a program.
#[derive(Clone, Debug)]
pub(crate) enum Way {
    Serial,
    Virtual(u32, u64),
    Pool(Pool),
}

/// One of each kind: for tests that run each for long.
pub(crate) fn every_way() -> Vec<Way> {
    let pools = [1, 2, 3].map(|threads| Way::Pool(Pool::new(threads).unwrap()));
    [Way::Serial, Way::Virtual(3, 1), Way::Virtual(16, 2)].into_iter().chain(pools).collect()
}

/// Every executor that a test tries, the oracle first.
pub(crate) fn ways() -> Vec<Way> {
    let mut ways = vec![Way::Serial];
    for workers in [1, 2, 3, 7, 64] {
        ways.extend((0..8).map(|seed| Way::Virtual(workers, seed)));
    }
    ways.extend([1, 2, 3, 8].map(|threads| Way::Pool(Pool::new(threads).unwrap())));
    ways
}

impl Way {
    pub(crate) fn prepare(&self, schedule: &mut Schedule) {
        match self {
            Self::Serial => schedule.set_executor(Executor::Serial),
            Self::Virtual(workers, seed) => {
                schedule.set_executor(Executor::Virtual { workers: *workers, seed: *seed });
            }
            Self::Pool(pool) => {
                schedule.set_executor(Executor::Parallel);
                schedule.set_pool(pool.clone());
                schedule.set_eagerness(Eagerness::Always);
            }
        }
    }
}

/// A world whose chunks and batches are so small that a few rows cross their borders.
pub(crate) fn tiny_chunks() -> WorldBuilder {
    World::builder().chunk_rows(8).batch_rows(2)
}

/// Runs a program for some ticks every way, and compares what is left of the world.
pub(crate) fn every_way_gives_the_same_bits(ticks: u32, program: impl Fn() -> (World, Schedule)) {
    let mut expected = None;
    for way in ways() {
        let (mut world, mut schedule) = program();
        way.prepare(&mut schedule);
        for _ in 0..ticks {
            schedule.run(&mut world).unwrap();
        }
        let found = (world.state_hash().unwrap(), world.dump(), schedule.report().clone());
        let expected = expected.get_or_insert_with(|| found.clone());
        assert_eq!(found.1.diff(&expected.1), None, "{way:?}");
        assert_eq!((found.0, &found.2), (expected.0, &expected.2), "{way:?}");
    }
}
