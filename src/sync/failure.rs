use super::{AtomicU32, Mutex, Ordering};
use crate::fault::{Fault, planted};

/// The failure with the lowest number, whenever it comes: numbers above it need not start any more, those below must.
#[derive(Debug)]
pub struct Failure<C> {
    lowest: AtomicU32,
    cause: Mutex<Option<(u32, C)>>,
}

impl<C> Failure<C> {
    pub fn none() -> Self {
        Self { lowest: AtomicU32::new(u32::MAX), cause: Mutex::new(None) }
    }

    /// Whether a number may still start: nothing below it has failed, as far as is known here.
    #[inline]
    pub fn allows(&self, number: u32) -> bool {
        let lowest = self.lowest.load(Ordering::Relaxed);
        number <= lowest && !(planted(Fault::FailureStopsLower) && lowest < u32::MAX)
    }

    /// Notes that a number failed; returns the cause that lost, for the caller to drop outside of the lock.
    pub fn note(&self, number: u32, cause: C) -> Option<C> {
        let mut kept = self.cause.lock().expect("no code of a user runs under this lock");
        if kept.as_ref().is_some_and(|(lowest, _)| *lowest <= number || planted(Fault::FailureByTime)) {
            return Some(cause);
        }
        self.lowest.store(number, Ordering::Relaxed);
        kept.replace((number, cause)).map(|(_, lost)| lost)
    }

    /// The lowest number that failed, and why; asked when every hand has left.
    pub fn take(&self) -> Option<(u32, C)> {
        self.cause.lock().expect("no code of a user runs under this lock").take()
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_number_wins_in_whatever_order_failures_come() {
        let failure = Failure::none();
        assert!(failure.allows(7));
        assert_eq!(failure.note(5, 'b'), None);
        assert_eq!(failure.note(9, 'c'), Some('c'));
        assert_eq!(failure.note(2, 'a'), Some('b'));
        assert_eq!([failure.allows(1), failure.allows(2), failure.allows(3)], [true, true, false]);
        assert_eq!(failure.take(), Some((2, 'a')));
    }
}
