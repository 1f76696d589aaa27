//! The façade over threads' primitives: the standard library's, or loom's under `--cfg tickweave_loom`.
//!
//! The only room that names atomics and locks, so that the models explore the very code that ships.

mod ref_count;

pub(crate) use ref_count::RefCount;

#[cfg(not(tickweave_loom))]
mod primitive {
    pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use std::sync::{Arc, Mutex};
}

#[cfg(tickweave_loom)]
mod primitive {
    pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use loom::sync::{Arc, Mutex};
}

/// A number that no other call in this process returns: it tells worlds apart, and is never an order or part of state.
pub(crate) fn next_unique() -> u64 {
    static NEXT: core::sync::atomic::AtomicU64 = core::sync::atomic::AtomicU64::new(1);
    NEXT.fetch_add(1, core::sync::atomic::Ordering::Relaxed)
}

pub(crate) use primitive::{Arc, AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering, fence};
