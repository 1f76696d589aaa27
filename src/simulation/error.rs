use thiserror::Error;

use super::strict::StrictError;
use crate::command::RefusalReason;
use crate::event::EventError;
use crate::executor::RunError;
use crate::jobs::PoolError;
use crate::save::LoadError;
use crate::schedule::BindError;
use crate::state::{RestoreError, SnapshotError};
use crate::world::BuildError as WorldError;

/// A simulation can't be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// Its world can't.
    #[error(transparent)]
    World(#[from] WorldError),
    /// An event type was refused.
    #[error(transparent)]
    Event(#[from] EventError),
    /// Its systems can't be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Its threads can't be started.
    #[error(transparent)]
    Pool(#[from] PoolError),
    /// Something is used that a simulation forbids.
    #[error(transparent)]
    Strict(#[from] StrictError),
    /// What it was when it was built can't be kept.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// No ticks in a second.
    #[error("a simulation has at least one tick in a second; give `tick_rate` a number above 0")]
    TickRate,
    /// A manager or command buffer stands twice.
    #[error(
        "`{manager}` was added twice, but a simulation has one manager or command buffer of a type; add it once, or wrap the \
         second one in a type of its own"
    )]
    DuplicateManager {
        /// The type.
        manager: &'static str,
    },
    /// A command has two handlers.
    #[error(
        "`{first}` and `{second}` both handle command `{command}`, but a command has one handler; say it once, in the `init` of \
         the manager or with `handler`, and give what the other one takes a type of its own"
    )]
    DuplicateHandler {
        /// The type of the command.
        command: &'static str,
        /// The handler that came first.
        first: &'static str,
        /// The other one.
        second: &'static str,
    },
    /// A command has no handler.
    #[error(
        "nobody handles command `{command}`: say `context.handles::<..>()` in the `init` of its manager, or add it with \
         `executing` if it executes itself"
    )]
    NoHandler {
        /// The type of the command.
        command: &'static str,
    },
    /// A handler was named that is no manager of the simulation.
    #[error("`{manager}` shall handle command `{command}`, but was not added to the simulation before; add it first")]
    UnknownHandler {
        /// The type of the command.
        command: &'static str,
        /// The type of the handler.
        manager: &'static str,
    },
    /// A manager can't be rolled back.
    #[error(
        "manager `{manager}` is no `StateValue`, so that a rollback would leave it as it is; derive `StateValue` and add it with \
         `manager`, or build without `rollback`"
    )]
    ManagerNotState {
        /// The type of the manager.
        manager: &'static str,
    },
    /// The `init` of a manager put other state in the place of the world's: that of the manager would be lost.
    #[error(
        "`init` of manager `{manager}` restored a snapshot or loaded a save, which would be lost of the manager itself, since it is at \
         work; restore a snapshot in a `setup`, and load a save with `load` of the simulation once it is built"
    )]
    LoadedInInit {
        /// The type of the manager.
        manager: &'static str,
    },
    /// The `init` of a manager, or a setup, put another world in the place of the simulation's; or an `init` said what it handles while
    /// another one was in place.
    #[error(
        "`{by}` put another world in the place of the simulation's, which has its managers and its commands; change the world \
         that it is given, and load a save with `load` of the simulation once it is built"
    )]
    WorldReplaced {
        /// The type of the manager, or `setup`.
        by: &'static str,
    },
    /// More ticks shall be kept than a simulation keeps.
    #[error("`rollback` of {ticks} ticks was asked for, but at most {limit} are kept (MAX_ROLLBACK); ask for fewer")]
    Rollback {
        /// How many were asked for.
        ticks: usize,
        /// The limit.
        limit: usize,
    },
    /// An input stands twice.
    #[error(
        "input `{input}` was added twice, but a simulation has one input of a type; add it once, with `inputs` if several players \
         give one each"
    )]
    DuplicateInput {
        /// The type of the input.
        input: &'static str,
    },
    /// A resource was added twice.
    #[error(
        "resource `{resource}` was added twice with `resource`, so that one of the values would be lost; add it once, or replace \
         the value in a `setup`"
    )]
    DuplicateResource {
        /// The type of the resource.
        resource: &'static str,
    },
    /// A pass asks for a state that the world lacks.
    #[error("pass `{pass}` runs in states of `{state}`, which the world lacks; add it with `resource`")]
    NoState {
        /// The pass.
        pass: String,
        /// The type of the state.
        state: &'static str,
    },
}

impl BuildError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::World(error) => error.code(),
            Self::Event(error) => error.code(),
            Self::Bind(error) => error.code(),
            Self::Pool(error) => error.code(),
            Self::Strict(error) => error.code(),
            Self::Snapshot(error) => error.code(),
            Self::TickRate => "tick-rate-zero",
            Self::DuplicateManager { .. } => "manager-duplicate",
            Self::DuplicateHandler { .. } => "handler-duplicate",
            Self::NoHandler { .. } => "handler-missing",
            Self::UnknownHandler { .. } => "handler-unknown",
            Self::ManagerNotState { .. } => "manager-not-state",
            Self::LoadedInInit { .. } => "build-loaded-in-init",
            Self::WorldReplaced { .. } => "build-world-replaced",
            Self::Rollback { .. } => "rollback-limit",
            Self::DuplicateInput { .. } => "input-duplicate",
            Self::DuplicateResource { .. } => "resource-duplicate",
            Self::NoState { .. } => "pass-state-missing",
        }
    }
}

/// A step was refused, or its tick failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StepError {
    /// The run was refused, or failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// No snapshot could be taken after the tick, which is done.
    #[error(transparent)]
    Snapshot(#[from] SnapshotError),
    /// A command of the host was refused.
    #[error(transparent)]
    Refused(#[from] RefusalReason),
    /// What the simulation was can't be put back.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// A pass asks for a state that the world lacks by now. Nothing ran.
    #[error(
        "pass `{pass}` runs in states of `{state}`, which was taken out of the world; put it back with `insert_resource`"
    )]
    NoState {
        /// The pass.
        pass: String,
        /// The type of the state.
        state: &'static str,
    },
    /// An input that the simulation does not know. Nothing ran.
    #[error("the simulation has no input `{input}`; add it with `input`, or with `inputs` if it is given as a slice")]
    UnknownInput {
        /// The type of the input.
        input: &'static str,
    },
}

impl StepError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Run(error) => error.code(),
            Self::Snapshot(error) => error.code(),
            Self::Refused(reason) => reason.code(),
            Self::Restore(error) => error.code(),
            Self::NoState { .. } => "pass-state-missing",
            Self::UnknownInput { .. } => "input-unknown",
        }
    }
}

/// An earlier tick can't be had. The simulation is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RollbackError {
    /// The simulation keeps no snapshots.
    #[error("the simulation keeps no snapshots; say `rollback` when it is built")]
    Off,
    /// The tick is not kept.
    #[error("tick {tick} is not kept: {}", why_not_kept(*tick, (*first, *last), *full))]
    NotKept {
        /// The tick.
        tick: u64,
        /// The first tick that is kept; behind the last one if there is none.
        first: u64,
        /// The last tick that is kept.
        last: u64,
        /// Whether there are so many that earlier ones made way.
        full: bool,
    },
    /// The world was put in the place of the simulation's.
    #[error(transparent)]
    OtherWorld(#[from] BindError),
    /// The snapshot can't be restored.
    #[error(transparent)]
    Restore(#[from] RestoreError),
    /// The save can't be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
}

/// Which ticks are kept instead, and what helps.
fn why_not_kept(tick: u64, (first, last): (u64, u64), full: bool) -> String {
    if first > last {
        return "no tick is, since what was put into the world can't be kept; `World::snapshot` says why, `reset` goes back".into();
    }
    let why = match full {
        _ if tick > last => "later ones come with `step`".to_owned(),
        true => "raise `rollback`".to_owned(),
        false => format!("what is known begins with tick {first}, where the simulation was built or its state put in"),
    };
    format!("snapshots go from tick {first} to tick {last}; {why}")
}

impl RollbackError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Off => "rollback-off",
            Self::NotKept { .. } => "rollback-not-kept",
            Self::OtherWorld(error) => error.code(),
            Self::Restore(error) => error.code(),
            Self::Load(error) => error.code(),
        }
    }
}
