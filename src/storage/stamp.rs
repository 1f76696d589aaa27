//! When something was written: the tick, and the position in the plan of whoever wrote.
//!
//! ```text
//! 64 bits:  tick (44) | position in the plan (20)
//! ```
//!
//! Stamps are computed, never counted at run time, so that they are equal for every executor. The host writes between
//! ticks at position 0 of the tick to come; the steps of a plan have positions from 1.

/// Bits of the position.
const POSITION_BITS: u32 = 20;

/// Steps of a plan at most, so that every position fits.
pub(crate) const MAX_POSITION: u32 = (1 << POSITION_BITS) - 1;

/// The last tick of a world whose host can write afterwards.
pub(crate) const MAX_TICK: u64 = (1 << (64 - POSITION_BITS)) - 2;

/// The stamp of a position in a tick.
pub(crate) const fn at(tick: u64, position: u32) -> u64 {
    debug_assert!(position <= MAX_POSITION, "plans are refused when they have more steps");
    tick << POSITION_BITS | position as u64
}

/// The stamp of what the host writes after `ticks` ticks were run.
pub(crate) const fn host(ticks: u64) -> u64 {
    at(ticks + 1, 0)
}

/// The position of a stamp.
pub(crate) const fn position(stamp: u64) -> u32 {
    stamp as u32 & MAX_POSITION
}

/// The tick of a stamp.
pub(crate) const fn tick(stamp: u64) -> u64 {
    stamp >> POSITION_BITS
}
