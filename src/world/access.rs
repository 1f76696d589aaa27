#![expect(unsafe_code, reason = "turns the borrow of the world into references to rows")]

use core::any::type_name;

use super::{ComponentError, World};
use crate::component::{Component, ComponentId};
use crate::entity::Entity;
use crate::storage::Place;

/// Single components of single entities.
impl World {
    /// A component of an entity.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] if the entity does not exist or lacks the component.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health(3));
    /// assert_eq!(world.get::<Health>(wolf)?, &Health(3));
    /// let stone = world.spawn(());
    /// assert_eq!(world.get::<Health>(stone).unwrap_err().code(), "component-missing");
    /// world.despawn(wolf)?;
    /// assert_eq!(world.get::<Health>(wolf).unwrap_err().code(), "no-such-entity");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn get<T: Component>(&self, entity: Entity) -> Result<&T, ComponentError> {
        match self.column_of::<T>(entity) {
            // SAFETY: the row is in use in a chunk with a column of `T`, and the world is borrowed.
            Some((id, place)) => Ok(unsafe { &*self.storage.column(id).value(place).cast::<T>() }),
            None => Err(self.why_not::<T>(entity)),
        }
    }

    /// A component of an entity, for writing: it counts as changed.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] if the entity does not exist or lacks the component.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health(3));
    /// world.get_mut::<Health>(wolf)?.0 -= 1;
    /// assert_eq!(world.get::<Health>(wolf)?, &Health(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_mut<T: Component>(&mut self, entity: Entity) -> Result<&mut T, ComponentError> {
        match self.column_of::<T>(entity) {
            // SAFETY: the row is in use in a chunk with a column of `T`, the world is borrowed mutably, and this is the only
            // reference that is made.
            Some((id, place)) => Ok(unsafe { &mut *self.write_row::<T>(id, place) }),
            None => Err(self.why_not::<T>(entity)),
        }
    }

    /// A component of several different entities, for writing.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] for the first entity that does not exist or lacks the component, and if one stands twice.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let (wolf, sheep) = (world.spawn(Health(3)), world.spawn(Health(8)));
    /// let [to, from] = world.get_many_mut::<Health, 2>([wolf, sheep])?;
    /// std::mem::swap(to, from);
    /// assert_eq!(world.get::<Health>(wolf)?, &Health(8));
    /// assert_eq!(world.get_many_mut::<Health, 2>([wolf, wolf]).unwrap_err().code(), "entity-aliased");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn get_many_mut<T: Component, const N: usize>(
        &mut self,
        entities: [Entity; N],
    ) -> Result<[&mut T; N], ComponentError> {
        for (index, &entity) in entities.iter().enumerate() {
            if self.column_of::<T>(entity).is_none() {
                return Err(self.why_not::<T>(entity));
            }
            if entities[..index].contains(&entity) {
                return Err(ComponentError::Aliased { entity });
            }
        }
        Ok(entities.map(|entity| {
            let (id, place) = self.column_of::<T>(entity).expect("checked above");
            // SAFETY: the row is in use in a chunk with a column of `T`, the world is borrowed mutably for as long as the
            // references live, and the entities, hence the rows, were checked to differ.
            unsafe { &mut *self.write_row::<T>(id, place) }
        }))
    }

    /// Whether an entity exists and has a component.
    #[must_use]
    pub fn has<T: Component>(&self, entity: Entity) -> bool {
        self.column_of::<T>(entity).is_some()
    }

    /// The column and place of an entity's component, if it has one.
    #[inline]
    pub(super) fn column_of<T: Component>(&self, entity: Entity) -> Option<(ComponentId, Place)> {
        let place = self.storage.place_of(entity)?;
        let id = self.components.id_of::<T>()?;
        self.storage.column(id).has(place.chunk).then_some((id, place))
    }

    /// The row of a component, ours alone and marked as changed.
    ///
    /// # Safety
    ///
    /// The row is in use in a chunk with this column, and nobody else uses its value or its stamps.
    unsafe fn write_row<T: Component>(&self, id: ComponentId, place: Place) -> *mut T {
        let rows = self.storage.unshare(id, place.chunk).cast::<T>();
        // SAFETY: the row is in use, so that it lies within the block, and it is ours by this function's contract.
        unsafe {
            self.storage.mark_row(id, place, self.stamp());
            rows.add(place.row as usize)
        }
    }

    #[cold]
    fn why_not<T: Component>(&self, entity: Entity) -> ComponentError {
        match self.storage.place_of(entity) {
            Some(_) => ComponentError::Missing { entity, component: type_name::<T>() },
            None => self.no_such_entity(entity).into(),
        }
    }
}
