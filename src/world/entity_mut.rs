use super::{ComponentError, NoSuchEntity, StructureError, World};
use crate::component::{Bundle, Component};
use crate::entity::Entity;

/// One living entity of a world, for several steps in a row.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Enemy;
///
/// let mut world = World::new();
/// let wolf = world.spawn(());
/// world.entity_mut(wolf)?.insert((Health(3), Enemy))?.remove::<Enemy>();
/// assert_eq!(world.get::<Health>(wolf)?, &Health(3));
/// assert!(!world.has::<Enemy>(wolf));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EntityMut<'w> {
    world: &'w mut World,
    entity: Entity,
}

impl World {
    /// One living entity, for several steps in a row.
    ///
    /// # Errors
    ///
    /// [`NoSuchEntity`] if it does not exist.
    pub fn entity_mut(&mut self, entity: Entity) -> Result<EntityMut<'_>, NoSuchEntity> {
        if self.storage.place_of(entity).is_none() {
            return Err(self.no_such_entity(entity));
        }
        Ok(EntityMut { world: self, entity })
    }
}

impl EntityMut<'_> {
    /// The handle.
    #[must_use]
    pub const fn id(&self) -> Entity {
        self.entity
    }

    /// Gives it the components of a bundle.
    ///
    /// # Errors
    ///
    /// [`StructureError`] as for [`World::insert`].
    pub fn insert<B: Bundle>(&mut self, bundle: B) -> Result<&mut Self, StructureError> {
        self.world.insert(self.entity, bundle)?;
        Ok(self)
    }

    /// Takes the components of a bundle from it; those that it lacks are passed over.
    pub fn remove<B: Bundle>(&mut self) -> &mut Self {
        self.world.remove::<B>(self.entity).expect("it is alive while it is borrowed");
        self
    }

    /// Takes a component from it and returns it.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] if it lacks the component.
    pub fn take<T: Component>(&mut self) -> Result<T, ComponentError> {
        self.world.take(self.entity)
    }

    /// Whether it has a component.
    #[must_use]
    pub fn has<T: Component>(&self) -> bool {
        self.world.has::<T>(self.entity)
    }

    /// One of its components.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] if it lacks the component.
    pub fn get<T: Component>(&self) -> Result<&T, ComponentError> {
        self.world.get(self.entity)
    }

    /// One of its components, for writing.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] if it lacks the component.
    pub fn get_mut<T: Component>(&mut self) -> Result<&mut T, ComponentError> {
        self.world.get_mut(self.entity)
    }

    /// Ends it.
    pub fn despawn(self) {
        self.world.despawn(self.entity).expect("it is alive while it is borrowed");
    }
}
