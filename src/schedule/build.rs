use super::conflict::{self, Links};
use super::digest::digest;
use super::error::ScheduleError;
use super::layout::{BarrierReason, Layout};
use super::name_table::NameTable;
use super::plan::{Edge, Node, Plan, Reason, Segment};
use super::report::Survey;
use super::resolve::{ExplicitEdge, explicit_edges};
use super::spec::{Item, Names, Options};
use super::validate::validate_all;
use crate::access::Conflict;
use crate::system::SystemId;
use crate::system::SystemSpec;

/// Turns registered systems and barriers into a plan.
///
/// **Schedule order** is registration order, except that a system waits for those that an explicit edge puts before it:
/// Kahn's algorithm over the explicit edges, lowest registration first. A system moves later, never earlier. A name in a
/// `before` or `after` list means every system that has it as its name, as the base of its automatic name, or as a
/// label; so a system that names its own label waits for itself, which is an error.
///
/// # Errors
///
/// The first failure in this order: per system in registration order what [`validate_system`](super::validate_system)
/// checks; then over all systems two that draw under one key; system by system an unknown dependency or too many edges;
/// cycles (all of them), and what the policy for writers forbids.
///
/// # Determinism
///
/// The plan is a function of its arguments: ids, names and lists. No address, clock, thread or hash order enters it.
///
/// ```
/// use tickweave::schedule::{Item, Names, Options, Step, plan};
/// use tickweave::system::SystemSpec;
/// # struct Nameless;
/// # impl Names for Nameless {
/// #     fn component(&self, id: u32) -> String { format!("C{id}") }
/// #     fn resource(&self, id: u32) -> String { format!("R{id}") }
/// #     fn manager(&self, id: u32) -> String { format!("M{id}") }
/// # }
/// let steer = SystemSpec { after: vec!["sense".into()], ..SystemSpec::new("steer") };
/// let items = [Item::System(steer), Item::System(SystemSpec::new("sense"))];
/// let plan = plan(&items, &Options::default(), &Nameless)?;
/// let order: Vec<_> = plan.order().map(|id| plan.spec(id).name.as_str()).collect();
/// assert_eq!(order, ["sense", "steer"]);
/// assert!(matches!(plan.steps(), [Step::Run(_), Step::Run(_), Step::Barrier(_)]));
/// # Ok::<(), tickweave::schedule::ScheduleError>(())
/// ```
pub fn plan(items: &[Item], options: &Options, names: &dyn Names) -> Result<Plan, ScheduleError> {
    let specs: Vec<_> = items.iter().filter_map(system_of).collect();
    validate_all(&specs, options)?;
    let explicit = explicit_edges(&specs)?;
    let layout = Layout::new(items, &specs, &explicit)?;
    let names = NameTable::new(&specs, names);
    let places = Places::new(&layout, specs.len());
    let order: Vec<_> = layout.segments.iter().flatten().copied().collect();
    let survey = Survey {
        specs: &specs,
        edges: &explicit,
        names: &names,
        order: &order,
        segment: &places.segment,
        stage: &places.stage,
    };
    let diagnostics = survey.run(options)?;
    let unhashed = assemble(&specs, &explicit, layout, &places);
    let hash = digest(&unhashed);
    Ok(Plan { diagnostics, names, hash, ..unhashed })
}

fn system_of(item: &Item) -> Option<&SystemSpec> {
    match item {
        Item::System(spec) => Some(spec),
        Item::Barrier | Item::Commit(_) => None,
    }
}

/// Puts the parts of a plan together.
fn assemble(specs: &[&SystemSpec], explicit: &[ExplicitEdge], layout: Layout, places: &Places) -> Plan {
    let mut edges: Vec<_> = explicit.iter().map(explicit_edge).collect();
    let inner = places.inner_edges(&layout, explicit);
    let mut segments = Vec::with_capacity(layout.segments.len());
    for ((systems, barrier), before) in layout.segments.into_iter().zip(&layout.barriers).zip(inner) {
        let accesses: Vec<_> = systems.iter().map(|id| &specs[id.index()].access).collect();
        let Links { reduced, conflicts } = conflict::link(&accesses, &before);
        edges.extend(conflicts.into_iter().map(|found| conflict_edge(&systems, found)));
        segments.push(Segment::new(systems, barrier, reduced));
    }
    edges.sort_by_key(|edge| (places.position[edge.from.index()], places.position[edge.to.index()]));
    let nodes = places.nodes(specs);
    let (steps, barriers, commits) = (layout.steps, layout.barriers, layout.commits);
    Plan {
        nodes,
        steps,
        barriers,
        commits,
        segments,
        edges,
        diagnostics: Vec::new(),
        names: NameTable::default(),
        hash: 0,
    }
}

fn explicit_edge(edge: &ExplicitEdge) -> Edge {
    Edge { from: edge.from, to: edge.to, reason: Reason::Explicit(edge.declaration) }
}

fn conflict_edge(systems: &[SystemId], (from, to, conflict): (u32, u32, Conflict)) -> Edge {
    Edge { from: systems[from as usize], to: systems[to as usize], reason: Reason::Conflict(conflict) }
}

/// Whether the user put the barrier there.
const fn is_of_user(reason: &BarrierReason) -> bool {
    matches!(reason, BarrierReason::Explicit(_) | BarrierReason::Commit(_))
}

/// Where each system stands; the index is that of its id.
struct Places {
    position: Vec<u32>,
    segment: Vec<u32>,
    /// The number in the segment.
    member: Vec<u32>,
    /// How many barriers of the user come before.
    stage: Vec<u32>,
}

impl Places {
    fn new(layout: &Layout, systems: usize) -> Self {
        let empty = || vec![0; systems];
        let mut places = Self { position: empty(), segment: empty(), member: empty(), stage: empty() };
        let mut stage = 0;
        for (segment, (systems, barrier)) in layout.segments.iter().zip(&layout.barriers).enumerate() {
            let first = barrier.position - systems.len() as u32;
            for (member, id) in systems.iter().enumerate() {
                places.position[id.index()] = first + member as u32;
                places.segment[id.index()] = segment as u32;
                places.member[id.index()] = member as u32;
                places.stage[id.index()] = stage;
            }
            stage += u32::from(barrier.reasons.iter().any(is_of_user));
        }
        places
    }

    fn nodes(&self, specs: &[&SystemSpec]) -> Vec<Node> {
        let places = self.position.iter().zip(&self.segment);
        let nodes = specs.iter().zip(places);
        nodes.map(|(&spec, (&position, &segment))| Node { spec: spec.clone(), position, segment }).collect()
    }

    /// For each member of each segment, the members that an explicit edge puts before it, ascending.
    fn inner_edges(&self, layout: &Layout, explicit: &[ExplicitEdge]) -> Vec<Vec<Vec<u32>>> {
        let mut before: Vec<_> = layout.segments.iter().map(|systems| vec![Vec::new(); systems.len()]).collect();
        for edge in explicit {
            let (from, to) = (edge.from.index(), edge.to.index());
            if self.segment[from] == self.segment[to] {
                before[self.segment[to] as usize][self.member[to] as usize].push(self.member[from]);
            }
        }
        before.iter_mut().flatten().for_each(|members| members.sort_unstable());
        before
    }
}
