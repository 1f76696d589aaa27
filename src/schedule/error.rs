use super::resolve::Relation;
use crate::system::SystemId;
use core::fmt;
use fixed::types::I16F16;
use thiserror::Error;

/// Why a schedule has no plan.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// A system has no name.
    #[error(
        "system number {number} of the schedule has an empty name; give it one, or none to have it named automatically"
    )]
    EmptyName {
        /// The number of the system in registration order, from 1.
        number: u32,
    },
    /// A key of random numbers without a letter.
    #[error("system `{system}` has an empty key for its random numbers; give it one, or none to have its name taken")]
    EmptyStream {
        /// The system.
        system: String,
    },
    /// A rate on which the system would never run.
    #[error(
        "system `{system}` cannot run every {every} ticks with offset {offset}: every must be at least 1 and the offset less than every"
    )]
    InvalidRate {
        /// The system.
        system: String,
        /// Ticks from one run to the next.
        every: u32,
        /// The first tick.
        offset: u32,
    },
    /// A budget that no run can keep.
    #[error("system `{system}` has a budget of {budget} ms; give it more than 0, or no budget")]
    InvalidBudget {
        /// The system.
        system: String,
        /// The budget in milliseconds.
        budget: I16F16,
    },
    /// A dependency without a name.
    #[error(
        "system `{system}` has an empty name as entry {position} of its `{relation}` list; name a system or a label"
    )]
    EmptyDependency {
        /// The system.
        system: String,
        /// The list.
        relation: Relation,
        /// The place in the list, from 1.
        position: usize,
    },
    /// The same dependency twice in one list.
    #[error("system `{system}` names `{name}` again as entry {position} of its `{relation}` list; once is enough")]
    RepeatedDependency {
        /// The system.
        system: String,
        /// The list.
        relation: Relation,
        /// The name.
        name: String,
        /// The place of the second mention in the list, from 1.
        position: usize,
    },
    /// More dependencies than [`MAX_DEPENDENCIES`](super::MAX_DEPENDENCIES).
    #[error(
        "system `{system}` names {count} systems and labels to run before or after, and {limit} is the most (MAX_DEPENDENCIES); give those systems a common label and name that"
    )]
    TooManyDependencies {
        /// The system.
        system: String,
        /// Names in both lists.
        count: usize,
        /// The most that are allowed.
        limit: usize,
    },
    /// Two systems of one name.
    #[error("two systems are named `{name}`, of which {first} was first; rename one of them")]
    DuplicateName {
        /// The name.
        name: String,
        /// The system that has it.
        first: SystemId,
    },
    /// Two systems that would draw the same random numbers.
    #[error(
        "systems `{first}` and `{second}` both draw random numbers under the key `{key}`; give one of them another key with `stream`"
    )]
    SharedStream {
        /// The key.
        key: String,
        /// The system that was registered first.
        first: String,
        /// The other one.
        second: String,
    },
    /// More systems than [`Options::max_systems`](super::Options::max_systems).
    #[error("system `{system}` is one more than the {limit} systems that this schedule may hold; raise `max_systems`")]
    TooManySystems {
        /// The first system that has no room.
        system: String,
        /// The most that are allowed.
        limit: u32,
    },
    /// A dependency on something that does not exist.
    #[error(
        "system `{system}` names `{name}` as entry {position} of its `{relation}` list, but no system of this schedule has that name or label; register one or correct the name"
    )]
    UnknownDependency {
        /// The system.
        system: String,
        /// The list.
        relation: Relation,
        /// The name that nobody has.
        name: String,
        /// The place in the list, from 1.
        position: usize,
    },
    /// More explicit edges than [`MAX_EXPLICIT_EDGES`](super::MAX_EXPLICIT_EDGES).
    #[error(
        "the dependencies of system `{system}` bring the schedule to more than {limit} edges (MAX_EXPLICIT_EDGES); put a barrier between two large labels in place of an edge"
    )]
    TooManyEdges {
        /// The system whose list crosses the limit.
        system: String,
        /// The most that are allowed.
        limit: usize,
    },
    /// Systems that wait for one another.
    #[error("no order can keep every dependency; take one out of each cycle:{}", Lines(.cycles))]
    Cycles {
        /// Each self-edge, and one shortest cycle for each set of systems that wait for one another.
        cycles: Vec<Cycle>,
    },
    /// A system waits for one of a later pass.
    #[error(
        "system `{system}` of pass `{pass}` must wait for `{waits_for}` of a later pass, but systems stay in their pass; move one \
         of them to the pass of the other, or take the dependency out"
    )]
    OutOfPass {
        /// The system.
        system: String,
        /// Its pass.
        pass: String,
        /// The system of a later pass.
        waits_for: String,
    },
    /// Writers of one component that nothing puts in order, under [`Policy::Reject`](super::Policy::Reject).
    #[error("writers of the same data are ordered by their registration alone; say with before, after or a barrier which comes first:{}", Lines(.pairs))]
    AmbiguousWriters {
        /// The pairs, in schedule order; at most [`MAX_REPORTS`](super::MAX_REPORTS).
        pairs: Vec<WriterPair>,
    },
    /// Several writers of one component, under [`Policy::SingleWriter`](super::Policy::SingleWriter).
    #[error("the policy allows one writer for each component; join these systems or relax the policy:{}", Lines(.clashes))]
    SeveralWriters {
        /// The components with several writers, in the order of their ids.
        clashes: Vec<WriterClash>,
    },
}

impl ScheduleError {
    /// The name of this kind of failure; it never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::EmptyName { .. } => "empty-name",
            Self::EmptyStream { .. } => "empty-stream",
            Self::InvalidRate { .. } => "invalid-rate",
            Self::InvalidBudget { .. } => "invalid-budget",
            Self::EmptyDependency { .. } => "empty-dependency",
            Self::RepeatedDependency { .. } => "repeated-dependency",
            Self::TooManyDependencies { .. } => "too-many-dependencies",
            Self::DuplicateName { .. } => "duplicate-name",
            Self::SharedStream { .. } => "stream-shared",
            Self::TooManySystems { .. } => "too-many-systems",
            Self::UnknownDependency { .. } => "unknown-dependency",
            Self::TooManyEdges { .. } => "too-many-edges",
            Self::Cycles { .. } => "dependency-cycle",
            Self::OutOfPass { .. } => "out-of-pass",
            Self::AmbiguousWriters { .. } => "ambiguous-writers",
            Self::SeveralWriters { .. } => "several-writers",
        }
    }
}

/// Systems each of which must run before the next, and the last before the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cycle {
    /// The systems, that with the lowest id first.
    pub systems: Vec<String>,
    /// For each system, what puts it before the next: "`b` after `a`".
    pub declarations: Vec<String>,
}

impl fmt::Display for Cycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for system in &self.systems {
            write!(f, "`{system}` -> ")?;
        }
        write!(f, "`{}` (declared: {})", self.systems[0], self.declarations.join(", "))
    }
}

/// Two systems that write the same, and nothing but registration order puts them in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriterPair {
    /// The system that comes first in schedule order.
    pub first: String,
    /// The other one.
    pub second: String,
    /// The components and resources that both write.
    pub data: Vec<String>,
}

impl fmt::Display for WriterPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` and `{}` write {}", self.first, self.second, self.data.join(", "))
    }
}

/// A component that several systems write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriterClash {
    /// The component.
    pub component: String,
    /// Its writers, in registration order.
    pub writers: Vec<String>,
}

impl fmt::Display for WriterClash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is written by `{}`", self.component, self.writers.join("`, `"))
    }
}

/// Each entry on a line of its own.
struct Lines<'a, T>(&'a [T]);

impl<T: fmt::Display> fmt::Display for Lines<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|entry| write!(f, "\n  {entry}"))
    }
}
