use core::ops::Range;

use super::{AtomicU64, Ordering};
use crate::fault::{Fault, planted};

/// Numbers that hands claim from both ends, each number once.
///
/// The hand whose span it is takes from the front, so that it streams through memory; others help from the back. Claims
/// carry no data, so that no order is asked of them but that of the one word: next number (low half) and end (high half).
#[derive(Debug)]
pub struct Span(AtomicU64);

impl Span {
    pub fn new(numbers: Range<u32>) -> Self {
        Self(AtomicU64::new(pack(numbers)))
    }

    /// At most `most` numbers from the front; `None` if none is left.
    pub fn take_front(&self, most: u32) -> Option<Range<u32>> {
        self.take(|left| {
            let cut = left.start + most.min(left.end - left.start);
            (left.start..cut, cut..left.end)
        })
    }

    /// At most `most` numbers from the back; `None` if none is left.
    pub fn take_back(&self, most: u32) -> Option<Range<u32>> {
        self.take(|left| {
            let cut = left.end - most.min(left.end - left.start);
            (cut..left.end, left.start..cut)
        })
    }

    fn take(&self, cut: impl Fn(Range<u32>) -> (Range<u32>, Range<u32>)) -> Option<Range<u32>> {
        let mut packed = self.0.load(Ordering::Relaxed);
        loop {
            let left = unpack(packed);
            if left.is_empty() {
                return None;
            }
            let (taken, rest) = cut(left);
            if planted(Fault::SpanLoadsThenStores) {
                self.0.store(pack(rest), Ordering::Relaxed);
                return Some(taken);
            }
            match self.0.compare_exchange(packed, pack(rest), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(taken),
                Err(now) => packed = now,
            }
        }
    }
}

fn pack(numbers: Range<u32>) -> u64 {
    u64::from(numbers.end) << 32 | u64::from(numbers.start)
}

fn unpack(packed: u64) -> Range<u32> {
    packed as u32..(packed >> 32) as u32
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_claimed_once_from_either_end() {
        let span = Span::new(3..10);
        assert_eq!(span.take_front(2), Some(3..5));
        assert_eq!(span.take_back(3), Some(7..10));
        assert_eq!(span.take_front(u32::MAX), Some(5..7));
        assert_eq!((span.take_front(1), span.take_back(1)), (None, None));
    }
}
