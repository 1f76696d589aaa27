//! How long ticks take: for people only, nothing follows from it.

use std::fmt;
use std::time::{Duration, Instant};

use crate::hall::Hall;

const HALLS: [Hall; 3] = [Hall::Build, Hall::Run, Hall::Pause];

/// The time of ticks: since the last look, and of all, by what the hall was up to.
#[derive(Default)]
pub(crate) struct Stopwatch {
    last: Duration,
    lap: Span,
    halls: [Span; HALLS.len()],
}

#[derive(Clone, Copy, Default)]
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
        self.last = start.elapsed();
        result
    }

    /// Counts the tick that was timed.
    pub(crate) fn book(&mut self, hall: Hall) {
        let tick = Span { time: self.last, ticks: 1 };
        self.lap = self.lap.and(tick);
        let span = &mut self.halls[hall as usize];
        *span = span.and(tick);
    }

    /// Milliseconds per tick since the last lap.
    pub(crate) fn lap(&mut self) -> f64 {
        std::mem::take(&mut self.lap).mean()
    }
}

impl fmt::Display for Stopwatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.halls.into_iter().fold(Span::default(), Span::and);
        write!(f, "{:.3} ms per tick over all", all.mean())?;
        for (hall, span) in HALLS.iter().zip(self.halls).filter(|(_, span)| span.ticks > 0) {
            write!(f, ", {:.3} in {} of {hall:?}", span.mean(), span.ticks)?;
        }
        Ok(())
    }
}

impl Span {
    fn and(self, other: Self) -> Self {
        Self { time: self.time + other.time, ticks: self.ticks + other.ticks }
    }

    fn mean(self) -> f64 {
        self.time.as_secs_f64() * 1000.0 / f64::from(self.ticks.max(1))
    }
}
