use core::fmt;

use thiserror::Error;

use crate::component::ComponentId;
use crate::entity::SlotState;
use crate::hash::StateHasher;
use crate::storage::Archetype;
use crate::world::World;

/// Domains of the hashes that are folded into one another, so that equal words of different kinds differ.
mod domain {
    pub(super) const WORLD: u64 = 1;
    pub(super) const REGISTRY: u64 = 2;
    pub(super) const SLOTS: u64 = 3;
    pub(super) const ARCHETYPE: u64 = 4;
    pub(super) const COLUMN: u64 = 5;
    pub(super) const REMOVALS: u64 = 6;
    pub(super) const SECTIONS: u64 = 7;
}

/// The hash of everything that decides the future of a world.
///
/// Printed as `0x` and sixteen hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StateHash(pub(super) u64);

impl StateHash {
    /// The 64 bits.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016x}", self.0)
    }
}

/// The world holds values that can't be hashed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "component `{component}` can't be hashed, and entities have it: it is opaque; make it a `StateValue` and say \
     `#[component(opaque, state)]`, or keep it out of worlds that are hashed"
)]
pub struct Unhashable {
    /// The type of the component.
    pub component: &'static str,
}

impl Unhashable {
    /// A stable code for programs: `unhashable`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "unhashable"
    }
}

impl World {
    /// The hash of all state: slots and free list, archetypes and rows in their order, values, stamps, removal log,
    /// resources that are state, constants or inputs, locals, tick and registry.
    ///
    /// Two worlds with the same registrations and the same hash have the same future. Type names, addresses and capacities
    /// are no part of it.
    ///
    /// # Errors
    ///
    /// [`Unhashable`] if an entity has an opaque component without `state`.
    ///
    /// # Determinism
    ///
    /// Reading changes nothing: the hash is the same however often it is asked for.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Health(u32);
    ///
    /// let make = || {
    ///     let mut world = World::new();
    ///     world.spawn_batch([Health(1), Health(2)]);
    ///     world
    /// };
    /// let (mut a, b) = (make(), make());
    /// assert_eq!(a.state_hash()?, b.state_hash()?);
    /// a.query_mut::<&mut Health, ()>().for_each(|health| health.0 ^= 3);
    /// assert_ne!(a.state_hash()?, b.state_hash()?);
    /// # Ok::<(), tickweave::state::Unhashable>(())
    /// ```
    pub fn state_hash(&self) -> Result<StateHash, Unhashable> {
        let mut hasher = StateHasher::new(domain::WORLD);
        hasher.u64(self.tick());
        hasher.u64(u64::from(self.torn().is_some()));
        hasher.u64(self.registry_hash());
        hasher.u64(self.slots_hash());
        hasher.u64(self.storage().archetypes().len() as u64);
        for (_, archetype) in self.storage().archetypes().iter() {
            hasher.u64(self.archetype_hash(archetype)?);
        }
        hasher.u64(self.removals_hash());
        hasher.u64(self.sections_hash());
        Ok(StateHash(hasher.finish()))
    }

    fn registry_hash(&self) -> u64 {
        let mut hasher = StateHasher::new(domain::REGISTRY);
        hasher.u64(self.components().epoch());
        for info in self.components().ids().filter_map(|id| self.components().info(id)) {
            hasher.u64(info.size() as u64);
            hasher.u64(info.alignment() as u64);
            hasher.u64(info.kind() as u64);
            hasher.u64(
                u64::from(info.is_tracked()) | u64::from(info.is_hidden()) << 1 | u64::from(info.is_registered()) << 2,
            );
        }
        hasher.finish()
    }

    fn slots_hash(&self) -> u64 {
        let mut hasher = StateHasher::new(domain::SLOTS);
        let slots = self.storage().slots();
        hasher.u64(slots.len() as u64);
        for slot in 0..slots.len() as u32 {
            let (kind, generation) = match slots.state(slot) {
                Some(SlotState::Placed(generation)) => (0, generation),
                Some(SlotState::Reserved(generation)) => (1, generation),
                Some(SlotState::Free(next)) => (2, next),
                Some(SlotState::Retired) | None => (3, 0),
            };
            hasher.u64(kind << 32 | u64::from(generation));
        }
        slots.free_list().iter().for_each(|&slot| hasher.u64(u64::from(slot)));
        hasher.finish()
    }

    fn archetype_hash(&self, archetype: &Archetype) -> Result<u64, Unhashable> {
        let mut hasher = StateHasher::new(domain::ARCHETYPE);
        hasher.u64(u64::from(archetype.len()));
        archetype.components().iter().for_each(|id| hasher.u64(u64::from(id.get())));
        for (chunk, rows) in self.chunks_of(archetype) {
            hasher.bytes(self.entity_rows(chunk, rows));
            hasher.u64(self.storage().entity_column().stamp(chunk));
        }
        for &id in archetype.components() {
            hasher.u64(self.column_hash(archetype, id)?);
        }
        Ok(hasher.finish())
    }

    fn column_hash(&self, archetype: &Archetype, id: ComponentId) -> Result<u64, Unhashable> {
        let mut hasher = StateHasher::new(domain::COLUMN);
        let mut encoded = Vec::new();
        for (chunk, rows) in self.chunks_of(archetype) {
            hasher.u64(self.storage().column(id).stamp(chunk));
            encoded.clear();
            let component = self.type_name_of(id).unwrap_or("?");
            hasher.bytes(self.rows_as_bytes(id, chunk, rows, &mut encoded).ok_or(Unhashable { component })?);
            if let Some((added, changed)) = self.row_stamps(id, chunk, rows) {
                hasher.bytes(added);
                hasher.bytes(changed);
            }
        }
        Ok(hasher.finish())
    }

    fn removals_hash(&self) -> u64 {
        let mut hasher = StateHasher::new(domain::REMOVALS);
        for id in self.components().ids() {
            for removal in self.storage().removals().since(id, 0) {
                hasher.u64(u64::from(id.get()));
                hasher.u64(removal.entity.to_bits());
                hasher.u64(removal.stamp);
            }
        }
        hasher.finish()
    }

    fn sections_hash(&self) -> u64 {
        let mut hasher = StateHasher::new(domain::SECTIONS);
        self.for_each_section(|_, bytes| match bytes {
            Some(bytes) => hasher.bytes(bytes),
            None => hasher.u64(u64::MAX),
        });
        hasher.finish()
    }
}
