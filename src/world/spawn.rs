use super::{Missing, NoSuchEntity, StructureError, World};
use crate::component::Bundle;
use crate::entity::Entity;
use crate::storage::{ArchetypeId, Doomed, SlotState};

/// Entities come and go.
impl World {
    /// Makes an entity with the components of a bundle, as one move.
    ///
    /// # Panics
    ///
    /// Where [`try_spawn`](Self::try_spawn) gives an error.
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
    /// assert!(world.contains(wolf) && world.has::<Enemy>(wolf));
    /// ```
    #[track_caller]
    pub fn spawn<B: Bundle>(&mut self, bundle: B) -> Entity {
        match self.try_spawn(bundle) {
            Ok(entity) => entity,
            Err(error) => panic!("{error}"),
        }
    }

    /// Makes an entity with the components of a bundle, as one move.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if the entity capacity or the limit of component types is reached, the bundle holds a component
    /// twice, or a type is not registered inside of a tick. Nothing has changed then.
    pub fn try_spawn<B: Bundle>(&mut self, bundle: B) -> Result<Entity, StructureError> {
        self.storage.slots().check_room(1)?;
        let id = self.bundle::<B>()?;
        let archetype = self.with_bundle(ArchetypeId::EMPTY, id);
        self.storage.reserve_rows(archetype, 1)?;
        let entity = self.storage.slots_mut().reserve()?;
        self.fill_row(entity, archetype, id, bundle)?;
        Ok(entity)
    }

    /// Makes an entity with the default values of a bundle.
    ///
    /// # Panics
    ///
    /// Where [`try_spawn`](Self::try_spawn) gives an error.
    pub fn spawn_default<B: Bundle + Default>(&mut self) -> Entity {
        self.spawn(B::default())
    }

    /// Makes an entity of each bundle, in order.
    ///
    /// The bundles are collected first, so that an iterator that panics leaves the world as it was.
    ///
    /// # Panics
    ///
    /// Where [`try_spawn_batch`](Self::try_spawn_batch) gives an error.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolves = world.spawn_batch((0..3).map(Health));
    /// assert_eq!(world.get::<Health>(wolves[2])?, &Health(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn spawn_batch<B: Bundle>(&mut self, bundles: impl IntoIterator<Item = B>) -> Vec<Entity> {
        match self.try_spawn_batch(bundles) {
            Ok(entities) => entities,
            Err(error) => panic!("{error}"),
        }
    }

    /// Makes an entity of each bundle, in order.
    ///
    /// # Errors
    ///
    /// [`StructureError`] as for [`try_spawn`](Self::try_spawn), if there is no room for all of them. No entity was made then.
    pub fn try_spawn_batch<B: Bundle>(
        &mut self,
        bundles: impl IntoIterator<Item = B>,
    ) -> Result<Vec<Entity>, StructureError> {
        let bundles: Vec<B> = bundles.into_iter().collect();
        if bundles.is_empty() {
            return Ok(Vec::new());
        }
        let count = u32::try_from(bundles.len()).unwrap_or(u32::MAX);
        self.storage.slots().check_room(count)?;
        let id = self.bundle::<B>()?;
        let archetype = self.with_bundle(ArchetypeId::EMPTY, id);
        self.storage.reserve_rows(archetype, count)?;
        let mut entities = Vec::with_capacity(bundles.len());
        for bundle in bundles {
            let entity = self.storage.slots_mut().reserve()?;
            self.fill_row(entity, archetype, id, bundle)?;
            entities.push(entity);
        }
        Ok(entities)
    }

    /// Ends an entity and drops its components.
    ///
    /// # Errors
    ///
    /// [`NoSuchEntity`] if it is not alive.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health(3));
    /// world.despawn(wolf)?;
    /// assert!(!world.contains(wolf));
    /// assert_eq!(world.despawn(wolf).unwrap_err().code(), "no-such-entity");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn despawn(&mut self, entity: Entity) -> Result<(), NoSuchEntity> {
        if !self.contains(entity) {
            return Err(self.no_such_entity(entity));
        }
        let mut doomed = Doomed::new();
        let stamp = self.stamp();
        self.storage.despawn(entity, &mut doomed, stamp);
        Ok(())
    }

    /// Ends every entity; registries, resources and archetypes stay. Slots are freed in ascending order.
    pub fn clear(&mut self) {
        let mut doomed = Doomed::new();
        let stamp = self.stamp();
        self.storage.clear(&mut doomed, stamp);
    }

    /// Whether the entity is alive, also while its row is yet to appear.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.storage.slots().contains(entity)
    }

    /// How many entities are alive.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.storage.slots().live() as usize
    }

    /// Whether no entity is alive.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Why a handle names nothing.
    pub(crate) fn no_such_entity(&self, entity: Entity) -> NoSuchEntity {
        let slots = self.storage.slots();
        let why = if entity.is_pending() {
            Missing::Pending
        } else if slots.contains(entity) {
            Missing::Reserved
        } else if slots.was_issued(entity) {
            Missing::Despawned
        } else {
            Missing::NeverIssued
        };
        NoSuchEntity { entity, why }
    }

    /// Lets the next use of a free slot have the given generation: how tests reach the last ones.
    #[doc(hidden)]
    pub fn set_next_generation(&mut self, slot: u32, generation: u32) {
        assert!(matches!(self.storage.slots().state(slot), Some(SlotState::Free(_))), "slot {slot} is not free");
        self.storage.slots_mut().set_next_generation(slot, generation);
    }
}
