use super::Stream;
use crate::hash::StateHasher;

/// Keeps hashes of streams apart from hashes of anything else.
const DOMAIN: u64 = u64::from_le_bytes(*b"tw-rng-1");

/// What a stream is for: the same seed and key give unrelated streams for different purposes.
#[derive(Clone, Copy)]
enum Purpose {
    /// The stream of a system, draw after draw.
    System = 1,
    /// The streams of rows.
    Rows = 2,
    /// A stream that is no system's.
    Host = 3,
}

/// The name of a stream, hashed: 64 bits that depend on the name alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StreamKey(u64);

impl StreamKey {
    pub(crate) fn new(name: &str) -> Self {
        let mut hasher = StateHasher::new(DOMAIN);
        hasher.bytes(name.as_bytes());
        Self(hasher.finish())
    }

    /// The stream of a system, at its start.
    pub(crate) fn of_system(self, seed: u64) -> Stream {
        Stream::at(start(self.hasher(seed, Purpose::System)))
    }

    /// A stream that is no system's, at its start.
    pub(super) fn of_host(self, seed: u64) -> Stream {
        Stream::at(start(self.hasher(seed, Purpose::Host)))
    }

    /// What the streams of all rows have in common in a tick.
    pub(crate) fn of_rows(self, seed: u64, tick: u64) -> RowKey {
        let mut hasher = self.hasher(seed, Purpose::Rows);
        hasher.u64(tick);
        RowKey(hasher.finish())
    }

    fn hasher(self, seed: u64, purpose: Purpose) -> StateHasher {
        let mut hasher = StateHasher::new(DOMAIN);
        hasher.u64(seed);
        hasher.u64(self.0);
        hasher.u64(purpose as u64);
        hasher
    }
}

/// What the streams of all rows have in common in a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowKey(u64);

impl RowKey {
    /// The stream of the row with this number, at its start.
    #[inline]
    pub(crate) fn row(self, number: u64) -> Stream {
        let mut hasher = StateHasher::new(self.0);
        hasher.u64(number);
        Stream::at(start(hasher))
    }
}

/// 128 bits of a hash.
#[inline]
fn start(mut hasher: StateHasher) -> u128 {
    let high = hasher.finish();
    hasher.u64(0);
    u128::from(high) << 64 | u128::from(hasher.finish())
}
