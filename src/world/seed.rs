#![expect(unsafe_code, reason = "the borrow of the world grants its sections")]

use super::World;
use crate::storage::{SectionId, SectionKey};

/// The seed of random numbers.
impl World {
    /// The seed that the builder was given. It is state; a world without one has no random streams.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// assert_eq!(World::builder().seed(42).build()?.seed(), Some(42));
    /// assert_eq!(World::new().seed(), None);
    /// # Ok::<(), tickweave::world::BuildError>(())
    /// ```
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        // SAFETY: the world is borrowed, so that nobody writes the section.
        self.seed_section().and_then(|section| unsafe { self.sections.get(section) }).copied()
    }

    /// The section of the seed; it is written when the world is built or restored.
    pub(crate) fn seed_section(&self) -> Option<SectionId> {
        self.sections.find(&SectionKey::Seed)
    }
}
