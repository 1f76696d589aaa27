//! The systems over types, for each trio of two component types and a filter.

use tickweave::prelude::*;
use tickweave::query::{QueryFilter, WholeChunks};
use tickweave::system::SystemConfig;

use super::{Role, draws, nested, queries, rows};
use crate::parts::*;

type Make = fn(Role) -> SystemConfig;

/// The systems over a type that is written, one that is read, and filters.
pub(super) struct TrioTable {
    kinds: (Kind, Kind),
    filters: [fn() -> &'static str; 2],
    pub(super) each_write: Make,
    pub(super) each_lazy: Make,
    pub(super) each_orders: Make,
    pub(super) chunk_write: Make,
    pub(super) chunk_orders: Make,
    pub(super) query_write: Make,
    pub(super) query_tally: Make,
    pub(super) query_orders: Make,
    pub(super) nested_write: Make,
    pub(super) nested_orders: Make,
    pub(super) nested_batches: Make,
    pub(super) nested_deep: Make,
    pub(super) nested_fold: Make,
    pub(super) dynamic: Make,
    pub(super) pinned: Make,
    pub(super) twin: Make,
    pub(super) follow: Make,
    pub(super) each_gather: Make,
    pub(super) chunk_gather: Make,
    pub(super) each_draw: Make,
    pub(super) query_draw: Make,
    pub(super) nested_draw: Make,
}

const fn table<A: Part, B: Part, F: QueryFilter + 'static, G: WholeChunks + 'static>() -> TrioTable {
    TrioTable {
        kinds: (A::KIND, B::KIND),
        filters: [core::any::type_name::<F>, core::any::type_name::<G>],
        each_write: rows::each_write::<A, B, F>,
        each_lazy: rows::each_lazy::<A, B, F>,
        each_orders: rows::each_orders::<A, B, F>,
        chunk_write: rows::chunk_write::<A, B, G>,
        chunk_orders: rows::chunk_orders::<A, B, G>,
        query_write: queries::query_write::<A, B, F>,
        query_tally: queries::query_tally::<A, B, F>,
        query_orders: queries::query_orders::<A, B, F>,
        nested_write: nested::nested_write::<A, B, F>,
        nested_orders: nested::nested_orders::<A, B, F>,
        nested_batches: nested::nested_batches::<A, G>,
        nested_deep: nested::nested_deep::<A, B, F>,
        nested_fold: nested::nested_fold::<A, B, F>,
        dynamic: queries::dynamic::<A, B>,
        pinned: queries::pinned::<A, F>,
        twin: queries::twin::<A>,
        follow: queries::follow::<A, B>,
        each_gather: rows::each_gather::<A, B>,
        chunk_gather: rows::chunk_gather::<A, B, G>,
        each_draw: draws::each_draw::<A, B, F>,
        query_draw: draws::query_draw::<A, B, F>,
        nested_draw: draws::nested_draw::<A, F>,
    }
}

type FlagOr<T> = Or<(With<Flag>, T)>;

/// Hubs are `Long`, `Link` and `Counted`: most pairs of trios meet in one of them.
static TRIOS: [TrioTable; 16] = [
    table::<Long, Byte, (), ()>(),
    table::<Byte, Long, (), ChunkChanged<Long>>(),
    table::<Long, Link, With<Flag>, (With<Flag>, ChunkChanged<Long>)>(),
    table::<Long, Triple, Without<Flag>, Without<Flag>>(),
    table::<Triple, Long, Changed<Long>, ChunkChanged<Triple>>(),
    table::<Link, Long, (), Without<Mark>>(),
    table::<Counted, Link, Changed<Link>, ChunkChanged<Link>>(),
    table::<Long, Counted, FlagOr<Changed<Counted>>, FlagOr<ChunkChanged<Counted>>>(),
    table::<Text, Counted, (), ()>(),
    table::<Wide, Real, (Without<Mark>, Added<Long>), With<Line>>(),
    table::<Real, Wide, FlagOr<With<Line>>, FlagOr<ChunkChanged<Real>>>(),
    table::<Bulk, Short, Show<Mark>, Show<Mark>>(),
    table::<Line, Bulk, (), (Without<Mark>, ChunkChanged<Line>)>(),
    table::<Short, Link, (With<Link>, Without<Flag>), ()>(),
    table::<Sealed, Long, (), ()>(),
    table::<Link, Text, Or<(Changed<Mark>, Changed<Link>)>, ChunkChanged<Link>>(),
];

pub(crate) const TRIO_COUNT: usize = TRIOS.len();

pub(super) fn trio(number: usize) -> &'static TrioTable {
    &TRIOS[number]
}

/// The type that is written and the one that is read.
pub(crate) fn trio_kinds(number: usize) -> (Kind, Kind) {
    TRIOS[number].kinds
}

/// The filters of rows and of chunks, as code.
pub(crate) fn trio_filters(number: usize) -> (String, String) {
    let [rows, chunks] = TRIOS[number].filters;
    (without_paths(rows()), without_paths(chunks()))
}

/// A type name without the modules in it.
fn without_paths(name: &str) -> String {
    let ends = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
    name.split_inclusive(ends).map(|word| word.rsplit("::").next().unwrap_or(word)).collect()
}
