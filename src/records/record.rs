use core::fmt;
use std::sync::Arc;

use super::catalogue::{MAX_FIELDS, RecordKind, Severity};

/// Something that happened and that somebody should know of: a log line with its parts apart.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::records::RecordKind;
///
/// let mut world = World::builder().entity_capacity(4).build()?;
/// world.spawn_batch([(), ()]);
/// Schedule::new().run(&mut world)?;
/// let record = world.records().iter().next().unwrap();
/// assert_eq!(record.kind(), RecordKind::Entities25);
/// assert_eq!(record.value("entities"), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub(super) kind: RecordKind,
    pub(super) tick: u64,
    pub(super) about: Subject,
    pub(super) values: [u64; MAX_FIELDS],
}

/// What a record is about. Its clones allocate nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Nothing that has a name.
    None,
    /// A name that the library has.
    Static(&'static str),
    /// A name that the user gave.
    Shared(Arc<str>),
}

impl Record {
    /// What happened.
    #[must_use]
    pub const fn kind(&self) -> RecordKind {
        self.kind
    }

    /// The stable name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.kind.name()
    }

    /// How much it matters.
    #[must_use]
    pub const fn severity(&self) -> Severity {
        self.kind.severity()
    }

    /// The tick in which it happened: that of the world.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.tick
    }

    /// The name of what it is about: see [`RecordKind::about`].
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        match &self.about {
            Subject::None => None,
            Subject::Static(name) => Some(name),
            Subject::Shared(name) => Some(name),
        }
    }

    /// The value of a field.
    #[must_use]
    pub fn value(&self, field: &str) -> Option<u64> {
        self.values().find_map(|(name, value)| (name == field).then_some(value))
    }

    /// Fields and their values, in the order of [`RecordKind::fields`].
    pub fn values(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.kind.fields().iter().copied().zip(self.values)
    }
}

/// One line: severity, name, tick, subject, values, what, why, how to fix it.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.kind;
        write!(f, "{} {kind} in tick {}", kind.severity(), self.tick)?;
        if let (Some(subject), Some(name)) = (kind.about(), self.about()) {
            write!(f, ", {subject} `{name}`")?;
        }
        for (number, (field, value)) in self.values().enumerate() {
            write!(f, "{} {field}={value}", if number == 0 { ":" } else { "," })?;
        }
        write!(f, ": {}; {}; {}", kind.what(), kind.why(), kind.fix())
    }
}
