//! Many hands: the same bits as one.

mod commands;
mod draws;
mod failures;
pub(crate) mod kit;
mod lookups;
mod loops;
mod pools;
