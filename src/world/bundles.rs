use core::any::{TypeId, type_name};
use core::hash::BuildHasherDefault;
use std::collections::HashMap;

use super::{StructureError, World};
use crate::component::{Bundle, ComponentDescriptor, ComponentId, TypeIdHasher};
use crate::storage::{ArchetypeId, Edge};

/// The number of a bundle type in its world: a key of caches, never part of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BundleId(u32);

/// What a world knows of a bundle type: its components in the order of its values, and ascending.
#[derive(Debug)]
struct BundleInfo {
    columns: Box<[ComponentId]>,
    sorted: Box<[ComponentId]>,
    version: u64,
}

#[derive(Debug, Default)]
pub(super) struct Bundles {
    list: Vec<BundleInfo>,
    by_type: HashMap<TypeId, BundleId, BuildHasherDefault<TypeIdHasher>>,
}

impl Bundles {
    /// The components of a bundle, in the order of its values.
    pub(super) fn columns(&self, id: BundleId) -> &[ComponentId] {
        &self.list[id.0 as usize].columns
    }
}

impl World {
    /// The bundle's number; registers its component types if need be.
    pub(super) fn bundle<B: Bundle>(&mut self) -> Result<BundleId, StructureError> {
        match self.known_bundle::<B>() {
            Some(id) => Ok(id),
            None => self.look_at_bundle::<B>(),
        }
    }

    /// The bundle's number, if it was looked at since the registry changed.
    fn known_bundle<B: Bundle>(&self) -> Option<BundleId> {
        let known = self.bundles.by_type.get(&TypeId::of::<B>()).copied();
        known.filter(|id| self.bundles.list[id.0 as usize].version == self.components.version())
    }

    /// Looks at a bundle that is new, or that was looked at before the registry changed.
    #[cold]
    fn look_at_bundle<B: Bundle>(&mut self) -> Result<BundleId, StructureError> {
        let descriptors = descriptors_of::<B>();
        refuse_duplicates::<B>(&descriptors)?;
        self.check_registrations(&descriptors)?;
        let mut columns = Vec::with_capacity(descriptors.len());
        for descriptor in descriptors {
            columns.push(self.ensure(descriptor)?);
        }
        let mut sorted = columns.clone();
        sorted.sort_unstable();
        let info = BundleInfo { columns: columns.into(), sorted: sorted.into(), version: self.components.version() };
        Ok(self.bundles.keep::<B>(info))
    }

    /// The archetype that an entity of `source` is in after the bundle was inserted.
    pub(super) fn with_bundle(&mut self, source: ArchetypeId, bundle: BundleId) -> ArchetypeId {
        let edge = Edge::Insert(bundle.0);
        if let Some(target) = self.storage.archetypes().get(source).edge(edge) {
            return target;
        }
        let mut components = self.storage.archetypes().get(source).components().to_vec();
        components.extend_from_slice(&self.bundles.list[bundle.0 as usize].sorted);
        components.sort_unstable();
        components.dedup();
        self.follow(source, edge, &components)
    }

    /// The archetype that an entity of `source` is in after the components of a bundle were removed: `source` if it has
    /// none of them. Registers nothing.
    pub(super) fn without<B: Bundle>(&mut self, source: ArchetypeId) -> ArchetypeId {
        match self.known_bundle::<B>() {
            Some(bundle) => self.without_bundle(source, bundle),
            None => self.without_unknown::<B>(source),
        }
    }

    #[cold]
    fn without_unknown<B: Bundle>(&mut self, source: ArchetypeId) -> ArchetypeId {
        let descriptors = descriptors_of::<B>();
        let ids = descriptors.iter().map(|descriptor| self.components.id_of_type(descriptor.type_id));
        let removed: Vec<ComponentId> = ids.flatten().collect();
        if removed.len() == descriptors.len() {
            if let Ok(bundle) = self.look_at_bundle::<B>() {
                return self.without_bundle(source, bundle);
            }
        }
        let kept = self.storage.archetypes().get(source).components().iter().copied();
        let components: Vec<ComponentId> = kept.filter(|id| !removed.contains(id)).collect();
        self.storage.archetypes_mut().of(&components)
    }

    fn without_bundle(&mut self, source: ArchetypeId, bundle: BundleId) -> ArchetypeId {
        let edge = Edge::Remove(bundle.0);
        if let Some(target) = self.storage.archetypes().get(source).edge(edge) {
            return target;
        }
        let removed = &self.bundles.list[bundle.0 as usize].sorted;
        let kept = self.storage.archetypes().get(source).components().iter().copied();
        let components: Vec<ComponentId> = kept.filter(|id| removed.binary_search(id).is_err()).collect();
        self.follow(source, edge, &components)
    }

    fn follow(&mut self, source: ArchetypeId, edge: Edge, components: &[ComponentId]) -> ArchetypeId {
        let archetypes = self.storage.archetypes_mut();
        let target = archetypes.of(components);
        archetypes.get_mut(source).set_edge(edge, target);
        target
    }
}

impl Bundles {
    fn keep<B: Bundle>(&mut self, info: BundleInfo) -> BundleId {
        if let Some(&id) = self.by_type.get(&TypeId::of::<B>()) {
            self.list[id.0 as usize] = info;
            return id;
        }
        let id = BundleId(u32::try_from(self.list.len()).expect("fewer bundle types than slots"));
        self.list.push(info);
        self.by_type.insert(TypeId::of::<B>(), id);
        id
    }
}

fn descriptors_of<B: Bundle>() -> Vec<ComponentDescriptor> {
    let mut descriptors = Vec::new();
    B::descriptors(&mut |descriptor| descriptors.push(descriptor));
    descriptors
}

fn refuse_duplicates<B: Bundle>(descriptors: &[ComponentDescriptor]) -> Result<(), StructureError> {
    for (index, descriptor) in descriptors.iter().enumerate() {
        if descriptors[..index].iter().any(|earlier| earlier.type_id == descriptor.type_id) {
            return Err(StructureError::DuplicateInBundle { bundle: type_name::<B>(), component: descriptor.name });
        }
    }
    Ok(())
}
