use core::fmt;

use thiserror::Error;

use super::FORMAT_VERSION;
use crate::entity::Entity;
use crate::storage::{StorageFull, maker_of};
use crate::value::DecodeError;
use crate::world::NoSuchEntity;

/// A world or a set of entities can't be saved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SaveError {
    /// Inside of a tick the world is not whole.
    #[error("a world can't be saved inside of a tick: its commands are not merged yet; save it between two ticks")]
    InsideTick,
    /// A manager of the simulation is out of the world.
    #[error(
        "a save would lack manager `{manager}`, which is out of the world while it is initialised; save in a setup, or when the \
         simulation is built"
    )]
    ManagerAtWork {
        /// The type of the manager.
        manager: &'static str,
    },
    /// Entities have a component that can't be saved.
    #[error(
        "component `{component}` can't be saved, and entities have it: it is opaque; make it a `StateValue` and say \
         `#[component(opaque, state)]`, or remove it from entities before they are saved"
    )]
    Opaque {
        /// The type of the component.
        component: &'static str,
    },
    /// A component holds the handle of an entity that a command buffer is yet to make.
    #[error(
        "component `{component}` of entity {entity} holds a pending handle, which no other world could read; apply the \
         command buffer, and put the real handle in its place"
    )]
    Pending {
        /// The type of the component.
        component: &'static str,
        /// The entity whose component it is.
        entity: Entity,
    },
    /// An entity that was to be saved does not exist.
    #[error(transparent)]
    NoSuchEntity(#[from] NoSuchEntity),
}

impl SaveError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InsideTick => "save-inside-tick",
            Self::ManagerAtWork { .. } => "save-manager-at-work",
            Self::Opaque { .. } => "save-opaque",
            Self::Pending { .. } => "save-pending",
            Self::NoSuchEntity(error) => error.code(),
        }
    }
}

/// One thing that saved bytes and a world say differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What it is about, for instance `component 3`.
    pub what: String,
    /// What the saved bytes say.
    pub saved: String,
    /// What this world says.
    pub known: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\n  {}: saved as {}, here {}", self.what, self.saved, self.known)
    }
}

/// Saved bytes can't be loaded; the world is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// Inside of a tick systems use the world.
    #[error("nothing can be loaded inside of a tick; load between two ticks")]
    InsideTick,
    /// The bytes were never saved by this library.
    #[error("these bytes are no save of tickweave: they do not begin with its mark; look at where they come from")]
    NotASave,
    /// The format is of another version of the library.
    #[error(
        "the bytes are saved in format {found}, but this library reads format {FORMAT_VERSION}: use the library that saved them"
    )]
    Version {
        /// The version in the bytes.
        found: u32,
    },
    /// Bytes are missing at the end, or too many.
    #[error(
        "the save has {found} bytes but was saved with {saved}: it was cut off or joined with something; fetch it again"
    )]
    Length {
        /// How many bytes there are.
        found: u64,
        /// How many the header speaks of.
        saved: u64,
    },
    /// Some bit is not as it was saved.
    #[error("the checksum of the save is wrong: some of its bytes changed after it was saved; fetch it again")]
    Checksum,
    /// The bytes hold the other kind of save.
    #[error("the bytes hold a set of entities and no world: load them with `load_entities`")]
    NotAWorld,
    /// Rows of a chunk, rows of a batch or the life of removals are others.
    #[error("the save is of a world with other settings; give these to the builder of the world:{}", list(.0))]
    Settings(Vec<Mismatch>),
    /// Component types are others, or in another order.
    #[error("the component types of the save are not those of this world; register the same ones in the same order:{}", list(.0))]
    Components(Vec<Mismatch>),
    /// The world knows nothing of a section.
    #[error(
        "the save has `{section}`, which this world does not know: {} makes it; do so here too, in the same order as in the world \
         that was saved",
        maker_of(section)
    )]
    UnknownSection {
        /// The section.
        section: String,
    },
    /// The world has something that the bytes lack, and can't go on without it.
    #[error(
        "the world has `{section}`, of which the save knows nothing: {} makes it; do so in the world that is saved too, in the \
         same order",
        maker_of(section)
    )]
    MissingSection {
        /// The section.
        section: String,
    },
    /// A schedule had more systems when the world was saved.
    #[error("the save knows {saved} systems in the {section}, but there are {known}; add the systems that are missing")]
    Systems {
        /// The section that keeps when each system last ran.
        section: String,
        /// Systems of the schedule in the save.
        saved: usize,
        /// Systems that the schedule has in this world.
        known: usize,
    },
    /// The bytes contradict themselves, though the checksum is right.
    #[error("the save is wrong at byte {offset}: {what}; it was made by hand, or by a program with a fault")]
    Malformed {
        /// Where it is, from the start of the bytes.
        offset: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The bytes of a value are no such value.
    #[error("the value of {what} at byte {offset} can't be read: {error}")]
    Value {
        /// Where the bytes of the value, or of its column, begin.
        offset: usize,
        /// The component or the section.
        what: String,
        /// Why.
        error: DecodeError,
    },
    /// The world has no room.
    #[error(transparent)]
    Full(#[from] StorageFull),
}

impl LoadError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InsideTick => "load-inside-tick",
            Self::NotASave => "load-not-a-save",
            Self::Version { .. } => "load-version",
            Self::Length { .. } => "load-length",
            Self::Checksum => "load-checksum",
            Self::NotAWorld => "load-not-a-world",
            Self::Settings(_) => "load-settings",
            Self::Components(_) => "load-components",
            Self::UnknownSection { .. } => "load-unknown-section",
            Self::MissingSection { .. } => "load-missing-section",
            Self::Systems { .. } => "load-systems",
            Self::Malformed { .. } => "load-malformed",
            Self::Value { .. } => "load-value",
            Self::Full(error) => error.code(),
        }
    }

    pub(super) const fn malformed(offset: usize, what: &'static str) -> Self {
        Self::Malformed { offset, what }
    }
}

fn list(mismatches: &[Mismatch]) -> String {
    mismatches.iter().map(Mismatch::to_string).collect()
}
