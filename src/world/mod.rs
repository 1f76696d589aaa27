//! The one owner of the data: entities, components, resources and sections.
//!
//! Each file holds one group of verbs of [`World`].

mod access;
mod builder;
mod bundles;
mod bytes;
mod cell;
mod entity_mut;
mod error;
mod events;
mod inspect;
mod managers;
mod queries;
mod rails;
mod registry;
mod replace;
mod resources;
mod seed;
mod share;
mod spawn;
mod structure;
mod tentative;
mod timeline;

pub use builder::{BuildError, WorldBuilder};
pub(crate) use cell::WorldCell;
pub use entity_mut::EntityMut;
pub use error::{ComponentError, Missing, NoSuchEntity, ResourceError, StructureError};
pub use inspect::ArchetypeInfo;
pub use managers::NoManager;
pub use queries::PreparedQuery;
pub use rails::CHURN_BUDGET;
pub(crate) use replace::NewState;
pub(crate) use tentative::Tentative;
pub(crate) use timeline::Timeline;

pub use crate::entity::EntityCapacity;
pub use crate::storage::{
    ArchetypeId, BATCH_ROWS, CHUNK_ROWS, InvalidChunkShape, MAX_CHUNK_ROWS, Removal, StorageFull,
};

use core::fmt;
use std::borrow::Cow;

use crate::component::Components;
use crate::event::EventRegistry;
use crate::query::RunStamps;
use crate::records::Records;
use crate::storage::{Resources, Sections, Storage, stamp};
use crate::sync::next_unique;
use bundles::Bundles;
use cell::Grants;
use managers::Managers;
use rails::Rails;

/// Component types of a world by default.
pub const MAX_COMPONENTS: u32 = 256;

/// How many ticks a removal stays in the log by default.
pub const REMOVAL_TICKS: u32 = 16;

/// Entities with components, resources, and everything else that decides the future.
///
/// A world is pleasant without any scheduler: spawn, query, despawn. A [`Schedule`](crate::schedule::Schedule) runs systems
/// on it. It has one owner and no global state; two worlds never touch each other.
///
/// # Determinism
///
/// The same calls in the same order give the same handles, rows, stamps and hashes, in every build. Archetypes are
/// ordered by creation, a removed row is replaced by the last row of its archetype, and the slot freed last is used first.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Position { x: f32, y: f32 }
///
/// let mut world = World::new();
/// let wolf = world.spawn(Position { x: 0.0, y: 1.0 });
/// world.get_mut::<Position>(wolf)?.x += 2.0;
/// assert_eq!(world.get::<Position>(wolf)?, &Position { x: 2.0, y: 1.0 });
/// world.despawn(wolf)?;
/// assert!(world.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct World {
    id: u64,
    components: Components,
    bundles: Bundles,
    storage: Storage,
    resources: Resources,
    sections: Sections,
    events: EventRegistry,
    managers: Managers,
    time: Time,
    /// The schedules that were bound, by their numbers: each as a number that no other binding has.
    schedules: Vec<u64>,
    grants: Grants,
    torn: Option<Cow<'static, str>>,
    /// Changes when a restore takes away what a schedule keeps in the world: it binds anew at its next run.
    unbound: u64,
    timeline: Timeline,
    rails: Rails,
    /// How many [`Tentative`]s live on it.
    tentative: u32,
    records: Records,
}

/// A schedule on the world that it is bound to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound {
    pub(crate) world: u64,
    /// The number of the schedule on the world, from 1, in the order of binding.
    pub(crate) number: u32,
    /// Tells bindings apart.
    token: u64,
}

/// What the world knows of time: the ticks that were run, and the stamps of whoever holds it alone now.
#[derive(Clone, Copy, Debug)]
struct Time {
    ticks: u64,
    stamps: RunStamps,
    inside_tick: bool,
}

impl World {
    /// An empty world with the default limits.
    #[must_use]
    pub fn new() -> Self {
        match Self::builder().build() {
            Ok(world) => world,
            Err(error) => unreachable!("the defaults are possible: {error}"),
        }
    }

    /// A world with component types, limits and rows per chunk of one's own.
    #[must_use]
    pub fn builder() -> WorldBuilder {
        WorldBuilder::new()
    }

    /// How many ticks were run on this world.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.time.ticks
    }

    /// Whether a tick failed half-way: the message of the failure. Schedules refuse to run on a torn world.
    #[must_use]
    pub fn torn(&self) -> Option<&str> {
        self.torn.as_deref()
    }

    /// Declares a torn world whole again, on purpose: what the failed tick had done stays.
    pub fn clear_torn(&mut self) {
        self.torn = None;
    }

    pub(crate) fn tear(&mut self, reason: String) {
        self.torn = Some(reason.into());
    }

    /// Identifies the world in this process: never an order, never part of state.
    pub(crate) const fn id(&self) -> u64 {
        self.id
    }

    pub(crate) const fn components(&self) -> &Components {
        &self.components
    }

    pub(crate) const fn storage(&self) -> &Storage {
        &self.storage
    }

    pub(crate) const fn storage_mut(&mut self) -> &mut Storage {
        &mut self.storage
    }

    pub(crate) const fn sections(&self) -> &Sections {
        &self.sections
    }

    pub(crate) const fn sections_mut(&mut self) -> &mut Sections {
        &mut self.sections
    }

    pub(crate) const fn resource_registry(&self) -> &Resources {
        &self.resources
    }

    /// Whether a schedule runs on this world now.
    pub(crate) const fn is_inside_tick(&self) -> bool {
        self.time.inside_tick
    }

    /// Changes when a restore takes away what a schedule keeps in the world.
    pub(crate) const fn unbound(&self) -> u64 {
        self.unbound
    }

    /// Where the state of this world comes from.
    pub(crate) const fn timeline(&self) -> Timeline {
        self.timeline
    }

    /// The number of the next schedule that binds to this world.
    pub(crate) fn next_schedule(&mut self) -> Bound {
        let token = next_unique();
        self.schedules.push(token);
        Bound { world: self.id, number: self.schedules.len() as u32, token }
    }

    /// Whether the schedule still has its number: a restore to before it was bound takes it back.
    pub(crate) fn knows_schedule(&self, bound: Bound) -> bool {
        self.schedules.get(bound.number as usize - 1) == Some(&bound.token)
    }

    /// The stamp of what is written through `&mut self` now.
    pub(crate) const fn stamp(&self) -> u64 {
        self.time.stamps.now
    }

    /// Begins the next tick; returns its number.
    pub(crate) fn begin_tick(&mut self) -> u64 {
        self.arm_rails();
        self.time.ticks += 1;
        self.time.inside_tick = true;
        let oldest = self.time.ticks.saturating_sub(u64::from(self.storage.removals().ticks()));
        self.storage.removals_mut().forget_before(stamp::at(oldest, 0));
        self.time.ticks
    }

    /// Ends the tick: the host writes again.
    pub(crate) fn end_tick(&mut self) {
        self.storage.settle();
        self.time.inside_tick = false;
        self.time.stamps = RunStamps { now: stamp::host(self.time.ticks), last: 0 };
    }

    /// Whoever gets `&mut self` next writes at these stamps.
    pub(crate) fn set_stamps(&mut self, stamps: RunStamps) {
        self.time.stamps = stamps;
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("tick", &self.tick())
            .field("entities", &self.len())
            .field("archetypes", &self.storage.archetypes().len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
