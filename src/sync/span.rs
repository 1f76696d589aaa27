use core::ops::Range;

use super::{AtomicU64, Ordering};
use crate::fault::{Fault, planted};

/// Numbers that hands claim from both ends, each number once: half of what is left at a time, at least one number and at most
/// as many as were asked for.
///
/// The hand whose span it is takes from the front, so that it streams through memory; others help from the back. Claims
/// carry no data, so that no order is asked of them but that of the one word: next number (low half) and end (high half).
#[derive(Debug)]
pub struct Span(AtomicU64);

impl Span {
    pub fn new(numbers: Range<u32>) -> Self {
        Self(AtomicU64::new(pack(numbers)))
    }

    /// Numbers from the front; `None` if none is left.
    pub fn take_front(&self, most: u32) -> Option<Range<u32>> {
        self.take(|left| Some(split_front(left, most)))
    }

    /// Numbers from the front if they begin with `next`: for a hand that took those before it.
    pub fn go_on(&self, next: u32, most: u32) -> Option<Range<u32>> {
        self.take(|left| (left.start == next).then(|| split_front(left, most)))
    }

    /// Numbers from the back; `None` if none is left.
    pub fn take_back(&self, most: u32) -> Option<Range<u32>> {
        self.take(|left| {
            let cut = left.end - share(&left, most);
            Some((cut..left.end, left.start..cut))
        })
    }

    /// Whether none is left: once that is so, it stays so.
    pub fn is_empty(&self) -> bool {
        unpack(self.0.load(Ordering::Relaxed)).is_empty()
    }

    /// Takes what `cut` cuts off, and leaves the rest.
    fn take(&self, cut: impl Fn(Range<u32>) -> Option<(Range<u32>, Range<u32>)>) -> Option<Range<u32>> {
        let mut packed = self.0.load(Ordering::Relaxed);
        loop {
            let left = unpack(packed);
            if left.is_empty() {
                return None;
            }
            let (taken, rest) = cut(left)?;
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

/// How many of the numbers that are left a claim takes: half of them, so that hands end at the same time with few claims.
fn share(left: &Range<u32>, most: u32) -> u32 {
    ((left.end - left.start) / 2).max(1).min(most)
}

fn split_front(left: Range<u32>, most: u32) -> (Range<u32>, Range<u32>) {
    let cut = left.start + share(&left, most);
    (left.start..cut, cut..left.end)
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
        let span = Span::new(3..12);
        assert_eq!((span.take_front(2), span.take_back(9), span.take_front(9)), (Some(3..5), Some(9..12), Some(5..7)));
        assert_eq!((span.take_front(9), span.is_empty()), (Some(7..8), false));
        assert_eq!((span.take_back(9), span.take_back(9), span.take_front(9)), (Some(8..9), None, None));
        assert!(span.is_empty());
    }

    #[test]
    fn a_claim_goes_on_only_where_it_ended() {
        let span = Span::new(3..12);
        assert_eq!((span.go_on(4, 9), span.go_on(3, 9)), (None, Some(3..7)));
        assert_eq!((span.take_front(1), span.go_on(7, 9)), (Some(7..8), None));
        assert_eq!([8, 10, 11, 12].map(|next| span.go_on(next, 9)), [Some(8..10), Some(10..11), Some(11..12), None]);
    }
}
