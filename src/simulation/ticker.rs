use core::cell::Cell;
use core::num::NonZeroU32;

use super::fixed::{Due, FixedStep};
use crate::clock;

/// What tells the time: nanoseconds from some moment on, never backwards.
pub trait Clock {
    /// The time.
    fn now(&self) -> u64;
}

/// The monotonic clock of the machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        clock::now()
    }
}

/// A clock that stands where it was put: for tests, and for programs that have a time of their own.
#[derive(Clone, Debug, Default)]
pub struct ManualClock(Cell<u64>);

impl ManualClock {
    /// Lets nanoseconds pass.
    pub fn advance(&self, nanoseconds: u64) {
        self.0.set(self.0.get().saturating_add(nanoseconds));
    }
}

impl Clock for ManualClock {
    fn now(&self) -> u64 {
        self.0.get()
    }
}

impl<C: Clock + ?Sized> Clock for &C {
    fn now(&self) -> u64 {
        (**self).now()
    }
}

/// A [`FixedStep`] that looks at a clock: the loop of a game.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::simulation::{ManualClock, Ticker};
///
/// let mut sim = Simulation::builder().tick_rate(50).build()?;
/// let clock = ManualClock::default();
/// let mut ticker = Ticker::new(sim.tick_rate(), &clock);
/// for _frame in 0..6 {
///     clock.advance(15_000_000);
///     for _ in 0..ticker.due().steps {
///         sim.step(())?;
///     }
///     // draw with `ticker.pace().fraction()` between the last two ticks
/// }
/// assert_eq!((sim.tick(), ticker.pace().fraction()), (4, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ticker<C = SystemClock> {
    clock: C,
    last: u64,
    pace: FixedStep,
}

impl<C: Clock> Ticker<C> {
    /// So many ticks in a second, from now on.
    #[must_use]
    pub fn new(rate: NonZeroU32, clock: C) -> Self {
        Self::with_pace(FixedStep::new(rate), clock)
    }

    /// Goes on with a pace that was set up, or kept.
    #[must_use]
    pub fn with_pace(pace: FixedStep, clock: C) -> Self {
        Self { last: clock.now(), clock, pace }
    }

    /// What is due since the last time that somebody asked.
    pub fn due(&mut self) -> Due {
        let now = self.clock.now();
        let elapsed = now.saturating_sub(self.last);
        self.last = self.last.max(now);
        self.pace.advance(elapsed)
    }

    /// The pace.
    #[must_use]
    pub const fn pace(&self) -> &FixedStep {
        &self.pace
    }

    /// The pace, to pause, resume and step by hand.
    pub const fn pace_mut(&mut self) -> &mut FixedStep {
        &mut self.pace
    }
}
