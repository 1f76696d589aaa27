use super::commit::CommitPoint;
use super::layout::{Barrier, BarrierId, Step};
use super::name_table::NameTable;
use super::report::Diagnostic;
use super::resolve::Declaration;
use crate::access::Conflict;
use crate::fault::{Fault, planted};
use crate::graph::Dag;
use crate::system::{SystemId, SystemSpec};

/// The order in which systems run, what may overlap, and why: pure data.
///
/// A *position* is the place of a step, from 1; position 0 stands for the host between two ticks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    pub(super) nodes: Vec<Node>,
    pub(super) steps: Vec<Step>,
    pub(super) barriers: Vec<Barrier>,
    pub(super) commits: Vec<CommitPoint>,
    pub(super) segments: Vec<Segment>,
    pub(super) edges: Vec<Edge>,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) names: NameTable,
    pub(super) hash: u64,
}

/// A system and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) spec: SystemSpec,
    pub(super) position: u32,
    pub(super) segment: u32,
}

/// A reason why one system comes before another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The system that comes first.
    pub from: SystemId,
    /// The system that waits.
    pub to: SystemId,
    /// Why.
    pub reason: Reason,
}

/// Why an edge exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The user asked for it.
    Explicit(Declaration),
    /// The two touch the same data and one of them writes it.
    Conflict(Conflict),
}

/// The systems between two barriers, numbered from 0 in schedule order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    systems: Vec<SystemId>,
    first_position: u32,
    dag: Dag,
    predecessors: Vec<u32>,
}

impl Segment {
    pub(super) fn new(systems: Vec<SystemId>, barrier: &Barrier, mut reduced: Vec<(u32, u32)>) -> Self {
        if planted(Fault::EdgeDropped) {
            reduced.pop();
        }
        let dag = Dag::new(systems.len() as u32, reduced).expect("each edge leads on in schedule order");
        let first_position = barrier.position - systems.len() as u32;
        Self { predecessors: dag.predecessor_counts(), systems, first_position, dag }
    }

    /// The systems in schedule order.
    #[must_use]
    pub fn systems(&self) -> &[SystemId] {
        &self.systems
    }

    /// The position of the first system; the others follow without a gap, then the barrier that ends the segment.
    #[must_use]
    pub fn first_position(&self) -> u32 {
        self.first_position
    }

    /// For each system, how many others of the segment must finish before it starts.
    #[must_use]
    pub fn predecessors(&self) -> &[u32] {
        &self.predecessors
    }

    /// The systems of the segment that wait for `system`, ascending; both are numbers within the segment.
    ///
    /// An edge that others imply is left out.
    ///
    /// # Panics
    ///
    /// If the segment has no such system.
    #[must_use]
    pub fn successors(&self, system: u32) -> &[u32] {
        self.dag.successors(system)
    }
}

/// The heaviest path through a plan: no number of threads can run a tick in less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CriticalPath {
    /// The sum of the weights.
    pub weight: u64,
    /// The systems on it, in schedule order.
    pub systems: Vec<SystemId>,
}

impl Plan {
    /// The steps of a tick; the step at index `i` has position `i + 1`.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How many systems there are, disabled ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no system.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The ids of all systems, ascending, which is registration order.
    pub fn systems(&self) -> impl Iterator<Item = SystemId> + use<> {
        (0..self.nodes.len()).map(SystemId::from_index)
    }

    /// The systems in schedule order.
    pub fn order(&self) -> impl Iterator<Item = SystemId> + '_ {
        self.segments.iter().flat_map(|segment| segment.systems.iter().copied())
    }

    /// What was registered as `system`.
    ///
    /// # Panics
    ///
    /// If the plan has no such system; so do the other methods that take an id.
    #[must_use]
    pub fn spec(&self, system: SystemId) -> &SystemSpec {
        &self.nodes[system.index()].spec
    }

    /// The position of the step that runs `system`, at least 1.
    #[must_use]
    pub fn position(&self, system: SystemId) -> u32 {
        self.nodes[system.index()].position
    }

    /// The index of the segment of `system`, which is also that of the barrier that ends it.
    #[must_use]
    pub fn segment(&self, system: SystemId) -> usize {
        self.nodes[system.index()].segment as usize
    }

    /// Switches a system on or off; the plan and its hash stay the same.
    pub fn set_enabled(&mut self, system: SystemId, enabled: bool) {
        self.nodes[system.index()].spec.enabled = enabled;
    }

    /// The segments in schedule order, each ended by the barrier of the same index.
    ///
    /// Only the first can be empty: if there is no system at all, or a barrier before all of them.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The barriers in schedule order; the last one is the end of the run.
    #[must_use]
    pub fn barriers(&self) -> &[Barrier] {
        &self.barriers
    }

    /// The commit points of a simulation, in schedule order; none elsewhere.
    #[must_use]
    pub fn commits(&self) -> &[CommitPoint] {
        &self.commits
    }

    /// The barrier called `id`.
    #[must_use]
    pub fn barrier(&self, id: BarrierId) -> &Barrier {
        &self.barriers[id.index()]
    }

    /// Every explicit edge, and of the conflicts inside a segment those that no other path implies.
    ///
    /// Sorted by the positions of their ends. Two systems that conflict are always connected by a path or a barrier.
    #[must_use]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// What is legal and perhaps not meant, in stable order.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// A hash of the names, order, accesses, edges, barriers, commit points and rates, the same on every platform.
    ///
    /// Budgets, diagnostics, labels, shapes, pins and switched-off systems do not count: they decide no result, or
    /// not by themselves.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The heaviest path when `weight` tells what each system costs; a barrier joins the paths of its two segments.
    pub fn critical_path(&self, weight: impl Fn(SystemId) -> u64) -> CriticalPath {
        let mut path = CriticalPath { weight: 0, systems: Vec::new() };
        for segment in &self.segments {
            let weights: Vec<_> = segment.systems.iter().map(|&id| weight(id)).collect();
            let (heaviest, members) = segment.dag.critical_path(&weights);
            path.weight = path.weight.saturating_add(heaviest);
            path.systems.extend(members.into_iter().map(|member| segment.systems[member as usize]));
        }
        path
    }
}
