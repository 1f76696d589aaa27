#![expect(unsafe_code, reason = "rows are pushed, filled and taken apart")]

use core::any::type_name;

use super::bundles::BundleId;
use super::{ComponentError, NoSuchEntity, StructureError, World};
use crate::component::{Bundle, Component};
use crate::entity::Entity;
use crate::storage::{ArchetypeId, Doomed, Place, RowWriter};

/// Components come and go.
impl World {
    /// Gives an entity the components of a bundle, as one move; values that it has already are replaced and dropped.
    ///
    /// # Errors
    ///
    /// [`StructureError`] if the entity does not exist, or as for [`try_spawn`](Self::try_spawn). Nothing has changed then.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// # #[derive(Component)]
    /// # struct Enemy;
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health(3));
    /// world.insert(wolf, (Health(5), Enemy))?;
    /// assert_eq!(world.get::<Health>(wolf)?, &Health(5));
    /// assert!(world.has::<Enemy>(wolf));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn insert<B: Bundle>(&mut self, entity: Entity, bundle: B) -> Result<(), StructureError> {
        if !self.contains(entity) {
            return Err(self.no_such_entity(entity).into());
        }
        let id = self.bundle::<B>()?;
        let source = self.storage.row_of(entity).map_or(ArchetypeId::EMPTY, |(archetype, _)| archetype);
        let target = self.with_bundle(source, id);
        self.fill_row(entity, target, id, bundle)
    }

    /// Moves an entity to `target` unless it is there, and writes the bundle's values to its row.
    pub(super) fn fill_row<B: Bundle>(
        &mut self,
        entity: Entity,
        target: ArchetypeId,
        bundle_id: BundleId,
        bundle: B,
    ) -> Result<(), StructureError> {
        let stamp = self.stamp();
        let mut doomed = Doomed::new();
        let source = self.storage.row_of(entity).map(|(archetype, _)| archetype);
        let place = match self.storage.place_of(entity) {
            Some(place) if source == Some(target) => place,
            // SAFETY: the target is the source with the bundle's components, and their values are written below before
            // any code of a user runs: values that are replaced go to `doomed`, which is dropped last.
            _ => unsafe { self.storage.move_entity(entity, target, &mut doomed, stamp) }?,
        };
        if let Some(source) = source {
            // SAFETY: the row has the source's values, ours alone, and those of the bundle are written right below.
            unsafe { self.bury_replaced(source, bundle_id, place, &mut doomed) };
        }
        let columns = self.bundles.columns(bundle_id);
        self.rails.note_changes(columns.len());
        // SAFETY: the target has the bundle's columns, which are different; the row is in use and the world is ours; what
        // the row held of them was moved out. The columns were taken from this very bundle type.
        bundle.put(&mut unsafe { RowWriter::new(&self.storage, columns, place, stamp) });
        Ok(())
    }

    /// Moves the values that a bundle replaces out of the row.
    ///
    /// # Safety
    ///
    /// The row has a value of each component of `source`, which nobody else uses; the caller replaces those of the bundle
    /// before anything reads them.
    unsafe fn bury_replaced(&self, source: ArchetypeId, bundle: BundleId, place: Place, doomed: &mut Doomed) {
        let had = self.storage.archetypes().get(source).mask();
        for &id in self.bundles.columns(bundle) {
            if had.contains(id.bit()) {
                // SAFETY: the source has the component; the rest is this function's contract.
                unsafe { self.storage.bury(id, place, doomed) };
            }
        }
    }

    /// Takes the components of a bundle from an entity and drops them, as one move; those that it lacks are passed over,
    /// and types that are not registered stay so.
    ///
    /// # Errors
    ///
    /// [`NoSuchEntity`] if the entity does not exist.
    ///
    /// # Panics
    ///
    /// If there is no room for another chunk.
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
    /// world.remove::<(Health, Enemy)>(wolf)?;
    /// world.remove::<Enemy>(wolf)?; // passed over
    /// assert!(world.contains(wolf) && !world.has::<Health>(wolf));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove<B: Bundle>(&mut self, entity: Entity) -> Result<(), NoSuchEntity> {
        let Some((source, _)) = self.storage.row_of(entity) else { return Err(self.no_such_entity(entity)) };
        let target = self.without::<B>(source);
        if target == source {
            return Ok(());
        }
        let mut doomed = Doomed::new();
        let stamp = self.stamp();
        // SAFETY: the target has no component that the source lacks.
        let moved = unsafe { self.storage.move_entity(entity, target, &mut doomed, stamp) };
        let [had, has] = [source, target].map(|id| self.storage.archetypes().get(id).components().len());
        self.rails.note_changes(had - has);
        moved.map_or_else(|error| panic!("{error}"), |_| Ok(()))
    }

    /// Takes a component from an entity and returns it.
    ///
    /// # Errors
    ///
    /// [`ComponentError`] if the entity does not exist or lacks the component.
    ///
    /// # Panics
    ///
    /// If there is no room for another chunk.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// let wolf = world.spawn(Health(3));
    /// assert_eq!(world.take::<Health>(wolf)?, Health(3));
    /// assert_eq!(world.take::<Health>(wolf).unwrap_err().code(), "component-missing");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn take<T: Component>(&mut self, entity: Entity) -> Result<T, ComponentError> {
        let Some((source, _)) = self.storage.row_of(entity) else {
            return Err(self.no_such_entity(entity).into());
        };
        let Some((id, place)) = self.column_of::<T>(entity) else {
            return Err(ComponentError::Missing { entity, component: type_name::<T>() });
        };
        let target = self.without::<T>(source);
        if let Err(error) = self.storage.reserve_rows(target, 1) {
            panic!("{error}");
        }
        let mut doomed = Doomed::new();
        let stamp = self.stamp();
        self.storage.unshare(id, place.chunk);
        // SAFETY: the entity has the component, so that its row holds a `T`; it is read once, and forgotten right below.
        let value = unsafe { self.storage.column(id).value(place).cast::<T>().read() };
        // SAFETY: the target has no component that the source lacks; its room was made above.
        let moved = unsafe { self.storage.move_entity_without(entity, target, id, &mut doomed, stamp) };
        debug_assert!(moved.is_ok(), "room was made");
        self.rails.note_changes(1);
        Ok(value)
    }
}
