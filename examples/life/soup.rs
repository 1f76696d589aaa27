//! Random starting patterns that are the same on every machine.

#[cfg(test)]
mod tests;

use crate::cell::Cell;

/// Places that a soup may have.
pub(crate) const MAX_AREA: u64 = 1 << 23;

/// A rectangle around the origin in which three of eight cells live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Soup {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) seed: u64,
}

impl Soup {
    /// Over 390,000 live cells.
    pub(crate) const DEFAULT: Self = Self { width: 1024, height: 1024, seed: 42 };

    /// The live cells, in reading order.
    pub(crate) fn cells(self) -> Vec<Cell> {
        let mut random = SplitMix64(self.seed);
        let corner = Cell { x: 0, y: 0 }.offset(-((self.width / 2) as i32), -((self.height / 2) as i32));
        let mut cells = Vec::new();
        for y in 0..self.height {
            for x in (0..self.width).step_by(64) {
                let live = random.three_of_eight() & first_bits(self.width - x);
                cells.extend(ones(live).map(|bit| corner.offset((x + bit) as i32, y as i32)));
            }
        }
        cells
    }
}

/// The lowest `count` bits, all of them from 64 on.
fn first_bits(count: u32) -> u64 {
    if count < 64 { (1 << count) - 1 } else { u64::MAX }
}

fn ones(word: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| word >> bit & 1 == 1)
}

/// The generator SplitMix64, from integers alone.
///
/// Published by G. L. Steele Jr., D. Lea and C. H. Flood in "Fast splittable pseudorandom number generators" (OOPSLA 2014),
/// with the constants of S. Vigna's public domain version in C, <https://prng.di.unimi.it/splitmix64.c>.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ word >> 31
    }

    /// A word each bit of which is set with a chance of 3/8.
    fn three_of_eight(&mut self) -> u64 {
        let [a, b, c] = std::array::from_fn(|_| self.next());
        a & (b | c)
    }
}
