use super::{AtomicU32, Ordering, spin_loop, unless, yield_now};
use crate::fault::{Fault, planted};

/// The door of a block that others may hold too: open while it is ours alone.
///
/// ```text
/// shut     others hold the block from now on            relaxed: nobody passes meanwhile
/// is_open  the block is ours                            acquire: what whoever opened it did is visible
/// pass     the first to come opens it, all others wait  acquire to begin, release when it is open
/// ```
///
/// Hands of one loop that enter one shared chunk meet here: one of them copies the block, and none writes before.
#[derive(Debug)]
pub struct Latch(AtomicU32);

const OPEN: u32 = 0;
const SHUT: u32 = 1;
const BUSY: u32 = 2;

/// How often a hand looks before it lets others have the core.
const LOOKS: u32 = 64;

impl Latch {
    /// An open latch.
    pub fn open() -> Self {
        Self(AtomicU32::new(OPEN))
    }

    /// Whether the block is ours.
    #[inline(always)]
    pub fn is_open(&self) -> bool {
        self.0.load(unless(Fault::LatchSeenUnordered, Ordering::Acquire)) == OPEN
    }

    /// Others hold the block too: to be called while nobody passes.
    pub fn shut(&self) {
        self.0.store(SHUT, Ordering::Relaxed);
    }

    /// Returns when the latch is open. Of those who find it shut one runs `first`, which makes the block theirs; if that
    /// panics, the latch is shut as before.
    pub fn pass(&self, first: impl FnOnce()) {
        let asked = unless(Fault::LatchPassedUnordered, Ordering::Acquire);
        loop {
            let taken = if planted(Fault::LatchPassedTwice) && self.0.load(asked) != OPEN {
                Ok(SHUT)
            } else {
                self.0.compare_exchange(SHUT, BUSY, asked, asked)
            };
            match taken {
                Ok(_) => {
                    let mut opening = Opening { latch: self, to: SHUT };
                    first();
                    opening.to = OPEN;
                    return;
                }
                Err(OPEN) => return,
                Err(_) => self.wait(),
            }
        }
    }

    /// Waits while somebody opens the latch.
    fn wait(&self) {
        let mut looks = 0;
        while self.0.load(Ordering::Relaxed) == BUSY {
            looks += 1;
            if looks > LOOKS || cfg!(tickweave_loom) { yield_now() } else { spin_loop() }
        }
    }
}

/// A hand that opens a latch, and what it leaves behind.
struct Opening<'l> {
    latch: &'l Latch,
    to: u32,
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.latch.0.store(self.to, unless(Fault::LatchOpenedUnordered, Ordering::Release));
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_first_to_pass_opens_a_shut_latch_and_nobody_opens_it_again() {
        let latch = Latch::open();
        latch.pass(|| panic!("it is open"));
        latch.shut();
        assert!(!latch.is_open());
        let mut opened = 0;
        latch.pass(|| opened += 1);
        latch.pass(|| opened += 1);
        assert!(latch.is_open() && opened == 1);
    }

    #[test]
    fn a_panic_while_it_is_opened_leaves_the_latch_shut() {
        let latch = Latch::open();
        latch.shut();
        let passed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| latch.pass(|| panic!("no memory"))));
        assert!(passed.is_err() && !latch.is_open());
    }
}
