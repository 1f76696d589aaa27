use super::{ChunkView, QueryData, QueryFilter};
use crate::access::IdSet;
use crate::storage::{Archetype, ArchetypeId, Storage};

/// What a query looks for: the ids of its terms and filter, and the components that hide entities by default.
pub(super) struct Wanted<'w, D: QueryData, F: QueryFilter> {
    pub(super) data: D::State,
    pub(super) filter: F::State,
    pub(super) hidden: &'w IdSet,
}

impl<D: QueryData, F: QueryFilter> Clone for Wanted<'_, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for Wanted<'_, D, F> {}

impl<D: QueryData, F: QueryFilter> Wanted<'_, D, F> {
    /// Whether rows of the archetype can be yielded.
    pub(super) fn admits(&self, archetype: &Archetype) -> bool {
        let mask = archetype.mask();
        D::admits(self.data, mask) && F::admits(self.filter, mask) && self.shows(mask)
    }

    /// The same for the archetype of one chunk, by a look at the chunk's columns: a step for each term.
    #[inline]
    pub(super) fn admits_chunk(&self, view: ChunkView<'_>) -> bool {
        D::present(self.data, view)
            && (F::ADMITS_ALL || F::admits(self.filter, view.mask()))
            && (self.hidden.is_empty() || self.shows(view.mask()))
    }

    /// Whether the query names every component of the archetype that hides entities by default.
    fn shows(&self, mask: &IdSet) -> bool {
        if !self.hidden.intersects(mask) {
            return true;
        }
        let hiding = self.hidden.intersection(mask);
        let shown = |id| D::mentions(self.data, id) || F::mentions(self.filter, id);
        hiding.iter().all(shown)
    }
}

/// Archetypes that a query matched, kept from run to run: archetypes are never removed, so that only new ones are looked at.
///
/// It belongs to one world and one state of its registries; its owner makes a new one where either changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct MatchCache {
    matched: Vec<ArchetypeId>,
    seen: usize,
}

impl MatchCache {
    /// Looks at the archetypes that were made since the last call.
    pub(crate) fn update<D: QueryData, F: QueryFilter>(
        &mut self,
        data: D::State,
        filter: F::State,
        hidden: &IdSet,
        storage: &Storage,
    ) {
        let wanted = Wanted::<D, F> { data, filter, hidden };
        let fresh = storage.archetypes().iter().skip(self.seen);
        self.matched.extend(fresh.filter(|(_, archetype)| wanted.admits(archetype)).map(|(id, _)| id));
        self.seen = storage.archetypes().len();
    }

    /// The matched archetypes, in the order of their creation.
    pub(crate) fn matched(&self) -> &[ArchetypeId] {
        &self.matched
    }
}
