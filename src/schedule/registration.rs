use core::fmt;
use std::sync::Arc;

use super::bind::Binding;
use super::validate::validate_system;
use super::{CommitPoint, EscapesAnywhere, Item, Options, Plan, Policy, ScheduleError, names};
use crate::budget::Meter;
use crate::clock::Clock;
use crate::command::{CommandReport, Merger, OwnLane};
use crate::jobs::{DriveMemory, Eagerness, Pool};
use crate::system::{Condition, IntoSystemConfig, IntoSystemConfigs, System, SystemConfig, SystemId, SystemSpec};
use crate::world::Bound;

/// Who runs a plan. The results are the same bits.
///
/// The default is `Parallel` where the feature `parallel` is on and `deterministic-serial` is not, else `Serial`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Executor {
    /// One system after the other, in schedule order, on the caller's thread.
    Serial,
    /// Systems that don't conflict at the same time, and batches of one loop, on the threads of a [`Pool`].
    Parallel,
    /// As `Parallel`, on the caller's thread: virtual workers take their turns in an order that a seed decides, as unkind as
    /// it can be. For tests: a result that depends on who ran what when shows on one core, and the seed shows it again.
    Virtual {
        /// How many, from 1 to [`MAX_THREADS`](crate::jobs::MAX_THREADS); other numbers are brought into that range.
        workers: u32,
        /// What decides the order.
        seed: u64,
    },
}

impl Default for Executor {
    fn default() -> Self {
        match cfg!(all(feature = "parallel", not(feature = "deterministic-serial"))) {
            true => Self::Parallel,
            false => Self::Serial,
        }
    }
}

/// Systems, their order, and the plan that follows from what they touch.
///
/// Systems run in **schedule order**: registration order and nothing else, unless an edge says otherwise; then the system
/// that must wait moves later. A schedule binds to one world at its first run. Between ticks systems may be added, removed,
/// enabled and disabled.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Age(u32);
///
/// fn grow(age: &mut Age) {
///     age.0 += 1;
/// }
///
/// fn die(age: &Age, entity: Entity, mut commands: Commands) {
///     if age.0 >= 3 {
///         commands.despawn(entity);
///     }
/// }
///
/// let mut world = World::new();
/// world.spawn_batch([Age(0), Age(2)]);
/// let mut schedule = Schedule::new();
/// schedule.add(each(grow));
/// schedule.add(each(die));
/// schedule.run(&mut world)?;
/// assert_eq!(world.len(), 1);
/// # Ok::<(), RunError>(())
/// ```
#[derive(Default)]
pub struct Schedule {
    pub(crate) entries: Vec<Entry>,
    /// What runs, by index; apart from the entries, so that a pass over many systems stays in the cache.
    pub(crate) systems: Vec<Box<dyn System>>,
    /// Where each system records, by its index; behind them, one for each commit point.
    pub(crate) lanes: Vec<OwnLane>,
    pub(crate) merger: Merger,
    pub(super) sequence: Vec<Slot>,
    pub(super) options: Options,
    pub(super) refused: Option<ScheduleError>,
    pub(crate) binding: Option<Binding>,
    /// The world that the schedule belongs to, and the schedule's number there.
    pub(super) home: Option<Bound>,
    /// Gone with the schedule: its readers hold no events back from then on.
    pub(super) lives: Arc<()>,
    executor: Executor,
    pub(crate) pool: Pool,
    pub(crate) eagerness: Eagerness,
    pub(crate) drive: DriveMemory,
    pub(crate) strict: bool,
    pub(crate) report: CommandReport,
    /// Of systems with a budget, ascending by id.
    pub(super) meters: Vec<(SystemId, Meter)>,
    pub(super) clock: Clock,
}

/// A place in the sequence of registration.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    System(SystemId),
    Barrier,
    Commit(CommitPoint),
}

/// A registered system: what it is.
pub(crate) struct Entry {
    pub(crate) spec: SystemSpec,
    /// The same as in the spec, for records to share.
    pub(super) name: Arc<str>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) removed: bool,
    /// Whether it was enabled when it was registered.
    enabled_at_first: bool,
    /// For a system that takes the world itself.
    pub(crate) escapes: EscapesAnywhere,
}

impl Schedule {
    /// A schedule without systems.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a system behind all others; returns its id.
    ///
    /// A system that is refused makes the next [`build`](Self::build) or run fail with the first such error.
    pub fn add<M>(&mut self, system: impl IntoSystemConfig<M>) -> SystemId {
        let id = self.next_id();
        if let Err(error) = self.register(system.into_config(), None) {
            self.refuse(error);
        }
        id
    }

    /// Adds a system behind all others; returns its id.
    ///
    /// # Errors
    ///
    /// [`ScheduleError`] if its name is empty or taken, its rate or budget impossible, its list of dependencies malformed,
    /// or the schedule full. The schedule is as it was then.
    pub fn try_add<M>(&mut self, system: impl IntoSystemConfig<M>) -> Result<SystemId, ScheduleError> {
        self.register(system.into_config(), None)
    }

    /// Adds systems each of which runs after the one before it.
    pub fn chain<M>(&mut self, systems: impl IntoSystemConfigs<M>) -> Vec<SystemId> {
        let mut ids: Vec<SystemId> = Vec::new();
        for system in systems.into_configs() {
            let id = self.next_id();
            if let Err(error) = self.register(system, ids.last().copied()) {
                self.refuse(error);
            }
            ids.push(id);
        }
        ids
    }

    /// Has everything added so far finish, and its commands take effect, before anything that is added later.
    pub fn barrier(&mut self) {
        self.sequence.push(Slot::Barrier);
        self.binding = None;
    }

    /// Has a pass, a phase or the tick end here.
    pub(crate) fn commit(&mut self, point: CommitPoint) {
        self.sequence.push(Slot::Commit(point));
        self.binding = None;
    }

    fn next_id(&self) -> SystemId {
        SystemId::from_index(self.entries.len())
    }

    /// Keeps the first error for the next build, and has the next run build.
    fn refuse(&mut self, error: ScheduleError) {
        self.refused.get_or_insert(error);
        self.binding = None;
    }

    fn register(&mut self, config: SystemConfig, follows: Option<SystemId>) -> Result<SystemId, ScheduleError> {
        let spec = self.spec_of(&config, follows);
        validate_system(&spec, self.entries.iter().map(|entry| entry.spec.name.as_str()), &self.options)?;
        let id = self.next_id();
        let SystemConfig { system, conditions, .. } = config;
        let system = self.measured(id, &spec, system);
        let name = Arc::from(&*spec.name);
        self.entries.push(Entry {
            name,
            conditions,
            removed: false,
            enabled_at_first: spec.enabled,
            escapes: EscapesAnywhere::default(),
            spec,
        });
        self.systems.push(system);
        self.lanes.push(OwnLane::unused());
        self.sequence.push(Slot::System(id));
        self.binding = None;
        Ok(id)
    }

    fn spec_of(&self, config: &SystemConfig, follows: Option<SystemId>) -> SystemSpec {
        let taken = |name: &str| self.entries.iter().any(|entry| entry.spec.name == name);
        let explicit = config.name.clone();
        SystemSpec {
            explicit_name: explicit.is_some(),
            stream: config.stream.clone(),
            labels: config.labels.clone(),
            before: config.before.clone(),
            after: config.after.clone(),
            follows: follows.into_iter().collect(),
            shape: config.system.shape(),
            pinned: config.pinned,
            rate: config.rate,
            budget: config.budget,
            enabled: config.enabled,
            ..SystemSpec::new(explicit.unwrap_or_else(|| names::automatic(config.system.type_name(), taken)))
        }
    }

    /// Takes a system out, from the next run on; its id is never used again, and edges that name it are errors.
    ///
    /// Returns whether there was such a system.
    pub fn remove(&mut self, system: SystemId) -> bool {
        let Some(entry) = self.entries.get_mut(system.index()).filter(|entry| !entry.removed) else { return false };
        entry.removed = true;
        entry.spec = SystemSpec { enabled: false, ..SystemSpec::new(format!("(removed {system})")) };
        entry.conditions.clear();
        self.meters.retain(|(metered, _)| *metered != system);
        self.binding = None;
        true
    }

    /// Has a system run or not, from the next run on. The plan stays as it is.
    ///
    /// Returns whether there is such a system.
    ///
    /// # Determinism
    ///
    /// What the host enables belongs to the schedule, as what it adds does: it is no state, and a restore leaves it as it is.
    /// Whoever goes back to an earlier tick says it again; what shall go back by itself is a condition on a resource.
    pub fn set_enabled(&mut self, system: SystemId, enabled: bool) -> bool {
        let Some(entry) = self.entries.get_mut(system.index()).filter(|entry| !entry.removed) else { return false };
        entry.spec.enabled = enabled;
        if let Some(binding) = &mut self.binding {
            binding.plan.set_enabled(system, enabled);
            binding.gates[system.index()].enable(enabled);
        }
        true
    }

    /// Enables what was registered so, and nothing else.
    pub(crate) fn enable_as_registered(&mut self) {
        for index in 0..self.entries.len() {
            let enabled = self.entries[index].enabled_at_first;
            self.set_enabled(SystemId::from_index(index), enabled);
        }
    }

    /// What is known of a system: its declared access once the schedule was built.
    #[must_use]
    pub fn system(&self, system: SystemId) -> Option<&SystemSpec> {
        let entry = self.entries.get(system.index()).filter(|entry| !entry.removed)?;
        Some(self.binding.as_ref().map_or(&entry.spec, |binding| binding.plan.spec(system)))
    }

    /// The id of the system with a name.
    #[must_use]
    pub fn system_named(&self, name: &str) -> Option<SystemId> {
        let index = self.entries.iter().position(|entry| !entry.removed && entry.spec.name == name)?;
        Some(SystemId::from_index(index))
    }

    /// How many systems there are.
    #[must_use]
    pub fn system_count(&self) -> usize {
        self.entries.iter().filter(|entry| !entry.removed).count()
    }

    /// What to do about systems that write the same; see [`Policy`].
    pub fn set_policy(&mut self, policy: Policy) {
        self.options.ambiguity = policy;
        self.binding = None;
    }

    /// Whether a reader that runs before a writer of the same component is reported in the plan.
    pub fn report_read_before_write(&mut self, report: bool) {
        self.options.report_read_before_write = report;
        self.binding = None;
    }

    /// How many systems the schedule may hold.
    pub fn set_max_systems(&mut self, systems: u32) {
        self.options.max_systems = systems;
    }

    /// Whether a command that has no effect fails the tick: for tests. Without it such commands are counted in the
    /// [`report`](Self::report).
    pub fn set_strict(&mut self, strict: bool) {
        self.strict = strict;
    }

    /// Who runs the plan.
    pub fn set_executor(&mut self, executor: Executor) {
        self.executor = executor;
    }

    /// On which threads the plan runs, where the executor is [`Executor::Parallel`]. Without one it is [`Pool::current`].
    pub fn set_pool(&mut self, pool: Pool) {
        self.pool = pool;
    }

    /// When the threads of the pool are asked for help. It decides no result.
    pub fn set_eagerness(&mut self, eagerness: Eagerness) {
        self.eagerness = eagerness;
    }

    /// Who runs the plan.
    #[must_use]
    pub const fn executor(&self) -> Executor {
        self.executor
    }

    /// What became of the commands of the last run.
    #[must_use]
    pub const fn report(&self) -> &CommandReport {
        &self.report
    }

    /// The plan of the last [`build`](Self::build) or run; `None` before, and after a change of the schedule.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.binding.as_ref().map(|binding| &binding.plan)
    }

    /// The system at a position of the plan.
    pub(crate) fn system_at(&self, position: u32) -> Option<SystemId> {
        let plan = self.plan()?;
        plan.order().find(|&id| plan.position(id) == position)
    }

    /// The plan in words; it can also be had as a graph.
    #[must_use]
    pub fn explain(&self) -> String {
        match self.plan() {
            Some(plan) => plan.explain().to_string(),
            None => "no plan yet: call `build` or `run` first\n".to_owned(),
        }
    }

    /// The items of the plan, with what each system was found to touch.
    pub(super) fn items(&self) -> Vec<Item> {
        let item = |slot: &Slot| match slot {
            Slot::System(id) => Item::System(self.entries[id.index()].spec.clone()),
            Slot::Barrier => Item::Barrier,
            Slot::Commit(point) => Item::Commit(point.clone()),
        };
        self.sequence.iter().map(item).collect()
    }
}

impl fmt::Debug for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.spec.name.as_str()).collect();
        f.debug_struct("Schedule").field("systems", &names).finish_non_exhaustive()
    }
}
