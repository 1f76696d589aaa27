use std::panic::{AssertUnwindSafe, catch_unwind};

use super::manager::{FlushContext, Verdict};
use super::phase::Gate;
use super::registry::{Next, Registry, Service, To};
use crate::command::{CommandLog, EscapeScan, Lane, Refusal, RefusalReason};
use crate::executor::{AtCommit, Cause, Commits, message, refuse_escaped};
use crate::fault::{Fault, planted};
use crate::schedule::{Commit, EscapesAnywhere};
use crate::world::World;

/// What a simulation does at the commit points of its plan.
pub(super) struct CommitPoints {
    pub(super) registry: Registry,
    /// For each commit point, what has to be open for the systems of its pass to run.
    pub(super) gates: Vec<Vec<Gate>>,
    /// For commands that execute themselves: they have the world, as exclusive systems do.
    pub(super) escapes: EscapesAnywhere,
}

impl Commits for CommitPoints {
    fn is_open(&mut self, world: &World, point: usize) -> bool {
        self.gates.get(point).is_none_or(|gates| gates.iter().all(|gate| gate.is_open(world)))
    }

    fn commit(&mut self, mut at: AtCommit<'_>) -> Result<(), Cause> {
        if at.publishes.contains(Commit::COMMANDS) {
            self.deliver_all(&mut at)?;
            flush_all(&self.registry.buffers, "command buffer", &mut at)?;
        }
        if at.publishes.contains(Commit::MANAGERS) {
            flush_all(&self.registry.managers, "manager", &mut at)?;
        }
        Ok(())
    }
}

impl CommitPoints {
    /// Delivers the typed commands that wait: those that are due first, then the others as they were recorded.
    fn deliver_all(&mut self, at: &mut AtCommit<'_>) -> Result<(), Cause> {
        let (log, tick) = (self.registry.types.log(), at.world.tick());
        let waiting = at.world.sections_mut().peek::<CommandLog>(log);
        let (due, next) = waiting.map_or((0, 0), |log| log.due(tick));
        let mut executed = false;
        for index in 0..due + next {
            let Some(log) = at.world.sections_mut().value_mut::<CommandLog>(log) else { break };
            let delayed = index < due;
            let number = if delayed { log.pop_delayed() } else { log.pop_next() };
            if let Some(number) = number {
                executed |= self.deliver(number, delayed, at)?;
            }
        }
        if executed && at.lane.take_handed_out() {
            let now = at.world.run_stamps().now;
            refuse_escaped(self.escapes.find_in(at.world, now))
        } else {
            Ok(())
        }
    }

    /// Delivers one command; whether it executed itself.
    fn deliver(&self, number: u32, delayed: bool, at: &mut AtCommit<'_>) -> Result<bool, Cause> {
        let Some(route) = self.registry.routes.get(number as usize) else { return Ok(false) };
        let next = Next { queue: route.queue, delayed };
        match route.to {
            To::Nobody => Ok(false),
            To::Itself(run) => {
                let who = || format!("typed command `{}`", route.command);
                at.lane.begin_turn();
                let done = guarded(who, || run(at.world, next, at.lane))?;
                at.report.applied += u64::from(done.is_some());
                if self.registry.is_home(at.world) { Ok(true) } else { Err(Cause::WorldReplaced) }
            }
            To::Handler { name, section, submit } => {
                let who = || format!("manager `{name}`, which takes `{}`,", route.command);
                match guarded(who, || submit(at.world, next, section))? {
                    Some(Verdict::Accepted) => at.report.applied += 1,
                    Some(Verdict::Refused) => at.report.refuse(Refusal {
                        position: at.lane.position(),
                        command: route.command,
                        reason: RefusalReason::ByManager { manager: name },
                    }),
                    None => {}
                }
                Ok(false)
            }
        }
    }
}

/// Flushes managers or buffers, in order. Each is out of the world meanwhile, put back, and looked through if it spawned.
fn flush_all(services: &[Service], kind: &str, at: &mut AtCommit<'_>) -> Result<(), Cause> {
    for turn in 0..services.len() {
        let service = &services[if planted(Fault::FlushedBackwards) { services.len() - 1 - turn } else { turn }];
        at.lane.take_handed_out();
        at.lane.begin_turn();
        guarded(|| format!("{kind} `{}`", service.name), || flush(service, at.world, at.lane))?;
        if at.lane.take_handed_out() {
            look_for_escapes(&service.escapes, at.world)?;
        }
    }
    Ok(())
}

/// Looks for pending handles where the next commit would not make them real.
fn look_for_escapes(scan: &EscapeScan, world: &mut World) -> Result<(), Cause> {
    let now = world.run_stamps().now;
    refuse_escaped(scan.find_in(world, now))
}

fn flush(service: &Service, world: &mut World, lane: &mut Lane) {
    world.with_section(service.section, |world, value| (service.flush)(value, &mut FlushContext { world, lane }));
}

/// Runs code of the user; a panic names whose it was.
fn guarded<R>(who: impl FnOnce() -> String, run: impl FnOnce() -> R) -> Result<R, Cause> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| Cause::CommitPanic { who: who(), message: message(payload) })
}
