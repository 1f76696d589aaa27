use super::commit::CommitPoint;
use super::error::{Cycle, ScheduleError};
use super::resolve::ExplicitEdge;
use super::spec::Item;
use crate::graph::Dag;
use crate::system::SystemId;
use crate::system::SystemSpec;
use core::fmt;

/// The number of a barrier in its plan: dense from 1, in schedule order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BarrierId(u32);

impl BarrierId {
    pub(super) const fn from_index(index: usize) -> Self {
        Self(index as u32 + 1)
    }

    /// The number itself, 1 for the first barrier.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0
    }

    /// The place of the barrier in the table of all barriers, 0 for the first.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for BarrierId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "b{}", self.0)
    }
}

/// One step of a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A system runs.
    Run(SystemId),
    /// All before is finished, commands are applied, then what follows starts.
    Barrier(BarrierId),
}

/// Why there is a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierReason {
    /// The user put it there; the number counts the barriers among the items, from 0.
    Explicit(u32),
    /// An exclusive system follows.
    BeforeExclusive(SystemId),
    /// An exclusive system came before.
    AfterExclusive(SystemId),
    /// A pass, a phase or the tick ends; the number counts the commit points of the plan, from 0.
    Commit(u32),
    /// The run ends.
    End,
}

/// A place where all lanes are merged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// The position of its step.
    pub position: u32,
    /// Every reason for it, in schedule order; neighbours are one barrier.
    pub reasons: Vec<BarrierReason>,
}

/// The steps of a tick, cut into segments: segment `k` holds the systems up to barrier `k`.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) steps: Vec<Step>,
    pub(super) barriers: Vec<Barrier>,
    pub(super) segments: Vec<Vec<SystemId>>,
    pub(super) commits: Vec<CommitPoint>,
    open: Vec<SystemId>,
}

impl Layout {
    /// Schedule order: Kahn's algorithm over the explicit edges, lowest registration first. A barrier among the items has
    /// no edges, so it stays at its place while a system that waits for a later one passes it.
    pub(super) fn new(items: &[Item], specs: &[&SystemSpec], edges: &[ExplicitEdge]) -> Result<Self, ScheduleError> {
        let places = Places::new(items);
        let links = edges.iter().map(|edge| (places.of_system[edge.from.index()], places.of_system[edge.to.index()]));
        let dag =
            Dag::new(items.len() as u32, links.collect()).map_err(|cycles| places.explain(cycles, specs, edges))?;
        let mut layout = Self::default();
        for &item in dag.order() {
            match places.at[item as usize] {
                Place::System(id) => {
                    places.check_pass(id, layout.commits.len(), items, specs, edges)?;
                    layout.run(id, specs[id.index()]);
                }
                Place::Barrier(ordinal) => layout.barrier(BarrierReason::Explicit(ordinal)),
                Place::Commit(point) => layout.commit(point),
            }
        }
        layout.barrier(BarrierReason::End);
        Ok(layout)
    }

    fn run(&mut self, id: SystemId, spec: &SystemSpec) {
        if spec.is_exclusive() {
            self.barrier(BarrierReason::BeforeExclusive(id));
        }
        self.steps.push(Step::Run(id));
        self.open.push(id);
        if spec.is_exclusive() {
            self.barrier(BarrierReason::AfterExclusive(id));
        }
    }

    fn commit(&mut self, point: &CommitPoint) {
        self.barrier(BarrierReason::Commit(self.commits.len() as u32));
        self.commits.push(point.clone());
    }

    fn barrier(&mut self, reason: BarrierReason) {
        if !matches!(self.steps.last(), Some(Step::Barrier(_))) {
            self.steps.push(Step::Barrier(BarrierId::from_index(self.barriers.len())));
            self.barriers.push(Barrier { position: self.steps.len() as u32, reasons: Vec::new() });
            self.segments.push(core::mem::take(&mut self.open));
        }
        let barrier = self.barriers.last_mut().expect("the last step is a barrier");
        barrier.reasons.push(reason);
    }
}

enum Place<'i> {
    System(SystemId),
    Barrier(u32),
    Commit(&'i CommitPoint),
}

/// Which system or barrier each item is, and which item each system is.
struct Places<'i> {
    at: Vec<Place<'i>>,
    of_system: Vec<u32>,
}

impl<'i> Places<'i> {
    fn new(items: &'i [Item]) -> Self {
        let mut places = Self { at: Vec::with_capacity(items.len()), of_system: Vec::new() };
        let mut barriers = 0;
        for (index, item) in items.iter().enumerate() {
            places.at.push(match item {
                Item::System(_) => {
                    places.of_system.push(index as u32);
                    Place::System(SystemId::from_index(places.of_system.len() - 1))
                }
                Item::Barrier => {
                    barriers += 1;
                    Place::Barrier(barriers - 1)
                }
                Item::Commit(point) => Place::Commit(point),
            });
        }
        places
    }

    fn explain(&self, cycles: Vec<Vec<u32>>, specs: &[&SystemSpec], edges: &[ExplicitEdge]) -> ScheduleError {
        let systems = |cycle: Vec<u32>| cycle.into_iter().filter_map(|item| self.system(item)).collect();
        let cycles = cycles.into_iter().map(|cycle| name_cycle(systems(cycle), specs, edges)).collect();
        ScheduleError::Cycles { cycles }
    }

    /// A system that waits for one of a later pass would leave its own.
    fn check_pass(
        &self,
        id: SystemId,
        commits: usize,
        items: &[Item],
        specs: &[&SystemSpec],
        edges: &[ExplicitEdge],
    ) -> Result<(), ScheduleError> {
        let points = |items: &[Item]| items.iter().filter(|item| matches!(item, Item::Commit(_))).count();
        let pass_of = |id: SystemId| points(&items[..self.of_system[id.index()] as usize]);
        let own = pass_of(id);
        if own == commits {
            return Ok(());
        }
        let mut points = self.at.iter().filter_map(|place| match place {
            Place::Commit(point) => Some(*point),
            _ => None,
        });
        let pass = points.nth(own).map_or_else(String::new, |point| point.name.clone());
        // The first system that leaves its pass waits for one of a later pass itself.
        let late = edges.iter().find(|edge| edge.to == id && pass_of(edge.from) > own);
        let name = |id: SystemId| specs[id.index()].name.clone();
        let waits_for = late.map_or_else(String::new, |edge| name(edge.from));
        Err(ScheduleError::OutOfPass { system: name(id), pass, waits_for })
    }

    fn system(&self, item: u32) -> Option<SystemId> {
        match self.at[item as usize] {
            Place::System(id) => Some(id),
            Place::Barrier(_) | Place::Commit(_) => None,
        }
    }
}

fn name_cycle(cycle: Vec<SystemId>, specs: &[&SystemSpec], edges: &[ExplicitEdge]) -> Cycle {
    let links = cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1));
    let declared = links.filter_map(|ends| edges.binary_search_by_key(&ends, |edge| (edge.from, edge.to)).ok());
    Cycle {
        declarations: declared.map(|at| edges[at].declaration.describe(|id| specs[id.index()])).collect(),
        systems: cycle.iter().map(|id| specs[id.index()].name.clone()).collect(),
    }
}
