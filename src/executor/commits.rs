use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::{Cause, message};
use super::step::Tick;
use crate::command::{CommandReport, Lane, LaneKey};
use crate::event::EventScope;
use crate::fault::{Fault, planted};
use crate::profile::Zone;
use crate::query::RunStamps;
use crate::schedule::{BarrierReason, Commit, CommitEnd, Parts, Plan, Schedule, Segment};
use crate::storage::stamp;
use crate::world::World;

/// Who decides which passes run, and does what is to be done at commit points beside the merge: a simulation.
pub(crate) trait Commits {
    /// Whether the systems of the pass that ends with this commit point run.
    fn is_open(&mut self, world: &World, point: usize) -> bool;

    /// Does what is published here, behind the merge of what systems recorded; what it records goes to the lane, which is
    /// merged then.
    ///
    /// # Errors
    ///
    /// [`Cause`] that names whose code panicked.
    fn commit(&mut self, at: AtCommit<'_>) -> Result<(), Cause>;
}

/// A commit point under way.
pub(crate) struct AtCommit<'c> {
    pub(crate) world: &'c mut World,
    pub(crate) publishes: Commit,
    pub(crate) lane: &'c mut Lane,
    pub(crate) report: &'c mut CommandReport,
}

/// How far a run has come through the commit points of its plan.
pub(super) struct Course<'c> {
    commits: Option<&'c mut dyn Commits>,
    /// How many commit points lie behind.
    done: usize,
    /// The commit point under way.
    at_work: Option<usize>,
    /// Whether the systems of the pass under way run, once somebody asked.
    open: Option<bool>,
}

impl<'c> Course<'c> {
    pub(super) fn new(commits: Option<&'c mut dyn Commits>) -> Self {
        Self { commits, done: 0, at_work: None, open: None }
    }

    /// Ends the run: without a simulation it is one phase.
    pub(super) fn end(&self, schedule: &mut Schedule, world: &mut World) {
        if self.commits.is_none() {
            world.end_event_phase();
            schedule.report.dropped_events += world.commit_events(EventScope::Phase);
        }
        schedule.report.dropped_events += world.commit_events(EventScope::Tick);
    }

    /// What is at work where no system is.
    pub(super) fn place(&self, plan: Option<&Plan>) -> String {
        match self.at_work.and_then(|number| plan?.commits().get(number)) {
            None => "(barrier)".to_owned(),
            Some(point) if point.ends == CommitEnd::Tick => "(commit of the tick)".to_owned(),
            Some(point) => format!("(commit of {} {})", point.ends, point.name),
        }
    }

    /// Whether the systems of the next segment run: it is asked once for each pass, before its first system.
    pub(super) fn is_open(&mut self, world: &World) -> bool {
        match (&mut self.commits, self.open) {
            (None, _) => true,
            (Some(_), Some(open)) if !planted(Fault::PassAskedAgain) => open,
            (Some(commits), _) => *self.open.insert(commits.is_open(world, self.done)),
        }
    }
}

/// Merges what the systems of a segment recorded, and does what its commit points say.
///
/// # Errors
///
/// Position and cause of the first failure: that of the system whose command it was, or of the barrier.
pub(super) fn pass_barrier(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    segment: usize,
    course: &mut Course<'_>,
) -> Result<(), (u32, Cause)> {
    let _zone = Zone::barrier(segment, tick.zone);
    let mut parts = schedule.parts();
    let recorders = &parts.recorders[segment];
    let left_out = usize::from(planted(Fault::RecorderLeftOut) && !recorders.is_empty());
    parts.merger.wait(recorders[..recorders.len() - left_out].iter().copied());
    let position = barrier_position(&parts.plan.segments()[segment]);
    world.set_stamps(RunStamps { now: stamp::at(tick.number, position), last: 0 });
    let mut barrier = BarrierRun { parts: &mut parts, world, tick, position };
    let Some(commits) = &mut course.commits else { return barrier.plain() };
    let reasons = barrier.parts.plan.barriers()[segment].reasons.iter();
    // A barrier that stands for itself too publishes what barriers publish, whatever its commit points do.
    let own = reasons.clone().any(is_plain);
    let points = reasons.filter_map(|reason| match reason {
        BarrierReason::Commit(point) => Some(*point as usize),
        _ => None,
    });
    let first = course.done;
    for point in points {
        let plain = if own && course.done == first { Commit::STRUCTURE | Commit::EVENTS } else { Commit::NONE };
        let skipped = planted(Fault::SkippedPassUncommitted) && course.open == Some(false);
        (course.done, course.at_work, course.open) = (point + 1, Some(point), None);
        if skipped {
            continue;
        }
        barrier.commit(&mut **commits, point, plain)?;
    }
    course.at_work = None;
    if course.done == first { barrier.plain() } else { Ok(()) }
}

const fn is_plain(reason: &BarrierReason) -> bool {
    !matches!(reason, BarrierReason::Commit(_) | BarrierReason::End)
}

fn barrier_position(segment: &Segment) -> u32 {
    segment.first_position() + segment.systems().len() as u32
}

/// A barrier under way.
struct BarrierRun<'b, 's> {
    parts: &'b mut Parts<'s>,
    world: &'b mut World,
    tick: Tick<'b>,
    position: u32,
}

impl BarrierRun<'_, '_> {
    /// A barrier without a commit point.
    fn plain(&mut self) -> Result<(), (u32, Cause)> {
        self.merge(true)?;
        self.parts.report.dropped_events += self.world.commit_events(EventScope::Barrier);
        Ok(())
    }

    fn commit(&mut self, commits: &mut dyn Commits, number: usize, plain: Commit) -> Result<(), (u32, Cause)> {
        let point = &self.parts.plan.commits()[number];
        let (ends, publishes) = (point.ends, point.publishes | plain);
        let structure = publishes.contains(Commit::STRUCTURE) || planted(Fault::StructureNotHeld);
        self.merge(structure)?;
        let own = self.parts.entries.len() + number;
        let lane = &mut self.parts.lanes[own];
        // Number 0 is that of a system's lane, whose loops have batches with numbers of their own.
        lane.reset(LaneKey::new(self.tick.number, self.position, number as u32 + 1), self.position);
        let refused = self.parts.report.refused;
        let at = AtCommit { world: self.world, publishes, lane, report: self.parts.report };
        let done = catch_unwind(AssertUnwindSafe(|| commits.commit(at)));
        done.unwrap_or_else(|payload| Err(Cause::Panic(message(payload)))).map_err(|cause| (self.position, cause))?;
        self.check(refused)?;
        if self.parts.lanes[own].has_commands() {
            self.parts.merger.wait(core::iter::once(own));
            self.merge(structure)?;
        }
        self.publish_events(ends, publishes.contains(Commit::EVENTS));
        Ok(())
    }

    fn publish_events(&mut self, ends: CommitEnd, events: bool) {
        if ends == CommitEnd::Phase {
            self.world.end_event_phase();
        }
        let scopes: &[EventScope] = match ends {
            _ if !events => &[],
            CommitEnd::Pass => &[EventScope::Barrier, EventScope::Pass],
            CommitEnd::Phase => &[EventScope::Barrier, EventScope::Phase],
            CommitEnd::Tick => &[EventScope::Barrier],
        };
        for &scope in scopes {
            self.parts.report.dropped_events += self.world.commit_events(scope);
        }
    }

    /// Merges every lane that waits. A failure has the position of the system whose command it was.
    fn merge(&mut self, structure: bool) -> Result<(), (u32, Cause)> {
        let refused = self.parts.report.refused;
        let Parts { merger, lanes, report, .. } = &mut *self.parts;
        let merged = merger.merge_waiting(self.world, lanes, structure, report);
        merged.map_err(|panic| (panic.position, Cause::CommandPanic(message(panic.payload))))?;
        self.check(refused)
    }

    /// The world is still that of the schedule, and no command was refused if the schedule is strict.
    fn check(&self, refused: u64) -> Result<(), (u32, Cause)> {
        self.tick.check_world(self.world).map_err(|cause| (self.position, cause))?;
        let report = &*self.parts.report;
        match report.refusals.first() {
            Some(refusal) if self.parts.strict && report.refused > refused => {
                Err((refusal.position, Cause::Refused(refusal.clone())))
            }
            _ => Ok(()),
        }
    }
}
