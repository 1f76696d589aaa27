use super::World;
use crate::component::ComponentInfo;
use crate::component::Tracked;
use crate::entity::Entity;
use crate::query::RunStamps;
use crate::storage::{Archetype, ArchetypeId, Removal};

/// An archetype, for people and tools: its components and how many rows and chunks it has.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component)]
/// struct Enemy;
///
/// let mut world = World::new();
/// world.spawn_batch([(Enemy,), (Enemy,)]);
/// let archetype = world.archetypes().last().unwrap();
/// assert_eq!((archetype.len(), archetype.chunk_count()), (2, 1));
/// assert!(archetype.name().ends_with("Enemy]"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ArchetypeInfo<'w> {
    world: &'w World,
    id: ArchetypeId,
    archetype: &'w Archetype,
}

impl<'w> ArchetypeInfo<'w> {
    /// Its number: archetypes are numbered in the order of their creation.
    #[must_use]
    pub const fn id(&self) -> ArchetypeId {
        self.id
    }

    /// The names of its components in brackets.
    #[must_use]
    pub fn name(&self) -> String {
        let names: Vec<&str> = self.components().map(|component| component.name()).collect();
        format!("[{}]", names.join(", "))
    }

    /// Its components, in the order of their ids.
    pub fn components(&self) -> impl Iterator<Item = ComponentInfo<'w>> + use<'w> {
        let components = self.world.components();
        self.archetype.components().iter().filter_map(|&id| components.info(id))
    }

    /// How many entities it has.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.archetype.len() as usize
    }

    /// Whether it has no entity.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many chunks have rows.
    #[must_use]
    pub const fn chunk_count(&self) -> usize {
        self.archetype.used_chunks(self.world.storage().shape())
    }

    /// Its entities, row by row.
    pub fn entities(&self) -> impl Iterator<Item = Entity> + use<'w> {
        let (storage, archetype) = (self.world.storage(), self.archetype);
        (0..archetype.len()).map(|row| storage.entity_at(archetype.place(row, storage.shape())))
    }
}

/// What there is, for people and tools. Nothing here changes state.
impl World {
    /// Every archetype, in the order of creation; those without entities too.
    pub fn archetypes(&self) -> impl ExactSizeIterator<Item = ArchetypeInfo<'_>> {
        let archetypes = self.storage.archetypes().iter();
        archetypes.map(|(id, archetype)| ArchetypeInfo { world: self, id, archetype })
    }

    /// The archetype of an entity that has a row.
    #[must_use]
    pub fn archetype_of(&self, entity: Entity) -> Option<ArchetypeInfo<'_>> {
        let (id, _) = self.storage.row_of(entity)?;
        Some(ArchetypeInfo { world: self, id, archetype: self.storage.archetypes().get(id) })
    }

    /// Bytes that the world's columns have asked the allocator for.
    #[must_use]
    pub fn reserved_bytes(&self) -> usize {
        self.storage.reserved_bytes()
    }

    /// Entities that lost a tracked component after the stamp `since`, oldest first; 0 for all that the log still has.
    ///
    /// An entry is made when a removal takes effect: by `remove`, `take` or a despawn, not by a replacement and not where
    /// the component was absent. It lives for [`removal_ticks`](super::WorldBuilder::removal_ticks) ticks.
    pub fn removals<T: Tracked>(&self, since: u64) -> impl Iterator<Item = Removal> + '_ {
        let id = self.component_id::<T>();
        id.into_iter().flat_map(move |id| self.storage.removals().since(id, since))
    }

    pub(crate) const fn run_stamps(&self) -> RunStamps {
        self.time.stamps
    }
}
