use core::any::Any;

use thiserror::Error;

use crate::command::Refusal;
use crate::entity::Entity;
use crate::jobs::discard;
use crate::schedule::BindError;
use crate::system::SystemError;

/// A run was refused before anything ran, or a tick failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The schedule can't be bound to the world. Nothing ran.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// The registry of the world changed since the plan was made. Nothing ran.
    #[error(
        "the plan is older than the registry of the world: a component type came or went; call `schedule.build(&mut world)`"
    )]
    Stale,
    /// An earlier tick failed half-way. Nothing ran.
    #[error("the world is torn: {reason}; restore a snapshot, or call `clear_torn` to go on with what there is")]
    Torn {
        /// How the earlier tick failed.
        reason: String,
    },
    /// A resource that a system needs is not there. Nothing ran.
    #[error(
        "system `{system}` needs resource `{resource}`, which the world lacks; insert it, or ask for `Option<Res<..>>`"
    )]
    MissingResource {
        /// The system.
        system: String,
        /// The resource.
        resource: &'static str,
    },
    /// A pinned system needs what the host did not lend. Nothing ran.
    #[error(
        "system `{system}` needs a `{host}` from the host, which nobody lent: run its schedule with `run_with`, or step its simulation \
         with `step_with` (`run_once` lends nothing)"
    )]
    MissingHost {
        /// The system.
        system: String,
        /// The type that it needs.
        host: &'static str,
    },
    /// The tick failed; the world is torn.
    #[error(transparent)]
    Failed(#[from] TickFailure),
}

impl RunError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Bind(error) => error.code(),
            Self::Stale => "schedule-stale",
            Self::Torn { .. } => "world-torn",
            Self::MissingResource { .. } => "resource-missing",
            Self::MissingHost { .. } => "host-missing",
            Self::Failed(failure) => failure.cause.code(),
        }
    }
}

/// A tick that failed: which system, at which place of the plan, and why.
///
/// Of several failures it is the one with the lowest position. Everything before it has run; nothing behind it has. Commands
/// that were not merged yet were dropped.
#[derive(Debug, Error)]
#[error("tick {tick}, system `{system}` (step {position} of the plan): {cause}")]
pub struct TickFailure {
    /// The tick.
    pub tick: u64,
    /// The place of the system, or of the barrier that merged its commands, in the plan; from 1.
    pub position: u32,
    /// The system; where none was at work, the commit point of a simulation, as `(commit of pass Main/move)`, or `(barrier)`.
    pub system: String,
    /// What happened.
    pub cause: Cause,
}

impl TickFailure {
    /// Tick, system and position, without words of the user.
    pub(super) fn place(&self) -> String {
        let Self { tick, position, system, cause } = self;
        format!("tick {tick}, system `{system}` (step {position} of the plan): {}, and its text panicked", cause.code())
    }
}

/// Why a tick failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Cause {
    /// The system panicked.
    #[error("it panicked: {0}")]
    Panic(String),
    /// The system returned an error.
    #[error("it failed: {0}")]
    Error(SystemError),
    /// A resource that it needs was removed earlier in the tick.
    #[error("it needs resource `{0}`, which was removed earlier in this tick")]
    ResourceRemoved(&'static str),
    /// The system stored a pending handle outside of its commands.
    #[error(
        "it stored a pending entity in {holder}{}; a handle that `spawn` of the system's `Commands` returned may be stored \
         by commands of the same system only: use `commands.insert` instead of writing the component, and where a manager shall \
         keep it submit a typed command that holds it, which is delivered with the real one",
        of(owner)
    )]
    PendingEscaped {
        /// The component, resource or local that holds it.
        holder: String,
        /// The entity whose component holds it.
        owner: Option<Entity>,
    },
    /// Code of the user panicked while commands of the system were applied. Commands before it were applied, the rest was
    /// dropped.
    #[error("one of its commands panicked while it was applied: {0}")]
    CommandPanic(String),
    /// A manager, a command buffer or a typed command of a simulation panicked. Managers are back in their place.
    #[error("{who} panicked: {message}")]
    CommitPanic {
        /// Who, with its name.
        who: String,
        /// What it said.
        message: String,
    },
    /// An exclusive system or a queued closure put another world in the place of the schedule's. That other one is torn.
    #[error(
        "it put another world in the place of the one that the schedule runs on, which is gone; make the schedule anew to go on \
         with this one, and swap worlds between ticks only"
    )]
    WorldReplaced,
    /// A command had no effect, and the schedule is strict.
    #[error("its command `{}` had no effect: {} (the schedule is strict)", .0.command, .0.reason)]
    Refused(Refusal),
}

impl Cause {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Panic(_) => "system-panic",
            Self::Error(_) => "system-error",
            Self::ResourceRemoved(_) => "resource-removed",
            Self::PendingEscaped { .. } => "pending-escaped",
            Self::CommandPanic(_) => "command-panic",
            Self::CommitPanic { .. } => "commit-panic",
            Self::WorldReplaced => "world-replaced",
            Self::Refused(_) => "command-refused",
        }
    }
}

fn of(owner: &Option<Entity>) -> String {
    owner.map_or_else(String::new, |entity| format!(" of entity {entity}"))
}

/// The message of a panic.
pub(crate) fn message(payload: Box<dyn Any + Send>) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    discard(payload);
    text.unwrap_or_else(|| "a panic without a message".to_owned())
}
