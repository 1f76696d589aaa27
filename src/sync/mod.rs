//! The façade over threads' primitives: the standard library's, or loom's under `--cfg tickweave_loom`.
//!
//! The only room that names atomics and locks, so that the models explore the very code that ships.

#![expect(unsafe_code, reason = "a pointer that nobody stores to is read without an atomic load")]

mod ref_count;

pub(crate) use ref_count::RefCount;

#[cfg(not(tickweave_loom))]
mod primitive {
    /// The value of an atomic pointer that nobody stores to meanwhile, by a plain read.
    ///
    /// # Safety
    ///
    /// Nobody stores to it meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn at_rest<T>(pointer: &AtomicPtr<T>) -> *const T {
        // SAFETY: the pointer is valid for reads, and no store races with this one by this function's contract.
        unsafe { *pointer.as_ptr() }
    }

    pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use std::sync::{Arc, Mutex};
}

#[cfg(tickweave_loom)]
mod primitive {
    /// # Safety
    ///
    /// Nobody stores to it meanwhile: loom checks it.
    pub(crate) unsafe fn at_rest<T>(pointer: &AtomicPtr<T>) -> *const T {
        // SAFETY: the contract is passed on.
        unsafe { pointer.unsync_load() }
    }

    pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use loom::sync::{Arc, Mutex};
}

/// A number that no other call in this process returns: it tells worlds apart, and is never an order or part of state.
pub(crate) fn next_unique() -> u64 {
    static NEXT: core::sync::atomic::AtomicU64 = core::sync::atomic::AtomicU64::new(1);
    NEXT.fetch_add(1, core::sync::atomic::Ordering::Relaxed)
}

pub(crate) use primitive::{Arc, AtomicPtr, AtomicU32, AtomicU64, Mutex, Ordering, at_rest, fence};
