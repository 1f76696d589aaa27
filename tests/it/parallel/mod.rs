//! Many hands: the same bits as one.

mod commands;
mod kit;
mod loops;
mod pools;
