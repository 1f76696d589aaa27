//! A pool as a state value.

use super::{LAST_GENERATION, ObjectPool, Slot};
use crate::entity::{EntityMapper, MapEntities};
use crate::value::{DecodeError, Sink, Source, StateValue};

impl<T: Clone> Clone for ObjectPool<T> {
    fn clone(&self) -> Self {
        Self { slots: self.slots.clone(), free: self.free.clone(), ..*self }
    }

    /// Uses the memory of the pool that is overwritten again, so that snapshots of plain objects allocate nothing.
    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
        self.free.clone_from(&source.free);
        (self.active, self.exhausted, self.stale) = (source.active, source.exhausted, source.stale);
    }
}

impl<T: MapEntities> MapEntities for ObjectPool<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.slots.iter_mut().for_each(|slot| slot.object.map_entities(mapper));
    }
}

impl<T: StateValue> StateValue for ObjectPool<T> {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.slots.encode(sink);
        self.free.encode(sink);
        (self.exhausted, self.stale).encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let slots = Vec::<Slot<T>>::decode(source)?;
        let free = Vec::<u32>::decode(source)?;
        let (exhausted, stale) = StateValue::decode(source)?;
        let active = slots.iter().filter(|slot| slot.is_active).count() as u32;
        let pool = Self { slots, free, active, exhausted, stale };
        if pool.is_sound() { Ok(pool) } else { Err(DecodeError::invalid::<Self>()) }
    }
}

impl<T> ObjectPool<T> {
    /// Whether some uses of a new pool lead here: active slots have a generation, and each of the others is to be acquired,
    /// once, unless it is retired.
    fn is_sound(&self) -> bool {
        let mut waits: Vec<bool> = self.slots.iter().map(Slot::is_free).collect();
        let take = |&index: &u32| waits.get_mut(index as usize).is_some_and(core::mem::take);
        self.free.iter().all(take)
            && !waits.contains(&true)
            && self.slots.iter().all(|slot| !slot.is_active || slot.generation > 0)
            && u32::try_from(self.slots.len()).is_ok()
    }
}

impl<T> Slot<T> {
    fn is_free(&self) -> bool {
        !self.is_active && self.generation < LAST_GENERATION
    }
}
