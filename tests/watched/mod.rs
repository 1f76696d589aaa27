//! An allocator that counts for all threads: a binary has one, and one test, since others would be counted too.

#![expect(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The allocator of the system, which counts while it is told to, and notes where the first call came from.
struct Watched;

static WATCHED: AtomicBool = AtomicBool::new(false);
static COUNT: AtomicU64 = AtomicU64::new(0);
static FIRST: Mutex<String> = Mutex::new(String::new());

fn note() {
    if WATCHED.load(Ordering::Relaxed) && COUNT.fetch_add(1, Ordering::Relaxed) == 0 {
        WATCHED.store(false, Ordering::Relaxed);
        *FIRST.lock().unwrap() = Backtrace::force_capture().to_string();
        WATCHED.store(true, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the allocator of the system with the arguments that it came with.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the contract is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Fails with the place of the first allocation if any thread makes one meanwhile.
pub(crate) fn allocates_nothing(what: &str, quiet: impl FnOnce()) {
    COUNT.store(0, Ordering::Relaxed);
    WATCHED.store(true, Ordering::Relaxed);
    quiet();
    WATCHED.store(false, Ordering::Relaxed);
    let first = FIRST.lock().unwrap();
    assert_eq!(COUNT.load(Ordering::Relaxed), 0, "{what}, the first allocation:\n{first}");
}
