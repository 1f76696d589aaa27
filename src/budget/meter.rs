use core::time::Duration;

use fixed::types::I16F16;

use super::window::{Window, percentile};

/// How long a system with a budget took: the last run, and the last [`TIMING_WINDOW`](super::TIMING_WINDOW) runs.
///
/// A percentile is the smallest time that so many of a hundred runs did not take longer than.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SystemTiming {
    /// What it may take, in milliseconds.
    pub budget: I16F16,
    /// How often it ran.
    pub runs: u64,
    /// Runs that took longer than the budget.
    pub overruns: u64,
    /// Runs among those that took three times the budget or longer.
    pub critical: u64,
    /// Runs over which the figures below are: at most [`TIMING_WINDOW`](super::TIMING_WINDOW).
    pub samples: usize,
    /// The last run.
    pub last: Duration,
    /// Half of the runs took no longer.
    pub p50: Duration,
    /// 95 of a hundred runs took no longer.
    pub p95: Duration,
    /// 99 of a hundred runs took no longer.
    pub p99: Duration,
    /// The longest.
    pub max: Duration,
}

/// What a time says of a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was kept.
    Kept,
    /// More than it.
    Over,
    /// Three times it or more.
    Critical,
}

/// Measures a system against its budget.
#[derive(Debug)]
pub(crate) struct Meter {
    budget: I16F16,
    window: Box<Window>,
    overruns: u64,
    critical: u64,
}

impl Meter {
    pub(crate) fn new(budget: I16F16) -> Self {
        Self { budget, window: Box::new(Window::new()), overruns: 0, critical: 0 }
    }

    /// Notes what a run took.
    pub(crate) fn note(&mut self, nanoseconds: u64) -> Verdict {
        self.window.note(nanoseconds);
        let verdict = judge(self.budget, nanoseconds);
        self.overruns += u64::from(verdict != Verdict::Kept);
        self.critical += u64::from(verdict == Verdict::Critical);
        verdict
    }

    /// What records of a run tell: what it took, the budget (rounded down), the 99th percentile and its samples.
    pub(crate) fn facts(&self) -> [u64; 4] {
        let samples = self.window.len();
        let p99 = percentile(&self.window.sorted()[..samples], 99);
        [self.window.last().unwrap_or(0), nanoseconds_of(self.budget), p99, samples as u64]
    }

    pub(crate) fn timing(&self) -> SystemTiming {
        let samples = self.window.len();
        let sorted = &self.window.sorted()[..samples];
        let at = |percent| Duration::from_nanos(percentile(sorted, percent));
        SystemTiming {
            budget: self.budget,
            runs: self.window.noted(),
            overruns: self.overruns,
            critical: self.critical,
            samples,
            last: Duration::from_nanos(self.window.last().unwrap_or(0)),
            p50: at(50),
            p95: at(95),
            p99: at(99),
            max: at(100),
        }
    }
}

/// Exact: a millisecond has 2^16 parts and 10^6 nanoseconds, so that a part is 15625 / 1024 nanoseconds.
fn judge(budget: I16F16, nanoseconds: u64) -> Verdict {
    let (took, may) = (u128::from(nanoseconds) * 1024, parts_of(budget) * 15_625);
    match took {
        _ if took >= 3 * may => Verdict::Critical,
        _ if took > may => Verdict::Over,
        _ => Verdict::Kept,
    }
}

fn nanoseconds_of(budget: I16F16) -> u64 {
    (parts_of(budget) * 15_625 / 1024) as u64
}

/// Budgets are above zero.
fn parts_of(budget: I16F16) -> u128 {
    u128::from(budget.to_bits().unsigned_abs())
}
