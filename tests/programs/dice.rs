//! The one source of chance: a small generator with the seed of the program.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Seeded dice.
#[derive(Debug)]
pub(crate) struct Dice(Pcg32);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Pcg32::seed_from_u64(seed))
    }

    /// Any number.
    pub(crate) fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `end`, which is not 0. That low numbers come up a little more often does no harm.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0.next_u32() % end
    }

    /// A number from `low` to `high`, both included.
    pub(crate) fn from(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True once in so many times.
    pub(crate) fn one_in(&mut self, times: u32) -> bool {
        self.below(times) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u32) as usize]
    }

    /// One of several, each as often as its weight says.
    pub(crate) fn weighted<T: Copy>(&mut self, all: &[(u32, T)]) -> T {
        let mut left = self.below(all.iter().map(|(weight, _)| weight).sum());
        for &(weight, one) in all {
            if left < weight {
                return one;
            }
            left -= weight;
        }
        unreachable!("the number is below the sum of the weights")
    }
}
