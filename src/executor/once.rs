#![expect(unsafe_code, reason = "runs a system on a world that is borrowed mutably")]

use std::panic::resume_unwind;

use super::error::{Cause, RunError, TickFailure};
use super::run::drop_after_failure;
use super::step::refuse_escaped;
use crate::command::{CommandReport, LaneKey, Merger, OwnLane};
use crate::schedule::{BindError, EscapesAnywhere, Needs};
use crate::system::{Context, IntoSystemConfig, System, SystemConfig, SystemMeta};
use crate::world::{Tentative, World, WorldCell};

impl World {
    /// Runs a system once, between ticks, and applies its commands. It is no tick: the tick number stays.
    ///
    /// The system sees every change as new. It can't have a `Local`, `Rng` or `Host` parameter; its name, place, pace and
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
    /// [`RunError`] if a parameter can't be bound, a resource is missing, the system returns an error, puts another
    /// world in the place of this one, or stores a pending handle outside of its commands; its commands are dropped then.
    ///
    /// # Panics
    ///
    /// If the system or one of its commands does.
    pub fn run_once<M>(&mut self, system: impl IntoSystemConfig<M>) -> Result<CommandReport, RunError> {
        if self.is_inside_tick() {
            return Err(BindError::InsideTick.into());
        }
        let SystemConfig { system, .. } = system.into_config();
        let (tick, next) = (self.tick(), self.storage().slots().next());
        let world = Tentative::new(self);
        let mut lane = OwnLane::new(LaneKey::once(tick, next, world.depth()), 0);
        let recorded = record(world, system, &mut lane);
        recorded.inspect_err(|_| drop_after_failure(|| lane.clear_all()))?;
        let mut report = CommandReport::default();
        let merged = Merger::default().merge(self, core::slice::from_mut(&mut lane), core::iter::once(0), &mut report);
        merged.map_or_else(|panic| resume_unwind(panic.payload), |()| Ok(report))
    }
}

/// Runs a system; its commands are in `lane` then.
fn record(mut world: Tentative<'_>, mut system: Box<dyn System>, lane: &mut OwnLane) -> Result<(), RunError> {
    let name = crate::schedule::names::short(system.type_name());
    let needs = needs(&mut world, &mut *system, &name)?;
    if needs.access.exclusive {
        // It met nothing by being bound; what it puts in itself stays.
        world.keep();
    }
    let (home, stamps, tick) = (world.id(), world.run_stamps(), world.tick());
    let context = Context {
        cell: WorldCell::new(&mut world),
        stamps,
        tick,
        lane: core::ptr::from_mut(lane),
        host: None,
        team: None,
    };
    // SAFETY: the system was bound to this world just now, and the world is borrowed mutably.
    let mut checked = unsafe { system.run(&context) }.map_err(Cause::Error);
    if world.id() != home {
        checked = checked.and(Err(Cause::WorldReplaced));
    }
    if lane.take_handed_out() {
        checked = checked.and_then(|()| {
            refuse_escaped(match needs.access.exclusive {
                true => EscapesAnywhere::default().find_in(&mut world, stamps.now),
                false => needs.escapes.find_in(&mut world, stamps.now),
            })
        });
    }
    checked.map_err(|cause| TickFailure { tick, position: 0, system: name, cause }.into())
}

fn needs(world: &mut World, system: &mut dyn System, name: &str) -> Result<Needs, RunError> {
    let mut meta = SystemMeta::new(None);
    let bound = system.bind(world, &mut meta);
    bound.map_err(|error| BindError::Param { system: name.to_owned(), error })?;
    if let Some((_, host)) = meta.host {
        return Err(RunError::MissingHost { system: name.to_owned(), host });
    }
    let needs = Needs::new(world, meta.into_parts(), None);
    let missing = needs.resources.iter().find(|(section, _)| !world.sections_mut().holds_value(*section));
    match missing {
        Some(&(_, resource)) => Err(RunError::MissingResource { system: name.to_owned(), resource }),
        None => Ok(needs),
    }
}
