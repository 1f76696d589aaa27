use super::{OnceLock, RefCount, few};

/// Counts of the first slab. Each slab has twice as many as the one before it.
const FIRST: u32 = few(64).next_power_of_two();

/// As many slabs as there can be numbers.
const SLABS: usize = (u32::BITS - FIRST.trailing_zeros()) as usize;

/// Counts by number, which lie next to each other in memory and never move.
///
/// ```text
/// slab 0   [ 0 .. 63 ]
/// slab 1   [ 64 .. 191 ]
/// slab 2   [ 192 .. 447 ]
/// ```
///
/// Who counts many blocks up or down goes through few lines of memory, while each block is pages away from the next.
/// Slabs are made by one thread at a time; a number is handed over to others by whoever saw that it is there.
#[derive(Debug)]
pub struct RefCounts([OnceLock<Box<[RefCount]>>; SLABS]);

impl RefCounts {
    pub fn new() -> Self {
        Self([const { OnceLock::new() }; SLABS])
    }

    /// Sees to it that there are counts of the numbers below `end`: of one thread at a time.
    ///
    /// # Panics
    ///
    /// If there can't be as many numbers.
    pub fn reach(&self, end: u32) {
        assert!(end <= u32::MAX - FIRST, "no number is left for another block");
        let slabs = end.checked_sub(1).map_or(0, |last| place(last).0 + 1);
        for (slab, size) in self.0.iter().zip((0..slabs).map(|slab| FIRST << slab)) {
            slab.get_or_init(|| (0..size).map(|_| RefCount::of_nobody()).collect());
        }
    }

    /// # Panics
    ///
    /// If there is no such count.
    #[inline]
    pub fn get(&self, number: u32) -> &RefCount {
        let (slab, index) = place(number);
        &self.0[slab].get().expect("made before the number was handed out")[index]
    }
}

/// The slab of a number, and its place there.
#[inline]
const fn place(number: u32) -> (usize, usize) {
    let shifted = number + FIRST;
    let slab = shifted.ilog2() - FIRST.ilog2();
    (slab as usize, (shifted - (FIRST << slab)) as usize)
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn numbers_fill_one_slab_after_the_other() {
        assert_eq!([0, FIRST - 1].map(place), [(0, 0), (0, FIRST as usize - 1)]);
        assert_eq!([FIRST, 3 * FIRST - 1, 3 * FIRST].map(place), [(1, 0), (1, 2 * FIRST as usize - 1), (2, 0)]);
        assert_eq!(place(u32::MAX - FIRST).0, SLABS - 1);
    }

    #[test]
    fn counts_stay_where_they_are_when_more_come() {
        let counts = RefCounts::new();
        counts.reach(1);
        let first: *const RefCount = counts.get(0);
        counts.get(0).begin();
        counts.reach(1000);
        assert!(counts.get(0).is_sole() && core::ptr::eq(first, counts.get(0)));
        assert!(!counts.get(999).is_sole());
    }
}
