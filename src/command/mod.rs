//! What shall change: commands are recorded into lanes while systems run, and merged at a barrier.
//!
//! ```text
//! system  --records-->  Lane  --at the barrier, lanes in schedule order-->  Merge  --one command at a time-->  World
//! ```
//!
//! Typed commands ([`Command`]) go from the lane to the queue of their type; a simulation delivers them.
//!
//! The merge is normative: ids of pending entities are made real for all lanes first, lane by lane; then each command is
//! applied in turn.

mod buffer;
mod escape;
mod lane;
mod merge;
mod pending;
mod refusal;
mod send;
mod typed;
mod verbs;

pub use buffer::CommandBuffer;
pub(crate) use escape::{EscapeScan, Escaped};
pub use lane::Lane;
pub(crate) use lane::{LoopMemory, Mark, OwnLane};
pub(crate) use merge::Merger;
pub(crate) use pending::{LaneKey, MAX_NODES};
pub use pending::{MAX_BATCHES, MAX_SPAWNS};
pub use refusal::{CommandReport, REFUSALS_KEPT, Refusal, RefusalReason};
pub use typed::Command;
pub(crate) use typed::{CommandLog, CommandTypes, Due, TypedQueue};
pub use verbs::EntityCommands;

#[cfg(test)]
mod tests;
