use core::num::NonZeroU32;

use crate::entity::MapEntities;
use crate::value::{DecodeError, Sink, Source, StateValue};

/// Steps that one [`advance`](FixedStep::advance) makes of time at most unless [`catch_up`](FixedStep::catch_up) says otherwise.
pub const DEFAULT_CATCH_UP: u32 = 8;

/// Nanoseconds of a second.
const SECOND: u64 = 1_000_000_000;

/// Tells how many ticks of a fixed length are due as time goes by: in integers, without drift, however time is cut.
///
/// It knows no clock and no simulation. It is a state value, so that a resource of a game may hold it; the world of a
/// [`Simulation`](super::Simulation) has none by itself, since what the clock of one machine says must not enter the hash that
/// it shares with others.
///
/// ```
/// use core::num::NonZeroU32;
/// use tickweave::simulation::FixedStep;
///
/// let mut pace = FixedStep::new(NonZeroU32::new(60).unwrap());
/// let due: u32 = (0..3600).map(|_| pace.advance(16_666_667).steps).sum();
/// assert_eq!(due, 3600);
///
/// let late = pace.advance(1_000_000_000); // a second at once
/// assert_eq!((late.steps, late.dropped), (8, 52));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, MapEntities)]
pub struct FixedStep {
    rate: u32,
    /// Time that no tick was made of yet, in nanoseconds times the rate: less than a second's worth.
    rest: u64,
    catch_up: u32,
    dropped: u64,
    paused: bool,
    /// Steps that were asked for by hand.
    single: u32,
}

/// What is due.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Due {
    /// Ticks to run now.
    pub steps: u32,
    /// Ticks that are dropped, since more were due than may be caught up.
    pub dropped: u64,
}

impl FixedStep {
    /// So many ticks in a second.
    #[must_use]
    pub const fn new(rate: NonZeroU32) -> Self {
        Self { rate: rate.get(), rest: 0, catch_up: DEFAULT_CATCH_UP, dropped: 0, paused: false, single: 0 }
    }

    /// The same with at most so many steps at once of the time that passed, at least 1: what is due beyond is dropped, and counted.
    /// [Single steps](Self::step_once) come on top.
    #[must_use]
    pub const fn catch_up(mut self, steps: u32) -> Self {
        self.catch_up = if steps == 0 { 1 } else { steps };
        self
    }

    /// Lets time pass, in nanoseconds; tells which ticks are due. While it is paused time does not pass, and only
    /// [single steps](Self::step_once) are due.
    pub fn advance(&mut self, elapsed: u64) -> Due {
        let single = core::mem::take(&mut self.single);
        if self.paused {
            return Due { steps: single, dropped: 0 };
        }
        let passed = u128::from(elapsed) * u128::from(self.rate) + u128::from(self.rest);
        let ticks = u64::try_from(passed / u128::from(SECOND)).unwrap_or(u64::MAX);
        self.rest = (passed % u128::from(SECOND)) as u64;
        let steps = ticks.min(u64::from(self.catch_up));
        let dropped = ticks - steps;
        self.dropped = self.dropped.saturating_add(dropped);
        Due { steps: (steps as u32).saturating_add(single), dropped }
    }

    /// How far the present is into the tick that comes, from 0 up to but not 1: what a view interpolates by.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        self.fraction_bits() as f32 / (1u32 << 24) as f32
    }

    /// The same as a number of 24 bits: exactly what [`fraction`](Self::fraction) is made of.
    #[must_use]
    pub const fn fraction_bits(&self) -> u32 {
        ((self.rest << 24) / SECOND) as u32
    }

    /// Has time stand still from the last [`advance`](Self::advance) on: it knows of no other time. Who asks a clock lets what passed up
    /// to now go by first, and has what passes until [`resume`](Self::resume) go by before that; a [`Ticker`](super::Ticker) does so.
    pub const fn pause(&mut self) {
        self.paused = true;
    }

    /// Has time pass again, from the last [`advance`](Self::advance) on.
    pub const fn resume(&mut self) {
        self.paused = false;
    }

    /// Whether time stands still.
    #[must_use]
    pub const fn is_paused(&self) -> bool {
        self.paused
    }

    /// Has one more tick be due at the next [`advance`](Self::advance), paused or not, beyond what [`catch_up`](Self::catch_up) allows too:
    /// it was asked for by hand.
    pub const fn step_once(&mut self) {
        self.single = self.single.saturating_add(1);
    }

    /// Ticks that were dropped, ever.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Ticks in a second.
    #[must_use]
    pub const fn rate(&self) -> u32 {
        self.rate
    }
}

impl StateValue for FixedStep {
    fn encode(&self, sink: &mut Sink<'_>) {
        (self.rate, self.rest, self.catch_up).encode(sink);
        (self.dropped, self.paused, self.single).encode(sink);
    }

    /// No time leads to a rest of a second or more, and there are no paces without ticks.
    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let (rate, rest, catch_up) = StateValue::decode(source)?;
        let (dropped, paused, single) = StateValue::decode(source)?;
        let pace = Self { rate, rest, catch_up, dropped, paused, single };
        if rate > 0 && rest < SECOND && catch_up > 0 { Ok(pace) } else { Err(DecodeError::invalid::<Self>()) }
    }
}

#[cfg(test)]
mod tests;
