//! Which rows, which columns: terms, filters, matching and iteration.
//!
//! A query is a tuple of terms (what to fetch: [`QueryData`]) and a filter (which rows: [`QueryFilter`]). Rows come in
//! **query order**: archetypes in the order of their creation, rows in their order in the archetype.

mod chunk_view;
mod chunks;
mod error;
mod filter;
mod gather;
mod iter;
mod lookup;
mod matching;
mod par;
mod rows;
mod sorted;
mod term;
mod units;
mod write;

pub use chunk_view::ChunkView;
pub use chunks::{ChunkData, ChunkIter};
pub use error::{QueryError, SingleError};
pub use filter::{Added, Changed, ChunkChanged, Or, QueryFilter, Show, WholeChunks, With, Without};
pub use gather::Lookup;
pub use iter::QueryIter;
pub(crate) use matching::{MatchCache, access_of, can_match, clash, reads_of, touches_only};
pub use matching::{Term, Touch};
pub(crate) use par::pass_on;
pub use rows::Query;
pub use sorted::{Combinations, SortedIter};
pub use term::{Has, QueryData, ReadOnlyQueryData, Resolver};
pub use tickweave_derive::QueryRow;
pub(crate) use units::{UnitRows, Units};
pub use write::Write;

/// What a reader and writer of rows knows of time: the stamp of its own writes, and that of its last run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunStamps {
    /// The stamp of what is written now.
    pub(crate) now: u64,
    /// Changes after this stamp are new to the reader.
    pub(crate) last: u64,
}
