use thiserror::Error;

use crate::entity::Entity;

/// An event type can't be added, or an event can't be sent or read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EventError {
    /// The world does not have the type.
    #[error(
        "event type `{event}` was not added to this world; call `world.add_event::<{}>()` between ticks, before a schedule \
         that sends or reads it is built",
        short(event)
    )]
    NotAdded {
        /// The type.
        event: &'static str,
    },
    /// The world has the type.
    #[error("event type `{event}` was added to this world before; add each type once, where the world is set up")]
    AlreadyAdded {
        /// The type.
        event: &'static str,
    },
    /// Types are added between ticks only.
    #[error("event type `{event}` can't be added inside of a tick; add it where the world is set up")]
    InsideTick {
        /// The type.
        event: &'static str,
    },
    /// The event holds an entity that is not real yet.
    #[error(
        "an event `{event}` holds pending entity {entity}, which only the commands that spawned it can make real; send it \
         with the same commands, or after they were applied"
    )]
    Pending {
        /// The type.
        event: &'static str,
        /// The handle.
        entity: Entity,
    },
}

impl EventError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotAdded { .. } => "event-not-added",
            Self::AlreadyAdded { .. } => "event-duplicate",
            Self::InsideTick { .. } => "event-inside-tick",
            Self::Pending { .. } => "event-pending",
        }
    }
}

/// The name of the type as it stands in the source, most likely.
fn short(name: &str) -> &str {
    if name.contains('<') { name } else { name.rsplit("::").next().unwrap_or(name) }
}
