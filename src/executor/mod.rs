//! Runs a plan on a world.
//!
//! The serial executor is the oracle: one system after the other, in schedule order. Every other executor is tested against
//! it.

mod commits;
mod error;
mod nodes;
mod once;
mod parallel;
mod run;
mod serial;
mod step;

pub(crate) use commits::{AtCommit, Commits};
pub(crate) use error::message;
pub use error::{Cause, RunError, TickFailure};
pub(crate) use step::refuse_escaped;

#[cfg(test)]
mod tests;
