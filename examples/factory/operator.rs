//! The operator of the belts: what comes from outside of the simulation, tick by tick.

use tickweave::prelude::*;

/// Ticks of a shift.
const SHIFT: u64 = 200;

/// Ticks at the end of a shift in which belts are slow.
const SLOW: u64 = 10;

/// How fast belts are allowed to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, StateValue, Resource)]
#[resource(input)]
pub(crate) struct Throttle {
    /// Ticks that belts stand still after each in which they move.
    pub(crate) rest: u32,
}

impl Throttle {
    /// What the operator does in a tick: half the speed while shifts change.
    pub(crate) const fn at(tick: u64) -> Self {
        Self { rest: (tick % SHIFT >= SHIFT - SLOW) as u32 }
    }

    /// Whether belts move in a tick.
    pub(crate) fn moves(&self, tick: u64) -> bool {
        tick % (u64::from(self.rest) + 1) == 0
    }
}
