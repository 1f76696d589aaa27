//! Streams of random numbers: the same draws on every platform, in every build, for any number of threads.
//!
//! A [`Stream`] is a place on the one cycle of a generator, and moves along it with each draw. Where it starts follows from
//! the seed of the world, the key of the stream and its purpose, so that no stream depends on who else draws. Systems have
//! theirs as parameter [`Rng`](crate::system::Rng).
//!
//! ```text
//! key    = hash(name)                                  64 bits
//! start  = hash(seed, key, purpose)                    128 bits: where a stream of a system, or of the host, starts
//! rows   = hash(seed, key, purpose, tick)              64 bits
//! start  = hash(rows, entity)                          128 bits: where the stream of a row starts
//! draw   = pcg64_fast from there on                    64 bits
//! ```
//!
//! The hash is [`StateHasher`](crate::hash::StateHasher). It takes one word in by a bijection, so that within one tick no
//! two rows of a stream start at the same place. What is made of the 64 bits of a draw is code of this room: the sampling
//! of another crate can't change a result.

mod interval;
mod key;
mod stream;

pub use interval::{Integer, Interval};
#[doc(hidden)]
pub use key::RowKey;
pub(crate) use key::StreamKey;
pub use stream::Stream;

#[cfg(test)]
mod tests;
