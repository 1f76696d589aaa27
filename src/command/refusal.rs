use thiserror::Error;

use crate::entity::Entity;
use crate::event::EventError;
use crate::world::{NoSuchEntity, StructureError};

/// Refused commands that a report keeps in full; all are counted.
pub const REFUSALS_KEPT: usize = 16;

/// Why a command had no effect.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RefusalReason {
    /// Its entity was gone.
    #[error(transparent)]
    NoSuchEntity(#[from] NoSuchEntity),
    /// Its bundle was refused.
    #[error(transparent)]
    Structure(StructureError),
    /// Its event was refused.
    #[error(transparent)]
    Event(#[from] EventError),
    /// It names a pending entity that this lane did not spawn.
    #[error(
        "pending entity {0} was not spawned by these `Commands`, or this `CommandBuffer`, since they were last applied; use a \
         pending handle only in commands of the one that gave it"
    )]
    UnknownPending(Entity),
    /// It is a typed command of a type that the world does not know.
    #[error(
        "typed command `{command}` is not known here; register it with `command` of a simulation's builder, and submit it \
         within that simulation"
    )]
    UnknownCommand {
        /// The type.
        command: &'static str,
    },
    /// The manager or command buffer that handles it refused it.
    #[error(
        "`{manager}`, which handles it, refused it: see for what its `submit` returns `Verdict::Refused`; `refusals` of the simulation \
         has the first of each step"
    )]
    ByManager {
        /// The type of the handler.
        manager: &'static str,
    },
    /// A closure before it put another world in the place of the one for which it was recorded.
    #[error(
        "a queued closure replaced the world before this command's turn; change the world that it is given, and replace \
         worlds between ticks"
    )]
    WorldReplaced,
}

impl RefusalReason {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchEntity(error) => error.code(),
            Self::Structure(error) => error.code(),
            Self::Event(error) => error.code(),
            Self::UnknownPending(_) => "pending-unknown",
            Self::UnknownCommand { .. } => "command-unknown",
            Self::ByManager { .. } => "manager-refused",
            Self::WorldReplaced => "command-other-world",
        }
    }
}

impl From<StructureError> for RefusalReason {
    fn from(error: StructureError) -> Self {
        match error {
            StructureError::NoSuchEntity(error) => Self::NoSuchEntity(error),
            error => Self::Structure(error),
        }
    }
}

/// A command that had no effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Position in the plan of the system that recorded it; of the barrier for what is refused at a commit point; 0 for the host.
    pub position: u32,
    /// What it would have done.
    pub command: &'static str,
    /// Why it did not.
    pub reason: RefusalReason,
}

/// What became of recorded commands.
///
/// A command on an entity that is gone is normal in a game: two systems despawn the same one. It is counted here, never a
/// panic, and never hits another entity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandReport {
    /// Commands that took effect.
    pub applied: u64,
    /// Commands that had none.
    pub refused: u64,
    /// The first [`REFUSALS_KEPT`] of those, in the order of the merge.
    pub refusals: Vec<Refusal>,
    /// Events that left in this run although a reader had not passed them, since they were
    /// [kept](crate::event::EventSetup::keep) for as long as was asked for; [`Events::dropped`](crate::event::Events::dropped)
    /// tells of each type.
    pub dropped_events: u64,
}

impl CommandReport {
    pub(crate) fn refuse(&mut self, refusal: Refusal) {
        self.refused += 1;
        if self.refusals.len() < REFUSALS_KEPT {
            self.refusals.push(refusal);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.applied = 0;
        self.refused = 0;
        self.refusals.clear();
        self.dropped_events = 0;
    }
}
