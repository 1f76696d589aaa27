//! tickweave (scaffold).
pub mod access;
pub mod component;
pub mod entity;
pub mod hash;
mod tuples;
pub mod value;
