//! Many hands: the same bits as one.

mod commands;
mod draws;
mod failures;
mod kit;
mod lookups;
mod loops;
mod pools;
