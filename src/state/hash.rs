use core::fmt;

use thiserror::Error;

use crate::component::ComponentId;
use crate::hash::StateHasher;
use crate::storage::{Archetype, ArchetypeId, ChunkId, ColumnTable, SlotState};
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
    pub(super) const SLOT_PAGE: u64 = 9;
    pub(super) const FREE_PAGE: u64 = 10;
    pub(super) const ENTITY_CHUNK: u64 = 11;
    pub(super) const CHUNK: u64 = 12;
}

/// The hash of everything that decides the future of a world.
///
/// Printed as `0x` and sixteen hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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

impl fmt::Debug for StateHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateHash({self})")
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
    /// Two worlds with the same registrations, resources of the same types among them, and the same hash have the same future.
    /// Type names, addresses and capacities are no part of it.
    ///
    /// # Errors
    ///
    /// [`Unhashable`] if an entity has an opaque component without `state`.
    ///
    /// Each chunk of a column keeps its hash until it is written, so that the hash after a tick costs what the tick changed.
    ///
    /// # Determinism
    ///
    /// Reading changes nothing: the hash is the same however often it is asked for, and whatever was hashed before.
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
        self.state_hash_by(Kept::Trusted)
    }

    /// The same number as [`state_hash`](Self::state_hash), without a look at what was hashed before: slower by the size of
    /// what has not changed, to check the other.
    ///
    /// # Errors
    ///
    /// As for [`state_hash`](Self::state_hash).
    pub fn state_hash_from_scratch(&self) -> Result<StateHash, Unhashable> {
        self.state_hash_by(Kept::Ignored)
    }

    fn state_hash_by(&self, kept: Kept) -> Result<StateHash, Unhashable> {
        let mut hasher = StateHasher::new(domain::WORLD);
        hasher.u64(self.tick());
        hasher.u64(u64::from(self.torn().is_some()));
        hasher.u64(self.registry_hash());
        hasher.u64(self.slots_hash(kept));
        hasher.u64(self.storage().archetypes().len() as u64);
        for (_, archetype) in self.storage().archetypes().iter() {
            hasher.u64(self.archetype_hash_by(archetype, kept)?);
        }
        hasher.u64(self.removals_hash());
        hasher.u64(self.sections_hash(kept));
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

    fn slots_hash(&self, kept: Kept) -> u64 {
        let mut hasher = StateHasher::new(domain::SLOTS);
        let slots = self.storage().slots();
        hasher.u64(u64::from(slots.len()));
        for (page, rows) in slots.pages() {
            hasher.u64(kept.or_hash(slots.table(), page, || self.slot_page_hash(page, rows)));
        }
        for (page, rows) in slots.free_pages() {
            hasher.u64(kept.or_hash(slots.free_table(), page, || self.free_page_hash(page, rows)));
        }
        hasher.finish()
    }

    fn slot_page_hash(&self, page: ChunkId, rows: u32) -> u64 {
        let mut hasher = StateHasher::new(domain::SLOT_PAGE);
        for state in self.storage().slots().states(page, rows) {
            let (kind, generation) = match state {
                SlotState::Placed(generation) => (0, generation),
                SlotState::Reserved(generation) => (1, generation),
                SlotState::Free(next) => (2, next),
                SlotState::Retired => (3, 0),
            };
            hasher.u64(kind << 32 | u64::from(generation));
        }
        hasher.finish()
    }

    fn free_page_hash(&self, page: ChunkId, rows: u32) -> u64 {
        let mut hasher = StateHasher::new(domain::FREE_PAGE);
        self.storage().slots().free_in(page, rows).for_each(|slot| hasher.u64(u64::from(slot)));
        hasher.finish()
    }

    fn archetype_hash_by(&self, archetype: &Archetype, kept: Kept) -> Result<u64, Unhashable> {
        let mut hasher = StateHasher::new(domain::ARCHETYPE);
        hasher.u64(u64::from(archetype.len()));
        archetype.components().iter().for_each(|id| hasher.u64(u64::from(id.get())));
        for (chunk, rows) in self.chunks_of(archetype) {
            hasher.u64(kept.or_hash(self.storage().entity_column(), chunk, || self.entity_chunk_hash(chunk, rows)));
        }
        for &id in archetype.components() {
            hasher.u64(self.column_hash_by(archetype, id, kept)?);
        }
        Ok(hasher.finish())
    }

    fn entity_chunk_hash(&self, chunk: ChunkId, rows: u32) -> u64 {
        let mut hasher = StateHasher::new(domain::ENTITY_CHUNK);
        hasher.u64(self.storage().entity_column().stamp(chunk));
        hasher.bytes(self.entity_rows(chunk, rows));
        hasher.finish()
    }

    fn column_hash_by(&self, archetype: &Archetype, id: ComponentId, kept: Kept) -> Result<u64, Unhashable> {
        let mut hasher = StateHasher::new(domain::COLUMN);
        for (chunk, rows) in self.chunks_of(archetype) {
            hasher.u64(self.chunk_hash_by(id, chunk, rows, kept)?);
        }
        Ok(hasher.finish())
    }

    fn chunk_hash_by(&self, id: ComponentId, chunk: ChunkId, rows: u32, kept: Kept) -> Result<u64, Unhashable> {
        let column = self.storage().column(id);
        if let Some(hash) = kept.of(column, chunk) {
            return Ok(hash);
        }
        let mut hasher = StateHasher::new(domain::CHUNK);
        hasher.u64(column.stamp(chunk));
        let component = self.type_name_of(id).unwrap_or("?");
        let mut encoded = Vec::new();
        hasher.bytes(self.rows_as_bytes(id, chunk, rows, &mut encoded).ok_or(Unhashable { component })?);
        if let Some((added, changed)) = self.row_stamps(id, chunk, rows) {
            hasher.bytes(added);
            hasher.bytes(changed);
        }
        Ok(kept.keep(column, chunk, hasher.finish()))
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

    fn sections_hash(&self, kept: Kept) -> u64 {
        let mut hasher = StateHasher::new(domain::SECTIONS);
        self.for_each_section_hash(kept == Kept::Trusted, |number, _, hash| {
            hasher.u64(u64::from(number));
            hasher.u64(hash);
        });
        hasher.finish()
    }

    /// The hash of one archetype: its components, the entities of its rows, and its columns.
    ///
    /// `None` if there is no such archetype.
    ///
    /// # Errors
    ///
    /// [`Unhashable`] if its entities have an opaque component without `state`.
    pub fn archetype_hash(&self, archetype: ArchetypeId) -> Result<Option<StateHash>, Unhashable> {
        let Some(archetype) = self.archetype_at(archetype) else { return Ok(None) };
        self.archetype_hash_by(archetype, Kept::Trusted).map(|hash| Some(StateHash(hash)))
    }

    /// The hash of one column: the values of a component in an archetype, and when its blocks were written.
    ///
    /// `None` if there is no such archetype, or it lacks the component.
    ///
    /// # Errors
    ///
    /// [`Unhashable`] if entities have the component and it is opaque without `state`.
    pub fn column_hash(&self, archetype: ArchetypeId, id: ComponentId) -> Result<Option<StateHash>, Unhashable> {
        let archetype = self.archetype_at(archetype).filter(|archetype| archetype.mask().contains(id.bit()));
        let Some(archetype) = archetype else { return Ok(None) };
        self.column_hash_by(archetype, id, Kept::Trusted).map(|hash| Some(StateHash(hash)))
    }

    /// The hashes of the blocks of one column, in the order of rows: the level at which a difference lies within
    /// [`CHUNK_ROWS`](crate::world::CHUNK_ROWS) entities.
    ///
    /// None where there is no such column.
    ///
    /// # Errors
    ///
    /// As for [`column_hash`](Self::column_hash).
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Health(u32);
    ///
    /// let mut world = World::new();
    /// world.spawn_batch((0..5000).map(Health));
    /// let id = world.component_id::<Health>().expect("spawned");
    /// let archetype = world.archetypes().find(|a| a.len() == 5000).expect("spawned").id();
    /// let before = world.block_hashes(archetype, id)?;
    /// world.query_mut::<(&mut Health, Entity), ()>().for_each(|_| {});
    /// assert_eq!(before.len(), 3);
    /// # Ok::<(), tickweave::state::Unhashable>(())
    /// ```
    pub fn block_hashes(&self, archetype: ArchetypeId, id: ComponentId) -> Result<Vec<StateHash>, Unhashable> {
        let archetype = self.archetype_at(archetype).filter(|archetype| archetype.mask().contains(id.bit()));
        let chunks = archetype.into_iter().flat_map(|archetype| self.chunks_of(archetype));
        chunks.map(|(chunk, rows)| self.chunk_hash_by(id, chunk, rows, Kept::Trusted).map(StateHash)).collect()
    }

    /// The hashes of all state that is no column, section by section: what each is, and its hash. Sections without a value
    /// are left out.
    #[must_use]
    pub fn section_hashes(&self) -> Vec<(String, StateHash)> {
        let mut hashes = Vec::new();
        self.for_each_section_hash(true, |_, key, hash| hashes.push((key.to_string(), StateHash(hash))));
        hashes
    }
}

/// What to do with the hashes of chunks that are known from before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    /// Use them, and keep new ones.
    Trusted,
    /// Hash all anew.
    Ignored,
}

impl Kept {
    fn of(self, table: &ColumnTable, chunk: ChunkId) -> Option<u64> {
        if self == Self::Trusted { table.kept_hash(chunk) } else { None }
    }

    /// Keeps a hash; returns what stands for it, which is never 0.
    fn keep(self, table: &ColumnTable, chunk: ChunkId, hash: u64) -> u64 {
        let hash = hash.max(1);
        if self == Self::Trusted {
            table.keep_hash(chunk, hash);
        }
        hash
    }

    fn or_hash(self, table: &ColumnTable, chunk: ChunkId, hash: impl FnOnce() -> u64) -> u64 {
        self.of(table, chunk).unwrap_or_else(|| self.keep(table, chunk, hash()))
    }
}
