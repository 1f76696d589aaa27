//! Budgets: how long a system may take, how long it took, and what that says.
//!
//! Numbers only: who measures is upstairs. Measured time is told and never decides a result.

mod meter;
mod window;

pub use meter::SystemTiming;
pub(crate) use meter::{Meter, Verdict};
pub use window::TIMING_WINDOW;

#[cfg(test)]
mod tests;
