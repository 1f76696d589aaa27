use crate::sync::Arc;

use super::block::BlockPool;
use super::chunk::{ChunkId, ChunkShape};
use super::column::ColumnTable;
use super::paged::Paged;
use super::rails::Rails;
use crate::entity::{Entity, EntityCapacity, MAX_GENERATION};
use crate::fault::{Fault, planted};

/// The location of an entity that is alive but has no row yet.
const NO_ROW: u32 = u32::MAX;

/// One slot: 8 bytes.
///
/// ```text
/// state      generation   payload
/// live       1..=MAX      packed location of its row, or NO_ROW while it is only reserved
/// free       0            generation of the next use
/// retired    0            0
/// ```
///
/// A free slot has generation 0, which no handle has, so that one comparison tells whether a handle is alive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    generation: u32,
    payload: u32,
}

impl Slot {
    const fn state(self) -> SlotState {
        match (self.generation, self.payload) {
            (0, 0) => SlotState::Retired,
            (0, next) => SlotState::Free(next),
            (generation, NO_ROW) => SlotState::Reserved(generation),
            (generation, _) => SlotState::Placed(generation),
        }
    }
}

/// What a slot holds, for dumps and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotState {
    /// An entity of this generation with a row.
    Placed(u32),
    /// An entity of this generation whose row is yet to appear.
    Reserved(u32),
    /// Nothing; its next use has this generation.
    Free(u32),
    /// Nothing, for ever: all generations are used up.
    Retired,
}

impl From<SlotState> for Slot {
    fn from(state: SlotState) -> Self {
        match state {
            SlotState::Placed(generation) | SlotState::Reserved(generation) => Self { generation, payload: NO_ROW },
            SlotState::Free(next) => Self { generation: 0, payload: next },
            SlotState::Retired => Self { generation: 0, payload: 0 },
        }
    }
}

/// Slots, generations and the free list.
///
/// # Determinism
///
/// Which handle comes next is a function of the sequence of calls: the slot freed last is used first, and a fresh slot
/// is taken only when none is free.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Paged<Slot>,
    free: Paged<u32>,
    capacity: u32,
    live: u32,
    rails: Rails,
}

impl Slots {
    /// No entity yet; never more than `capacity` at a time.
    #[must_use]
    pub(super) fn new(capacity: u32, shape: ChunkShape, pool: &Arc<BlockPool>) -> Self {
        let slots = Paged::new(shape, Arc::clone(pool));
        Self { slots, free: Paged::new(shape, Arc::clone(pool)), capacity, live: 0, rails: Rails::new(capacity) }
    }

    /// How many may live at a time.
    pub(crate) const fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Becomes slots in these states, with a free list that has each free one once; who is placed has no row until one is
    /// noted. There were none before.
    ///
    /// # Errors
    ///
    /// [`EntityCapacity`] if more live than may.
    pub(super) fn fill(&mut self, states: &[SlotState], free: &[u32]) -> Result<(), EntityCapacity> {
        debug_assert_eq!(self.len(), 0, "slots are filled once");
        let is_live = |state: &&SlotState| matches!(state, SlotState::Placed(_) | SlotState::Reserved(_));
        let live = u32::try_from(states.iter().filter(is_live).count()).ok().filter(|&live| live <= self.capacity);
        self.live = live.ok_or(EntityCapacity { capacity: self.capacity })?;
        self.arm_rails();
        states.iter().for_each(|&state| self.slots.push(state.into()));
        free.iter().for_each(|&slot| self.free.push(slot));
        Ok(())
    }

    /// How many entities are alive, reserved ones included.
    #[must_use]
    pub(crate) const fn live(&self) -> u32 {
        self.live
    }

    /// How many slots there are: one more than the highest slot ever used.
    #[must_use]
    pub(crate) const fn len(&self) -> u32 {
        self.slots.len()
    }

    /// Freed slots, the next to be used last.
    pub(crate) fn free_list(&self) -> impl Iterator<Item = u32> + '_ {
        self.free.iter()
    }

    /// The pages of slots, and how many each holds: a slot lies in the page and row that its number packs.
    pub(crate) fn pages(&self) -> impl Iterator<Item = (ChunkId, u32)> + use<> {
        self.slots.pages()
    }

    /// What keeps the hashes of the pages of slots.
    pub(crate) const fn table(&self) -> &ColumnTable {
        self.slots.table()
    }

    /// What the first slots of a page hold.
    pub(crate) fn states(&self, page: ChunkId, rows: u32) -> impl Iterator<Item = SlotState> + '_ {
        self.slots.iter_page(page, rows).map(Slot::state)
    }

    /// The first entries of a page of the free list.
    pub(crate) fn free_in(&self, page: ChunkId, rows: u32) -> impl Iterator<Item = u32> + '_ {
        self.free.iter_page(page, rows)
    }

    /// The pages of the free list, and how many entries each holds.
    pub(crate) fn free_pages(&self) -> impl Iterator<Item = (ChunkId, u32)> + use<> {
        self.free.pages()
    }

    /// What keeps the free list and the hashes of its pages.
    pub(crate) const fn free_table(&self) -> &ColumnTable {
        self.free.table()
    }

    /// Holds what `source` holds from now on.
    pub(super) fn share_from(&mut self, source: &Self) {
        self.slots.share_from(&source.slots);
        if !planted(Fault::FreeListNotKept) {
            self.free.share_from(&source.free);
        }
        (self.capacity, self.live) = (source.capacity, source.live);
        self.arm_rails();
    }

    /// Gives all memory back and takes other from `pool`.
    pub(super) fn move_to(&mut self, pool: &Arc<BlockPool>) {
        self.slots.move_to(pool);
        self.free.move_to(pool);
        self.live = 0;
        self.arm_rails();
    }

    /// Sets the guard rails up above the entities that live now.
    pub(crate) fn arm_rails(&mut self) {
        self.rails.arm(self.capacity, self.live);
    }

    /// Whether the number of entities reached a rail since they were last taken.
    pub(crate) fn is_any_rail_reached(&self) -> bool {
        self.rails.is_any_reached()
    }

    /// The rails that were reached: percent of the capacity, and the number of entities.
    pub(crate) fn take_rails(&mut self) -> impl Iterator<Item = (u32, u32)> + use<> {
        self.rails.take_reached(self.capacity)
    }

    /// Whether `count` more entities may live.
    ///
    /// # Errors
    ///
    /// [`EntityCapacity`] if not.
    pub(crate) fn check_room(&self, count: u32) -> Result<(), EntityCapacity> {
        let fresh = (u64::from(self.free.len()) + u64::from(u32::MAX)).saturating_sub(u64::from(self.slots.len()));
        let room = u64::from(self.capacity - self.live).min(fresh);
        if u64::from(count) > room { Err(EntityCapacity { capacity: self.capacity }) } else { Ok(()) }
    }

    /// Makes an entity that is alive but has no row.
    ///
    /// # Errors
    ///
    /// [`EntityCapacity`] if as many live already as may; nothing has changed then.
    pub(crate) fn reserve(&mut self) -> Result<Entity, EntityCapacity> {
        if self.live >= self.rails.stop() {
            self.pass_rail()?;
        }
        let entity = match self.free.pop() {
            Some(slot) => Entity::new(slot, self.slots.get(slot).map_or(0, |slot| slot.payload)),
            None => self.fresh()?,
        };
        self.slots.set(entity.slot(), Slot { generation: entity.generation(), payload: NO_ROW });
        self.live += 1;
        Ok(entity)
    }

    /// The entity that is reserved next, if there is room.
    pub(crate) fn next(&self) -> Entity {
        let freed = self.free.get(self.free.len().wrapping_sub(1));
        let entity = |slot| Entity::new(slot, self.slots.get(slot).map_or(0, |slot| slot.payload));
        freed.map_or_else(|| Entity::new(self.len(), 1), entity)
    }

    /// Where a spawn reaches a rail, or is one too many.
    #[cold]
    fn pass_rail(&mut self) -> Result<(), EntityCapacity> {
        if self.live >= self.capacity {
            return Err(EntityCapacity { capacity: self.capacity });
        }
        self.rails.pass(self.capacity, self.live);
        Ok(())
    }

    fn fresh(&mut self) -> Result<Entity, EntityCapacity> {
        let slot = fresh_slot(self.slots.len()).ok_or(EntityCapacity { capacity: self.capacity })?;
        self.slots.push(Slot { generation: 0, payload: 1 });
        Ok(Entity::new(slot, 1))
    }

    /// Ends the life of a live entity; its slot is free for the next generation, or retired after the last.
    ///
    /// # Panics
    ///
    /// If the entity is not alive: callers check first.
    pub(crate) fn release(&mut self, entity: Entity) {
        assert!(self.contains(entity), "release of {entity}, which is not alive");
        let retired = entity.generation() == MAX_GENERATION;
        let next = if retired { 0 } else { entity.generation() + 1 };
        self.slots.set(entity.slot(), Slot { generation: 0, payload: next });
        if !retired {
            self.free.push(entity.slot());
        }
        self.live -= 1;
    }

    /// Whether the entity is alive (with a row or reserved).
    #[inline]
    #[must_use]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.slots.get(entity.slot()).is_some_and(|slot| slot.generation == entity.generation())
    }

    /// The packed location of a live entity's row; `None` if it is not alive or has no row yet.
    #[inline]
    #[must_use]
    pub(crate) fn location(&self, entity: Entity) -> Option<u32> {
        let slot = self.slots.get(entity.slot())?;
        (slot.generation == entity.generation() && slot.payload != NO_ROW).then_some(slot.payload)
    }

    /// The same for those who go on to a column: the location of a reserved entity lies in a chunk that no column has.
    #[inline(always)]
    pub(crate) fn location_or_beyond(&self, entity: Entity) -> Option<u32> {
        let slot = self.slots.get(entity.slot())?;
        if slot.generation == entity.generation() { Some(slot.payload) } else { None }
    }

    /// Notes where the row of a live entity is now.
    #[inline]
    pub(crate) fn place(&mut self, entity: Entity, location: u32) {
        debug_assert!(self.contains(entity) && location != NO_ROW, "only live entities have rows");
        self.slots.set(entity.slot(), Slot { generation: entity.generation(), payload: location });
    }

    /// Whether this world can have issued the handle at some time: false for a foreign or made-up one.
    #[must_use]
    pub(crate) fn was_issued(&self, entity: Entity) -> bool {
        match self.state(entity.slot()) {
            None => false,
            Some(SlotState::Placed(now) | SlotState::Reserved(now)) => entity.generation() <= now,
            Some(SlotState::Free(next)) => entity.generation() < next,
            Some(SlotState::Retired) => entity.generation() <= MAX_GENERATION,
        }
    }

    /// What the slot holds; `None` beyond the last one ever used.
    #[must_use]
    pub(crate) fn state(&self, slot: u32) -> Option<SlotState> {
        self.slots.get(slot).map(Slot::state)
    }

    /// The live entity in a slot.
    #[must_use]
    pub(crate) fn live_in(&self, slot: u32) -> Option<Entity> {
        match self.state(slot)? {
            SlotState::Placed(generation) | SlotState::Reserved(generation) => Some(Entity::new(slot, generation)),
            SlotState::Free(_) | SlotState::Retired => None,
        }
    }

    /// Lets the next use of a free slot have the given generation: how tests reach the last ones.
    pub(crate) fn set_next_generation(&mut self, slot: u32, generation: u32) {
        assert!(matches!(self.state(slot), Some(SlotState::Free(_))), "slot {slot} is not free");
        assert!((1..=MAX_GENERATION).contains(&generation), "generation {generation} is not one of an entity");
        self.slots.set(slot, Slot { generation: 0, payload: generation });
    }
}

/// The next fresh slot when `used` are in use; `None` when every slot number is taken.
fn fresh_slot(used: u32) -> Option<u32> {
    (used < u32::MAX).then_some(used)
}

#[cfg(test)]
mod tests;
