//! Worlds and sets of entities as canonical bytes, and readers that trust none of them.
//!
//! `docs/save.md` has the format in a table. Writing is one pass over the world. Reading has three steps, each of which can
//! refuse: the bytes alone (`parse`), the bytes against the registrations of the world, and the values, which become a
//! storage beside that of the world (`storage/rebuild`). Only then something of the world is replaced.

mod entities;
mod entity_map;
mod error;
mod facts;
mod load;
mod notation;
mod parse;
mod reader;
mod rows;
mod section_names;
mod write;
mod writer;

pub use entity_map::EntityMap;
pub use error::{LoadError, Mismatch, SaveError};

use crate::hash::StateHasher;

/// The first bytes of everything that is saved.
const MAGIC: &[u8; 8] = b"tickwvsv";

/// The version of the format of saved bytes.
const FORMAT_VERSION: u32 = 1;

/// Bytes in front of the settings: magic, version, contents, length.
const HEADER: usize = 24;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;

/// The domain of the checksum among other hashes.
const CHECKSUM_DOMAIN: u64 = 9;

/// What saved bytes hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    /// All state of a world.
    World = 0,
    /// Some entities and their values, without history.
    Entities = 1,
}

/// The checksum of everything in front of it.
fn checksum(bytes: &[u8]) -> u64 {
    let mut hasher = StateHasher::new(CHECKSUM_DOMAIN);
    hasher.bytes(bytes);
    hasher.finish()
}
