#![expect(unsafe_code, reason = "fetches rows under the access that the query was granted")]

use super::iter::{Chunks, Fetched};
use super::{Query, QueryData, QueryFilter, ReadOnlyQueryData};
use crate::entity::Entity;
use crate::storage::Place;

/// Entity and place of each row that passes the filter, in query order. Nothing is entered for writing.
///
/// # Safety
///
/// The caller holds the access of the filter.
pub(super) unsafe fn places<D: QueryData, F: QueryFilter>(mut chunks: Chunks<'_, D, F>) -> Vec<(Entity, Place)> {
    let mut places = Vec::new();
    while let Some((view, rows)) = chunks.next() {
        // SAFETY: the terms fetch entities only, the filter's access is the caller's, and the rows are in use.
        unsafe {
            if let Some(fetched) = Fetched::<Entity, F>::new((), chunks.wanted().filter, view) {
                let passing = (0..rows).filter_map(|row| Some((fetched.row(row)?, view.place(row))));
                places.extend(passing);
            }
        }
    }
    places
}

/// Rows ordered by entity.
#[derive(Debug)]
pub struct SortedIter<'w, D: QueryData, F: QueryFilter> {
    query: Query<'w, D, F>,
    places: std::vec::IntoIter<(Entity, Place)>,
}

impl<'w, D: QueryData, F: QueryFilter> SortedIter<'w, D, F> {
    pub(super) fn new(query: Query<'w, D, F>, places: Vec<(Entity, Place)>) -> Self {
        Self { query, places: places.into_iter() }
    }
}

impl<'w, D: QueryData, F: QueryFilter> Iterator for SortedIter<'w, D, F> {
    type Item = D::Item<'w>;

    fn next(&mut self) -> Option<Self::Item> {
        let (entity, place) = self.places.next()?;
        // SAFETY: the places are rows in use that the query yields, each of them once, and we hold the query.
        Some(unsafe { self.query.item(entity, place) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.places.size_hint()
    }
}

/// Each set of `K` different rows, in query order.
#[derive(Debug)]
pub struct Combinations<'w, D: ReadOnlyQueryData, F: QueryFilter, const K: usize> {
    query: Query<'w, D, F>,
    places: Vec<(Entity, Place)>,
    next: Option<[usize; K]>,
}

impl<'w, D: ReadOnlyQueryData, F: QueryFilter, const K: usize> Combinations<'w, D, F, K> {
    pub(super) fn new(query: Query<'w, D, F>, places: Vec<(Entity, Place)>) -> Self {
        let first = core::array::from_fn(|index| index);
        let next = (K > 0 && K <= places.len()).then_some(first);
        Self { query, places, next }
    }

    /// The indices that follow, `None` behind the last set.
    fn successor(&self, mut indices: [usize; K]) -> Option<[usize; K]> {
        let rows = self.places.len();
        let raised = (0..K).rev().find(|&at| indices[at] < rows - (K - at))?;
        indices[raised] += 1;
        for at in raised + 1..K {
            indices[at] = indices[at - 1] + 1;
        }
        Some(indices)
    }
}

impl<'w, D: ReadOnlyQueryData, F: QueryFilter, const K: usize> Iterator for Combinations<'w, D, F, K> {
    type Item = [D::Item<'w>; K];

    fn next(&mut self) -> Option<Self::Item> {
        let indices = self.next?;
        self.next = self.successor(indices);
        Some(indices.map(|index| {
            let (entity, place) = self.places[index];
            // SAFETY: the places are rows in use that the query yields; the terms only read.
            unsafe { self.query.item(entity, place) }
        }))
    }
}
