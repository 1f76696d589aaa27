#![expect(unsafe_code, reason = "memory without any order of its own, of which the model sees the races")]

use loom::cell::UnsafeCell;

/// Plain memory: what a component's value, a node's result or a lent borrow stands for. The model fails when two threads
/// touch it with no order between them, one of them to write.
#[derive(Debug)]
pub struct Plain<T>(UnsafeCell<T>);

// SAFETY: every access goes through the model's cell, which panics before two accesses race.
unsafe impl<T: Send> Sync for Plain<T> {}

impl<T: Copy> Plain<T> {
    /// Memory with a value in it.
    pub fn new(value: T) -> Self {
        Self(UnsafeCell::new(value))
    }

    /// Reads.
    pub fn get(&self) -> T {
        // SAFETY: the model has checked that nobody writes; the value is copied out at once.
        self.0.with(|value| unsafe { *value })
    }

    /// Writes.
    pub fn set(&self, value: T) {
        // SAFETY: the model has checked that nobody else is here.
        self.0.with_mut(|place| unsafe { *place = value });
    }
}
