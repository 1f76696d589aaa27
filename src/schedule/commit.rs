use core::fmt;
use core::ops::BitOr;

/// What a commit point publishes. What it does not waits for the next one that does.
///
/// ```
/// use tickweave::schedule::Commit;
///
/// let commit = Commit::STRUCTURE | Commit::EVENTS;
/// assert!(commit.contains(Commit::EVENTS) && !commit.contains(Commit::MANAGERS));
/// assert!(Commit::ALL.contains(commit));
/// assert_eq!(commit.to_string(), "structure, events");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Commit(u8);

impl Commit {
    /// Nothing: ids of spawned entities are made real all the same.
    pub const NONE: Self = Self(0);
    /// Rows: entities appear, change their archetype and go.
    pub const STRUCTURE: Self = Self(1);
    /// Typed commands reach their handlers, or execute themselves, and command buffers flush.
    pub const COMMANDS: Self = Self(2);
    /// Managers flush.
    pub const MANAGERS: Self = Self(4);
    /// Events that wait become visible.
    pub const EVENTS: Self = Self(8);
    /// Everything.
    pub const ALL: Self = Self(15);

    /// Whether everything that `other` publishes is published.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The flags as bits, in the order of their constants from the lowest.
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }
}

impl Default for Commit {
    fn default() -> Self {
        Self::ALL
    }
}

impl BitOr for Commit {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (Self::STRUCTURE, "structure"),
            (Self::COMMANDS, "commands"),
            (Self::MANAGERS, "managers"),
            (Self::EVENTS, "events"),
        ];
        let names: Vec<&str> = flags.iter().filter(|(flag, _)| self.contains(*flag)).map(|(_, name)| *name).collect();
        f.write_str(if names.is_empty() { "nothing" } else { "" })?;
        f.write_str(&names.join(", "))
    }
}

/// What ends with a commit point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommitEnd {
    /// A pass.
    Pass,
    /// A phase, and with it the events of scope [`Pass`](crate::event::EventScope::Pass).
    Phase,
    /// The tick.
    Tick,
}

impl fmt::Display for CommitEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pass => "pass",
            Self::Phase => "phase",
            Self::Tick => "tick",
        })
    }
}

/// A place of a plan at which what was recorded is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitPoint {
    /// What it is called: `phase`, or `phase/pass`.
    pub name: String,
    /// What ends here.
    pub ends: CommitEnd,
    /// What it publishes.
    pub publishes: Commit,
}
