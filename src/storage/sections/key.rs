use core::any::TypeId;
use core::fmt;

/// Whose value a section holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SectionKey {
    /// A resource: the name of its type, and the type, since two may have one name.
    Resource(&'static str, TypeId),
    /// A local of a system: schedule, system, place among the system's locals.
    Local(u32, u32, u32),
    /// When each system of a schedule last ran.
    LastRuns(u32),
    /// The seed of random numbers.
    Seed,
    /// A stream of random numbers, by its key.
    Stream(String),
    /// The queue of an event type, by its name.
    Events(&'static str, TypeId),
    /// How far a reader of events has come: schedule, system, place among the system's readers.
    Cursor(u32, u32, u32),
    /// The commands of one type that wait, by its name.
    Commands(&'static str, TypeId),
    /// The order of typed commands across types.
    CommandLog,
    /// A manager of a simulation, by its name.
    Manager(&'static str, TypeId),
    /// A command buffer of a simulation, by its name.
    Buffer(&'static str, TypeId),
}

impl SectionKey {
    /// Whether both are called the same, though they are of different types: two may have one name.
    pub(crate) fn is_called_like(&self, other: &Self) -> bool {
        use SectionKey::{Buffer, Commands, Events, Manager, Resource};
        match (self, other) {
            (Resource(ours, _), Resource(theirs, _))
            | (Events(ours, _), Events(theirs, _))
            | (Commands(ours, _), Commands(theirs, _))
            | (Manager(ours, _), Manager(theirs, _))
            | (Buffer(ours, _), Buffer(theirs, _)) => ours == theirs,
            _ => false,
        }
    }

    /// The name of the type of a manager or a command buffer.
    pub(crate) const fn manager_name(&self) -> Option<&'static str> {
        match self {
            Self::Manager(name, _) | Self::Buffer(name, _) => Some(name),
            _ => None,
        }
    }

    /// Whether a simulation keeps it in its world: with a value, from its registration on.
    pub(crate) const fn is_of_simulation(&self) -> bool {
        use SectionKey::{Buffer, CommandLog, Commands, Manager};
        matches!(self, Commands(..) | CommandLog | Manager(..) | Buffer(..))
    }
}

impl fmt::Display for SectionKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Resource(name, _) => write!(f, "resource {name}"),
            Self::Local(schedule, system, local) => {
                write!(f, "local {} of system {system} of schedule {schedule}", local + 1)
            }
            Self::LastRuns(schedule) => write!(f, "last runs of schedule {schedule}"),
            Self::Seed => f.write_str("seed"),
            Self::Stream(key) => write!(f, "stream {key}"),
            Self::Events(name, _) => write!(f, "events {name}"),
            Self::Cursor(schedule, system, reader) => {
                write!(f, "reader {} of system {system} of schedule {schedule}", reader + 1)
            }
            Self::Commands(name, _) => write!(f, "commands {name}"),
            Self::CommandLog => f.write_str("order of commands"),
            Self::Manager(name, _) => write!(f, "manager {name}"),
            Self::Buffer(name, _) => write!(f, "command buffer {name}"),
        }
    }
}
