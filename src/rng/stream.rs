use core::fmt;

use fixed::types::U0F32;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng;

use super::{Interval, StreamKey};

/// A stream of random numbers: 16 bytes that move with each draw.
///
/// Systems draw from the stream of their [`Rng`](crate::system::Rng) parameter. A stream of one's own fills a world before
/// the first tick, or is kept in a resource or a local: it is a state value.
///
/// The generator is PCG XSL RR 128/64 (MCG), also known as `pcg64_fast` (M. O'Neill, *PCG: A Family of Simple Fast
/// Space-Efficient Statistically Good Algorithms for Random Number Generation*, 2014). It has one cycle of 2^126 numbers, on
/// which streams start at places that a hash decides: that any two of `k` streams of `n` draws each meet has a chance of
/// about `k² n / 2^126`. It is no secret: who sees some draws can tell those to come.
///
/// # Determinism
///
/// Each method says how many numbers of 64 bits it takes from the generator, and what it makes of them. That is a contract:
/// to change it is a breaking change.
///
/// ```
/// use tickweave::rng::Stream;
///
/// let mut stream = Stream::new(42, "terrain");
/// let hills: Vec<u8> = (0..5).map(|_| stream.range(1..=6)).collect();
/// let mut again = Stream::new(42, "terrain");
/// assert!(hills.iter().all(|&hill| again.range(1..=6) == hill));
/// assert_eq!(stream, again);
/// assert_ne!(stream, Stream::new(42, "rivers"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Stream {
    generator: Pcg64Mcg,
}

impl Stream {
    /// The stream of a seed and a key, at its start. It is no system's, whatever the systems are called.
    #[must_use]
    pub fn new(seed: u64, key: &str) -> Self {
        StreamKey::new(key).of_host(seed)
    }

    /// A stream that starts at a place of the cycle, an odd number; the lowest bit of others is set.
    #[inline]
    pub(crate) fn at(place: u128) -> Self {
        Self { generator: Pcg64Mcg::new(place) }
    }

    /// Where on the cycle it is.
    pub(crate) fn place(&self) -> u128 {
        self.generator.state()
    }

    /// The next 64 bits: one number of the generator as it is.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// The next 32 bits: the upper half of one number.
    #[inline]
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// An integer from a range, each with the same chance: `low..high` or `low..=high`.
    ///
    /// The upper half of the product of one number and the size of the range; where the lower half says that some result
    /// would come up too often, another number is taken (D. Lemire, *Fast Random Integer Generation in an Interval*, ACM
    /// TOMACS 29(1), 2019, algorithm 5, for 64 bits). All integer types take the same way, so that a range gives the same
    /// draws in each of them.
    ///
    /// # Panics
    ///
    /// If the range is empty: there is nothing to draw. In a system that fails the tick.
    ///
    /// ```
    /// # use tickweave::rng::Stream;
    /// let mut stream = Stream::new(42, "dice");
    /// assert!((1..=6).contains(&stream.range(1..=6)));
    /// assert_eq!(stream.range(-3..-2), -3);
    /// assert!(stream.range(u64::MIN..=u64::MAX) > 0);
    /// ```
    #[inline]
    pub fn range<I: Interval>(&mut self, interval: I) -> I::Value {
        interval.draw(self)
    }

    /// Whether something happens that has a chance of `numerator` in `denominator`; certain if the chance is 1 or more.
    ///
    /// As `range(0..denominator) < numerator`, with the numbers that this takes: exact, without rounding.
    ///
    /// # Panics
    ///
    /// If the denominator is 0. In a system that fails the tick.
    ///
    /// ```
    /// # use tickweave::rng::Stream;
    /// let mut stream = Stream::new(42, "luck");
    /// assert!(!stream.chance(0, 20) && stream.chance(20, 20) && stream.chance(25, 20));
    /// ```
    #[inline]
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        assert!(denominator != 0, "a chance of {numerator} in 0 is none: the denominator must be at least 1");
        self.below(u64::from(denominator)) < u64::from(numerator)
    }

    /// A fixed-point number from 0 up to, but not including, 1; each of the 2^32 has the same chance.
    ///
    /// The upper 32 bits of one number.
    ///
    /// ```
    /// # use tickweave::rng::Stream;
    /// use fixed::types::I16F16;
    /// let mut stream = Stream::new(42, "wind");
    /// let wind = I16F16::from_num(stream.unit()) * 10;
    /// assert!(wind >= 0 && wind < 10);
    /// ```
    #[inline]
    pub fn unit(&mut self) -> U0F32 {
        U0F32::from_bits(self.next_u32())
    }

    /// A float from 0 up to, but not including, 1: a multiple of 2^-24, each with the same chance.
    ///
    /// The upper 24 bits of one number times 2^-24, which is exact.
    ///
    /// ```
    /// # use tickweave::rng::Stream;
    /// let mut stream = Stream::new(42, "wind");
    /// assert!((0.0..1.0).contains(&stream.unit_f32()));
    /// ```
    #[inline]
    pub fn unit_f32(&mut self) -> f32 {
        const STEP: f32 = 1.0 / (1 << 24) as f32;
        (self.next_u64() >> 40) as f32 * STEP
    }

    /// Puts values into an order, each with the same chance.
    ///
    /// Fisher-Yates from the last place down (D. Knuth, *The Art of Computer Programming*, volume 2, 3.4.2, algorithm P):
    /// each place but the first is swapped with `range(0..=place)`. Slices of less than two values take no number.
    ///
    /// ```
    /// # use tickweave::rng::Stream;
    /// let mut cards: Vec<u8> = (0..52).collect();
    /// Stream::new(42, "deck").shuffle(&mut cards);
    /// assert_ne!(cards, (0..52).collect::<Vec<u8>>());
    /// cards.sort();
    /// assert_eq!(cards, (0..52).collect::<Vec<u8>>());
    /// ```
    pub fn shuffle<T>(&mut self, values: &mut [T]) {
        for last in (1..values.len()).rev() {
            let other = self.range(0..=last);
            values.swap(last, other);
        }
    }

    /// One of several values, each with the same chance; `None` if there is none.
    ///
    /// The one at `range(0..values.len())`; an empty slice takes no number.
    ///
    /// ```
    /// # use tickweave::rng::Stream;
    /// let mut stream = Stream::new(42, "names");
    /// assert!(["Ada", "Bob"].contains(stream.pick(&["Ada", "Bob"]).unwrap()));
    /// assert_eq!(stream.pick::<u8>(&[]), None);
    /// ```
    pub fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        if values.is_empty() { None } else { values.get(self.range(0..values.len())) }
    }

    /// A number less than `bound`, which is not 0.
    #[inline]
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        let mut product = self.scaled(bound);
        if (product as u64) < bound {
            let too_often = bound.wrapping_neg() % bound;
            while (product as u64) < too_often {
                product = self.scaled(bound);
            }
        }
        (product >> 64) as u64
    }

    #[inline]
    fn scaled(&mut self, bound: u64) -> u128 {
        u128::from(self.next_u64()) * u128::from(bound)
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({:#034x})", self.place())
    }
}
