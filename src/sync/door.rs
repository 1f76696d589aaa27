#![expect(unsafe_code, reason = "a value is handed from its owner to hands and back")]

use super::{AtomicU64, Ordering, UnsafeCell, unless};
use crate::fault::{Fault, planted};

/// Hands that are inside.
const INSIDE: u64 = (1 << 30) - 1;
/// Somebody owns the door: it is open, or about to be, or waited for.
const OWNED: u64 = 1 << 30;
/// Hands may enter.
const OPEN: u64 = 1 << 31;
/// One opening, or one ring.
const EPOCH: u64 = 1 << 32;

/// Lends a value that lies on one thread's stack to hands of other threads, and takes it back when the last has left.
///
/// ```text
/// open    one owner at a time writes the value, then lets hands in     release
/// enter   a hand is counted, if the door is open                      acquire
/// leave   the hand is counted no more                                 release
/// close   nobody enters any more; the owner waits for those inside    acquire
/// ```
///
/// One word holds the count, two flags and an epoch, which tells a hand whether it has been inside already.
#[derive(Debug)]
pub struct Door<T> {
    state: AtomicU64,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is written by the owner while no hand is inside, and copied by hands that are: the word `state` orders
// the two. Values cross threads, so that they must be `Send`.
unsafe impl<T: Send> Send for Door<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Door<T> {}

impl<T: Copy> Door<T> {
    pub fn closed() -> Self {
        Self { state: AtomicU64::new(0), value: UnsafeCell::new(None) }
    }

    /// Opens the door; `None` if somebody else owns it.
    pub fn open(&self, value: T) -> Option<Opening<'_, T>> {
        let state = self.state.load(Ordering::Relaxed);
        if state & OWNED != 0 || !self.own(state) {
            return None;
        }
        // SAFETY: the door is ours and not open, so that nobody else touches the value.
        self.value.with_mut(|held| unsafe { *held = Some(value) });
        let open = (state | OWNED | OPEN).wrapping_add(EPOCH);
        self.state.store(open, unless(Fault::DoorOpenedUnordered, Ordering::Release));
        Some(Opening { door: self })
    }

    fn own(&self, state: u64) -> bool {
        planted(Fault::DoorOwnedTwice)
            || self.state.compare_exchange(state, state | OWNED, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Goes inside, if the door is open and its epoch is another than `seen`.
    pub fn enter(&self, seen: u32) -> Option<Inside<'_, T>> {
        let mut state = self.state.load(Ordering::Relaxed);
        loop {
            if state & OPEN == 0 || epoch(state) == seen {
                return None;
            }
            let acquire = unless(Fault::DoorEnteredUnordered, Ordering::Acquire);
            match self.state.compare_exchange(state, state + 1, acquire, Ordering::Relaxed) {
                Ok(_) => return Some(Inside { door: self, epoch: epoch(state) }),
                Err(now) => state = now,
            }
        }
    }

    /// Calls hands that have been inside during this opening once more.
    pub fn ring(&self) {
        if planted(Fault::DoorRingLoadsThenStores) {
            return self.state.store(self.state.load(Ordering::Acquire).wrapping_add(EPOCH), Ordering::Release);
        }
        self.state.fetch_add(EPOCH, Ordering::Relaxed);
    }
}

fn epoch(state: u64) -> u32 {
    (state >> 32) as u32
}

/// The right to close a door that was opened. Dropped without [`close`](Self::close), it closes and waits all the same.
#[derive(Debug)]
pub struct Opening<'d, T: Copy> {
    door: &'d Door<T>,
}

impl<T: Copy> Opening<'_, T> {
    /// Lets nobody in any more, and returns when the last hand has left; `wait` is called between two looks.
    pub fn close(self, wait: impl FnMut()) {
        self.finish(wait);
        core::mem::forget(self);
    }

    fn finish(&self, mut wait: impl FnMut()) {
        let state = &self.door.state;
        let acquire = unless(Fault::DoorClosedUnordered, Ordering::Acquire);
        let mut now = state.fetch_and(!OPEN, acquire);
        while now & INSIDE != 0 && !planted(Fault::DoorClosedWithoutWaiting) {
            wait();
            now = state.load(acquire);
        }
        // SAFETY: the door is ours and shut, and nobody is inside.
        self.door.value.with_mut(|held| unsafe { *held = None });
        state.fetch_and(!OWNED, unless(Fault::DoorHandedOverUnordered, Ordering::Release));
    }
}

impl<T: Copy> Drop for Opening<'_, T> {
    fn drop(&mut self) {
        self.finish(super::yield_now);
    }
}

/// A hand inside of a door: what was lent stays where it is until this is dropped.
#[derive(Debug)]
pub struct Inside<'d, T: Copy> {
    door: &'d Door<T>,
    epoch: u32,
}

impl<T: Copy> Inside<'_, T> {
    /// What the owner lends.
    pub fn value(&self) -> T {
        // SAFETY: the owner wrote the value before it let hands in, and does not touch it until this hand has left.
        self.door.value.with(|held| unsafe { *held }).expect("written before the door was opened")
    }

    /// The epoch in which the hand came in.
    pub fn epoch(&self) -> u32 {
        self.epoch
    }
}

impl<T: Copy> Drop for Inside<'_, T> {
    fn drop(&mut self) {
        self.door.state.fetch_sub(1, unless(Fault::DoorLeftUnordered, Ordering::Release));
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn a_hand_enters_once_for_each_opening_and_ring() {
        let door = Door::closed();
        assert!(door.enter(0).is_none());
        let opening = door.open(7).unwrap();
        assert!(door.open(8).is_none(), "one owner at a time");
        let inside = door.enter(0).unwrap();
        assert_eq!(inside.value(), 7);
        let seen = inside.epoch();
        drop(inside);
        assert!(door.enter(seen).is_none());
        door.ring();
        assert!(door.enter(seen).is_some());
        opening.close(|| unreachable!("nobody is inside"));
        assert!(door.enter(seen).is_none() && door.open(9).is_some());
    }
}
