use core::num::NonZeroU32;

use super::error::StepError;
use super::fixed::{Due, FixedStep};
use super::inputs::StepInputs;
use super::step::Simulation;
use crate::clock::Clock;
use crate::records::{RecordKind, Subject};

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
///     sim.run_due(&mut ticker, |_tick| ())?;
///     // draw with `ticker.pace().fraction()` between the last two ticks
/// }
/// assert_eq!((sim.tick(), ticker.pace().fraction()), (4, 0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ticker {
    clock: Clock,
    /// When somebody last looked at it.
    last: u64,
    /// What passed up to then, and is not yet part of the pace.
    passed: u64,
    pace: FixedStep,
}

impl Ticker {
    /// So many ticks in a second, from now on.
    #[must_use]
    pub fn new(rate: NonZeroU32, clock: Clock) -> Self {
        Self::with_pace(FixedStep::new(rate), clock)
    }

    /// Goes on with a pace that was set up, or kept; if it was paused, time stands still from the start.
    #[must_use]
    pub fn with_pace(pace: FixedStep, clock: Clock) -> Self {
        Self { last: clock.nanoseconds(), clock, passed: 0, pace }
    }

    /// What is due since the last time that somebody asked.
    pub fn due(&mut self) -> Due {
        self.look();
        let passed = if self.pace.is_paused() { 0 } else { core::mem::take(&mut self.passed) };
        self.pace.advance(passed)
    }

    /// The pace, to be read: as it was when somebody last asked what is due.
    #[must_use]
    pub const fn pace(&self) -> &FixedStep {
        &self.pace
    }

    /// Has time stand still from now on. What passed before waits: it counts when time passes again.
    pub fn pause(&mut self) {
        self.look();
        self.pace.pause();
    }

    /// Has time pass again, from now on.
    pub fn resume(&mut self) {
        self.look();
        self.pace.resume();
    }

    /// Whether time stands still.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.pace.is_paused()
    }

    /// Has one more tick be due the next time that somebody asks, paused or not, beside those that time makes due.
    pub const fn step_once(&mut self) {
        self.pace.step_once();
    }

    /// Looks at the clock: what passed since the last look counts unless time stood still.
    fn look(&mut self) {
        let now = self.clock.nanoseconds();
        if !self.pace.is_paused() {
            self.passed = self.passed.saturating_add(now.saturating_sub(self.last));
        }
        self.last = self.last.max(now);
    }
}

impl Simulation {
    /// Runs the ticks that are due, one after the other; `inputs` gives those of each, by its number. Ticks that the pace drops
    /// are told by the record `loop/ticks-dropped`.
    ///
    /// # Errors
    ///
    /// The first [`StepError`]. Ticks before it are done; the rest of those that were due is gone, as if it had been dropped.
    ///
    /// # Determinism
    ///
    /// The clock says how many ticks run now, never what they do: the state after a tick is the same however time was cut.
    ///
    /// ```
    /// use core::time::Duration;
    /// use tickweave::clock::ManualClock;
    /// use tickweave::prelude::*;
    /// use tickweave::simulation::Ticker;
    ///
    /// let mut sim = Simulation::builder().tick_rate(50).build()?;
    /// let clock = ManualClock::new();
    /// let mut ticker = Ticker::new(sim.tick_rate(), clock.clock());
    /// clock.advance(Duration::from_secs(1));
    /// let due = sim.run_due(&mut ticker, |_tick| ())?;
    /// assert_eq!((sim.tick(), due.dropped), (8, 42));
    /// assert_eq!(sim.world().records().iter().next().map(|record| record.name()), Some("loop/ticks-dropped"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_due<I: StepInputs>(
        &mut self,
        ticker: &mut Ticker,
        inputs: impl FnMut(u64) -> I,
    ) -> Result<Due, StepError> {
        let due = ticker.due();
        if due.dropped > 0 {
            let (tick, values) = (self.tick(), [due.dropped, u64::from(due.steps), ticker.pace().dropped()]);
            let records = self.world_mut().records_mut();
            records.tell(RecordKind::TicksDropped, tick, || (Subject::None, values));
        }
        self.run_headless(u64::from(due.steps), inputs)?;
        Ok(due)
    }
}
