//! tickweave (scaffold).
pub mod access;
pub mod component;
pub mod entity;
mod graph;
pub mod hash;
pub mod query;
pub mod schedule;
mod storage;
mod sync;
pub mod system;
mod tuples;
pub mod value;
