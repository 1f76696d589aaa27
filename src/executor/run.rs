use core::any::{Any, TypeId};
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::commits::{Commits, Course};
use super::error::{Cause, RunError, TickFailure, message};
use super::step::Tick;
use super::{parallel, serial};
use crate::jobs::discard;
use crate::profile::{self, Parent, Zone};
use crate::schedule::{BindError, Executor, Schedule};
use crate::system::SystemId;
use crate::world::World;

impl Schedule {
    /// Runs one tick: every system that is due, in schedule order.
    ///
    /// The first run, and the first after a change of the schedule, builds the plan.
    ///
    /// # Errors
    ///
    /// [`RunError`]. All but [`RunError::Failed`] are found before anything runs; after a failure the world is torn.
    pub fn run(&mut self, world: &mut World) -> Result<(), RunError> {
        self.prepare(world, None)?;
        self.run_tick(world, None, None)
    }

    /// Runs one tick and lends `host` to the pinned systems that ask for it with [`Host`](crate::system::Host).
    ///
    /// # Errors
    ///
    /// As for [`run`](Self::run).
    pub fn run_with<H: Any>(&mut self, world: &mut World, host: &mut H) -> Result<(), RunError> {
        self.prepare(world, Some(TypeId::of::<H>()))?;
        self.run_tick(world, Some(host), None)
    }

    /// Runs one tick, perhaps with somebody who sees to its commit points. It is [prepared](Self::prepare).
    pub(crate) fn run_tick(
        &mut self,
        world: &mut World,
        host: Option<&mut dyn Any>,
        commits: Option<&mut dyn Commits>,
    ) -> Result<(), RunError> {
        self.report.clear();
        let (last_runs, home) = (self.parts().last_runs, world.id());
        let host = host.map(core::ptr::from_mut);
        let mut course = Course::new(commits);
        // Profilers and subscribers are code of the host: one that panics fails the tick, as a system does.
        let ran = catch_unwind(AssertUnwindSafe(|| {
            let number = world.begin_tick();
            let _zone = Zone::tick(number);
            let tick = Tick { number, zone: &Parent::current(), world: home, host, last_runs };
            let outcome = match self.executor() {
                Executor::Serial => serial::run(self, world, tick, &mut course),
                Executor::Parallel => parallel::run(self, world, tick, &mut course),
                Executor::Virtual { workers, seed } => {
                    parallel::run_virtual(self, world, tick, (workers, seed), &mut course)
                }
            };
            self.tell(world);
            world.tell_rails();
            profile::plot_entities(world.len());
            profile::frame(number);
            outcome
        }));
        world.end_tick();
        let outcome = ran.unwrap_or_else(|payload| Err((0, Cause::Panic(message(payload)))));
        outcome.map_err(|(position, cause)| {
            self.lanes.iter_mut().for_each(|lane| drop_after_failure(|| lane.clear_all()));
            self.merger.abandon(world, home);
            drop_after_failure(|| world.forget_waiting_events());
            let system = self.system_at(position).map_or_else(|| course.place(self.plan()), |id| self.name_of(id));
            let failure = TickFailure { tick: world.tick(), position, system, cause };
            tear(world, &failure);
            failure.into()
        })
    }

    /// Everything that can be refused before a system runs; `lent` is the type of what the host lends.
    pub(crate) fn prepare(&mut self, world: &mut World, lent: Option<TypeId>) -> Result<(), RunError> {
        if world.is_inside_tick() {
            return Err(BindError::InsideTick.into());
        }
        if let Some(reason) = world.torn() {
            return Err(RunError::Torn { reason: reason.to_owned() });
        }
        if self.is_elsewhere(world) {
            return Err(BindError::OtherWorld.into());
        }
        if self.binding.is_none() {
            self.build(world)?;
        }
        if self.parts().version != world.components().version() {
            return Err(RunError::Stale);
        }
        if self.is_unbound(world) {
            self.build(world)?;
        }
        self.check_needs(world, lent)?;
        self.make_room_in(world);
        Ok(())
    }

    /// Whether every system that is enabled finds its resources, and what the host should lend.
    fn check_needs(&mut self, world: &mut World, lent: Option<TypeId>) -> Result<(), RunError> {
        let parts = self.parts();
        for &index in parts.demanding {
            let (entry, needs) = (&parts.entries[index], &parts.needs[index]);
            if !entry.spec.enabled {
                continue;
            }
            let system = || entry.spec.name.clone();
            for &(section, resource) in &needs.resources {
                if !world.sections_mut().holds_value(section) {
                    return Err(RunError::MissingResource { system: system(), resource });
                }
            }
            if let Some((_, host)) = needs.host.filter(|(wanted, _)| lent != Some(*wanted)) {
                return Err(RunError::MissingHost { system: system(), host });
            }
        }
        Ok(())
    }

    fn name_of(&self, id: SystemId) -> String {
        self.entries[id.index()].spec.name.clone()
    }
}

/// Tears the world for a failure. Its text is code of the user where the cause is an error of theirs: without it, whoever panics
/// there, the failure is told by its place.
fn tear(world: &mut World, failure: &TickFailure) {
    world.tear(failure.place());
    match catch_unwind(AssertUnwindSafe(|| failure.to_string())) {
        Ok(text) => world.tear(text),
        Err(payload) => discard(payload),
    }
}

/// Drops what was recorded, after a failure that is reported: a destructor that panics as well changes nothing of it.
pub(super) fn drop_after_failure(drop: impl FnOnce()) {
    if let Err(payload) = catch_unwind(AssertUnwindSafe(drop)) {
        discard(payload);
    }
}
