#![expect(unsafe_code, reason = "the borrow of the world grants its resources")]

use core::any::type_name;

use super::{ResourceError, World};
use crate::storage::resources::{MutableResource, Resource};

/// Resources: values of which the world has one.
impl World {
    /// Puts a resource into the world; returns the value that it replaces.
    pub fn insert_resource<R: Resource>(&mut self, resource: R) -> Option<R> {
        let id = self.resources.ensure::<R>(&mut self.sections);
        self.sections.set(self.resources.section(id), resource)
    }

    /// Takes a resource out of the world.
    pub fn remove_resource<R: Resource>(&mut self) -> Option<R> {
        let id = self.resources.id_of::<R>()?;
        self.sections.take(self.resources.section(id))
    }

    /// Whether the world has the resource.
    #[must_use]
    pub fn has_resource<R: Resource>(&self) -> bool {
        self.resource::<R>().is_ok()
    }

    /// A resource.
    ///
    /// # Errors
    ///
    /// [`ResourceError`] if the world has none of this type.
    pub fn resource<R: Resource>(&self) -> Result<&R, ResourceError> {
        let id = self.resources.id_of::<R>();
        // SAFETY: the world is borrowed, so that nobody writes the section.
        let value = id.and_then(|id| unsafe { self.sections.get(self.resources.section(id)) });
        value.ok_or(ResourceError { resource: type_name::<R>() })
    }

    /// A resource, for writing.
    ///
    /// # Errors
    ///
    /// [`ResourceError`] if the world has none of this type.
    pub fn resource_mut<R: MutableResource>(&mut self) -> Result<&mut R, ResourceError> {
        let id = self.resources.id_of::<R>();
        let section = id.map(|id| self.resources.section(id));
        let value = section.and_then(|section| self.sections.value_mut(section));
        value.ok_or(ResourceError { resource: type_name::<R>() })
    }

    /// The id of a resource type, given now if the world has not met it.
    pub(crate) fn ensure_resource<R: Resource>(&mut self) -> crate::storage::resources::ResourceId {
        self.resources.ensure::<R>(&mut self.sections)
    }
}
