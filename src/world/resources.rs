#![expect(unsafe_code, reason = "the borrow of the world grants its resources")]

use core::any::type_name;

use super::{ResourceError, World};
use crate::storage::SectionId;
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
        let section = self.resource_section::<R>();
        let value = section.and_then(|section| self.resource_in(section));
        value.ok_or(ResourceError { resource: type_name::<R>() })
    }

    /// The section of a resource type, which stays the same, with a value or without; none if the world has not met it.
    pub(crate) fn resource_section<R: Resource>(&self) -> Option<SectionId> {
        self.resources.id_of::<R>().map(|id| self.resources.section(id))
    }

    /// The resource in a section, found without its type.
    pub(crate) fn resource_in<R: Resource>(&self, section: SectionId) -> Option<&R> {
        // SAFETY: the world is borrowed, so that nobody writes the section.
        unsafe { self.sections.get(section) }
    }

    /// A resource, for writing.
    ///
    /// # Errors
    ///
    /// [`ResourceError`] if the world has none of this type.
    pub fn resource_mut<R: MutableResource>(&mut self) -> Result<&mut R, ResourceError> {
        let section = self.resource_section::<R>();
        let value = section.and_then(|section| self.sections.value_mut(section));
        value.ok_or(ResourceError { resource: type_name::<R>() })
    }

    /// The id of a resource type, given now if the world has not met it.
    pub(crate) fn ensure_resource<R: Resource>(&mut self) -> crate::storage::resources::ResourceId {
        self.resources.ensure::<R>(&mut self.sections)
    }
}
