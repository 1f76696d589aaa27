use core::any::TypeId;
use std::sync::Arc;

use thiserror::Error;

use super::escapes::escapes_of;
use super::registration::Entry;
use super::{Names, Plan, Schedule, ScheduleError, Segment, plan};
use crate::access::Access;
use crate::command::{CommandReport, EscapeScan, MAX_BATCHES, MAX_NODES, Merger, OwnLane};
use crate::component::ComponentId;
use crate::event::{EventId, Reader};
use crate::jobs::{DriveMemory, Pace, Pool};
use crate::profile::Label;
use crate::storage::resources::ResourceId;
use crate::storage::{SectionId, SectionKey, stamp};
use crate::system::{BoundSystem, MetaParts, ParamError, Rate, System, SystemId, SystemMeta};
use crate::world::{Bound, Tentative, World};

/// Steps (systems and barriers) of a plan at most: as many as stamps and pending handles can tell apart.
pub const MAX_STEPS: u32 = if MAX_NODES < stamp::MAX_POSITION { MAX_NODES - 1 } else { stamp::MAX_POSITION };

/// Commit points of a plan at most: as many as pending handles can tell apart.
pub const MAX_COMMITS: u32 = MAX_BATCHES - 1;

/// A schedule can't be bound to a world. Nothing was run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BindError {
    /// The systems or their order are not possible.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// A parameter of a system can't be bound.
    #[error("system `{system}`: {error}")]
    Param {
        /// The system.
        system: String,
        /// What is wrong with it.
        error: ParamError,
    },
    /// The schedule belongs to another world.
    #[error(
        "this schedule was bound to another world at its first run; make a schedule for each world, also for one that was put in \
         the place of another (`*world = ..`)"
    )]
    OtherWorld,
    /// Schedules are bound between ticks only.
    #[error("a schedule can't be built or run on a world inside of a tick of that world; give it a world of its own")]
    InsideTick,
    /// The plan has more steps than stamps and pending handles can tell apart.
    #[error("the plan has {steps} steps, but at most {limit} are possible (MAX_STEPS); split the schedule")]
    TooManySteps {
        /// Steps of the plan.
        steps: usize,
        /// The limit.
        limit: u32,
    },
    /// The plan has more commit points than pending handles can tell apart.
    #[error(
        "the plan has {commits} commit points, but at most {limit} are possible (MAX_COMMITS); have fewer passes and phases"
    )]
    TooManyCommits {
        /// Commit points of the plan.
        commits: usize,
        /// The limit.
        limit: u32,
    },
}

impl BindError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Schedule(error) => error.code(),
            Self::Param { error, .. } => error.code(),
            Self::OtherWorld => "schedule-other-world",
            Self::InsideTick => "schedule-inside-tick",
            Self::TooManySteps { .. } => "schedule-steps",
            Self::TooManyCommits { .. } => "schedule-commits",
        }
    }
}

/// What decides whether and how a system runs, in a few bytes, so that a pass over many systems stays in the cache.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    pub(crate) enabled: bool,
    pub(crate) rate: Rate,
    pub(crate) records_commands: bool,
    pub(crate) exclusive: bool,
    /// Whether it runs on the caller's thread only.
    pub(crate) pinned: bool,
    /// Whether it has conditions, or needs resources.
    pub(crate) conditional: bool,
    /// Whether it runs on every tick, and there is nothing to do before or after it.
    pub(crate) plain: bool,
}

impl Gate {
    fn new(entry: &Entry, needs: &Needs) -> Self {
        let spec = &entry.spec;
        let mut gate = Self {
            enabled: false,
            rate: spec.rate,
            records_commands: spec.records_commands,
            exclusive: spec.is_exclusive(),
            pinned: spec.pinned,
            conditional: !entry.conditions.is_empty() || !needs.resources.is_empty(),
            plain: false,
        };
        gate.enable(spec.enabled);
        gate
    }

    /// Sets whether the system runs at all.
    pub(super) fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
        let attended = self.records_commands || self.exclusive || self.conditional;
        self.plain = enabled && self.rate == Rate::EVERY_TICK && !attended;
    }
}

/// A plan for one world, as long as neither the schedule nor the registry of the world changes.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) plan: Plan,
    /// The schedule's number on the world.
    pub(crate) number: u32,
    /// The registry's state that the plan was made for.
    pub(crate) version: u64,
    /// What the world said of restores that take sections away.
    pub(crate) unbound: u64,
    /// The section that keeps when each system last ran.
    pub(crate) last_runs: SectionId,
    /// What each system needs, by its index.
    pub(crate) needs: Vec<Needs>,
    /// What decides whether each system runs, by its index.
    pub(crate) gates: Vec<Gate>,
    /// The indices of systems that need resources, or something from the host.
    pub(crate) demanding: Vec<usize>,
    /// For each segment the indices of its systems that record commands, in schedule order.
    pub(crate) recorders: Vec<Vec<usize>>,
    /// What the segments were measured to cost.
    pub(crate) pace: Pace,
    /// The systems as profilers know them.
    pub(crate) labels: Vec<Label>,
}

/// What a system needs to run, and what to look at afterwards.
#[derive(Debug, Default)]
pub(crate) struct Needs {
    /// Shared with the list of grants that a debug build keeps, so that a tick allocates nothing.
    pub(crate) access: Arc<Access>,
    pub(crate) resources: Vec<(SectionId, &'static str)>,
    pub(crate) host: Option<(TypeId, &'static str)>,
    pub(crate) escapes: EscapeScan,
    /// What it reads of events, and the section of each cursor.
    pub(crate) readers: Vec<(EventId, SectionId)>,
    /// The first parameter that asks for a component type which is not registered.
    pub(crate) unmatched: Option<&'static str>,
}

/// The parts of a schedule that a tick uses at the same time.
pub(crate) struct Parts<'s> {
    pub(crate) plan: &'s Plan,
    pub(crate) number: u32,
    pub(crate) version: u64,
    pub(crate) last_runs: SectionId,
    pub(crate) needs: &'s [Needs],
    pub(crate) gates: &'s [Gate],
    pub(crate) demanding: &'s [usize],
    pub(crate) recorders: &'s [Vec<usize>],
    pub(crate) pace: &'s mut Pace,
    pub(crate) labels: &'s [Label],
    pub(crate) drive: &'s mut DriveMemory,
    pub(crate) pool: &'s Pool,
    pub(crate) entries: &'s mut [Entry],
    pub(crate) systems: &'s mut [Box<dyn System>],
    pub(crate) lanes: &'s mut [OwnLane],
    pub(crate) merger: &'s mut Merger,
    pub(crate) report: &'s mut CommandReport,
    pub(crate) strict: bool,
}

impl Schedule {
    /// # Panics
    ///
    /// If the schedule has no plan.
    pub(crate) fn parts(&mut self) -> Parts<'_> {
        let Binding { plan, number, version, unbound: _, last_runs, needs, gates, demanding, recorders, pace, labels } =
            self.binding.as_mut().expect("built before it runs");
        Parts {
            plan,
            number: *number,
            version: *version,
            last_runs: *last_runs,
            needs,
            gates,
            demanding,
            recorders,
            pace,
            labels,
            drive: &mut self.drive,
            pool: &self.pool,
            entries: &mut self.entries,
            systems: &mut self.systems,
            lanes: &mut self.lanes,
            merger: &mut self.merger,
            report: &mut self.report,
            strict: self.strict,
        }
    }

    /// Sees to it that the world has an entry for each system in the section of last runs.
    pub(crate) fn make_room_in(&mut self, world: &mut World) {
        if let Some(binding) = &self.binding {
            make_room(world, binding.last_runs, self.entries.len());
        }
    }

    /// Whether a restore took away what the schedule keeps in the world since it was bound.
    pub(crate) fn is_unbound(&self, world: &World) -> bool {
        self.binding.as_ref().is_none_or(|binding| binding.unbound != world.unbound())
    }

    /// Whether the schedule belongs to another world.
    pub(crate) fn is_elsewhere(&self, world: &World) -> bool {
        self.home.is_some_and(|bound| bound.world != world.id())
    }

    /// Resolves what the systems touch in a world, and plans.
    ///
    /// A run does so by itself at first and after a change of the schedule. After a change of the world's registry it must
    /// be called: a plan that is older is refused.
    ///
    /// # Errors
    ///
    /// [`BindError`] that names systems and types. The world is as it was then, and the schedule bound to it no more than
    /// before.
    pub fn build(&mut self, world: &mut World) -> Result<&Plan, BindError> {
        if let Some(error) = &self.refused {
            return Err(error.clone().into());
        }
        if world.is_inside_tick() {
            return Err(BindError::InsideTick);
        }
        let mut tried = Tentative::new(world);
        let bound = self.bound_to(&mut tried)?;
        self.binding = None;
        let binding = self.bind(&mut tried, bound.number)?;
        self.home = Some(bound);
        tried.keep();
        tried.event_registry_mut().set_readers(bound.number, self.readers(&binding));
        Ok(&self.binding.insert(binding).plan)
    }

    fn bind(&mut self, world: &mut World, number: u32) -> Result<Binding, BindError> {
        let needs = self.bind_systems(world, number)?;
        let names = WorldNames(world);
        let plan = plan(&self.items(), &self.options, &names)?;
        check_limits(&plan)?;
        let last_runs = last_runs(world, number, self.entries.len());
        let gates = self.entries.iter().zip(&needs).map(|(entry, needs)| Gate::new(entry, needs)).collect();
        let demands = |index: &usize| !needs[*index].resources.is_empty() || needs[*index].host.is_some();
        let demanding = (0..needs.len()).filter(demands).collect();
        let recorders = plan.segments().iter().map(|segment| self.recorders(segment)).collect();
        let labels = self.entries.iter().map(|entry| Label::new(&entry.spec.name)).collect();
        self.lanes.resize_with(self.entries.len() + plan.commits().len(), OwnLane::unused);
        let pace = Pace::new(plan.segments().iter().map(|segment| segment.systems().len()));
        Ok(Binding {
            plan,
            number,
            version: world.components().version(),
            unbound: world.unbound(),
            last_runs,
            needs,
            gates,
            demanding,
            recorders,
            pace,
            labels,
        })
    }

    /// The parameters that read events.
    fn readers(&self, binding: &Binding) -> Vec<Reader> {
        let of_system = |(system, needs): (usize, &Needs)| {
            let gate = binding.gates[system];
            let reader = move |&(event, cursor)| Reader {
                event,
                cursor,
                schedule: binding.number,
                system,
                lives: Arc::downgrade(&self.lives),
                enabled: gate.enabled,
            };
            needs.readers.iter().map(reader).collect::<Vec<_>>()
        };
        binding.needs.iter().enumerate().flat_map(of_system).collect()
    }

    /// The schedule on the world, whose number is given at the first build that succeeds, and anew when a restore took it back.
    fn bound_to(&self, world: &mut World) -> Result<Bound, BindError> {
        match self.home {
            Some(bound) if bound.world != world.id() => Err(BindError::OtherWorld),
            Some(bound) if world.knows_schedule(bound) => Ok(bound),
            _ => Ok(world.next_schedule()),
        }
    }

    /// The indices of the systems of a segment that record commands.
    fn recorders(&self, segment: &Segment) -> Vec<usize> {
        let indices = segment.systems().iter().map(|id| id.index());
        indices.filter(|&index| self.entries[index].spec.records_commands).collect()
    }

    fn bind_systems(&mut self, world: &mut World, schedule: u32) -> Result<Vec<Needs>, BindError> {
        let mut all = Vec::with_capacity(self.entries.len());
        for (index, (entry, system)) in self.entries.iter_mut().zip(&mut self.systems).enumerate() {
            if entry.removed {
                all.push(Needs::default());
                continue;
            }
            let bound = BoundSystem { schedule, system: SystemId::from_index(index).get() };
            let bound = bind_system(entry, &mut **system, world, bound);
            all.push(bound.map_err(|error| BindError::Param { system: entry.spec.name.clone(), error })?);
        }
        Ok(all)
    }
}

fn check_limits(plan: &Plan) -> Result<(), BindError> {
    let (steps, commits) = (plan.steps().len(), plan.commits().len());
    if steps > MAX_STEPS as usize {
        return Err(BindError::TooManySteps { steps, limit: MAX_STEPS });
    }
    if commits > MAX_COMMITS as usize {
        return Err(BindError::TooManyCommits { commits, limit: MAX_COMMITS });
    }
    Ok(())
}

/// Binds a system and its conditions; notes in its spec what it touches.
fn bind_system(
    entry: &mut Entry,
    system: &mut dyn System,
    world: &mut World,
    bound: BoundSystem,
) -> Result<Needs, ParamError> {
    let mut meta = SystemMeta::new(Some(bound)).with_stream(entry.spec.stream_key());
    system.bind(world, &mut meta)?;
    let kept = world.storage().removals().ticks();
    if meta.reads_removals && entry.spec.rate.every > kept {
        return Err(ParamError::RemovalsMissed { every: entry.spec.rate.every, kept });
    }
    entry.spec.records_commands = meta.records_commands;
    entry.spec.draws = meta.draws;
    entry.spec.pinned |= meta.host.is_some();
    let host = meta.host;
    let mut parts = meta.into_parts();
    for condition in &mut entry.conditions {
        let mut meta = SystemMeta::new(None);
        condition.bind(world, &mut meta)?;
        parts.join(meta.into_parts());
    }
    entry.spec.access = parts.access.clone();
    Ok(Needs::new(world, parts, host))
}

impl Needs {
    pub(crate) fn new(world: &World, parts: MetaParts, host: Option<(TypeId, &'static str)>) -> Self {
        let registry = world.resource_registry();
        let named = |id: &ResourceId| (registry.section(*id), registry.name(*id));
        let resources = parts.required.iter().map(named).collect();
        let escapes = escapes_of(world, &parts);
        Self {
            access: Arc::new(parts.access),
            resources,
            host,
            escapes,
            readers: parts.readers,
            unmatched: parts.unmatched,
        }
    }
}

/// The section that keeps when each system of a schedule last ran, with room for `systems`.
fn last_runs(world: &mut World, schedule: u32, systems: usize) -> SectionId {
    let section = world.sections_mut().ensure::<Vec<u64>>(SectionKey::LastRuns(schedule));
    make_room(world, section, systems);
    section
}

/// Sees to it that the section has an entry for each system: a restore may bring back one from before some were added.
fn make_room(world: &mut World, last_runs: SectionId, systems: usize) {
    if let Some(stamps) = world.sections_mut().value_mut::<Vec<u64>>(last_runs) {
        stamps.resize(systems.max(stamps.len()), 0);
    }
}

struct WorldNames<'w>(&'w World);

impl Names for WorldNames<'_> {
    fn component(&self, id: u32) -> String {
        let info = self.0.components().info(ComponentId::from_bit(id));
        super::names::short(info.map_or("?", |info| info.name()))
    }

    fn resource(&self, id: u32) -> String {
        super::names::short(self.0.resource_registry().name(ResourceId::from_bit(id)))
    }

    fn manager(&self, id: u32) -> String {
        super::names::short(self.0.manager_name(id).unwrap_or("?"))
    }
}

#[cfg(test)]
mod tests;
