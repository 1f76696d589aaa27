//! The façade over threads' primitives: the standard library's, or loom's under `--cfg tickweave_loom`.
//!
//! The only room that names atomics and locks, so that the models explore the very code that ships.

#![expect(unsafe_code, reason = "a pointer that nobody stores to is read without an atomic load")]
#![cfg_attr(
    not(tickweave_loom),
    expect(unreachable_pub, reason = "the models name the kernels, which are private otherwise")
)]
#![cfg_attr(tickweave_loom, expect(missing_docs, reason = "models read the kernels, users don't"))]

mod countdown;
mod door;
mod failure;
mod latch;
mod ready;
mod ref_count;
mod ref_counts;
mod slots;
mod span;

pub use countdown::Countdown;
pub use door::Door;
pub use failure::Failure;
pub use latch::Latch;
pub use ready::ReadyList;
pub use ref_count::RefCount;
pub use ref_counts::RefCounts;
pub use slots::Slots;
pub use span::Span;

use crate::fault::{Fault, planted};

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

    /// How many of so many places there are: all of them.
    pub(crate) const fn few(places: u32) -> u32 {
        places
    }

    pub(crate) use core::hint::spin_loop;
    pub(crate) use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use std::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(crate) use std::thread::yield_now;

    /// A cell that is shared, with loom's way to get at the inside.
    #[derive(Debug)]
    pub(crate) struct UnsafeCell<T>(core::cell::UnsafeCell<T>);

    impl<T> UnsafeCell<T> {
        pub(crate) const fn new(value: T) -> Self {
            Self(core::cell::UnsafeCell::new(value))
        }

        #[inline(always)]
        pub(crate) fn with<R>(&self, look: impl FnOnce(*const T) -> R) -> R {
            look(self.0.get())
        }

        #[inline(always)]
        pub(crate) fn with_mut<R>(&self, change: impl FnOnce(*mut T) -> R) -> R {
            change(self.0.get())
        }
    }
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

    /// How many of so many places there are: in models each is one more thing to explore, so that there are few.
    pub(crate) const fn few(places: u32) -> u32 {
        if places < 3 { places } else { 3 }
    }

    pub(crate) use loom::cell::UnsafeCell;
    pub(crate) use loom::hint::spin_loop;
    pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering, fence};
    pub(crate) use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub(crate) use loom::thread::yield_now;
}

/// The order that a kernel asks for; none while `fault` is planted.
#[inline(always)]
pub(crate) fn unless(fault: Fault, asked: Ordering) -> Ordering {
    if planted(fault) { Ordering::Relaxed } else { asked }
}

/// How many threads can run at a time on this machine.
pub(crate) fn cores() -> u32 {
    std::thread::available_parallelism().map_or(1, |cores| u32::try_from(cores.get()).unwrap_or(u32::MAX))
}

/// A number that no other call in this process returns: it tells worlds apart, and is never an order or part of state.
pub(crate) fn next_unique() -> u64 {
    static NEXT: core::sync::atomic::AtomicU64 = core::sync::atomic::AtomicU64::new(1);
    NEXT.fetch_add(1, core::sync::atomic::Ordering::Relaxed)
}

/// For the time of models.
#[cfg(tickweave_loom)]
pub(crate) use loom::thread_local;
pub(crate) use std::sync::{LazyLock, OnceLock};

pub(crate) use primitive::{
    Arc, AtomicPtr, AtomicU32, AtomicU64, Condvar, Mutex, MutexGuard, Ordering, UnsafeCell, at_rest, fence, few,
    spin_loop, yield_now,
};
