use core::fmt;

use fixed::types::I16F16;

use super::SystemId;
use crate::access::Access;
use crate::component::ComponentId;

/// What a plan needs to know about one system: plain data, no function.
///
/// ```
/// use tickweave::system::{Shape, SystemSpec};
/// let spec = SystemSpec::new("integrate");
/// assert!(spec.enabled && spec.explicit_name && spec.shape == Shape::Query);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemSpec {
    /// The name, unique in the schedule.
    pub name: String,
    /// Whether the user gave the name; else it is one of [`names::automatic`](crate::schedule::names::automatic).
    pub explicit_name: bool,
    /// The key that the user gave for the system's random numbers; without one it is the explicit name.
    pub stream: Option<String>,
    /// Labels that the system carries, for others to name in their lists.
    pub labels: Vec<String>,
    /// Names and labels of the systems that must wait for this one.
    pub before: Vec<String>,
    /// Names and labels of the systems that this one must wait for.
    pub after: Vec<String>,
    /// Systems that this one must wait for, by id: the links of a chain.
    pub follows: Vec<SystemId>,
    /// What the system touches, its run conditions included.
    pub access: Access,
    /// Whether the system draws random numbers.
    pub draws: bool,
    /// Whether the system records commands, which a barrier applies.
    pub records_commands: bool,
    /// How the system is called.
    pub shape: Shape,
    /// Whether the system runs on the caller's thread only.
    pub pinned: bool,
    /// On which ticks the system runs.
    pub rate: Rate,
    /// Milliseconds that the system may take, if it has a budget.
    pub budget: Option<I16F16>,
    /// Whether the system runs at all; a disabled one keeps its place in the plan.
    pub enabled: bool,
}

impl SystemSpec {
    /// A system with an explicit name that touches nothing and runs every tick.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            explicit_name: true,
            stream: None,
            labels: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            follows: Vec::new(),
            access: Access::default(),
            draws: false,
            records_commands: false,
            shape: Shape::Query,
            pinned: false,
            rate: Rate::EVERY_TICK,
            budget: None,
            enabled: true,
        }
    }

    /// What keeps the system's random numbers apart from those of others: the key that was given, else the explicit name.
    #[must_use]
    pub fn stream_key(&self) -> Option<&str> {
        self.stream.as_deref().or_else(|| self.explicit_name.then_some(&*self.name))
    }

    /// Whether the system declares that it reads a component and does not write it.
    ///
    /// What is declared is known once the schedule was built; an [exclusive](Self::is_exclusive) system declares nothing
    /// and reaches everything.
    #[must_use]
    pub fn declares_read(&self, component: ComponentId) -> bool {
        self.access.reads_component(component.bit())
    }

    /// Whether the system declares that it writes a component, and so may read it too.
    #[must_use]
    pub fn declares_write(&self, component: ComponentId) -> bool {
        self.access.writes_component(component.bit())
    }

    /// The components that it declares to read and not to write, ascending.
    #[must_use]
    pub fn reads(&self) -> Vec<ComponentId> {
        self.access.component_reads().iter().map(ComponentId::from_bit).collect()
    }

    /// The components that it declares to write, ascending.
    #[must_use]
    pub fn writes(&self) -> Vec<ComponentId> {
        self.access.component_writes().iter().map(ComponentId::from_bit).collect()
    }

    /// The names and labels of the systems that it must wait for, in the order in which they were given.
    pub fn dependencies(&self) -> impl Iterator<Item = &str> {
        self.after.iter().map(String::as_str)
    }

    /// Whether the system touches no rows but its own: an each- or chunk-system without [`Lookup`](crate::query::Lookup).
    #[must_use]
    pub fn is_row_local(&self) -> bool {
        matches!(self.shape, Shape::Each | Shape::Chunk) && self.access.lookups.is_empty()
    }

    /// Whether the system takes the whole world, so that it stands between two barriers.
    #[must_use]
    pub fn is_exclusive(&self) -> bool {
        self.shape == Shape::Exclusive || self.access.exclusive
    }
}

/// How a system is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Once for each row.
    Each,
    /// Once for each batch, with slices.
    Chunk,
    /// Once, with queries over what it declares.
    Query,
    /// Once, with the whole world.
    Exclusive,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Each => "each",
            Self::Chunk => "chunk",
            Self::Query => "query",
            Self::Exclusive => "exclusive",
        })
    }
}

/// On which ticks a system runs: those whose number leaves the remainder `offset` when divided by `every`.
///
/// ```
/// use tickweave::system::Rate;
/// let rate = Rate { every: 4, offset: 1 };
/// assert_eq!((0..10).filter(|&tick| rate.is_due(tick)).collect::<Vec<u64>>(), [1, 5, 9]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Ticks from one run to the next, at least 1.
    pub every: u32,
    /// The first tick that runs, less than `every`.
    pub offset: u32,
}

impl Rate {
    /// Each tick.
    pub const EVERY_TICK: Self = Self { every: 1, offset: 0 };

    /// Whether the system runs on `tick`.
    ///
    /// # Panics
    ///
    /// If `every` is 0, which no plan lets pass.
    #[inline]
    #[must_use]
    pub const fn is_due(self, tick: u64) -> bool {
        self.every == 1 || tick % self.every as u64 == self.offset as u64
    }

    /// Whether there is a tick on which the system runs.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.offset < self.every
    }
}
