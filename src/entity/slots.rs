use thiserror::Error;

use super::{Entity, MAX_GENERATION};

/// How many entities may live at a time was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "no room for another entity: {capacity} live already; raise `entity_capacity` of the world's builder or despawn \
     entities that are no longer needed"
)]
pub struct EntityCapacity {
    /// The capacity of the world, in entities.
    pub capacity: u32,
}

impl EntityCapacity {
    /// A stable code for programs: `entity-capacity`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "entity-capacity"
    }
}

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

/// Slots, generations and the free list.
///
/// # Determinism
///
/// Which handle comes next is a function of the sequence of calls: the slot freed last is used first, and a fresh slot
/// is taken only when none is free.
#[derive(Clone, Debug)]
pub(crate) struct Slots {
    slots: Vec<Slot>,
    free: Vec<u32>,
    capacity: u32,
    live: u32,
}

impl Slots {
    /// No entity yet; never more than `capacity` at a time.
    #[must_use]
    pub(crate) const fn new(capacity: u32) -> Self {
        Self { slots: Vec::new(), free: Vec::new(), capacity, live: 0 }
    }

    /// How many entities are alive, reserved ones included.
    #[must_use]
    pub(crate) const fn live(&self) -> u32 {
        self.live
    }

    /// How many slots there are: one more than the highest slot ever used.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Freed slots, the next to be used last.
    #[must_use]
    pub(crate) fn free_list(&self) -> &[u32] {
        &self.free
    }

    /// Whether `count` more entities may live.
    ///
    /// # Errors
    ///
    /// [`EntityCapacity`] if not.
    pub(crate) fn check_room(&self, count: u32) -> Result<(), EntityCapacity> {
        let fresh = (self.free.len() as u64 + u64::from(u32::MAX)).saturating_sub(self.slots.len() as u64);
        let room = u64::from(self.capacity - self.live).min(fresh);
        if u64::from(count) > room { Err(EntityCapacity { capacity: self.capacity }) } else { Ok(()) }
    }

    /// Makes an entity that is alive but has no row.
    ///
    /// # Errors
    ///
    /// [`EntityCapacity`] if as many live already as may; nothing has changed then.
    pub(crate) fn reserve(&mut self) -> Result<Entity, EntityCapacity> {
        if self.live >= self.capacity {
            return Err(EntityCapacity { capacity: self.capacity });
        }
        let entity = match self.free.pop() {
            Some(slot) => Entity::new(slot, self.slots[slot as usize].payload),
            None => self.fresh()?,
        };
        self.slots[entity.slot() as usize] = Slot { generation: entity.generation(), payload: NO_ROW };
        self.live += 1;
        Ok(entity)
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
        self.slots[entity.slot() as usize] = Slot { generation: 0, payload: next };
        if !retired {
            self.free.push(entity.slot());
        }
        self.live -= 1;
    }

    /// Whether the entity is alive (with a row or reserved).
    #[inline]
    #[must_use]
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        self.slots.get(entity.slot() as usize).is_some_and(|slot| slot.generation == entity.generation())
    }

    /// The packed location of a live entity's row; `None` if it is not alive or has no row yet.
    #[inline]
    #[must_use]
    pub(crate) fn location(&self, entity: Entity) -> Option<u32> {
        let slot = self.slots.get(entity.slot() as usize)?;
        (slot.generation == entity.generation() && slot.payload != NO_ROW).then_some(slot.payload)
    }

    /// The same for those who go on to a column: the location of a reserved entity lies in a chunk that no column has.
    #[inline(always)]
    pub(crate) fn location_or_beyond(&self, entity: Entity) -> Option<u32> {
        let slot = self.slots.get(entity.slot() as usize)?;
        if slot.generation == entity.generation() { Some(slot.payload) } else { None }
    }

    /// Notes where the row of a live entity is now.
    #[inline]
    pub(crate) fn place(&mut self, entity: Entity, location: u32) {
        debug_assert!(self.contains(entity) && location != NO_ROW, "only live entities have rows");
        self.slots[entity.slot() as usize].payload = location;
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
        let slot = self.slots.get(slot as usize)?;
        Some(match (slot.generation, slot.payload) {
            (0, 0) => SlotState::Retired,
            (0, next) => SlotState::Free(next),
            (generation, NO_ROW) => SlotState::Reserved(generation),
            (generation, _) => SlotState::Placed(generation),
        })
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
        self.slots[slot as usize].payload = generation;
    }
}

/// The next fresh slot when `used` are in use; `None` when every slot number is taken.
fn fresh_slot(used: usize) -> Option<u32> {
    u32::try_from(used).ok().filter(|&slot| slot < u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_slot_numbers_are_used_up_to_an_error_never_wrapped() {
        assert_eq!(fresh_slot(u32::MAX as usize - 1), Some(u32::MAX - 1));
        assert_eq!(fresh_slot(u32::MAX as usize), None);
        assert_eq!(fresh_slot(u32::MAX as usize + 1), None);
    }
}
