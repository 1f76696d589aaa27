//! Many hands: the same bits as one.

pub(crate) mod commands;
mod failures;
mod kit;
mod loops;
mod pools;
