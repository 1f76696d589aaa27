//! The hash of state: 64 bits, ordered, the same on every platform and in every build.
//!
//! Words are folded in with the block mix of MurmurHash3 (x64, 64-bit lane; Austin Appleby, public domain), which is
//! a bijection of the state for each word and of the word for each state: two streams that differ in one word differ
//! in the result. Runs of bytes are reduced by rapidhash version 3, which is frozen, and folded as (length, hash).

use rapidhash::v3::rapidhash_v3;

const MULTIPLY_A: u64 = 0x87c3_7b91_1142_53d5;
const MULTIPLY_B: u64 = 0x4cf5_ad43_2745_937f;

/// Folds words and bytes, in order, into 64 bits.
///
/// # Determinism
///
/// The result depends on the domain, on the values and on their order, and on nothing else.
///
/// ```
/// use tickweave::hash::StateHasher;
/// let hash = |words: [u64; 2]| {
///     let mut hasher = StateHasher::new(0);
///     words.into_iter().for_each(|word| hasher.u64(word));
///     hasher.finish()
/// };
/// assert_ne!(hash([1, 2]), hash([2, 1]));
/// ```
#[derive(Clone, Debug)]
pub struct StateHasher {
    state: u64,
    words: u64,
}

impl StateHasher {
    /// A hasher for one kind of thing; different domains give unrelated hashes of the same words.
    #[must_use]
    pub const fn new(domain: u64) -> Self {
        Self { state: domain, words: 0 }
    }

    /// Folds in one word.
    #[inline]
    pub fn u64(&mut self, word: u64) {
        let mixed = word.wrapping_mul(MULTIPLY_A).rotate_left(31).wrapping_mul(MULTIPLY_B);
        self.state = (self.state ^ mixed).rotate_left(27).wrapping_mul(5).wrapping_add(0x52dc_e729);
        self.words += 1;
    }

    /// Folds in a run of bytes and its length.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.u64(bytes.len() as u64);
        self.u64(rapidhash_v3(bytes));
    }

    /// The hash of everything folded in so far.
    #[must_use]
    pub fn finish(&self) -> u64 {
        finalize(self.state ^ self.words)
    }
}

/// MurmurHash3's 64-bit finaliser: a bijection in which every input bit reaches every output bit.
const fn finalize(mut word: u64) -> u64 {
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ (word >> 33)
}

#[cfg(test)]
mod tests;
