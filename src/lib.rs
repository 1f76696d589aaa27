//! tickweave (front page to come).

extern crate self as tickweave;

pub mod access;
pub mod command;
pub mod component;
pub mod entity;
pub mod executor;
mod graph;
pub mod hash;
#[doc(hidden)]
pub mod layout;
pub mod prelude;
pub mod query;
pub mod schedule;
pub mod state;
mod storage;
mod sync;
pub mod system;
mod tuples;
pub mod value;
pub mod world;

/// Resources: values of which a world has one.
pub mod resource {
    pub use tickweave_derive::Resource;

    pub use crate::storage::resources::{MutableResource, Resource, ResourceClass, ResourceDescriptor};
}

#[cfg(target_endian = "big")]
compile_error!("tickweave keeps state as little-endian bytes; big-endian targets are not supported");
