//! Many hands: the same bits as one.

mod commands;
mod failures;
mod kit;
mod loops;
mod pools;
