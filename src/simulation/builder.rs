mod running;

use core::any::{TypeId, type_name};
use core::fmt;
use core::num::NonZeroU32;
use std::sync::Arc;

use super::commit::CommitPoints;
use super::error::BuildError;
use super::inputs::{Inputs, KnownInputs};
use super::manager::{CustomBuffer, Execute, HandlesCommand, Manager};
use super::phase::{Gate, MAIN, POST, PRE, PhaseBuilder};
use super::registry::Registry;
use super::step::{Parts, Simulation};
use super::strict::Strictness;
use crate::command::Command;
use crate::component::Component;
use crate::event::{Event, EventSetup};
use crate::jobs::Pool;
use crate::schedule::{Commit, CommitEnd, CommitPoint, EscapesAnywhere, Schedule};
use crate::state::SnapshotRing;
use crate::storage::SectionHooks;
use crate::storage::resources::{InputResource, Resource};
use crate::value::StateValue;
use crate::world::{World, WorldBuilder};

/// Ticks in a second unless [`tick_rate`](SimulationBuilder::tick_rate) says otherwise.
const DEFAULT_TICK_RATE: u32 = 60;

/// Ticks that [`rollback`](SimulationBuilder::rollback) can keep at most.
pub const MAX_ROLLBACK: usize = 1 << 16;

/// Sets up a [`Simulation`]: what there is, in the order in which it is named, and what runs.
///
/// All systems are named here: a simulation that is built takes no more of them.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Position(i32);
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Speed(i32);
///
/// fn integrate(position: &mut Position, speed: &Speed) {
///     position.0 += speed.0;
/// }
///
/// let mut sim = Simulation::builder()
///     .seed(42)
///     .tick_rate(30)
///     .component::<Position>()
///     .component::<Speed>()
///     .phase("Main", |main| {
///         main.pass("move").system(each(integrate));
///     })
///     .setup(|world| {
///         world.spawn((Position(0), Speed(2)));
///     })
///     .rollback(8)
///     .build()?;
/// for _ in 0..5 {
///     sim.step(())?;
/// }
/// sim.rollback_to(3)?;
/// assert_eq!(sim.world().query::<&Position, ()>().single()?, &Position(6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SimulationBuilder {
    world: WorldBuilder,
    tick_rate: u32,
    steps: Vec<Step>,
    setups: Vec<Fill>,
    phases: Vec<PhaseBuilder>,
    schedule: Schedule,
    threads: Option<u32>,
    rollback: usize,
    strictness: Strictness,
}

/// What fills the world.
type Fill = Box<dyn FnOnce(&mut World)>;

/// One thing that the simulation is told to have.
type Step = Box<dyn FnOnce(&mut Draft) -> Result<(), BuildError>>;

/// What was made so far of what the simulation is told to have.
struct Draft {
    world: World,
    registry: Registry,
    inputs: KnownInputs,
    /// The types that were added with `resource`.
    resources: Vec<TypeId>,
}

impl Draft {
    fn new(mut world: World) -> Self {
        let registry = Registry::new(&mut world);
        Self { world, registry, inputs: KnownInputs::default(), resources: Vec::new() }
    }
}

impl SimulationBuilder {
    pub(super) fn new() -> Self {
        Self {
            world: World::builder(),
            tick_rate: DEFAULT_TICK_RATE,
            steps: Vec::new(),
            setups: Vec::new(),
            phases: Vec::new(),
            schedule: Schedule::new(),
            threads: None,
            rollback: 0,
            strictness: Strictness::ALL,
        }
    }

    fn step(mut self, step: impl FnOnce(&mut Draft) -> Result<(), BuildError> + 'static) -> Self {
        self.steps.push(Box::new(step));
        self
    }

    /// What all random streams follow from.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        self.world(|world| world.seed(seed))
    }

    /// How many ticks make a second: 60 unless this is called. The loop and the view use it; systems never see a clock.
    #[must_use]
    pub const fn tick_rate(mut self, ticks: u32) -> Self {
        self.tick_rate = ticks;
        self
    }

    /// Sets the world up: limits, rows of a chunk, components that hide.
    #[must_use]
    pub fn world(mut self, with: impl FnOnce(WorldBuilder) -> WorldBuilder) -> Self {
        self.world = with(self.world);
        self
    }

    /// Registers a component type; ids are given in the order of these calls.
    #[must_use]
    pub fn component<T: Component>(self) -> Self {
        self.world(WorldBuilder::with_component::<T>)
    }

    /// Adds a resource; a type that is added twice is an error of the build. A [`setup`](Self::setup) may replace the value. One of
    /// class input that a step is to write is named with [`input`](Self::input) as well, before or after.
    #[must_use]
    pub fn resource<R: Resource>(self, resource: R) -> Self {
        self.step(move |draft| {
            if draft.resources.contains(&TypeId::of::<R>()) {
                return Err(BuildError::DuplicateResource { resource: type_name::<R>() });
            }
            draft.resources.push(TypeId::of::<R>());
            draft.world.insert_resource(resource);
            Ok(())
        })
    }

    /// Adds an event type.
    #[must_use]
    pub fn event<E: Event>(self) -> Self {
        self.event_with::<E>(|_| {})
    }

    /// Adds an event type and says how its events live.
    #[must_use]
    pub fn event_with<E: Event>(self, with: impl FnOnce(EventSetup<'_, E>) + 'static) -> Self {
        self.step(move |draft| {
            with(draft.world.add_event::<E>()?);
            Ok(())
        })
    }

    /// Adds an input: a resource of class input, which only a step writes. Until then it has the default value, or the one that
    /// [`resource`](Self::resource) gave, before or after.
    #[must_use]
    pub fn input<I: InputResource + Default>(self) -> Self {
        self.step(|draft| {
            if draft.inputs.0.contains(&TypeId::of::<I>()) {
                return Err(BuildError::DuplicateInput { input: type_name::<I>() });
            }
            draft.inputs.0.push(TypeId::of::<I>());
            if !draft.world.has_resource::<I>() {
                draft.world.insert_resource(I::default());
            }
            Ok(())
        })
    }

    /// Adds an input of which a step is given a slice, one value for each player; systems read [`Inputs<I>`].
    #[must_use]
    pub fn inputs<I: StateValue>(self) -> Self {
        self.input::<Inputs<I>>()
    }

    /// Adds a manager.
    #[must_use]
    pub fn manager<M: Manager + StateValue>(self, manager: M) -> Self {
        self.step(|draft| draft.registry.add_manager(&mut draft.world, manager, Some(SectionHooks::of::<M>())))
    }

    /// Adds a manager that is no state: no hash, snapshot or save knows it, so that it can't be rolled back.
    #[must_use]
    pub fn opaque_manager<M: Manager>(self, manager: M) -> Self {
        self.step(|draft| draft.registry.add_manager(&mut draft.world, manager, None))
    }

    /// Adds a command buffer of one's own.
    #[must_use]
    pub fn command_buffer<B: CustomBuffer + StateValue>(self, buffer: B) -> Self {
        self.step(|draft| draft.registry.add_buffer(&mut draft.world, buffer))
    }

    /// Registers a type of command that some manager is to handle.
    #[must_use]
    pub fn command<C: Command>(self) -> Self {
        self.step(|draft| {
            draft.registry.route::<C>(&mut draft.world);
            Ok(())
        })
    }

    /// Registers a type of command that executes itself, unless some manager handles it.
    #[must_use]
    pub fn executing<C: Execute>(self) -> Self {
        self.step(|draft| {
            draft.registry.execute::<C>(&mut draft.world);
            Ok(())
        })
    }

    /// Has a manager or a command buffer that was added before handle the commands of a type.
    #[must_use]
    pub fn handler<C: Command, M: HandlesCommand<C>>(self) -> Self {
        self.step(|draft| {
            let unknown = BuildError::UnknownHandler { command: type_name::<C>(), manager: type_name::<M>() };
            let section = draft.world.manager_section::<M>().map_err(|_| unknown)?;
            draft.registry.handle::<C, M>(&mut draft.world, section)
        })
    }

    /// Fills a phase. Phases run in the order in which they were first named; [`PRE`], [`MAIN`] and [`POST`] stand
    /// together, in this order, from the first mention of one of them on. They are there if no phase is named at all.
    #[must_use]
    pub fn phase(mut self, name: &str, fill: impl FnOnce(&mut PhaseBuilder)) -> Self {
        if !self.phases.iter().any(|phase| phase.name == name) {
            let defaults = [PRE, MAIN, POST];
            let new: &[&str] = if defaults.contains(&name) { &defaults } else { &[name] };
            self.phases.extend(new.iter().map(|&name| PhaseBuilder::new(name)));
        }
        if let Some(phase) = self.phases.iter_mut().find(|phase| phase.name == name) {
            fill(phase);
        }
        self
    }

    /// Fills the world, after managers were initialised: what it leaves is what [`reset`](Simulation::reset) goes back to.
    #[must_use]
    pub fn setup(mut self, fill: impl FnOnce(&mut World) + 'static) -> Self {
        self.setups.push(Box::new(fill));
        self
    }

    /// Keeps a snapshot of each of the last ticks, [`MAX_ROLLBACK`] at most: so many steps can be undone.
    #[must_use]
    pub const fn rollback(mut self, ticks: usize) -> Self {
        self.rollback = ticks;
        self
    }

    /// What is refused of systems.
    #[must_use]
    pub const fn strictness(mut self, strictness: Strictness) -> Self {
        self.strictness = strictness;
        self
    }

    /// Builds the world, initialises the managers in order, fills the world, binds the systems, and checks everything.
    ///
    /// # Errors
    ///
    /// [`BuildError`], the first in this order: the rate of ticks; how many ticks are kept; the world; what was named, in order; managers'
    /// `init`, in order; commands without a handler; managers that can't be rolled back; setups that replaced the world; passes; threads;
    /// systems; strictness; the first snapshot, where ticks are kept.
    ///
    /// # Panics
    ///
    /// If the `init` of a manager or a setup does.
    pub fn build(self) -> Result<Simulation, BuildError> {
        let tick_rate = NonZeroU32::new(self.tick_rate).ok_or(BuildError::TickRate)?;
        if self.rollback > MAX_ROLLBACK {
            return Err(BuildError::Rollback { ticks: self.rollback, limit: MAX_ROLLBACK });
        }
        let mut draft = Draft::new(self.world.build()?);
        self.steps.into_iter().try_for_each(|step| step(&mut draft))?;
        let Draft { mut world, mut registry, inputs, .. } = draft;
        registry.init(&mut world)?;
        registry.check()?;
        if let Some(manager) = registry.opaque_manager().filter(|_| self.rollback > 0) {
            return Err(BuildError::ManagerNotState { manager });
        }
        self.setups.into_iter().for_each(|fill| fill(&mut world));
        if !registry.is_home(&world) {
            return Err(BuildError::WorldReplaced { by: "setup" });
        }
        let (mut schedule, gates) = plan(self.schedule, self.phases, &world)?;
        if let Some(threads) = self.threads {
            schedule.set_pool(Pool::new(threads)?);
        }
        schedule.build(&mut world)?;
        self.strictness.check(&mut schedule, &mut world)?;
        let ring = (self.rollback > 0).then(|| SnapshotRing::new(self.rollback + 1));
        let commits = CommitPoints { registry, gates, escapes: EscapesAnywhere::default() };
        Simulation::new(Parts { world, schedule, commits, inputs, tick_rate, ring })
    }
}

/// Puts phases, passes and systems into one plan.
fn plan(
    mut schedule: Schedule,
    phases: Vec<PhaseBuilder>,
    world: &World,
) -> Result<(Schedule, Vec<Vec<Gate>>), BuildError> {
    let defaults = || [PRE, MAIN, POST].map(PhaseBuilder::new).into();
    let phases = if phases.is_empty() { defaults() } else { phases };
    let mut gates = Vec::new();
    phases.into_iter().try_for_each(|phase| phase.add_to(&mut schedule, world, &mut gates))?;
    schedule.commit(CommitPoint { name: "tick".to_owned(), ends: CommitEnd::Tick, publishes: Commit::ALL });
    Ok((schedule, gates))
}

/// The types of commands, as lanes find them.
pub(super) fn share_types(commits: &mut CommitPoints, schedule: &mut Schedule) {
    schedule.merger.set_types(Arc::clone(&commits.registry.types));
}

impl fmt::Debug for SimulationBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimulationBuilder").field("phases", &self.phases).finish_non_exhaustive()
    }
}
