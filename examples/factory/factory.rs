//! The factory as a whole: the map, and the systems that run on it.
//!
//! What moves is decided first. Then four systems go over all items, next to those of arms and machines. Items that arrived
//! are told of as events, in the order of the rows, so that behind the barrier inserters serve belts in one order, whatever
//! the number of threads.

use tickweave::prelude::*;
use tickweave::state::{StateHash, Unhashable};

use crate::belt::{self, OnBelt};
use crate::census::{self, Census};
use crate::map::{Map, MapError};
use crate::{inserter, item, machine};

/// A factory that runs.
pub(crate) struct Factory {
    world: World,
    tick: Schedule,
}

impl Factory {
    /// A factory on a new map.
    pub(crate) fn new(map: Map) -> Result<Self, MapError> {
        let (world, mut tick) = (map.build()?, Schedule::new());
        tick.set_executor(Executor::Serial);
        add_systems(&mut tick);
        Ok(Self { world, tick })
    }

    /// Has the systems run on the threads of a pool from now on.
    pub(crate) fn run_on(&mut self, pool: Pool) {
        self.tick.set_executor(Executor::Parallel);
        self.tick.set_pool(pool);
    }

    /// Goes on by one tick.
    pub(crate) fn step(&mut self) -> Result<(), RunError> {
        self.tick.run(&mut self.world)
    }

    /// How many items the belts carry.
    pub(crate) fn population(&self) -> usize {
        self.world.query::<&OnBelt, ()>().count()
    }

    /// What was counted last.
    pub(crate) fn census(&self) -> Census {
        self.world.resource().copied().unwrap_or_default()
    }

    /// The hash of all state.
    pub(crate) fn state_hash(&self) -> Result<StateHash, Unhashable> {
        self.world.state_hash()
    }

    /// What the tests look at.
    #[cfg(test)]
    pub(crate) fn world(&mut self) -> &mut World {
        &mut self.world
    }
}

/// The systems of a tick, each at its rate.
fn add_systems(tick: &mut Schedule) {
    tick.add(belt::run_belts);
    tick.add(each(belt::advance));
    tick.add(each(item::cool));
    tick.add(each(belt::locate));
    tick.add(each(belt::arrive));
    tick.add(each(inserter::swing));
    tick.add(each(machine::craft));
    tick.add(each(machine::mine).filter::<With<machine::Miner>>().every(2));
    tick.add(each(machine::wear).named("wear").every(8).offset(3));
    tick.barrier();
    tick.add(inserter::unload);
    tick.add(inserter::load);
    tick.add(census::count.every(10));
}
