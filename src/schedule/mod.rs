//! Turns what systems declare into a plan: order, barriers, conflicts and the reason for each.
//!
//! A [`Plan`] is plain data: it knows no function, no world and no thread. A [`Schedule`] owns systems and binds them and
//! their plan to a world; an executor runs it.

mod bind;
mod build;
mod commit;
mod conflict;
mod digest;
mod error;
mod escapes;
mod explain;
mod layout;
mod measure;
mod name_table;
pub mod names;
mod plan;
mod registration;
mod report;
mod resolve;
mod spec;
mod validate;

pub use bind::{BindError, MAX_COMMITS, MAX_STEPS};
pub(crate) use bind::{Gate, Needs, Parts};
pub use build::plan;
pub use commit::{Commit, CommitEnd, CommitPoint};
pub use error::{Cycle, ScheduleError, WriterClash, WriterPair};
pub(crate) use escapes::EscapesAnywhere;
pub use explain::Explanation;
pub use layout::{Barrier, BarrierId, BarrierReason, Step};
pub use plan::{CriticalPath, Edge, Plan, Reason, Segment};
pub(crate) use registration::Entry;
pub use registration::{Executor, Schedule};
pub use report::{Diagnostic, MAX_REPORTS};
pub use resolve::{Declaration, Relation};
pub use spec::{DEFAULT_MAX_SYSTEMS, Item, MAX_DEPENDENCIES, MAX_EXPLICIT_EDGES, Names, Options, Policy};
pub use validate::validate_system;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
