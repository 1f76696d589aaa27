use crate::access::Access;
use crate::system::SystemId;
use core::fmt;
use fixed::types::I16F16;

/// The number of systems that a schedule holds unless [`Options::max_systems`] raises it.
pub const DEFAULT_MAX_SYSTEMS: u32 = 256;

/// The number of names that the `before` and `after` lists of one system may hold together.
pub const MAX_DEPENDENCIES: usize = 16;

/// The number of explicit edges of a schedule, counted after labels are resolved to systems.
pub const MAX_EXPLICIT_EDGES: usize = 1 << 20;

/// What a plan needs to know about one system: plain data, no function.
///
/// ```
/// use tickweave::schedule::{Shape, SystemSpec};
/// let spec = SystemSpec::new("integrate");
/// assert!(spec.enabled && spec.explicit_name && spec.shape == Shape::Query);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemSpec {
    /// The name, unique in the schedule.
    pub name: String,
    /// Whether the user gave the name; else it is one of [`names::automatic`](super::names::automatic).
    pub explicit_name: bool,
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
            labels: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
            follows: Vec::new(),
            access: Access::default(),
            records_commands: false,
            shape: Shape::Query,
            pinned: false,
            rate: Rate::EVERY_TICK,
            budget: None,
            enabled: true,
        }
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
/// use tickweave::schedule::Rate;
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
        tick % self.every as u64 == self.offset as u64
    }

    /// Whether there is a tick on which the system runs.
    #[must_use]
    pub const fn is_valid(self) -> bool {
        self.offset < self.every
    }
}

/// One entry of a schedule, in registration order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all items are systems, and they are moved at setup only")]
pub enum Item {
    /// A system.
    System(SystemSpec),
    /// A place where everything before is finished and commands are applied.
    Barrier,
}

/// What to do about two systems that write the same component or resource.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Policy {
    /// They run in schedule order.
    #[default]
    Order,
    /// They run in schedule order, and a pair that nothing but registration order puts in order is reported.
    Warn,
    /// A pair that nothing but registration order puts in order is an error.
    Reject,
    /// Two systems that write the same component are an error, in whatever order.
    SingleWriter,
}

/// How strict a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What to do about systems that write the same.
    pub ambiguity: Policy,
    /// Whether a reader that runs before a writer of the same component is reported.
    pub report_read_before_write: bool,
    /// How many systems the schedule may hold.
    pub max_systems: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { ambiguity: Policy::Order, report_read_before_write: false, max_systems: DEFAULT_MAX_SYSTEMS }
    }
}

/// Tells what the ids in an [`Access`] are called.
pub trait Names {
    /// The name of a component.
    fn component(&self, id: u32) -> String;
    /// The name of a resource.
    fn resource(&self, id: u32) -> String;
}
