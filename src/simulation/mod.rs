//! What a game links: fixed steps, inputs, phases and passes with commit points, managers and typed commands, and the way
//! back to an earlier tick.
//!
//! ```text
//! step(inputs) -> phase -> pass -> systems -> commit point: merge -> typed commands -> command buffers -> managers
//!                                                            -> merge of what these recorded -> events
//! ```
//!
//! One plan holds the whole tick: phases in order, passes in order, systems in order. See `docs/simulation.md`.

mod builder;
mod commit;
mod error;
mod fixed;
mod inputs;
mod manager;
mod phase;
mod registry;
mod rollback;
mod step;
mod strict;
mod ticker;

pub use crate::schedule::{Commit, CommitEnd, CommitPoint};
pub use builder::{MAX_ROLLBACK, SimulationBuilder};
pub use error::{BuildError, RollbackError, StepError};
pub use fixed::{DEFAULT_CATCH_UP, Due, FixedStep};
pub use inputs::{Inputs, StepInputs};
pub use manager::{CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, Verdict};
pub use phase::{MAIN, POST, PRE, PassBuilder, PhaseBuilder};
pub use step::{Simulation, StepReport};
pub use strict::{StrictError, Strictness};
pub use ticker::Ticker;
