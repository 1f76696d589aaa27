use core::any::Any;
use core::fmt;
use core::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::builder::SimulationBuilder;
use super::commit::CommitPoints;
use super::error::{BuildError, StepError};
use super::inputs::{KnownInputs, StepInputs};
use crate::command::{Command, Due, Refusal};
use crate::executor::RunError;
use crate::jobs::Pool;
use crate::schedule::{BindError, Executor, Plan, Schedule};
use crate::state::{Snapshot, SnapshotError, SnapshotRing, StateHash, Unhashable};
use crate::world::{NoManager, World};

/// A world, the plan of its tick, and everything that a game needs around them; see [`SimulationBuilder`].
///
/// Its systems, passes, managers and inputs are those that it was built with: nothing is added later. Systems can be
/// [switched off and on](Self::set_enabled), and passes run [in states of the game](super::PassBuilder::run_in).
///
/// Simulations share nothing: any number of them may live in a process, and on a thread.
pub struct Simulation {
    pub(super) world: World,
    pub(super) schedule: Schedule,
    pub(super) commits: CommitPoints,
    inputs: KnownInputs,
    tick_rate: NonZeroU32,
    pub(super) ring: Option<SnapshotRing>,
    /// What it was when it was built.
    pub(super) initial: Result<Snapshot, SnapshotError>,
}

/// What a simulation is made of.
pub(super) struct Parts {
    pub(super) world: World,
    pub(super) schedule: Schedule,
    pub(super) commits: CommitPoints,
    pub(super) inputs: KnownInputs,
    pub(super) tick_rate: NonZeroU32,
    pub(super) ring: Option<SnapshotRing>,
}

/// What one step did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// The tick that ran.
    pub tick: u64,
    /// Commands that took effect, typed ones and events among them: once when they were merged, and typed ones once more when they were
    /// delivered.
    pub applied: u64,
    /// Commands that had none, or that a manager refused; [`Simulation::refusals`] has the first of them.
    pub refused: u64,
    /// Events that left although a reader had not passed them.
    pub dropped_events: u64,
}

impl Simulation {
    /// Sets up a simulation.
    #[must_use]
    pub fn builder() -> SimulationBuilder {
        SimulationBuilder::new()
    }

    pub(super) fn new(parts: Parts) -> Result<Self, BuildError> {
        let Parts { world, schedule, commits, inputs, tick_rate, mut ring } = parts;
        if let Some(ring) = &mut ring {
            ring.push(&world)?;
        }
        let initial = world.snapshot();
        if let Err(torn @ SnapshotError::Torn) = initial {
            return Err(torn.into());
        }
        let mut sim = Self { world, schedule, commits, inputs, tick_rate, ring, initial };
        super::builder::share_types(&mut sim.commits, &mut sim.schedule);
        Ok(sim)
    }

    /// Runs one tick with these inputs: `()`, `&input`, `&[input]`, or a tuple of those. A snapshot is kept if the simulation was
    /// built with [`rollback`](SimulationBuilder::rollback).
    ///
    /// # Errors
    ///
    /// [`StepError`]. If the tick failed, the world is torn: [`reset`](Self::reset) or [`rollback_to`](Self::rollback_to)
    /// makes it whole.
    ///
    /// # Panics
    ///
    /// If the clone of an input does: the world is torn then, since others may have been taken before it, and no system ran. If the
    /// clone of a value does that a snapshot keeps: the tick is done then, and is kept by the next step, if at all.
    ///
    /// # Determinism
    ///
    /// Same registrations, same inputs, same bits after each step, whoever runs the plan on however many threads.
    pub fn step(&mut self, inputs: impl StepInputs) -> Result<StepReport, StepError> {
        self.step_lending(inputs, None)
    }

    /// The same, and lends `host` to the pinned systems that ask for it with [`Host`](crate::system::Host).
    ///
    /// # Errors
    ///
    /// As for [`step`](Self::step).
    ///
    /// # Panics
    ///
    /// As for [`step`](Self::step).
    pub fn step_with<H: Any>(&mut self, inputs: impl StepInputs, host: &mut H) -> Result<StepReport, StepError> {
        self.step_lending(inputs, Some(host))
    }

    fn step_lending(&mut self, inputs: impl StepInputs, host: Option<&mut dyn Any>) -> Result<StepReport, StepError> {
        self.check_home().map_err(RunError::from)?;
        inputs.check(&self.inputs)?;
        self.schedule.prepare(&mut self.world, host.as_deref().map(<dyn Any>::type_id))?;
        self.check_gates()?;
        self.keep_present();
        self.take(inputs);
        let ran = self.schedule.run_tick(&mut self.world, host, Some(&mut self.commits));
        if let Err(RunError::Failed(_)) = &ran {
            self.clear_buffers();
        }
        ran?;
        if let Some(ring) = &mut self.ring {
            ring.push_next(&self.world)?;
        }
        let report = self.schedule.report();
        Ok(StepReport {
            tick: self.world.tick(),
            applied: report.applied,
            refused: report.refused,
            dropped_events: report.dropped_events,
        })
    }

    /// Puts the inputs into the world: all of them, or it is torn.
    fn take(&mut self, inputs: impl StepInputs) {
        let put = catch_unwind(AssertUnwindSafe(|| inputs.put(&mut self.world)));
        put.unwrap_or_else(|panic| {
            self.world.tear("an input panicked while it was taken, and others had been taken before it".to_owned());
            resume_unwind(panic)
        });
    }

    /// Every pass that asks for a state finds it.
    fn check_gates(&self) -> Result<(), StepError> {
        let mut gates =
            self.commits.gates.iter().enumerate().flat_map(|(point, of)| of.iter().map(move |gate| (point, gate)));
        let Some((point, gate)) = gates.find(|(_, gate)| gate.lacks_state(&self.world)) else { return Ok(()) };
        let commits = self.schedule.plan().map(Plan::commits).unwrap_or_default();
        let pass = commits.get(point).map(|commit| commit.name.clone()).unwrap_or_default();
        Err(StepError::NoState { pass, state: gate.state })
    }

    /// The world is still the one that the simulation was built with.
    pub(super) fn check_home(&self) -> Result<(), BindError> {
        if self.commits.registry.is_home(&self.world) { Ok(()) } else { Err(BindError::OtherWorld) }
    }

    /// After a failure that is reported.
    fn clear_buffers(&mut self) {
        if self.check_home().is_ok() {
            self.commits.registry.clear_buffers(&mut self.world);
        }
    }

    /// Runs so many ticks, one after the other, without a view; `inputs` gives those of each tick, by its number.
    ///
    /// # Errors
    ///
    /// The first [`StepError`]; ticks before it are done.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// let mut sim = Simulation::builder().build()?;
    /// sim.run_headless(100, |_| ())?;
    /// assert_eq!(sim.tick(), 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_headless<I: StepInputs>(
        &mut self,
        ticks: u64,
        mut inputs: impl FnMut(u64) -> I,
    ) -> Result<(), StepError> {
        for _ in 0..ticks {
            let next = self.world.tick() + 1;
            self.step(inputs(next))?;
        }
        Ok(())
    }

    /// Submits a typed command of the host: it is delivered at the first commit of the next tick that publishes commands.
    ///
    /// It is state of the present tick on: [`rollback_to`](Self::rollback_to) this tick, or an earlier one, undoes it, so that who runs
    /// ticks again submits again what was submitted for them, as inputs are given again.
    ///
    /// # Errors
    ///
    /// [`StepError::Refused`] if the simulation does not know the type, or the command holds a pending entity; [`StepError::Run`] if
    /// its world was replaced.
    pub fn submit<C: Command>(&mut self, command: C) -> Result<(), StepError> {
        self.submit_due(Due::Next, command)
    }

    fn submit_due<C: Command>(&mut self, due: Due, command: C) -> Result<(), StepError> {
        self.check_home().map_err(RunError::from)?;
        self.keep_present();
        Ok(self.commits.registry.types.submit_of_host(&mut self.world, due, command)?)
    }

    /// Submits a typed command of the host for a tick; for the next one if that is over. As with [`submit`](Self::submit), a
    /// rollback to the present tick undoes it.
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit).
    pub fn submit_at<C: Command>(&mut self, tick: u64, command: C) -> Result<(), StepError> {
        self.submit_due(Due::At(tick), command)
    }

    /// Submits a typed command of the host for so many ticks later than the last one: after 1 or less, for the next one.
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit).
    pub fn submit_after<C: Command>(&mut self, ticks: u64, command: C) -> Result<(), StepError> {
        self.submit_due(Due::After(ticks), command)
    }

    /// How many ticks were run.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.world.tick()
    }

    /// Ticks in a second.
    #[must_use]
    pub const fn tick_rate(&self) -> NonZeroU32 {
        self.tick_rate
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// The world, for edits of the host between ticks. They are no inputs: who replays the inputs has to repeat them.
    ///
    /// Where ticks are kept, so is the present before it is edited, if it is not yet: after state was put in, or another schedule ran.
    pub fn world_mut(&mut self) -> &mut World {
        self.keep_present();
        &mut self.world
    }

    /// The schedule with its plan, for reading.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Commands of the last step that had no effect, or that a manager refused: the first
    /// [`REFUSALS_KEPT`](crate::command::REFUSALS_KEPT).
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.schedule.report().refusals
    }

    /// The hash of all state.
    ///
    /// # Errors
    ///
    /// [`Unhashable`] if entities have a component that can't be hashed.
    pub fn state_hash(&self) -> Result<StateHash, Unhashable> {
        self.world.state_hash()
    }

    /// Who runs the plan, from the next step on. The results are the same bits.
    pub fn set_executor(&mut self, executor: Executor) {
        self.schedule.set_executor(executor);
    }

    /// On which threads the plan runs, from the next step on.
    pub fn set_pool(&mut self, pool: Pool) {
        self.schedule.set_pool(pool);
    }

    /// Has a system run or not, from the next step on; returns whether there is one of this name.
    ///
    /// # Determinism
    ///
    /// It is no state: a [`reset`](Self::reset) takes it back, and a rollback, a restore or a load leaves it as it is. Whoever runs
    /// ticks again says it again, as it gives the inputs again; for what shall go back by itself there are
    /// [`run_in`](super::PassBuilder::run_in) and conditions.
    pub fn set_enabled(&mut self, system: &str, enabled: bool) -> bool {
        self.schedule.system_named(system).is_some_and(|id| self.schedule.set_enabled(id, enabled))
    }

    /// A manager or a command buffer.
    ///
    /// # Errors
    ///
    /// [`NoManager`] if there is none of this type.
    pub fn manager<M: Any>(&self) -> Result<&M, NoManager> {
        self.world.manager()
    }

    /// A manager, or a command buffer, if there is one of this type.
    #[must_use]
    pub fn try_manager<M: Any>(&self) -> Option<&M> {
        self.world.manager().ok()
    }

    /// Whether there is a manager, or a command buffer, of this type.
    #[must_use]
    pub fn has_manager<M: Any>(&self) -> bool {
        self.try_manager::<M>().is_some()
    }

    /// A manager or a command buffer, for edits of the host between ticks.
    ///
    /// # Errors
    ///
    /// [`NoManager`] if there is none of this type.
    pub fn manager_mut<M: Any>(&mut self) -> Result<&mut M, NoManager> {
        self.keep_present();
        let section = self.world.manager_section::<M>()?;
        let missing = NoManager::Missing { manager: core::any::type_name::<M>() };
        self.world.sections_mut().value_mut(section).ok_or(missing)
    }

    /// The names of the managers, in the order of registration.
    pub fn managers(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.commits.registry.managers.iter().map(|manager| manager.name)
    }

    /// The names of the command buffers, in the order of registration.
    pub fn command_buffers(&self) -> impl ExactSizeIterator<Item = &'static str> {
        self.commits.registry.buffers.iter().map(|buffer| buffer.name)
    }
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation")
            .field("world", &self.world)
            .field("schedule", &self.schedule)
            .finish_non_exhaustive()
    }
}
