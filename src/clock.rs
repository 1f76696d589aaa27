//! The one clock. Measured time decides where work runs, never what comes of it.
//!
//! What users see of it is a [`Clock`]: the machine's, or one that a test moves by hand.

use core::fmt;
use core::time::Duration;

use crate::sync::{Arc, AtomicU64, Ordering};

/// Where a schedule takes the time from that it measures: budgets, never results.
///
/// ```
/// use core::time::Duration;
/// use tickweave::clock::ManualClock;
///
/// let by_hand = ManualClock::new();
/// let clock = by_hand.clock();
/// by_hand.advance(Duration::from_millis(3));
/// assert_eq!(clock.now(), Duration::from_millis(3));
/// ```
///
/// # Determinism
///
/// What systems compute must not come from a clock. Time that a game needs is counted in ticks.
#[derive(Clone, Default)]
pub struct Clock(Option<Arc<AtomicU64>>);

impl Clock {
    /// The clock of the machine, which never runs backwards.
    #[must_use]
    pub const fn machine() -> Self {
        Self(None)
    }

    /// The time since some moment in the past, the same one for all calls.
    #[must_use]
    pub fn now(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds())
    }

    #[inline]
    pub(crate) fn nanoseconds(&self) -> u64 {
        match &self.0 {
            None => now(),
            Some(by_hand) => by_hand.load(Ordering::Relaxed),
        }
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Clock").field(&self.now()).finish()
    }
}

/// A clock that stands still until it is moved: for tests.
///
/// Clones are the same clock.
#[derive(Clone)]
pub struct ManualClock(Arc<AtomicU64>);

impl ManualClock {
    /// A clock at zero.
    #[must_use]
    pub fn new() -> Self {
        Self(Arc::new(AtomicU64::new(0)))
    }

    /// Moves the time on.
    pub fn advance(&self, by: Duration) {
        let nanoseconds = u64::try_from(by.as_nanos()).unwrap_or(u64::MAX);
        self.0.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// The clock for whoever only reads it.
    #[must_use]
    pub fn clock(&self) -> Clock {
        Clock(Some(Arc::clone(&self.0)))
    }
}

impl Default for ManualClock {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ManualClock").field(&self.clock().now()).finish()
    }
}

/// Nanoseconds since the clock of the machine was first read.
#[cfg(not(tickweave_loom))]
pub(crate) fn now() -> u64 {
    use std::time::Instant;

    use crate::sync::LazyLock;

    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// Nanoseconds of a model: each thread has a time of its own, which its looks at the clock alone move on, so that waiting
/// is bounded and the same choices give the same run.
#[cfg(tickweave_loom)]
pub(crate) fn now() -> u64 {
    use core::cell::Cell;

    crate::sync::thread_local!(static NOW: Cell<u64> = Cell::new(0));
    NOW.with(|now| now.replace(now.get() + 60_000))
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use core::time::Duration;

    use super::{Clock, ManualClock};

    #[test]
    fn the_machine_does_not_run_backwards() {
        let clock = Clock::machine();
        let before = clock.now();
        assert!(clock.now() >= before);
    }

    #[test]
    fn a_clock_by_hand_moves_when_it_is_moved_and_clones_are_one_clock() {
        let by_hand = ManualClock::new();
        let (clock, clone) = (by_hand.clock(), by_hand.clone());
        assert_eq!(clock.now(), Duration::ZERO);
        clone.advance(Duration::from_nanos(7));
        assert_eq!((clock.nanoseconds(), clock.clone().now()), (7, Duration::from_nanos(7)));
    }
}
