//! The third door: phases, passes, commit points, managers, typed commands, the way back.

mod build;
mod commits;
mod delayed;
mod failures;
mod flags;
mod inputs;
mod intake;
mod kinds;
pub(crate) mod kit;
mod loops;
mod managers;
mod passes;
mod pending;
mod reach;
mod refusals;
mod registered;
mod rollback;
mod scopes;
mod state;
mod strict;
mod timeline;
mod traps;
