//! Values that outlive a tick: what they look like in memory, and how they become bytes, hashes and copies.
//!
//! [`Data`] values are plain bytes with a [`Schema`]; one interpreter of the schema serves checks, entity fields and
//! dumps. [`StateValue`] is everything that a world keeps beside its columns: Data, strings, vectors, maps and structs
//! of those.

mod codec;
mod data;
mod impls;
mod schema;
mod stream;

pub use codec::{DecodeError, MAX_NESTING, Sink, Source};
pub use data::Data;
pub(crate) use data::bytes_of;
#[doc(hidden)]
pub use data::{decode_data, encode_data, map_data_entities};
pub use schema::{Field, Schema, Variant};
pub use tickweave_derive::StateValue;

use crate::entity::MapEntities;

/// A value that is state but no column: a resource, a system's local, an event, a delayed command.
///
/// One encoding serves the hash and the bytes: [`encode`](Self::encode) writes the canonical form, little-endian, the
/// same for equal values; the hash of a value is the hash of that form. Derived for structs and enums of such values,
/// and by `derive(Component)` for Data components.
///
/// # Determinism
///
/// Equal values must encode to equal bytes. Hash containers do not implement the trait: the order of their entries is
/// no part of their value. Use `BTreeMap`, a sorted `Vec` or a `Vec`.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::value::{Sink, Source};
///
/// #[derive(Clone, Debug, PartialEq, StateValue)]
/// struct Score { name: String, points: Vec<u32>, best: Option<Entity> }
///
/// let score = Score { name: "wolf".into(), points: vec![3, 4], best: None };
/// let mut bytes = Vec::new();
/// score.encode(&mut Sink::new(&mut bytes));
/// let mut source = Source::new(&bytes);
/// assert_eq!(Score::decode(&mut source)?, score);
/// # Ok::<(), tickweave::value::DecodeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no state value: tickweave does not know how to hash, save and restore it",
    label = "not a `StateValue`",
    note = "for a struct or enum of your own: `#[derive(Clone, StateValue)]`",
    note = "instead of `f64` use `f32` or a `fixed` number; instead of `usize` use `u32` or `u64`; instead of a hash container use `BTreeMap`, `BTreeSet` or a sorted `Vec`"
)]
pub trait StateValue: MapEntities + Clone + Send + Sync + 'static {
    /// Writes the canonical bytes of the value.
    fn encode(&self, sink: &mut Sink<'_>);

    /// Reads what [`encode`](Self::encode) wrote.
    ///
    /// # Errors
    ///
    /// [`DecodeError`] if the bytes are no such value; never panics, and takes no more memory than the bytes justify.
    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError>;
}

#[cfg(test)]
mod tests;
