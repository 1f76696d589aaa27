//! Events: who sends, who sees what, and for how long.

mod errors;
mod failures;
mod hosts;
pub(crate) mod kit;
mod lives;
mod order;
mod pending;
mod readers;
mod state;
