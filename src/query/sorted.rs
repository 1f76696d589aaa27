#![expect(unsafe_code, reason = "fetches rows under the access that the query was granted")]

use super::iter::{Chunks, Fetched};
use super::{Query, QueryData, QueryFilter, ReadOnlyQueryData};
use crate::entity::Entity;

/// The entity of each row that passes the filter, in query order. Nothing is entered for writing.
///
/// # Safety
///
/// The caller holds the access of the filter.
pub(super) unsafe fn passing<D: QueryData, F: QueryFilter>(mut chunks: Chunks<'_, D, F>) -> Vec<Entity> {
    let mut entities = Vec::new();
    while let Some((view, rows)) = chunks.next() {
        // SAFETY: the terms fetch entities only, the filter's access is the caller's, and the rows are in use.
        unsafe {
            if let Some(fetched) = Fetched::<Entity, F>::new((), chunks.wanted().filter, view) {
                entities.extend((0..rows).filter_map(|row| fetched.row(row)));
            }
        }
    }
    entities
}

/// Rows ordered by entity.
#[derive(Debug)]
pub struct SortedIter<'w, D: QueryData, F: QueryFilter> {
    query: Query<'w, D, F>,
    entities: std::vec::IntoIter<Entity>,
}

impl<'w, D: QueryData, F: QueryFilter> SortedIter<'w, D, F> {
    pub(super) fn new(query: Query<'w, D, F>, entities: Vec<Entity>) -> Self {
        Self { query, entities: entities.into_iter() }
    }
}

impl<'w, D: QueryData, F: QueryFilter> Iterator for SortedIter<'w, D, F> {
    type Item = D::Item<'w>;

    fn next(&mut self) -> Option<Self::Item> {
        let entity = self.entities.next()?;
        // SAFETY: the query yields the entities, each is asked for once, and we hold the query.
        Some(unsafe { self.query.item(entity) })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.entities.size_hint()
    }
}

/// Each set of `K` different rows, in query order.
#[derive(Debug)]
pub struct Combinations<'w, D: ReadOnlyQueryData, F: QueryFilter, const K: usize> {
    query: Query<'w, D, F>,
    entities: Vec<Entity>,
    next: Option<[usize; K]>,
}

impl<'w, D: ReadOnlyQueryData, F: QueryFilter, const K: usize> Combinations<'w, D, F, K> {
    pub(super) fn new(query: Query<'w, D, F>, entities: Vec<Entity>) -> Self {
        let first = core::array::from_fn(|index| index);
        let next = (K > 0 && K <= entities.len()).then_some(first);
        Self { query, entities, next }
    }

    /// The indices that follow, `None` behind the last set.
    fn successor(&self, mut indices: [usize; K]) -> Option<[usize; K]> {
        let rows = self.entities.len();
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
            // SAFETY: the query yields the entities; the terms only read.
            unsafe { self.query.item(self.entities[index]) }
        }))
    }
}
