//! The hands: who runs the nodes of a segment and the batches of a loop, to the end.
//!
//! ```text
//! Pool    threads, and the crew of hands on them           rayon.rs or serial.rs: the only files that differ by feature
//! Crew    lends a segment to hands, waits until they left  Door
//! Drive   which node next                                  Countdown, ReadyList, Failure
//! Board   loops that hands share                           Door, Span, Failure
//! Pace    whether hands are worth the trouble              measured time
//! Virtual hands that take turns on one thread, by a seed
//! ```
//!
//! Everything here knows numbers of nodes and batches only, never what they do: models and virtual workers run this code.

#![cfg_attr(
    not(tickweave_loom),
    expect(unreachable_pub, reason = "the models name the kernels, which are private otherwise")
)]
#![cfg_attr(tickweave_loom, expect(missing_docs, reason = "models read the kernels, users don't"))]

mod board;
#[cfg_attr(
    not(any(feature = "parallel", tickweave_loom)),
    expect(dead_code, reason = "without threads nobody comes to the door")
)]
mod crew;
mod drive;
mod pace;
mod pool;
#[cfg(feature = "parallel")]
mod rayon;
#[cfg(not(feature = "parallel"))]
#[path = "serial.rs"]
mod rayon;
mod workers;

pub(crate) use board::{Board, Claim, GRAIN, Interleave, Payload, Team, discard, run_units};
pub(crate) use crew::{Hand, Patience};
pub(crate) use drive::{Drive, DriveMemory, Graph, Work};
pub use pace::Eagerness;
pub(crate) use pace::{Choice, Costs, Pace};
pub use pool::{MAX_THREADS, Pool, PoolError};
pub(crate) use workers::Workers;

/// What models explore.
#[cfg(tickweave_loom)]
pub mod kernels {
    pub use super::board::{Board, Claim, Each, Interleave, Payload, Team, run_units};
    pub use super::crew::{Crew, Hand, Job};
    pub use super::drive::{Drive, DriveMemory, Graph, Turn, Work};
}
