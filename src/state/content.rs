use super::{StateHash, Unhashable};
use crate::hash::StateHasher;
use crate::world::World;

const CONTENT: u64 = 8;

impl World {
    /// The hash of what lives: handles in slot order, and the values of their components in the order of ids.
    ///
    /// It has no history: neither the order of archetypes and rows, nor stamps, free slots, the removal log or the tick.
    /// Two worlds that came to the same content by different ways are equal here, though their futures may differ.
    ///
    /// # Errors
    ///
    /// [`Unhashable`] if an entity has an opaque component without `state`.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Enemy;
    /// #[derive(Component)]
    /// struct Asleep;
    ///
    /// let (mut direct, mut detour) = (World::new(), World::new());
    /// direct.spawn(Enemy);
    /// let wolf = detour.spawn(Enemy);
    /// detour.insert(wolf, Asleep)?;
    /// detour.remove::<Asleep>(wolf)?; // its archetype stays
    /// assert_eq!(direct.content_hash()?, detour.content_hash()?);
    /// assert_ne!(direct.state_hash()?, detour.state_hash()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn content_hash(&self) -> Result<StateHash, Unhashable> {
        let mut hasher = StateHasher::new(CONTENT);
        let mut encoded = Vec::new();
        for slot in 0..self.storage().slots().len() {
            let Some(entity) = self.storage().slots().live_in(slot) else { continue };
            hasher.u64(entity.to_bits());
            let Some((archetype, row)) = self.storage().row_of(entity) else { continue };
            let archetype = self.storage().archetypes().get(archetype);
            let place = archetype.place(row, self.storage().shape());
            for &id in archetype.components() {
                hasher.u64(u64::from(id.get()));
                encoded.clear();
                let component = self.type_name_of(id).unwrap_or("?");
                hasher.bytes(self.row_as_bytes(id, place, &mut encoded).ok_or(Unhashable { component })?);
            }
        }
        Ok(StateHash(hasher.finish()))
    }
}
