#![expect(unsafe_code, reason = "runs a system on a world that is borrowed mutably")]

use std::panic::resume_unwind;

use super::error::{Cause, RunError, TickFailure};
use super::step::look_for_escapes;
use crate::command::{CommandReport, Lane, LaneKey, Merger};
use crate::schedule::{BindError, Needs};
use crate::sync::next_unique;
use crate::system::{Context, IntoSystemConfig, SystemConfig, SystemMeta};
use crate::world::{World, WorldCell};

impl World {
    /// Runs a system once, between ticks, and applies its commands. It is no tick: the tick number stays.
    ///
    /// The system sees every change as new. It can't have a `Local` or `Host` parameter; its name, place, pace and
    /// conditions play no part.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Enemy;
    ///
    /// let mut world = World::new();
    /// let report = world.run_once(|mut commands: Commands| {
    ///     commands.spawn(Enemy);
    /// })?;
    /// assert_eq!((report.applied, world.len()), (1, 1));
    /// # Ok::<(), RunError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`RunError`] if a parameter can't be bound, a resource is missing, the system returns an error, or it stores a pending
    /// handle outside of its commands; its commands are dropped then.
    ///
    /// # Panics
    ///
    /// If the system or one of its commands does.
    pub fn run_once<M>(&mut self, system: impl IntoSystemConfig<M>) -> Result<CommandReport, RunError> {
        if self.is_inside_tick() {
            return Err(BindError::InsideTick.into());
        }
        let SystemConfig { mut system, .. } = system.into_config();
        let name = crate::schedule::names::short(system.type_name());
        let mut meta = SystemMeta::new(None);
        let bound = system.bind(self, &mut meta);
        bound.map_err(|error| BindError::Param { system: name.clone(), error })?;
        if let Some((_, host)) = meta.host {
            return Err(RunError::MissingHost { system: name, host });
        }
        let needs = Needs::new(self, meta.into_parts(), None);
        self.check_required(&name, &needs)?;
        let mut lane = Lane::new(LaneKey::host(next_unique()), 0);
        let (stamps, tick) = (self.run_stamps(), self.tick());
        let context = Context { cell: WorldCell::new(self), stamps, tick, lane: &raw mut lane, host: None };
        // SAFETY: the system was bound to this world just now, and the world is borrowed mutably.
        let outcome = unsafe { system.run(context) };
        let mut checked = outcome.map_err(Cause::Error);
        if lane.spawned() > 0 {
            checked = checked.and_then(|()| look_for_escapes(self, &needs, stamps.now));
        }
        checked.map_err(|cause| TickFailure { tick, position: 0, system: name, cause })?;
        let mut report = CommandReport::default();
        let merged = Merger::default().merge(self, core::slice::from_mut(&mut lane), core::iter::once(0), &mut report);
        merged.map_or_else(|panic| resume_unwind(panic.payload), |()| Ok(report))
    }

    fn check_required(&mut self, system: &str, needs: &Needs) -> Result<(), RunError> {
        let missing = needs.resources.iter().find(|(section, _)| !self.sections_mut().holds_value(*section));
        missing.map_or(Ok(()), |&(_, resource)| Err(RunError::MissingResource { system: system.to_owned(), resource }))
    }
}
