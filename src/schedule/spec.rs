use super::commit::CommitPoint;
use crate::system::SystemSpec;

/// The number of systems that a schedule holds unless [`Options::max_systems`] raises it.
pub const DEFAULT_MAX_SYSTEMS: u32 = 256;

/// The number of names that the `before` and `after` lists of one system may hold together.
pub const MAX_DEPENDENCIES: usize = 16;

/// The number of explicit edges of a schedule, counted after labels are resolved to systems.
pub const MAX_EXPLICIT_EDGES: usize = 1 << 20;

/// One entry of a schedule, in registration order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly all items are systems, and they are moved at setup only")]
pub enum Item {
    /// A system.
    System(SystemSpec),
    /// A place where everything before is finished and commands are applied.
    Barrier,
    /// A barrier at which a pass, a phase or the tick ends. Systems do not move past it.
    Commit(CommitPoint),
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

/// Tells what the ids in an [`Access`](crate::access::Access) are called.
pub trait Names {
    /// The name of a component.
    fn component(&self, id: u32) -> String;
    /// The name of a resource.
    fn resource(&self, id: u32) -> String;
    /// The name of a manager.
    fn manager(&self, id: u32) -> String;
}
