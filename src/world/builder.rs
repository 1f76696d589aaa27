use thiserror::Error;

use super::bundles::Bundles;
use super::cell::Grants;
use super::managers::Managers;
use super::rails::Rails;
use super::{CHURN_BUDGET, MAX_COMPONENTS, REMOVAL_TICKS, Time, Timeline, World};
use crate::component::{Component, ComponentDescriptor, Components, RegistryError};
use crate::event::EventRegistry;
use crate::query::RunStamps;
use crate::records::Records;
use crate::storage::{
    BATCH_ROWS, CHUNK_ROWS, ChunkShape, InvalidChunkShape, Resources, SectionKey, Sections, Storage, stamp,
};
use crate::sync::next_unique;

/// A world can't be built as asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A component type was refused.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The rows of a chunk or batch are not possible.
    #[error(transparent)]
    Shape(#[from] InvalidChunkShape),
}

impl BuildError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Registry(error) => error.code(),
            Self::Shape(error) => error.code(),
        }
    }
}

/// Sets up a [`World`]: component types, limits, rows of a chunk.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component)]
/// struct Enemy;
///
/// let mut world = World::builder().with_component::<Enemy>().entity_capacity(1).build()?;
/// assert_eq!(world.component_count(), 1);
/// world.spawn(Enemy);
/// assert_eq!(world.try_spawn(Enemy).unwrap_err().code(), "entity-capacity");
/// # Ok::<(), tickweave::world::BuildError>(())
/// ```
#[derive(Debug)]
pub struct WorldBuilder {
    components: Vec<(ComponentDescriptor, bool)>,
    max_components: u32,
    entity_capacity: u32,
    chunk_rows: u32,
    batch_rows: u32,
    removal_ticks: u32,
    churn_budget: u32,
    seed: Option<u64>,
}

impl WorldBuilder {
    pub(super) const fn new() -> Self {
        Self {
            components: Vec::new(),
            max_components: MAX_COMPONENTS,
            entity_capacity: u32::MAX,
            chunk_rows: CHUNK_ROWS,
            batch_rows: BATCH_ROWS,
            removal_ticks: REMOVAL_TICKS,
            churn_budget: CHURN_BUDGET,
            seed: None,
        }
    }

    /// Registers a component type; ids are given in the order of these calls.
    #[must_use]
    pub fn with_component<T: Component>(mut self) -> Self {
        self.components.push((ComponentDescriptor::of::<T>(), false));
        self
    }

    /// Registers a component type that hides entities: queries leave those that have it out unless they name it.
    #[must_use]
    pub fn with_hidden_component<T: Component>(mut self) -> Self {
        self.components.push((ComponentDescriptor::of::<T>(), true));
        self
    }

    /// How many component types the world can have; room for them (at most for 4096) is made once.
    #[must_use]
    pub const fn max_components(mut self, types: u32) -> Self {
        self.max_components = types;
        self
    }

    /// How many entities may live at a time; without it as many as there are handles.
    ///
    /// Where it is declared, [records](crate::records) tell when a quarter, half and all of it is in use.
    #[must_use]
    pub const fn entity_capacity(mut self, entities: u32) -> Self {
        self.entity_capacity = entities;
        self
    }

    /// Rows of a chunk: a power of two.
    #[must_use]
    pub const fn chunk_rows(mut self, rows: u32) -> Self {
        self.chunk_rows = rows;
        self
    }

    /// Rows of a batch: a power of two, at most the rows of a chunk.
    #[must_use]
    pub const fn batch_rows(mut self, rows: u32) -> Self {
        self.batch_rows = rows;
        self
    }

    /// For how many ticks a removal of a tracked component stays in the log.
    #[must_use]
    pub const fn removal_ticks(mut self, ticks: u32) -> Self {
        self.removal_ticks = ticks;
        self
    }

    /// How many components may come (in bundles of new entities too), be replaced and go in one tick before a
    /// [record](crate::records) says so; with 0 none ever does. It refuses nothing.
    #[must_use]
    pub const fn churn_budget(mut self, components: u32) -> Self {
        self.churn_budget = components;
        self
    }

    /// What all random streams of the world follow from. Without a seed it has none, and schedules with a system that draws
    /// are refused: `world-unseeded`.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Makes the world.
    ///
    /// # Errors
    ///
    /// [`BuildError`] if a component type stands in the list twice or the limit is lower than their number, and if the rows
    /// of a chunk and a batch do not fit each other.
    pub fn build(self) -> Result<World, BuildError> {
        let shape = ChunkShape::new(self.chunk_rows, self.batch_rows)?;
        let mut world = World {
            id: next_unique(),
            tentative: 0,
            components: Components::new(self.max_components),
            bundles: Bundles::default(),
            storage: Storage::new(shape, self.entity_capacity, self.max_components, self.removal_ticks),
            resources: Resources::default(),
            sections: Sections::default(),
            events: EventRegistry::default(),
            managers: Managers::default(),
            time: Time { ticks: 0, stamps: RunStamps { now: stamp::host(0), last: 0 }, inside_tick: false },
            schedules: Vec::new(),
            grants: Grants::default(),
            torn: None,
            unbound: 0,
            timeline: Timeline::new(),
            rails: Rails::new(self.churn_budget),
            records: Records::new(),
        };
        if let Some(seed) = self.seed {
            world.sections.ensure_with(SectionKey::Seed, || seed);
        }
        for (descriptor, hidden) in self.components {
            let id = world.register(descriptor)?;
            if hidden {
                world.components.hide(id);
            }
        }
        Ok(world)
    }
}
