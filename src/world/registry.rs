use super::World;
use crate::component::{Component, ComponentDescriptor, ComponentId, ComponentInfo, RegistryError};

/// The registry of component types.
///
/// Types get ids in the order in which they are registered or first spawned. Registries change between ticks only; a change
/// makes plans of schedules stale.
impl World {
    /// Gives a component type its id.
    ///
    /// # Errors
    ///
    /// [`RegistryError`] if the type has an id already, if the limit is reached, inside of a tick.
    pub fn register_component<T: Component>(&mut self) -> Result<ComponentId, RegistryError> {
        self.register(ComponentDescriptor::of::<T>())
    }

    /// The id of a component type, given now if it has none: the same call may be made again.
    ///
    /// # Errors
    ///
    /// [`RegistryError`] if the type has no id and the limit is reached, or inside of a tick.
    pub fn ensure_component<T: Component>(&mut self) -> Result<ComponentId, RegistryError> {
        self.ensure(ComponentDescriptor::of::<T>())
    }

    /// Has queries leave entities with this component out unless they name it, in a term or with
    /// [`Show`](crate::query::Show). Registers the type if need be.
    ///
    /// # Errors
    ///
    /// [`RegistryError`] if the type has no id and the limit is reached, or inside of a tick.
    pub fn hide_by_default<T: Component>(&mut self) -> Result<ComponentId, RegistryError> {
        self.refuse_inside_tick(&ComponentDescriptor::of::<T>())?;
        let id = self.ensure_component::<T>()?;
        if !self.components.hidden().contains(id.bit()) {
            self.components.hide(id);
        }
        Ok(id)
    }

    /// Takes a component type out of use. Its id is kept for it: registered again, it gets the same one.
    ///
    /// # Errors
    ///
    /// [`RegistryError`] if it is not registered, while any entity has it, inside of a tick.
    pub fn unregister_component<T: Component>(&mut self) -> Result<(), RegistryError> {
        let descriptor = ComponentDescriptor::of::<T>();
        self.refuse_inside_tick(&descriptor)?;
        let id = self
            .components
            .id_of::<T>()
            .ok_or_else(|| RegistryError::NotRegistered { name: descriptor.name.into() })?;
        let entities = self.entities_with(id);
        if entities > 0 {
            return Err(RegistryError::InUse { name: descriptor.name, entities });
        }
        self.components.unregister(id);
        Ok(())
    }

    /// How many component types are registered.
    #[must_use]
    pub const fn component_count(&self) -> u32 {
        self.components.count()
    }

    /// What is known of the component type with this id.
    ///
    /// # Errors
    ///
    /// [`RegistryError::NotRegistered`] if this world never gave the id, or the type was unregistered.
    pub fn component_info(&self, id: ComponentId) -> Result<ComponentInfo<'_>, RegistryError> {
        let info = self.components.info(id).filter(ComponentInfo::is_registered);
        info.ok_or_else(|| RegistryError::NotRegistered { name: format!("{id:?}") })
    }

    /// The id of a registered component type.
    #[must_use]
    pub fn component_id<T: Component>(&self) -> Option<ComponentId> {
        self.components.id_of::<T>()
    }

    /// Whether the component type is registered.
    #[must_use]
    pub fn is_component_registered<T: Component>(&self) -> bool {
        self.component_id::<T>().is_some()
    }

    /// The full name of the component type that has or had this id.
    #[must_use]
    pub fn type_name_of(&self, id: ComponentId) -> Option<&'static str> {
        self.components.info(id).map(|info| info.name())
    }

    pub(super) fn entities_with(&self, id: ComponentId) -> u64 {
        let with = self.storage.archetypes().iter().filter(|(_, archetype)| archetype.mask().contains(id.bit()));
        with.map(|(_, archetype)| u64::from(archetype.len())).sum()
    }

    pub(super) fn ensure(&mut self, descriptor: ComponentDescriptor) -> Result<ComponentId, RegistryError> {
        match self.components.id_of_type(descriptor.type_id) {
            Some(id) => Ok(id),
            None => self.register(descriptor),
        }
    }

    pub(super) fn register(&mut self, descriptor: ComponentDescriptor) -> Result<ComponentId, RegistryError> {
        self.check_registration(&descriptor)?;
        let id = self.components.register(descriptor)?;
        if id.index() == self.storage.column_count() {
            self.storage.add_column(&descriptor);
        }
        Ok(id)
    }

    /// Whether the types among these that have no id could all get one.
    pub(super) fn check_registrations(&self, descriptors: &[ComponentDescriptor]) -> Result<(), RegistryError> {
        let unknown = descriptors.iter().filter(|descriptor| self.components.id_of_type(descriptor.type_id).is_none());
        unknown.clone().try_for_each(|descriptor| self.check_registration(descriptor))?;
        self.components.check_room(unknown)
    }

    fn check_registration(&self, descriptor: &ComponentDescriptor) -> Result<(), RegistryError> {
        self.refuse_inside_tick(descriptor)?;
        let (size, rows) = (descriptor.layout.size(), self.storage.shape().chunk_rows());
        if size.checked_mul(rows as usize).is_none_or(|bytes| bytes > isize::MAX as usize / 2) {
            return Err(RegistryError::TooLarge { name: descriptor.name, size, rows });
        }
        Ok(())
    }

    fn refuse_inside_tick(&self, descriptor: &ComponentDescriptor) -> Result<(), RegistryError> {
        if self.time.inside_tick { Err(RegistryError::InsideTick { name: descriptor.name }) } else { Ok(()) }
    }
}
