//! State as a value: what a world is, as a hash, as a readable dump and as a snapshot.

mod content;
mod dump;
mod hash;
mod ring;
mod snapshot;

pub use dump::{Difference, Dump, DumpLine};
pub use hash::{StateHash, Unhashable};
pub use ring::SnapshotRing;
pub use snapshot::{RestoreError, Snapshot, SnapshotError};

#[cfg(test)]
mod tests;
