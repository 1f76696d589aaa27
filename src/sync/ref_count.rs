use super::{AtomicU32, Ordering, fence, unless};
use crate::fault::{Fault, planted};

/// How many holders a shared block has, and the one rule for writing to it: only a sole holder may.
///
/// ```text
/// begin     there is a first holder                 relaxed: whoever hands it on orders the rest
/// share     a holder makes another                      relaxed: the holder keeps the count above 0
/// release   a holder goes; `true` for the last          release, and acquire for the last
/// is_sole   nobody else holds it, now or later          acquire: what others did before they left is visible
/// ```
///
/// `is_sole` stays true until the sole holder itself shares: nobody else is there to do so.
#[derive(Debug)]
pub struct RefCount(AtomicU32);

impl RefCount {
    /// A count that nobody holds.
    pub fn of_nobody() -> Self {
        Self(AtomicU32::new(0))
    }

    /// The caller is the first holder: to be called while nobody holds it.
    pub fn begin(&self) {
        self.0.store(1, Ordering::Relaxed);
    }

    pub fn share(&self) {
        if planted(Fault::RefCountSharedByStore) {
            self.0.store(self.0.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
            return;
        }
        let before = self.0.fetch_add(1, Ordering::Relaxed);
        assert!(before != 0 && before < u32::MAX / 2, "shared after the last holder left, or by too many holders");
    }

    pub fn release(&self) -> bool {
        if planted(Fault::RefCountLoadsThenStores) {
            let left = self.0.load(Ordering::Acquire) - 1;
            self.0.store(left, Ordering::Release);
            return left == 0;
        }
        let last = self.0.fetch_sub(1, unless(Fault::RefCountLeftUnordered, Ordering::Release)) == 1;
        if last && !planted(Fault::RefCountLastUnfenced) {
            fence(Ordering::Acquire);
        }
        last
    }

    pub fn is_sole(&self) -> bool {
        self.0.load(unless(Fault::RefCountSoleUnordered, Ordering::Acquire)) == 1
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_holder_is_told_so() {
        let count = RefCount::of_nobody();
        count.begin();
        assert!(count.is_sole());
        count.share();
        assert!(!count.is_sole());
        assert!(!count.release());
        assert!(count.is_sole());
        assert!(count.release());
    }
}
