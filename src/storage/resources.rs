//! Resources: values of which a world has one, and what may be done with each class of them.

use core::any::TypeId;
use core::hash::BuildHasherDefault;
use std::collections::HashMap;

use super::sections::{SectionHooks, SectionId, SectionKey, Sections};
use crate::component::TypeIdHasher;
use crate::value::StateValue;

/// What a resource is to the simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResourceClass {
    /// It decides the future: hashed, kept in snapshots.
    State,
    /// It never changes after it was inserted: maps, balance tables. Hashed, never written by a system.
    Constant,
    /// It belongs to the view: windows, statistics, clocks. No state: neither hashed nor kept.
    Host,
    /// State that only the host writes, before a tick.
    Input,
}

/// A type of which a world has at most one value.
///
/// Always derived. The class is `state` unless `#[resource(constant)]`, `#[resource(host)]` or `#[resource(input)]` says
/// otherwise; all but `host` must be [`StateValue`]s.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, StateValue, Resource)]
/// struct Score(u32);
///
/// let mut world = World::new();
/// world.insert_resource(Score(3));
/// world.resource_mut::<Score>()?.0 += 1;
/// assert_eq!(world.resource::<Score>()?.0, 4);
/// # Ok::<(), tickweave::world::ResourceError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a resource",
    label = "not a `Resource`",
    note = "derive it: `#[derive(Clone, StateValue, Resource)]`, or `#[derive(Resource)] #[resource(host)]` for what belongs to the view"
)]
pub trait Resource: Send + Sync + 'static {
    /// What it is to the simulation.
    const CLASS: ResourceClass;

    /// What the registry needs to know of the type: made with `Self`, or the type is refused with a panic where it is first
    /// used.
    fn descriptor() -> ResourceDescriptor;
}

/// A resource that systems may write: state and host resources.
#[diagnostic::on_unimplemented(
    message = "the resource `{Self}` can't be written by a system",
    label = "constant or input resource, or none at all",
    note = "constants never change and inputs are written by the host alone; read it with `Res`, or make it a state resource",
    note = "a type that is no resource yet: `#[derive(Clone, StateValue, Resource)]`"
)]
pub trait MutableResource: Resource {}

/// A resource of class input: what a step of a [simulation](crate::simulation) is given.
#[diagnostic::on_unimplemented(
    message = "the resource `{Self}` is no input",
    label = "not of class input",
    note = "only a step writes inputs: mark the type with `#[resource(input)]`, or add it with `resource` and write it in a system"
)]
pub trait InputResource: Resource {}

/// What the registry knows of a resource type: made from the type, never by hand.
#[derive(Clone, Copy, Debug)]
pub struct ResourceDescriptor {
    type_id: TypeId,
    name: &'static str,
    class: ResourceClass,
    hooks: Option<SectionHooks>,
}

impl ResourceDescriptor {
    /// A resource that is hashed and kept: state, constant or input.
    #[must_use]
    pub fn state_value<T: Resource + StateValue>() -> Self {
        Self { hooks: Some(SectionHooks::of::<T>()), ..Self::host::<T>() }
    }

    /// A resource of the host.
    #[must_use]
    pub fn host<T: Resource>() -> Self {
        Self { type_id: TypeId::of::<T>(), name: core::any::type_name::<T>(), class: T::CLASS, hooks: None }
    }
}

/// The id of a resource type in one world, dense from 0 in the order in which the world met the types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResourceId(u32);

impl ResourceId {
    pub(crate) const fn bit(self) -> u32 {
        self.0
    }

    pub(crate) const fn from_bit(bit: u32) -> Self {
        Self(bit)
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    type_id: TypeId,
    name: &'static str,
    class: ResourceClass,
    section: SectionId,
}

/// The sole owner of resource ids; the values are sections.
#[derive(Debug, Default)]
pub(crate) struct Resources {
    entries: Vec<Entry>,
    by_type: HashMap<TypeId, ResourceId, BuildHasherDefault<TypeIdHasher>>,
}

impl Resources {
    pub(crate) fn id_of<T: Resource>(&self) -> Option<ResourceId> {
        self.by_type.get(&TypeId::of::<T>()).copied()
    }

    /// The id of a type, given now if the world has not met it.
    pub(crate) fn ensure<T: Resource>(&mut self, sections: &mut Sections) -> ResourceId {
        if let Some(id) = self.id_of::<T>() {
            sections.meet(self.section(id));
            return id;
        }
        let descriptor = T::descriptor();
        assert!(
            descriptor.type_id == TypeId::of::<T>(),
            "the descriptor of resource `{}` is that of `{}`; derive `Resource`, or make it with `Self`",
            core::any::type_name::<T>(),
            descriptor.name,
        );
        let id = ResourceId(u32::try_from(self.entries.len()).expect("fewer resources than slots"));
        let section = sections.add(SectionKey::Resource(descriptor.name, descriptor.type_id), descriptor.hooks);
        self.entries.push(Entry {
            type_id: descriptor.type_id,
            name: descriptor.name,
            class: descriptor.class,
            section,
        });
        self.by_type.insert(descriptor.type_id, id);
        id
    }

    /// Forgets all but the first types that the world met.
    pub(crate) fn truncate(&mut self, types: usize) {
        for entry in self.entries.drain(types..) {
            self.by_type.remove(&entry.type_id);
        }
    }

    /// Knows the types that another registry knows, where `id_of` tells an id that their section has here.
    pub(crate) fn adopt(&mut self, other: &Self, id_of: impl Fn(SectionId) -> Option<SectionId>) {
        for entry in &other.entries {
            if self.by_type.contains_key(&entry.type_id) {
                continue;
            }
            if let Some(section) = id_of(entry.section) {
                self.by_type.insert(entry.type_id, ResourceId(self.entries.len() as u32));
                self.entries.push(Entry { section, ..*entry });
            }
        }
    }

    /// Every id that was given.
    pub(crate) fn ids(&self) -> impl ExactSizeIterator<Item = ResourceId> + use<> {
        (0..self.entries.len() as u32).map(ResourceId)
    }

    pub(crate) fn section(&self, id: ResourceId) -> SectionId {
        self.entries[id.0 as usize].section
    }

    pub(crate) fn name(&self, id: ResourceId) -> &'static str {
        self.entries[id.0 as usize].name
    }

    pub(crate) fn class(&self, id: ResourceId) -> ResourceClass {
        self.entries[id.0 as usize].class
    }
}
