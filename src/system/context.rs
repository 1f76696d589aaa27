use core::any::Any;

use crate::command::Lane;
use crate::query::RunStamps;
use crate::world::WorldCell;

/// What a system is given for one run.
#[derive(Clone, Copy)]
pub(crate) struct Context<'w> {
    /// The world, under the access that the system was granted.
    pub(crate) cell: WorldCell<'w>,
    /// The stamp of its writes, and that of its last run.
    pub(crate) stamps: RunStamps,
    /// The tick that runs.
    pub(crate) tick: u64,
    /// Where it records commands: its own lane, alone.
    pub(crate) lane: *mut Lane,
    /// What the host lends to pinned systems: theirs alone, one after the other.
    pub(crate) host: Option<*mut dyn Any>,
}

impl core::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Context").field("tick", &self.tick).field("stamps", &self.stamps).finish_non_exhaustive()
    }
}
