//! How long ticks take: for people only, nothing follows from it.

use std::time::{Duration, Instant};

/// The time of ticks: since the last look, and of all.
#[derive(Default)]
pub(crate) struct Stopwatch {
    lap: Span,
    all: Span,
}

#[derive(Default)]
struct Span {
    time: Duration,
    ticks: u32,
}

impl Stopwatch {
    /// Times one tick.
    #[expect(clippy::disallowed_methods, reason = "printed only")]
    pub(crate) fn time<T>(&mut self, tick: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = tick();
        let time = start.elapsed();
        self.lap.add(time);
        self.all.add(time);
        result
    }

    /// Milliseconds per tick since the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        std::mem::take(&mut self.lap).mean()
    }

    /// Milliseconds per tick of all.
    pub(crate) fn mean(&self) -> f64 {
        self.all.mean()
    }
}

impl Span {
    fn add(&mut self, time: Duration) {
        self.time += time;
        self.ticks += 1;
    }

    fn mean(&self) -> f64 {
        self.time.as_secs_f64() * 1000.0 / f64::from(self.ticks.max(1))
    }
}
