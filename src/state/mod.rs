//! State as a value: what a world is, as a hash and as a readable dump.

mod content;
mod dump;
mod hash;

pub use dump::{Difference, Dump, DumpLine};
pub use hash::{StateHash, Unhashable};

#[cfg(test)]
mod tests;
