use super::{SlotState, Slots};
use crate::entity::Entity;

impl Slots {
    /// The entities that the next calls of [`reserve`](Self::reserve) give, without making them.
    pub(crate) fn upcoming(&self) -> impl Iterator<Item = Entity> {
        let free: Vec<u32> = self.free_list().collect();
        let next = |slot: u32| match self.state(slot) {
            Some(SlotState::Free(generation)) => Entity::new(slot, generation),
            _ => unreachable!("slots of the free list are free"),
        };
        let fresh = (self.len()..u32::MAX).map(|slot| Entity::new(slot, 1));
        free.into_iter().rev().map(next).chain(fresh)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{BlockPool, ChunkShape};
    use super::*;
    use crate::sync::Arc;

    #[test]
    fn what_comes_next_is_known_before_it_comes() {
        let mut slots = Slots::new(u32::MAX, ChunkShape::new(4, 2).unwrap(), &Arc::new(BlockPool::new()));
        let made = [0; 4].map(|_| slots.reserve().unwrap());
        [made[2], made[0]].into_iter().for_each(|entity| slots.release(entity));
        let expected: Vec<Entity> = slots.upcoming().take(5).collect();
        assert_eq!([0; 5].map(|_| slots.reserve().unwrap()).as_slice(), expected);
    }
}
