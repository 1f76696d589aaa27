#![expect(unsafe_code, reason = "the borrow of the world grants the access of queries")]

use core::fmt;

use super::World;
use crate::query::{MatchCache, Query, QueryData, QueryFilter, ReadOnlyQueryData, Resolver, clash};

/// Queries of the host.
impl World {
    /// The rows that have what the terms ask for and that the filter lets pass, for reading. `()` is no filter.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// let mut world = World::new();
    /// let wolf = world.spawn((Health(3), Enemy));
    /// world.spawn(Health(8));
    /// let enemies = world.query::<(Entity, &Health), With<Enemy>>();
    /// assert_eq!(enemies.into_iter().collect::<Vec<_>>(), [(wolf, &Health(3))]);
    /// ```
    pub fn query<D: ReadOnlyQueryData, F: QueryFilter>(&self) -> Query<'_, D, F> {
        let resolver = Resolver::new(&self.components);
        // SAFETY: the terms only read, the filter reads, and the world is borrowed while the query lives.
        unsafe {
            Query::scan(
                &self.storage,
                self.components.hidden(),
                D::resolve(resolver),
                F::resolve(resolver),
                self.run_stamps(),
            )
        }
    }

    /// The rows that have what the terms ask for and that the filter lets pass.
    ///
    /// # Panics
    ///
    /// If two terms name the same component, at least one of them to write it.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// let mut world = World::new();
    /// let wolf = world.spawn((Health(3), Enemy));
    /// let sheep = world.spawn(Health(8));
    /// for (health, hostile) in world.query_mut::<(&mut Health, Has<Enemy>), ()>() {
    ///     health.0 += if hostile { 1 } else { 2 };
    /// }
    /// assert_eq!((world.get::<Health>(wolf)?, world.get::<Health>(sheep)?), (&Health(4), &Health(10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn query_mut<D: QueryData, F: QueryFilter>(&mut self) -> Query<'_, D, F> {
        let resolver = Resolver::new(&self.components);
        let data = D::resolve(resolver);
        self.refuse_clash::<D>(data);
        // SAFETY: the world is borrowed mutably while the query lives, and its terms do not clash.
        unsafe { Query::scan(&self.storage, self.components.hidden(), data, F::resolve(resolver), self.run_stamps()) }
    }

    fn refuse_clash<D: QueryData>(&self, data: D::State) {
        if let Some(component) = clash::<D>(data) {
            panic!(
                "query `{}` names component `{}` twice, at least once to write it; name it once",
                core::any::type_name::<D>(),
                self.type_name_of(component).unwrap_or("?"),
            );
        }
    }
}

/// A query that remembers which archetypes it matched, for a host that asks the same again and again.
///
/// It looks at archetypes that are new since the last time only. Asked of another world, or after a change of the
/// registry, it starts afresh.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let mut living = PreparedQuery::<&Health>::new();
/// assert_eq!(living.query(&world).count(), 0);
/// world.spawn(Health(1));
/// assert_eq!(living.query(&world).count(), 1);
/// ```
pub struct PreparedQuery<D: QueryData, F: QueryFilter = ()> {
    prepared: Option<Prepared<D, F>>,
}

struct Prepared<D: QueryData, F: QueryFilter> {
    world: u64,
    version: u64,
    data: D::State,
    filter: F::State,
    cache: MatchCache,
}

impl<D: QueryData, F: QueryFilter> PreparedQuery<D, F> {
    /// A query that has seen no world yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { prepared: None }
    }

    /// The rows, for reading.
    pub fn query<'w>(&'w mut self, world: &'w World) -> Query<'w, D, F>
    where
        D: ReadOnlyQueryData,
    {
        let prepared = self.update(world);
        // SAFETY: the terms only read, and the world is borrowed while the query lives.
        unsafe { prepared.on(world) }
    }

    /// The rows.
    ///
    /// # Panics
    ///
    /// If two terms name the same component, at least one of them to write it.
    pub fn query_mut<'w>(&'w mut self, world: &'w mut World) -> Query<'w, D, F> {
        let prepared = self.update(world);
        // SAFETY: the world is borrowed mutably while the query lives, and its terms do not clash.
        unsafe { prepared.on(world) }
    }

    fn update(&mut self, world: &World) -> &Prepared<D, F> {
        let fits =
            |prepared: &Prepared<D, F>| prepared.world == world.id() && prepared.version == world.components.version();
        if !self.prepared.as_ref().is_some_and(fits) {
            self.prepared = Some(Prepared::new(world));
        }
        let prepared = self.prepared.as_mut().expect("made above if it was not there");
        let hidden = world.components.hidden();
        prepared.cache.update::<D, F>(prepared.data, prepared.filter, hidden, &world.storage);
        prepared
    }
}

impl<D: QueryData, F: QueryFilter> Default for PreparedQuery<D, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: QueryData, F: QueryFilter> fmt::Debug for PreparedQuery<D, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let matched = self.prepared.as_ref().map(|prepared| prepared.cache.matched());
        f.debug_struct("PreparedQuery").field("matched", &matched).finish_non_exhaustive()
    }
}

impl<D: QueryData, F: QueryFilter> Prepared<D, F> {
    fn new(world: &World) -> Self {
        let resolver = Resolver::new(&world.components);
        let data = D::resolve(resolver);
        world.refuse_clash::<D>(data);
        let (filter, cache) = (F::resolve(resolver), MatchCache::default());
        Self { world: world.id(), version: world.components.version(), data, filter, cache }
    }

    /// # Safety
    ///
    /// While the query lives, the caller holds the access of its terms to the world, and nothing changes structure.
    unsafe fn on<'w>(&'w self, world: &'w World) -> Query<'w, D, F> {
        let hidden = world.components.hidden();
        // SAFETY: the contract is passed on; the cache was brought up to date for this world.
        unsafe { Query::cached(&world.storage, hidden, self.data, self.filter, &self.cache, world.run_stamps()) }
    }
}
