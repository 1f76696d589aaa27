#![expect(unsafe_code, reason = "hands out rows as slices under the access that the query was granted")]

use core::marker::PhantomData;

use super::iter::{Chunks, Fetched};
use super::{Has, QueryData, QueryFilter};
use crate::component::Component;
use crate::entity::Entity;

/// Terms whose rows can be handed out as slices: `&T`, `&mut T`, [`Entity`], [`Has<T>`], `Option` of those, and tuples.
///
/// # Safety
///
/// [`slice`](Self::slice) touches what [`terms`](QueryData::terms) names, in exactly the rows that it is asked for.
#[diagnostic::on_unimplemented(
    message = "the rows of `{Self}` can't be handed out as slices",
    label = "no slices",
    note = "terms with slices are `&T`, `&mut T`, `Entity`, `Has<T>`, `Option` of those, and tuples of them"
)]
pub unsafe trait ChunkData: QueryData {
    /// The rows of a chunk or batch: a slice for each term.
    type Slice<'w>;

    /// The rows `first..first + count`.
    ///
    /// # Safety
    ///
    /// The rows are in use, and no other item or slice with one of them lives if the terms write.
    unsafe fn slice<'w>(fetch: Self::Fetch<'w>, first: u32, count: u32) -> Self::Slice<'w>;
}

// SAFETY: `count` rows from `first` on.
unsafe impl<T: Component> ChunkData for &T {
    type Slice<'w> = &'w [T];

    #[inline]
    unsafe fn slice<'w>(fetch: Self::Fetch<'w>, first: u32, count: u32) -> Self::Slice<'w> {
        // SAFETY: the rows are in use and nobody writes them while `'w` lasts.
        unsafe { core::slice::from_raw_parts(fetch.add(first as usize), count as usize) }
    }
}

// SAFETY: `count` rows from `first` on.
unsafe impl<T: Component> ChunkData for &mut T {
    type Slice<'w> = &'w mut [T];

    #[inline]
    unsafe fn slice<'w>(fetch: Self::Fetch<'w>, first: u32, count: u32) -> Self::Slice<'w> {
        // SAFETY: the rows are in use, the block is ours alone, and no other reference to one of them lives.
        unsafe { core::slice::from_raw_parts_mut(fetch.rows(first, count), count as usize) }
    }
}

// SAFETY: `count` rows from `first` on.
unsafe impl ChunkData for Entity {
    type Slice<'w> = &'w [Entity];

    #[inline]
    unsafe fn slice<'w>(fetch: Self::Fetch<'w>, first: u32, count: u32) -> Self::Slice<'w> {
        // SAFETY: the rows are in use and nobody writes the column of entities while systems run.
        unsafe { core::slice::from_raw_parts(fetch.add(first as usize), count as usize) }
    }
}

// SAFETY: touches no row.
unsafe impl<T: Component> ChunkData for Has<T> {
    type Slice<'w> = bool;

    unsafe fn slice<'w>(fetch: Self::Fetch<'w>, _: u32, _: u32) -> Self::Slice<'w> {
        fetch
    }
}

// SAFETY: the rows of the inner term.
unsafe impl<D: ChunkData> ChunkData for Option<D> {
    type Slice<'w> = Option<D::Slice<'w>>;

    unsafe fn slice<'w>(fetch: Self::Fetch<'w>, first: u32, count: u32) -> Self::Slice<'w> {
        // SAFETY: the contract is passed on.
        fetch.map(|fetch| unsafe { D::slice(fetch, first, count) })
    }
}

macro_rules! tuple_slices {
    ($($name:ident),*) => {
        // SAFETY: the rows of every member.
        #[allow(unused_variables, non_snake_case, clippy::unused_unit, reason = "a macro for every arity, also none")]
        unsafe impl<$($name: ChunkData),*> ChunkData for ($($name,)*) {
            type Slice<'w> = ($($name::Slice<'w>,)*);

            #[inline]
            unsafe fn slice<'w>(($($name,)*): Self::Fetch<'w>, first: u32, count: u32) -> Self::Slice<'w> {
                // SAFETY: the contract is passed on; the members touch different columns, or only read.
                ($(unsafe { $name::slice($name, first, count) },)*)
            }
        }
    };
}

crate::tuples::every_arity!(tuple_slices);

/// The chunks of a query, in query order, as slices.
pub struct ChunkIter<'w, D: ChunkData, F: QueryFilter> {
    chunks: Chunks<'w, D, F>,
    marker: PhantomData<D::Slice<'w>>,
}

impl<'w, D: ChunkData, F: QueryFilter> ChunkIter<'w, D, F> {
    /// # Safety
    ///
    /// The caller holds the access of terms and filter while `'w` lasts, no two iterators with terms that write live, and
    /// the filter lets chunks pass whole or not at all.
    pub(super) unsafe fn new(chunks: Chunks<'w, D, F>) -> Self {
        Self { chunks, marker: PhantomData }
    }
}

impl<'w, D: ChunkData, F: QueryFilter> Iterator for ChunkIter<'w, D, F> {
    type Item = D::Slice<'w>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (view, rows) = self.chunks.next()?;
            let wanted = self.chunks.wanted();
            // SAFETY: the access is ours by the contract of `new`, the chunk is one that the query admits, all its rows
            // are in use, and each chunk is handed out once.
            unsafe {
                if let Some(fetched) = Fetched::<D, F>::new(wanted.data, wanted.filter, view) {
                    return Some(D::slice(fetched.data(), 0, rows));
                }
            }
        }
    }
}

impl<D: ChunkData, F: QueryFilter> core::fmt::Debug for ChunkIter<'_, D, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ChunkIter").finish_non_exhaustive()
    }
}
