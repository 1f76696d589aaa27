#![expect(unsafe_code, reason = "reads rows of any entity under the access that its maker was granted")]

use core::any::type_name;
use core::fmt;

use super::{Query, QueryError, ReadOnlyQueryData};
use crate::entity::Entity;
use crate::storage::Storage;

/// A parameter that reads any entity by its handle: `Lookup<&T>`, or other terms that only read, also several in a tuple.
///
/// Every kind of system may have it, and any number of them. An each- or chunk-system that has one is *gathering*: its rows
/// are shared out among threads as ever, and each of them may look at others. So what is looked up can't be written in the
/// same system (error `lookup-of-written` when the schedule is built), and the system is ordered against every system that
/// writes it, whatever their filters.
///
/// A handle reaches its entity as [`World::get`](crate::world::World::get) does, also where a component hides it from
/// queries.
///
/// # Determinism
///
/// What is read can't change while the system runs, so that the result depends on no order of rows and no thread.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Position(i32);
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Target(Entity);
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Velocity(i32);
///
/// fn chase(velocity: &mut Velocity, position: &Position, target: &Target, positions: Lookup<&Position>) {
///     velocity.0 = match positions.get(target.0) {
///         Ok(goal) => (goal.0 - position.0).signum(),
///         Err(_) => 0,
///     };
/// }
///
/// let mut world = World::new();
/// let sheep = world.spawn(Position(-7));
/// let wolf = world.spawn((Position(3), Velocity(0), Target(sheep)));
/// let mut schedule = Schedule::new();
/// schedule.add(each(chase));
/// schedule.run(&mut world)?;
/// assert_eq!(world.get::<Velocity>(wolf)?, &Velocity(-1));
/// world.despawn(sheep)?;
/// schedule.run(&mut world)?;
/// assert_eq!(world.get::<Velocity>(wolf)?, &Velocity(0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Lookup<'w, D: ReadOnlyQueryData> {
    storage: &'w Storage,
    data: D::State,
}

impl<'w, D: ReadOnlyQueryData> Lookup<'w, D> {
    /// # Safety
    ///
    /// While the lookup and what it yields live, the caller holds what the terms read in every archetype for reading, and
    /// nothing changes structure.
    pub(crate) unsafe fn new(storage: &'w Storage, data: D::State) -> Self {
        Self { storage, data }
    }

    /// What the terms yield for an entity.
    ///
    /// # Errors
    ///
    /// [`QueryError`] if the entity is not alive, or lacks a component that the terms need. A pending entity is not alive.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// # let mut world = World::new();
    /// # let (wolf, stone, dead) = (world.spawn((Health(3), Enemy)), world.spawn(()), world.spawn(Health(0)));
    /// # world.despawn(dead)?;
    /// # let mut schedule = Schedule::new();
    /// # schedule.add(move |lookup: Lookup<(&Health, Has<Enemy>)>| {
    /// assert_eq!(lookup.get(wolf), Ok((&Health(3), true)));
    /// assert_eq!(lookup.get(stone).unwrap_err().code(), "query-mismatch");
    /// assert_eq!(lookup.get(dead).unwrap_err().code(), "no-such-entity");
    /// # });
    /// # schedule.run(&mut world)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline(always)]
    pub fn get(&self, entity: Entity) -> Result<D::Item<'w>, QueryError> {
        // SAFETY: whoever made the lookup holds the access of its terms to every entity.
        unsafe { Query::<D>::of_any(self.storage, self.data) }.get_in_world(entity)
    }

    /// Whether the terms yield something for an entity.
    #[inline]
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.get(entity).is_ok()
    }
}

impl<D: ReadOnlyQueryData> Clone for Lookup<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: ReadOnlyQueryData> Copy for Lookup<'_, D> {}

impl<D: ReadOnlyQueryData> fmt::Debug for Lookup<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookup").field("terms", &type_name::<D>()).finish_non_exhaustive()
    }
}
