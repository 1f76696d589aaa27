use core::any::TypeId;
use core::fmt;
use core::hash::{BuildHasherDefault, Hasher};
use core::num::NonZeroU32;
use std::collections::HashMap;

use thiserror::Error;

use super::{Component, ComponentDescriptor, ComponentKind};
use crate::access::IdSet;
use crate::sync::next_unique;
use crate::value::Schema;

/// The id of a component type in one world: dense from 1, in the order of registration, never used again.
///
/// Ids of different worlds have nothing to do with one another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct ComponentId(NonZeroU32);

impl ComponentId {
    /// The id as a number, from 1.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// The id with this number; `None` for 0, which is never assigned.
    #[must_use]
    pub const fn new(number: u32) -> Option<Self> {
        match NonZeroU32::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The place in tables, from 0.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0.get() as usize - 1
    }

    /// The number in [`IdSet`]s, from 0.
    #[inline]
    pub(crate) const fn bit(self) -> u32 {
        self.0.get() - 1
    }

    pub(crate) fn from_bit(bit: u32) -> Self {
        Self(NonZeroU32::MIN.saturating_add(bit))
    }
}

impl fmt::Debug for ComponentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ComponentId({})", self.0)
    }
}

/// Why the registry of component types refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The type has an id in this world already.
    #[error(
        "component `{name}` is registered already (id {}); register each type once, or call `ensure_component`, which \
         may be called again",
        id.get()
    )]
    Duplicate {
        /// The type.
        name: &'static str,
        /// Its id.
        id: ComponentId,
    },
    /// The world has as many component types as its limit allows.
    #[error(
        "no room for component `{name}`: the world has {limit} component types; raise `max_components` of its builder"
    )]
    Limit {
        /// The type.
        name: &'static str,
        /// The limit, in types.
        limit: u32,
    },
    /// Registries change between ticks only.
    #[error(
        "component `{name}` can't be registered or unregistered inside of a tick; do it when the world is set up, or \
         between two ticks"
    )]
    InsideTick {
        /// The type.
        name: &'static str,
    },
    /// The type is not registered in this world.
    #[error("component `{name}` is not registered in this world; register it with `register_component` or spawn one")]
    NotRegistered {
        /// The type, or the number of an id that the world never gave.
        name: String,
    },
    /// A chunk of its values would be beyond the address space.
    #[error(
        "component `{name}` is too large: {rows} rows of {size} bytes each do not fit into memory; lower `chunk_rows` of \
         the world's builder, or keep the bytes behind a pointer in an opaque component"
    )]
    TooLarge {
        /// The type.
        name: &'static str,
        /// Size of a value in bytes.
        size: usize,
        /// Rows of a chunk.
        rows: u32,
    },
    /// Entities still have the component.
    #[error("component `{name}` can't be unregistered: {entities} entities have it; remove it from them first")]
    InUse {
        /// The type.
        name: &'static str,
        /// How many entities have it.
        entities: u64,
    },
}

impl RegistryError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Duplicate { .. } => "component-duplicate",
            Self::Limit { .. } => "component-limit",
            Self::InsideTick { .. } => "component-inside-tick",
            Self::NotRegistered { .. } => "component-unregistered",
            Self::TooLarge { .. } => "component-too-large",
            Self::InUse { .. } => "component-in-use",
        }
    }
}

/// What a world knows of a component type.
#[derive(Clone, Copy, Debug)]
pub struct ComponentInfo<'w> {
    id: ComponentId,
    entry: &'w Entry,
}

impl ComponentInfo<'_> {
    /// Its id.
    #[must_use]
    pub const fn id(&self) -> ComponentId {
        self.id
    }

    /// The full name of the type. For people: never an order or a key.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.entry.descriptor.name
    }

    /// Size of a value in bytes.
    #[must_use]
    pub const fn size(&self) -> usize {
        self.entry.descriptor.layout.size()
    }

    /// Alignment of a value in bytes.
    #[must_use]
    pub const fn alignment(&self) -> usize {
        self.entry.descriptor.layout.align()
    }

    /// How its values are kept.
    #[must_use]
    pub const fn kind(&self) -> ComponentKind {
        self.entry.descriptor.kind
    }

    /// Whether its rows carry stamps of their own.
    #[must_use]
    pub const fn is_tracked(&self) -> bool {
        self.entry.descriptor.tracked
    }

    /// Whether queries leave entities that have it out unless they ask for it.
    #[must_use]
    pub const fn is_hidden(&self) -> bool {
        self.entry.hidden
    }

    /// Whether it is registered now: an unregistered type keeps its id.
    #[must_use]
    pub const fn is_registered(&self) -> bool {
        self.entry.registered
    }

    /// What its bytes mean, if it is a Data component.
    #[must_use]
    pub const fn schema(&self) -> Option<Schema> {
        self.entry.descriptor.schema
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    descriptor: ComponentDescriptor,
    registered: bool,
    hidden: bool,
}

/// The sole owner of component ids.
#[derive(Clone, Debug)]
pub(crate) struct Components {
    entries: Vec<Entry>,
    /// Registered types only, so that a lookup need not ask.
    by_type: HashMap<TypeId, ComponentId, BuildHasherDefault<TypeIdHasher>>,
    hidden: IdSet,
    registered: u32,
    limit: u32,
    epoch: u64,
    /// Tells registries apart, in this process: two of one version are equal.
    version: u64,
}

/// For how many of `limit` component types room is made when a world is: all, unless the limit only says "any number".
pub(crate) const fn first_room(limit: u32) -> u32 {
    if limit < 1 << 12 { limit } else { 1 << 12 }
}

impl Components {
    /// At most `limit` types, with room for [`first_room`] of them.
    pub(crate) fn new(limit: u32) -> Self {
        let room = first_room(limit);
        Self {
            entries: Vec::with_capacity(room as usize),
            by_type: HashMap::with_capacity_and_hasher(room as usize, BuildHasherDefault::default()),
            hidden: IdSet::with_capacity(room),
            registered: 0,
            limit,
            epoch: 0,
            version: next_unique(),
        }
    }

    /// Gives the type an id, or its old one back after it was unregistered.
    pub(crate) fn register(&mut self, descriptor: ComponentDescriptor) -> Result<ComponentId, RegistryError> {
        if let Some(id) = self.id_of_type(descriptor.type_id) {
            return Err(RegistryError::Duplicate { name: descriptor.name, id });
        }
        let id = self.known(descriptor.type_id).map_or_else(|| self.assign(descriptor), Ok)?;
        self.entries[id.index()].registered = true;
        self.by_type.insert(descriptor.type_id, id);
        self.registered += 1;
        self.change();
        Ok(id)
    }

    /// The id that a type has or had.
    fn known(&self, type_id: TypeId) -> Option<ComponentId> {
        let index = self.entries.iter().position(|entry| entry.descriptor.type_id == type_id)?;
        Some(ComponentId::from_bit(index as u32))
    }

    fn assign(&mut self, descriptor: ComponentDescriptor) -> Result<ComponentId, RegistryError> {
        let count = self.entries.len() as u32;
        if count >= self.limit {
            return Err(RegistryError::Limit { name: descriptor.name, limit: self.limit });
        }
        let id = ComponentId::from_bit(count);
        self.entries.push(Entry { descriptor, registered: false, hidden: false });
        Ok(id)
    }

    /// Whether there is an id for each of these types; one that was unregistered has its own still.
    pub(crate) fn check_room<'d>(
        &self,
        types: impl Iterator<Item = &'d ComponentDescriptor>,
    ) -> Result<(), RegistryError> {
        let mut fresh = types.filter(|descriptor| self.known(descriptor.type_id).is_none());
        match fresh.nth(self.limit as usize - self.entries.len()) {
            Some(first) => Err(RegistryError::Limit { name: first.name, limit: self.limit }),
            None => Ok(()),
        }
    }

    /// Takes the type out of use; its id stays its own.
    pub(crate) fn unregister(&mut self, id: ComponentId) {
        let entry = &mut self.entries[id.index()];
        debug_assert!(entry.registered, "callers look the id up first");
        entry.registered = false;
        self.by_type.remove(&entry.descriptor.type_id);
        self.registered -= 1;
        self.change();
    }

    /// Has queries leave entities with this component out unless they ask for it.
    pub(crate) fn hide(&mut self, id: ComponentId) {
        self.entries[id.index()].hidden = true;
        self.hidden.insert(id.bit());
        self.change();
    }

    /// The id of a registered type.
    #[inline]
    pub(crate) fn id_of<T: Component>(&self) -> Option<ComponentId> {
        self.id_of_type(TypeId::of::<T>())
    }

    #[inline]
    pub(crate) fn id_of_type(&self, type_id: TypeId) -> Option<ComponentId> {
        self.by_type.get(&type_id).copied()
    }

    /// Components that hide entities by default.
    pub(crate) const fn hidden(&self) -> &IdSet {
        &self.hidden
    }

    /// How many types are registered now.
    pub(crate) const fn count(&self) -> u32 {
        self.registered
    }

    /// Every id that was ever given, ascending.
    pub(crate) fn ids(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (0..self.entries.len() as u32).map(ComponentId::from_bit)
    }

    /// How often the registry has changed.
    pub(crate) const fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Tells registries apart: what was looked up is true as long as the version is the same.
    pub(crate) const fn version(&self) -> u64 {
        self.version
    }

    /// Is equal to another registry from now on. If it knows the same types already, what was looked up stays true, and
    /// the answer is `false`.
    pub(crate) fn become_like(&mut self, other: &Self) -> bool {
        let facts = |entry: &Entry| (entry.descriptor.type_id, entry.registered, entry.hidden);
        let same = self.version == other.version
            || self.limit == other.limit && self.entries.iter().map(facts).eq(other.entries.iter().map(facts));
        if same {
            self.epoch = other.epoch;
        } else {
            self.clone_from(other);
        }
        !same
    }

    fn change(&mut self) {
        self.epoch += 1;
        self.version = next_unique();
    }

    /// How many types a world can have.
    pub(crate) const fn limit(&self) -> u32 {
        self.limit
    }

    /// The first type, by its place, of which another registry has another: its names here and there.
    pub(crate) fn differs_from(&self, other: &Self) -> Option<(&'static str, &'static str)> {
        let name = |entry: &Entry| (entry.descriptor.type_id, entry.descriptor.name);
        let mut both = self.entries.iter().map(name).zip(other.entries.iter().map(name));
        both.find(|((ours, _), (theirs, _))| ours != theirs).map(|((_, ours), (_, theirs))| (ours, theirs))
    }

    /// Takes over how often a registry with the same types had changed when it was saved.
    pub(crate) fn set_epoch(&mut self, epoch: u64) {
        self.epoch = epoch;
    }

    pub(crate) fn info(&self, id: ComponentId) -> Option<ComponentInfo<'_>> {
        self.entries.get(id.index()).map(|entry| ComponentInfo { id, entry })
    }

    /// # Panics
    ///
    /// If the id is not one of this world.
    pub(crate) fn descriptor(&self, id: ComponentId) -> &ComponentDescriptor {
        &self.entries[id.index()].descriptor
    }
}

/// A `TypeId` is a hash already: this takes its bits as they are. The table is only looked up, never iterated.
#[derive(Debug, Default)]
pub(crate) struct TypeIdHasher(u64);

impl Hasher for TypeIdHasher {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = word;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
