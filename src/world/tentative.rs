use core::ops::{Deref, DerefMut};

use super::World;
use crate::storage::SectionCount;

/// A world of which somebody only asks: when it goes without being kept, the world forgets the sections, resources and
/// schedules that it met meanwhile, so that to look, or to be refused, changes no state and no id to come.
pub(crate) struct Tentative<'w> {
    world: &'w mut World,
    sections: SectionCount,
    resources: usize,
    schedules: usize,
    /// How many lived on the world before this one.
    depth: u32,
    kept: bool,
}

impl<'w> Tentative<'w> {
    pub(crate) fn new(world: &'w mut World) -> Self {
        let (sections, resources) = (world.sections.count(), world.resources.ids().len());
        let depth = world.tentative;
        world.tentative = depth + 1;
        Self { sections, resources, schedules: world.schedules.len(), world, depth, kept: false }
    }

    /// How many others live on the world: a system that runs once may take the world and run another one once.
    pub(crate) const fn depth(&self) -> u32 {
        self.depth
    }

    /// What was met stays.
    pub(crate) fn keep(&mut self) {
        self.kept = true;
    }
}

impl Deref for Tentative<'_> {
    type Target = World;

    fn deref(&self) -> &World {
        self.world
    }
}

impl DerefMut for Tentative<'_> {
    fn deref_mut(&mut self) -> &mut World {
        self.world
    }
}

impl Drop for Tentative<'_> {
    fn drop(&mut self) {
        self.world.tentative = self.depth;
        if !self.kept {
            self.world.schedules.truncate(self.schedules);
            self.world.resources.truncate(self.resources);
            self.world.sections.truncate(self.sections);
        }
    }
}
