#![expect(unsafe_code, reason = "results are moved in by one thread and out by another")]

use core::mem::MaybeUninit;

use super::{AtomicU32, Ordering, UnsafeCell};
use crate::fault::{Fault, planted};

const EMPTY: u32 = 0;
const CLAIMED: u32 = 1;
const FULL: u32 = 2;

/// Results by index, each written once by whoever has it, and read when every writer is done.
#[derive(Debug)]
pub struct Slots<T, const N: usize> {
    slots: [Slot<T>; N],
}

#[derive(Debug)]
struct Slot<T> {
    state: AtomicU32,
    value: UnsafeCell<MaybeUninit<T>>,
}

// SAFETY: a slot is written by the one thread that moved its state from empty to claimed, and read by an owner only.
unsafe impl<T: Send, const N: usize> Sync for Slots<T, N> {}

impl<T, const N: usize> Slots<T, N> {
    pub fn empty() -> Self {
        let slot = |_| Slot { state: AtomicU32::new(EMPTY), value: UnsafeCell::new(MaybeUninit::uninit()) };
        Self { slots: core::array::from_fn(slot) }
    }

    /// Writes a result.
    ///
    /// # Panics
    ///
    /// If the slot has one, or there is no such slot.
    pub fn put(&self, index: usize, value: T) {
        let slot = &self.slots[index];
        let claimed = slot.state.compare_exchange(EMPTY, CLAIMED, Ordering::Relaxed, Ordering::Relaxed);
        assert!(claimed.is_ok() || planted(Fault::SlotWrittenTwice), "slot {index} was written twice");
        // SAFETY: this call alone moved the slot from empty to claimed.
        slot.value.with_mut(|place| unsafe { (*place).write(value) });
        slot.state.store(FULL, Ordering::Release);
    }

    /// Takes a result out, if it is there.
    pub fn take(&mut self, index: usize) -> Option<T> {
        let slot = &self.slots[index];
        if slot.state.load(Ordering::Acquire) != FULL {
            return None;
        }
        if !planted(Fault::SlotTakenTwice) {
            slot.state.store(EMPTY, Ordering::Relaxed);
        }
        // SAFETY: the slot was full, is borrowed mutably, and is marked empty, so that the value is moved out once.
        Some(slot.value.with(|place| unsafe { (*place).assume_init_read() }))
    }
}

impl<T, const N: usize> Drop for Slots<T, N> {
    fn drop(&mut self) {
        for index in 0..N {
            drop(self.take(index));
        }
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_result_is_moved_out_once_and_the_rest_is_dropped() {
        let value = Arc::new(());
        let mut slots = Slots::<_, 3>::empty();
        slots.put(0, Arc::clone(&value));
        slots.put(2, Arc::clone(&value));
        assert!(slots.take(1).is_none());
        assert!(slots.take(2).is_some() && slots.take(2).is_none());
        drop(slots);
        assert_eq!(Arc::strong_count(&value), 1);
    }

    #[test]
    #[should_panic(expected = "slot 1 was written twice")]
    fn a_slot_that_is_written_twice_is_refused() {
        let slots = Slots::<_, 2>::empty();
        slots.put(1, 'a');
        slots.put(1, 'b');
    }
}
