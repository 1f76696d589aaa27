use core::num::NonZeroU32;

use super::fixed::{Due, FixedStep};
use crate::clock::Clock;

/// A [`FixedStep`] that looks at a clock: the loop of a game.
///
/// ```
/// use core::time::Duration;
/// use tickweave::clock::ManualClock;
/// use tickweave::prelude::*;
/// use tickweave::simulation::Ticker;
///
/// let mut sim = Simulation::builder().tick_rate(50).build()?;
/// let clock = ManualClock::new(); // a game takes `Clock::machine()`
/// let mut ticker = Ticker::new(sim.tick_rate(), clock.clock());
/// for _frame in 0..6 {
///     clock.advance(Duration::from_millis(15));
///     for _ in 0..ticker.due().steps {
///         sim.step(())?;
///     }
///     // draw with `ticker.pace().fraction()` between the last two ticks
/// }
/// assert_eq!((sim.tick(), ticker.pace().fraction()), (4, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ticker {
    clock: Clock,
    last: u64,
    pace: FixedStep,
}

impl Ticker {
    /// So many ticks in a second, from now on.
    #[must_use]
    pub fn new(rate: NonZeroU32, clock: Clock) -> Self {
        Self::with_pace(FixedStep::new(rate), clock)
    }

    /// Goes on with a pace that was set up, or kept.
    #[must_use]
    pub fn with_pace(pace: FixedStep, clock: Clock) -> Self {
        Self { last: clock.nanoseconds(), clock, pace }
    }

    /// What is due since the last time that somebody asked.
    pub fn due(&mut self) -> Due {
        let now = self.clock.nanoseconds();
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
