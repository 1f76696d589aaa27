use crate::entity::{Entity, EntityMapper};

/// Which new entity stands for which saved one: what [`load_entities`](crate::world::World::load_entities) returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityMap {
    /// In the order in which the new ones were made.
    pairs: Vec<(Entity, Entity)>,
    /// Places in `pairs`, by the saved handle.
    sorted: Vec<u32>,
    dangling: usize,
}

impl EntityMap {
    /// Pairs of saved and new handles; `None` if a saved one stands there twice.
    pub(super) fn new(pairs: Vec<(Entity, Entity)>) -> Option<Self> {
        let mut sorted: Vec<u32> = (0..pairs.len() as u32).collect();
        let saved = |&index: &u32| pairs[index as usize].0;
        sorted.sort_unstable_by_key(saved);
        sorted.is_sorted_by(|a, b| saved(a) < saved(b)).then_some(Self { pairs, sorted, dangling: 0 })
    }

    /// The new entity for a saved one; `None` if it was not saved.
    #[must_use]
    pub fn get(&self, saved: Entity) -> Option<Entity> {
        let found = self.sorted.binary_search_by_key(&saved, |&index| self.pairs[index as usize].0).ok()?;
        Some(self.pairs[self.sorted[found] as usize].1)
    }

    /// Saved and new entities, in the order in which the new ones were made.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Entity, Entity)> {
        self.pairs.iter().copied()
    }

    /// How many entities were loaded.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether no entity was loaded.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// How many handles inside of components referred to an entity that was not saved with them. They are
    /// [`Entity::NOBODY`] now.
    #[must_use]
    pub const fn dangling(&self) -> usize {
        self.dangling
    }
}

impl EntityMapper for EntityMap {
    fn map(&mut self, entity: Entity) -> Entity {
        self.get(entity).unwrap_or_else(|| {
            self.dangling += 1;
            Entity::NOBODY
        })
    }
}
