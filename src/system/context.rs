use core::any::Any;

use crate::command::Lane;
use crate::jobs::Team;
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
    /// Where it records commands: its own lane, alone; null where it declared none.
    pub(crate) lane: *mut Lane,
    /// What the host lends to pinned systems: theirs alone, one after the other.
    pub(crate) host: Option<*mut dyn Any>,
    /// The hands among which its loops are shared out.
    pub(crate) team: Option<Team<'w>>,
}

impl<'w> Context<'w> {
    /// What hands that share a loop of the system may know.
    pub(super) const fn shared(&self) -> SharedContext<'w> {
        SharedContext { cell: self.cell, stamps: self.stamps, tick: self.tick }
    }
}

/// What hands know of a run that share its loop: no lane and nothing of the host.
#[derive(Clone, Copy)]
pub(super) struct SharedContext<'w> {
    cell: WorldCell<'w>,
    stamps: RunStamps,
    tick: u64,
}

impl<'w> SharedContext<'w> {
    /// The context of one hand, which records to a lane of its own.
    pub(super) const fn with_lane(self, lane: *mut Lane) -> Context<'w> {
        Context { cell: self.cell, stamps: self.stamps, tick: self.tick, lane, host: None, team: None }
    }
}

impl core::fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Context").field("tick", &self.tick).field("stamps", &self.stamps).finish_non_exhaustive()
    }
}
