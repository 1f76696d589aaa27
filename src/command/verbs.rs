use core::marker::PhantomData;

use super::lane::{Change, Lane};
use super::merge::Merge;
use super::refusal::RefusalReason;
use crate::component::Bundle;
use crate::entity::Entity;
use crate::world::{EntityMut, World};

/// Recording. Nothing happens to the world before the lane is applied.
impl Lane {
    /// Makes an entity with the components of a bundle.
    ///
    /// The handle of the entity may be used at once, in commands of this lane: as a target, and inside of values.
    ///
    /// # Panics
    ///
    /// If it is the lane of a system that has spawned [`MAX_SPAWNS`](super::MAX_SPAWNS) entities since the last barrier.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// let mut world = World::new();
    /// let mut buffer = CommandBuffer::new();
    /// let wolf = buffer.spawn(Enemy).id();
    /// buffer.insert(wolf, Health(3));
    /// assert!(wolf.is_pending() && !world.contains(wolf));
    /// buffer.apply(&mut world);
    /// assert_eq!(world.query::<&Health, With<Enemy>>().single()?, &Health(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> EntityCommands<'_> {
        let entity = self.next_pending();
        self.push(Spawn { entity, bundle });
        EntityCommands { lane: self, entity }
    }

    /// Ends an entity.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolf = world.spawn(());
    /// let mut buffer = CommandBuffer::new();
    /// buffer.despawn(wolf);
    /// buffer.despawn(wolf);
    /// let report = buffer.apply(&mut world);
    /// assert_eq!((report.applied, report.refused, world.len()), (1, 1, 0));
    /// ```
    pub fn despawn(&mut self, entity: Entity) {
        self.push(Despawn(entity));
    }

    /// Gives an entity the components of a bundle.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// let mut world = World::new();
    /// let wolf = world.spawn(());
    /// let mut buffer = CommandBuffer::new();
    /// buffer.insert(wolf, (Health(3), Enemy));
    /// buffer.apply(&mut world);
    /// assert_eq!(world.get::<Health>(wolf)?, &Health(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert<B: Bundle>(&mut self, entity: Entity, bundle: B) {
        self.push(Insert { entity, bundle });
    }

    /// Takes the components of a bundle from an entity; those that it lacks are passed over.
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
    /// let mut buffer = CommandBuffer::new();
    /// buffer.remove::<(Health, Enemy)>(wolf);
    /// buffer.apply(&mut world);
    /// assert!(world.contains(wolf) && !world.has::<Enemy>(wolf));
    /// ```
    pub fn remove<B: Bundle>(&mut self, entity: Entity) {
        self.push(Remove::<B>(entity, PhantomData));
    }

    /// Runs a closure on the world. Pending handles that it captures stay pending: use
    /// [`EntityCommands::queue`] to get at an entity of this lane.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let mut buffer = CommandBuffer::new();
    /// buffer.queue(|world| {
    ///     world.spawn_batch((0..3).map(Health));
    /// });
    /// buffer.apply(&mut world);
    /// assert_eq!(world.len(), 3);
    /// ```
    pub fn queue(&mut self, closure: impl FnOnce(&mut World) + Send + 'static) {
        self.push(Queue(closure));
    }

    /// Several commands on one entity.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// let mut world = World::new();
    /// let wolf = world.spawn(Enemy);
    /// let mut buffer = CommandBuffer::new();
    /// buffer.entity(wolf).remove::<Enemy>().insert(Health(3));
    /// buffer.apply(&mut world);
    /// assert!(world.has::<Health>(wolf) && !world.has::<Enemy>(wolf));
    /// ```
    pub fn entity(&mut self, entity: Entity) -> EntityCommands<'_> {
        EntityCommands { lane: self, entity }
    }
}

/// Several commands on one entity.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component)]
/// struct Enemy;
/// #[derive(Component)]
/// struct Asleep;
///
/// let mut world = World::new();
/// let mut buffer = CommandBuffer::new();
/// buffer.spawn(Enemy).insert(Asleep).queue(|wolf| assert!(wolf.has::<Asleep>()));
/// assert_eq!(buffer.apply(&mut world).applied, 3);
/// assert_eq!(world.query::<Entity, (With<Enemy>, With<Asleep>)>().count(), 1);
/// ```
#[derive(Debug)]
pub struct EntityCommands<'l> {
    lane: &'l mut Lane,
    entity: Entity,
}

impl EntityCommands<'_> {
    /// The handle, pending if the lane spawned the entity.
    #[must_use]
    pub const fn id(&self) -> Entity {
        self.entity
    }

    /// Gives it the components of a bundle.
    pub fn insert<B: Bundle>(&mut self, bundle: B) -> &mut Self {
        self.lane.insert(self.entity, bundle);
        self
    }

    /// Takes the components of a bundle from it.
    pub fn remove<B: Bundle>(&mut self) -> &mut Self {
        self.lane.remove::<B>(self.entity);
        self
    }

    /// Runs a closure on it.
    pub fn queue(&mut self, closure: impl FnOnce(&mut EntityMut<'_>) + Send + 'static) -> &mut Self {
        self.lane.push(QueueOn(self.entity, closure));
        self
    }

    /// Ends it.
    pub fn despawn(&mut self) {
        self.lane.despawn(self.entity);
    }
}

struct Spawn<B> {
    entity: Entity,
    bundle: B,
}

impl<B: Bundle> Change for Spawn<B> {
    const NAME: &'static str = "spawn";

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let entity = merge.resolve(self.entity)?;
        let bundle = merge.map(self.bundle).inspect_err(|_| merge.give_up(entity))?;
        let spawned = merge.world().insert(entity, bundle);
        spawned.map_err(|error| {
            merge.give_up(entity);
            error.into()
        })
    }
}

struct Insert<B> {
    entity: Entity,
    bundle: B,
}

impl<B: Bundle> Change for Insert<B> {
    const NAME: &'static str = "insert";

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let entity = merge.resolve(self.entity)?;
        let bundle = merge.map(self.bundle)?;
        Ok(merge.world().insert(entity, bundle)?)
    }
}

struct Remove<B>(Entity, PhantomData<fn() -> B>);

impl<B: Bundle> Change for Remove<B> {
    const NAME: &'static str = "remove";

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let entity = merge.resolve(self.0)?;
        Ok(merge.world().remove::<B>(entity)?)
    }
}

struct Despawn(Entity);

impl Change for Despawn {
    const NAME: &'static str = "despawn";

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let entity = merge.resolve(self.0)?;
        Ok(merge.world().despawn(entity)?)
    }
}

struct Queue<F>(F);

impl<F: FnOnce(&mut World) + Send + 'static> Change for Queue<F> {
    const NAME: &'static str = "queue";

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        (self.0)(merge.world());
        Ok(())
    }
}

struct QueueOn<F>(Entity, F);

impl<F: FnOnce(&mut EntityMut<'_>) + Send + 'static> Change for QueueOn<F> {
    const NAME: &'static str = "queue";

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let entity = merge.resolve(self.0)?;
        (self.1)(&mut merge.world().entity_mut(entity)?);
        Ok(())
    }
}
