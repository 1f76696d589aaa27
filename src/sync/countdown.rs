use super::{AtomicU32, Ordering, unless};
use crate::fault::{Fault, planted};

/// How many predecessors of a node have not finished: the one who finishes the last of them is told so, and nobody else.
///
/// ```text
/// down   release: what the predecessor wrote; acquire: the last one sees what all of them wrote
/// ```
#[derive(Debug)]
pub struct Countdown(AtomicU32);

impl Countdown {
    pub fn new(predecessors: u32) -> Self {
        Self(AtomicU32::new(predecessors))
    }

    /// One more predecessor has finished; whether it was the last.
    pub fn down(&self) -> bool {
        if planted(Fault::CountdownLoadsThenStores) {
            let left = self.0.load(Ordering::Acquire) - 1;
            self.0.store(left, Ordering::Release);
            return left == 0;
        }
        self.0.fetch_sub(1, unless(Fault::CountdownUnordered, Ordering::AcqRel)) == 1
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_predecessor_is_told_so() {
        let countdown = Countdown::new(3);
        assert_eq!([countdown.down(), countdown.down(), countdown.down()], [false, false, true]);
    }
}
