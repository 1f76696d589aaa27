#![expect(unsafe_code, reason = "holds access to rows, and hands it out under the borrow rules")]

use core::fmt;
use core::marker::PhantomData;

use super::chunks::ChunkIter;
use super::iter::{Chunks, Matches};
use super::matching::Wanted;
use super::sorted::{Combinations, SortedIter, passing};
use super::{
    ChunkData, MatchCache, QueryData, QueryFilter, QueryIter, ReadOnlyQueryData, RunStamps, SingleError, WholeChunks,
};
use crate::access::IdSet;
use crate::entity::Entity;
use crate::jobs::Team;
use crate::storage::Storage;

/// The rows of a world that have what the terms `D` ask for and that the filter `F` lets pass.
///
/// A parameter of systems, and what [`World::query`](crate::world::World::query) and
/// [`World::query_mut`](crate::world::World::query_mut) return. Rows come in **query order**: archetypes in the order of
/// their creation, rows in their order in the archetype.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Enemy;
///
/// let mut world = World::new();
/// let wolf = world.spawn((Health(3), Enemy));
/// world.spawn(Health(5));
/// for health in world.query_mut::<&mut Health, With<Enemy>>() {
///     health.0 -= 1;
/// }
/// let all = world.query::<(Entity, &Health), ()>();
/// assert_eq!(all.count(), 2);
/// assert_eq!(all.get(wolf)?.1.0, 2);
/// # Ok::<(), tickweave::query::QueryError>(())
/// ```
pub struct Query<'w, D: QueryData, F: QueryFilter = ()> {
    pub(super) storage: &'w Storage,
    pub(super) stamps: RunStamps,
    pub(super) wanted: Wanted<'w, D, F>,
    pub(super) matches: Matches<'w>,
    /// The hands around a system that runs.
    pub(super) team: Option<Team<'w>>,
    marker: PhantomData<D::Item<'w>>,
}

impl<'w, D: ReadOnlyQueryData> Query<'w, D> {
    /// A query from which no component hides entities.
    ///
    /// # Safety
    ///
    /// As for [`scan`](Self::scan), for every entity.
    #[inline]
    pub(super) unsafe fn of_any(storage: &'w Storage, data: D::State) -> Self {
        // Terms that only read leave no stamp, and without a filter none is read.
        let stamps = RunStamps { now: 0, last: 0 };
        let wanted = Wanted { data, filter: (), hidden: None };
        Self { storage, stamps, wanted, matches: Matches::Scan, team: None, marker: PhantomData }
    }
}

impl<'w, D: QueryData, F: QueryFilter> Query<'w, D, F> {
    /// A query that looks at every archetype.
    ///
    /// # Safety
    ///
    /// While the query and what it yields live, the caller holds the access of terms and filter, terms do not clash, and
    /// nothing changes structure.
    pub(crate) unsafe fn scan(
        storage: &'w Storage,
        hidden: &'w IdSet,
        data: D::State,
        filter: F::State,
        stamps: RunStamps,
    ) -> Self {
        let wanted = Wanted::new(data, filter, hidden);
        Self { storage, stamps, wanted, matches: Matches::Scan, team: None, marker: PhantomData }
    }

    /// A query over the archetypes of a cache that is up to date.
    ///
    /// # Safety
    ///
    /// As for [`scan`](Self::scan).
    pub(crate) unsafe fn cached(
        storage: &'w Storage,
        hidden: &'w IdSet,
        data: D::State,
        filter: F::State,
        cache: &'w MatchCache,
        stamps: RunStamps,
    ) -> Self {
        let wanted = Wanted::new(data, filter, hidden);
        Self { storage, stamps, wanted, matches: Matches::Cached(cache.matched()), team: None, marker: PhantomData }
    }

    /// The same query, whose loops are shared out among a team.
    pub(crate) fn with_team(mut self, team: Option<Team<'w>>) -> Self {
        self.team = team;
        self
    }

    /// The same rows for reading, from a shared query.
    pub(super) fn reading(&self) -> Query<'_, D::ReadOnly, F> {
        let wanted = Wanted { data: self.wanted.data, filter: self.wanted.filter, hidden: self.wanted.hidden };
        Query {
            storage: self.storage,
            stamps: self.stamps,
            wanted,
            matches: self.matches,
            team: self.team,
            marker: PhantomData,
        }
    }

    /// The same rows for as long as this query is borrowed.
    pub(crate) fn reborrow(&mut self) -> Query<'_, D, F> {
        Query {
            storage: self.storage,
            stamps: self.stamps,
            wanted: self.wanted,
            matches: self.matches,
            team: self.team,
            marker: PhantomData,
        }
    }

    fn chunks(&self) -> Chunks<'w, D, F> {
        Chunks::new(self.storage, self.stamps, self.wanted, self.matches)
    }

    /// The rows, for reading.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let healths = world.query_mut::<&mut Health, ()>();
    /// assert_eq!(healths.iter().map(|health| health.0).sum::<u32>(), 16);
    /// ```
    pub fn iter(&self) -> QueryIter<'_, D::ReadOnly, F> {
        self.reading().into_iter()
    }

    /// The rows.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let mut healths = world.query_mut::<&mut Health, ()>();
    /// healths.iter_mut().for_each(|health| health.0 += 1);
    /// assert_eq!(healths.iter().map(|health| health.0).collect::<Vec<_>>(), [4, 9, 6]);
    /// ```
    pub fn iter_mut(&mut self) -> QueryIter<'_, D, F> {
        self.reborrow().into_iter()
    }

    /// Calls `each` with every row: the fastest way, since the compiler sees one loop for each chunk.
    pub fn for_each(&mut self, each: impl FnMut(D::Item<'_>)) {
        self.iter_mut().for_each(each);
    }

    /// How many rows there are; it costs a step for each archetype where the filter names components only.
    #[must_use]
    pub fn count(&self) -> usize {
        if !F::ARCHETYPAL {
            return self.iter().count();
        }
        let (mut chunks, mut count) = (self.chunks(), 0);
        while let Some((_, rows)) = chunks.next() {
            count += rows as usize;
        }
        count
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// The only row, for reading.
    ///
    /// # Errors
    ///
    /// [`SingleError`] if there is none or more than one.
    pub fn single(&self) -> Result<<D::ReadOnly as QueryData>::Item<'_>, SingleError> {
        only(self.iter())
    }

    /// The only row.
    ///
    /// # Errors
    ///
    /// [`SingleError`] if there is none or more than one.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health(3));
    /// world.query_mut::<&mut Health, ()>().single_mut()?.0 = 9;
    /// assert_eq!(world.query::<&Health, ()>().single()?, &Health(9));
    /// world.spawn(Health(1));
    /// assert_eq!(world.query::<&Health, ()>().single().unwrap_err().code(), "single-many");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn single_mut(&mut self) -> Result<D::Item<'_>, SingleError> {
        only(self.iter_mut())
    }

    /// Each set of `K` different rows once, in query order, for reading.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let healths = world.query::<&Health, ()>();
    /// let pairs: Vec<_> = healths.iter_combinations().map(|[a, b]| (a.0, b.0)).collect();
    /// assert_eq!(pairs, [(3, 8), (3, 5), (8, 5)]);
    /// ```
    pub fn iter_combinations<const K: usize>(&self) -> Combinations<'_, D::ReadOnly, F, K> {
        let query = self.reading();
        let found = query.passing();
        Combinations::new(query, found)
    }

    /// The rows ordered by entity, for reading. It sorts, so that it costs more than query order.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// world.despawn(wolves[0])?; // the last row takes its place
    /// let rows = world.query::<Entity, ()>();
    /// assert_eq!(rows.iter().collect::<Vec<_>>(), [wolves[2], wolves[1]]);
    /// assert_eq!(rows.iter_sorted_by_entity().collect::<Vec<_>>(), [wolves[1], wolves[2]]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter_sorted_by_entity(&self) -> SortedIter<'_, D::ReadOnly, F> {
        self.reading().into_sorted()
    }

    /// The rows ordered by entity.
    pub fn iter_sorted_by_entity_mut(&mut self) -> SortedIter<'_, D, F> {
        self.reborrow().into_sorted()
    }

    fn into_sorted(self) -> SortedIter<'w, D, F> {
        let mut found = self.passing();
        found.sort_unstable();
        SortedIter::new(self, found)
    }

    /// The entities of the rows that pass the filter, in query order.
    fn passing(&self) -> Vec<Entity> {
        // SAFETY: whoever made the query holds its access; the filter only reads.
        unsafe { passing(self.chunks()) }
    }
}

impl<D: ChunkData, F: WholeChunks> Query<'_, D, F> {
    /// The rows of each chunk as slices.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let mut healths = world.query_mut::<(&mut Health, Entity), ()>();
    /// for (healths, entities) in healths.iter_chunks() {
    ///     assert_eq!(entities, wolves);
    ///     healths.fill(Health(1));
    /// }
    /// assert_eq!(world.get::<Health>(wolves[2])?, &Health(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn iter_chunks(&mut self) -> ChunkIter<'_, D, F> {
        let query = self.reborrow();
        // SAFETY: the query is borrowed for as long as the slices live, and its maker holds the access.
        unsafe { ChunkIter::new(query.chunks()) }
    }
}

fn only<T>(mut rows: impl Iterator<Item = T>) -> Result<T, SingleError> {
    let row = rows.next().ok_or(SingleError::None)?;
    if rows.next().is_some() { Err(SingleError::Many) } else { Ok(row) }
}

impl<'w, D: QueryData, F: QueryFilter> IntoIterator for Query<'w, D, F> {
    type Item = D::Item<'w>;
    type IntoIter = QueryIter<'w, D, F>;

    fn into_iter(self) -> Self::IntoIter {
        // SAFETY: the query is used up, and its maker holds the access while `'w` lasts.
        unsafe { QueryIter::new(self.chunks()) }
    }
}

impl<'q, D: QueryData, F: QueryFilter> IntoIterator for &'q Query<'_, D, F> {
    type Item = <D::ReadOnly as QueryData>::Item<'q>;
    type IntoIter = QueryIter<'q, D::ReadOnly, F>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'q, D: QueryData, F: QueryFilter> IntoIterator for &'q mut Query<'_, D, F> {
    type Item = D::Item<'q>;
    type IntoIter = QueryIter<'q, D, F>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<D: QueryData, F: QueryFilter> fmt::Debug for Query<'_, D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query").field("rows", &core::any::type_name::<D>()).finish_non_exhaustive()
    }
}
