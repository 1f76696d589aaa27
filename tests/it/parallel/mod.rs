//! Many hands: the same bits as one.

mod commands;
mod draws;
mod failures;
mod kit;
mod loops;
mod pools;
