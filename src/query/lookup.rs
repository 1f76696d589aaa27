#![expect(unsafe_code, reason = "holds access to rows, and hands it out under the borrow rules")]

use super::{ChunkView, Query, QueryData, QueryError, QueryFilter, ReadOnlyQueryData};
use crate::entity::Entity;
use crate::storage::Place;

/// Rows of given entities.
impl<'w, D: QueryData, F: QueryFilter> Query<'w, D, F> {
    /// What the query yields for one entity, for reading.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if the entity is not alive or the query does not yield it.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let healths = world.query::<(&Health, Entity), ()>();
    /// assert_eq!(healths.get(wolves[1])?, (&Health(8), wolves[1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn get(&self, entity: Entity) -> Result<<D::ReadOnly as QueryData>::Item<'_>, QueryError> {
        self.reading().get_in_world(entity)
    }

    /// What the query yields for one entity.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if the entity is not alive or the query does not yield it.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let mut healths = world.query_mut::<&mut Health, ()>();
    /// healths.get_mut(wolves[1])?.0 = 0;
    /// assert_eq!(healths.get(wolves[1])?, &Health(0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn get_mut(&mut self, entity: Entity) -> Result<D::Item<'_>, QueryError> {
        let query = self.reborrow();
        // SAFETY: the query is borrowed for as long as the item lives.
        unsafe { query.yielded(entity) }
    }

    /// What the query yields for several different entities.
    ///
    /// # Errors
    ///
    /// [`QueryError`] for the first entity that is not yielded, and if one stands twice in the list.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch([Health(3), Health(8), Health(5)]);
    /// let mut healths = world.query_mut::<&mut Health, ()>();
    /// let [to, from] = healths.get_many_mut([wolves[0], wolves[1]])?;
    /// to.0 += from.0;
    /// assert_eq!(healths.get(wolves[0])?, &Health(11));
    /// assert_eq!(healths.get_many_mut([wolves[0], wolves[0]]).unwrap_err().code(), "entity-aliased");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_many_mut<const N: usize>(&mut self, entities: [Entity; N]) -> Result<[D::Item<'_>; N], QueryError> {
        let query = self.reborrow();
        for (index, &entity) in entities.iter().enumerate() {
            if entities[..index].contains(&entity) {
                return Err(QueryError::Aliased(entity));
            }
            query.find(entity)?;
        }
        // SAFETY: the query was asked for each entity and is borrowed for as long as the items live; the entities were
        // checked to differ, so that no two items are of the same row.
        Ok(entities.map(|entity| unsafe { query.item(entity) }))
    }

    /// Where the row of an entity is that the query yields. Nothing is entered for writing before that is known: outside of
    /// what it yields a query may hold no access.
    #[inline]
    fn find(&self, entity: Entity) -> Result<Place, QueryError> {
        let place = self.storage.place_of(entity).ok_or(QueryError::NoSuchEntity(entity))?;
        // SAFETY: only the filter is fetched, which reads stamps under the access of the query's maker, in a chunk that it
        // admits; the row is in use.
        let yields = unsafe {
            let view = ChunkView::new(self.storage, place.chunk, self.stamps);
            D::present(self.wanted.data, view) && self.wanted.filter_admits(view) && {
                let filter = F::fetch(self.wanted.filter, view);
                F::chunk(filter) && F::row(filter, place.row)
            }
        };
        if yields { Ok(place) } else { Err(QueryError::Mismatch(entity)) }
    }

    /// # Safety
    ///
    /// The place is one that the query yields, and no other item of the row lives if the terms write.
    #[inline]
    unsafe fn enter(&self, place: Place) -> D::Item<'w> {
        // SAFETY: whoever made the query holds its access; the rest is this function's contract.
        unsafe {
            let view = ChunkView::new(self.storage, place.chunk, self.stamps);
            D::item(D::fetch(self.wanted.data, view), place.row)
        }
    }

    /// Whether the query yields the entity.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.get(entity).is_ok()
    }

    /// # Safety
    ///
    /// The query yields the entity, and no other item of its row lives if the terms write.
    pub(super) unsafe fn item(&self, entity: Entity) -> D::Item<'w> {
        // SAFETY: the contract is passed on.
        match unsafe { self.yielded(entity) } {
            Ok(item) => item,
            Err(error) => unreachable!("{error}, but it passed when the places were collected"),
        }
    }

    /// # Safety
    ///
    /// No other item of the entity's row lives if the terms write.
    #[inline(always)]
    unsafe fn yielded(&self, entity: Entity) -> Result<D::Item<'w>, QueryError> {
        if !Self::ONE_COLUMN || self.wanted.hidden.is_some() {
            // SAFETY: the query yields the place; the rest is this function's contract.
            return self.find(entity).map(|place| unsafe { self.enter(place) });
        }
        // SAFETY: no component hides entities; the rest is this function's contract.
        match unsafe { self.in_one_column(entity) } {
            Some(item) => Ok(item),
            None => Err(self.why_not(entity)),
        }
    }

    /// Whether the terms touch one column, which they need, so that a chunk that has it is one that the query admits unless
    /// a component hides its entities.
    const ONE_COLUMN: bool = D::NEEDED == 1 && D::TOUCHED == 1 && F::ADMITS_ALL && F::ARCHETYPAL;

    /// What the query yields for an entity by a look at the one column alone. A reserved entity is in no chunk that has
    /// columns.
    ///
    /// # Safety
    ///
    /// [`ONE_COLUMN`](Self::ONE_COLUMN), no component hides entities, and no other item of the row lives if the terms write.
    #[inline(always)]
    unsafe fn in_one_column(&self, entity: Entity) -> Option<D::Item<'w>> {
        let location = self.storage.slots().location_or_beyond(entity)?;
        let shape = self.storage.shape();
        // SAFETY: whoever made the query holds its access, which is to every chunk that has the column; the row is in use
        // where the chunk has it; the rest is this function's contract.
        unsafe {
            let view = ChunkView::new(self.storage, shape.chunk_of(location), self.stamps);
            let data = D::fetch_present(self.wanted.data, view)?;
            Some(D::item(data, shape.row_of(location)))
        }
    }

    #[cold]
    fn why_not(&self, entity: Entity) -> QueryError {
        match self.storage.place_of(entity) {
            Some(_) => QueryError::Mismatch(entity),
            None => QueryError::NoSuchEntity(entity),
        }
    }
}

impl<'w, D: ReadOnlyQueryData, F: QueryFilter> Query<'w, D, F> {
    /// What the query yields for one entity, for as long as the world is borrowed rather than the query.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if the entity is not alive or the query does not yield it.
    #[inline]
    pub fn get_in_world(&self, entity: Entity) -> Result<D::Item<'w>, QueryError> {
        // SAFETY: the terms only read.
        unsafe { self.yielded(entity) }
    }
}
