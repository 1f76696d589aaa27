//! Who runs a program: the one file that names executors and pools.

use std::borrow::Cow;
use std::cell::RefCell;

use tickweave::prelude::*;
use tickweave::simulation::SimulationBuilder;

use super::data::Program;
use super::detours::Detour;
use super::dice::Dice;
use super::parts::stir;
use super::plants::Plant;

/// A way of running a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// The oracle.
    Serial,
    /// The oracle, which takes detours.
    Detours { seed: u64 },
    /// Virtual workers on one thread, in an unkind order.
    Virtual { workers: u32, seed: u64 },
    /// A pool of threads; systems pause if there is a seed for that.
    Threads { threads: u32, eagerness: Eagerness, pauses: Option<u64> },
    /// The oracle with a fault, for tests of the bed itself.
    Planted(Plant),
}

/// Few workers mix most: they come twice.
const WORKERS: [u32; 12] = [1, 2, 3, 4, 7, 8, 16, 32, 64, 2, 3, 7];
const THREADS: [u32; 5] = [1, 2, 3, 8, 16];

/// The ways in which the program of a seed is compared with the oracle: every number of virtual workers, and some of the
/// pools, so that a few programs see all of them.
pub(crate) fn all(seed: u64) -> Vec<Way> {
    let number = |at: u64| stir(seed, at);
    let mut ways = vec![Way::Detours { seed: number(99) }];
    ways.extend((0..).zip(WORKERS).map(|(at, workers)| Way::Virtual { workers, seed: number(at) }));
    for at in 0..2 {
        let threads = THREADS[(seed as usize + at as usize * 2) % THREADS.len()];
        let pauses = (seed / 5 % 2 == at).then_some(number(at));
        ways.push(Way::Threads { threads, eagerness: Eagerness::Always, pauses });
    }
    let eagerness = if seed % 4 == 0 { Eagerness::Never } else { Eagerness::Measured };
    ways.push(Way::Threads { threads: 2, eagerness, pauses: None });
    ways
}

thread_local! {
    /// The pools of this thread: two programs that shared one would not both have its hands.
    static POOLS: RefCell<Vec<(u32, Pool)>> = const { RefCell::new(Vec::new()) };
}

fn pool(threads: u32) -> Pool {
    POOLS.with_borrow_mut(|pools| {
        if let Some((_, pool)) = pools.iter().find(|(other, _)| *other == threads) {
            return pool.clone();
        }
        let pool = Pool::new(threads).expect("the threads can be started");
        pools.push((threads, pool.clone()));
        pool
    })
}

impl Way {
    /// Has a schedule run this way.
    pub(crate) fn set_up(self, schedule: &mut Schedule) {
        match self {
            Self::Serial | Self::Detours { .. } | Self::Planted(_) => schedule.set_executor(Executor::Serial),
            Self::Virtual { workers, seed } => schedule.set_executor(Executor::Virtual { workers, seed }),
            Self::Threads { threads, eagerness, .. } => {
                schedule.set_executor(Executor::Parallel);
                schedule.set_pool(pool(threads));
                schedule.set_eagerness(eagerness);
            }
        }
    }

    /// Has a simulation run this way, but for its pool.
    pub(crate) fn dress(self, builder: SimulationBuilder) -> SimulationBuilder {
        match self {
            Self::Serial | Self::Detours { .. } | Self::Planted(_) => builder.executor(Executor::Serial),
            Self::Virtual { workers, seed } => builder.executor(Executor::Virtual { workers, seed }),
            Self::Threads { eagerness, .. } => builder.executor(Executor::Parallel).eagerness(eagerness),
        }
    }

    /// Gives a simulation its pool, if it runs on one.
    pub(crate) fn lend_pool(self, sim: &mut Simulation) {
        if let Self::Threads { threads, .. } = self {
            sim.set_pool(pool(threads));
        }
    }

    /// What is played: the program, unless a fault is planted.
    pub(crate) fn arrange(self, program: &Program) -> Cow<'_, Program> {
        let mut arranged = Cow::Borrowed(program);
        if let Self::Planted(plant) = self {
            plant.arrange(arranged.to_mut());
        }
        arranged
    }

    /// Called after each tick, counted from 0.
    pub(crate) fn meddle(self, world: &mut World, tick: usize) {
        if let Self::Planted(plant) = self {
            plant.meddle(world, tick);
        }
    }

    /// What is run and taken back before a tick of so many, counted from 0.
    pub(crate) fn detours(self, tick: usize, ticks: usize) -> Vec<Detour> {
        let seed = match self {
            Self::Detours { seed } => return Detour::deal(seed, tick, ticks),
            Self::Virtual { seed, .. } | Self::Threads { pauses: Some(seed), .. } => seed,
            _ => return Vec::new(),
        };
        let mut dice = Dice::new(stir(seed, tick as u64));
        if dice.one_in(15) { vec![Detour::draw(&mut dice)] } else { Vec::new() }
    }

    /// The seed of the pauses that systems make, if they do.
    pub(crate) const fn pauses(self) -> Option<u64> {
        match self {
            Self::Threads { pauses, .. } => pauses,
            _ => None,
        }
    }

    /// The same way, and others that may show the same fault in a program that has become smaller.
    pub(crate) fn again(self) -> Vec<Self> {
        match self {
            Self::Virtual { workers, seed } => {
                let other = |at| Self::Virtual { workers, seed: stir(seed, at) };
                [self].into_iter().chain((0..12).map(other)).collect()
            }
            Self::Threads { .. } => vec![self; 12],
            Self::Detours { seed } => {
                (0..12).map(|at| Self::Detours { seed: if at == 0 { seed } else { stir(seed, at) } }).collect()
            }
            _ => vec![self],
        }
    }
}
