//! Systems that take as long as they are told, and worlds whose records are looked at.

use core::time::Duration;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use fixed::types::I16F16;
use tickweave::clock::ManualClock;
use tickweave::prelude::*;
use tickweave::system::SystemConfig;

/// A clock that systems move, and how far the next run moves it, in nanoseconds.
#[derive(Clone, Default)]
pub(crate) struct Pace {
    pub(crate) clock: ManualClock,
    next: Arc<AtomicU64>,
}

impl Pace {
    pub(crate) fn set(&self, nanoseconds: u64) {
        self.next.store(nanoseconds, Ordering::Relaxed);
    }

    /// What each run does.
    pub(crate) fn pass(&self) {
        self.clock.advance(Duration::from_nanos(self.next.load(Ordering::Relaxed)));
    }

    /// A system with a budget of one millisecond that takes as long as was set.
    pub(crate) fn system(&self, name: &'static str) -> SystemConfig {
        let pace = self.clone();
        (move || pace.pass()).named(name).budget_ms(I16F16::ONE)
    }

    /// A schedule that measures with the clock.
    pub(crate) fn schedule(&self) -> Schedule {
        let mut schedule = crate::serial();
        schedule.set_clock(self.clock.clock());
        schedule
    }
}

/// The names of the records that were told since the last call.
pub(crate) fn told(world: &mut World) -> Vec<&'static str> {
    world.records_mut().drain().map(|record| record.name()).collect()
}

/// Runs a tick; returns the names of the records that were told.
#[track_caller]
pub(crate) fn tick(schedule: &mut Schedule, world: &mut World) -> Vec<&'static str> {
    schedule.run(world).unwrap();
    told(world)
}

/// A world that holds no record back.
pub(crate) fn talkative(mut world: World) -> World {
    world.records_mut().set_window(0);
    world
}
