use core::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::{Cause, message};
use super::step::{LastRuns, Node, Tick};
use crate::event::EventScope;
use crate::fault::{Fault, planted};
use crate::profile::Zone;
use crate::query::RunStamps;
use crate::schedule::{Parts, Schedule, Segment};
use crate::storage::stamp;
use crate::world::World;

/// Runs the plan segment by segment, system after system: the oracle that every other executor is tested against.
///
/// # Errors
///
/// Position and cause of the first step that failed; no later step has run.
pub(super) fn run(schedule: &mut Schedule, world: &mut World, tick: Tick<'_>) -> Result<(), (u32, Cause)> {
    run_segments(schedule, world, tick, |schedule, world, segment, position| {
        run_systems(schedule, world, tick, segment, position, |_| {})
    })
}

/// Runs a segment with `run_systems`, merges what it recorded, and so on with the next.
pub(super) fn run_segments(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    mut run_systems: impl FnMut(&mut Schedule, &mut World, usize, &Cell<u32>) -> Result<(), (u32, Cause)>,
) -> Result<(), (u32, Cause)> {
    let position = Cell::new(0);
    let segments = AssertUnwindSafe(|| {
        let parts = schedule.parts();
        world.begin_events(parts.number, |system| parts.gates[system].enabled);
        for index in 0..schedule.parts().plan.segments().len() {
            run_systems(schedule, world, index, &position)?;
            merge(schedule, world, tick, index)?;
        }
        schedule.report.dropped_events += world.commit_events(EventScope::Tick);
        Ok(())
    });
    catch_unwind(segments).unwrap_or_else(|payload| Err((position.get(), Cause::Panic(message(payload)))))
}

/// Runs the systems of a segment one after the other; `position` is that of the one that runs. Calls `done` with the number
/// of each that has run.
#[inline(never)]
pub(super) fn run_systems(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    segment: usize,
    position: &Cell<u32>,
    mut done: impl FnMut(u32),
) -> Result<(), (u32, Cause)> {
    let Parts { plan, gates, needs, systems, entries, lanes, labels, .. } = schedule.parts();
    let segment = &plan.segments()[segment];
    let last_runs = LastRuns::of(world, tick);
    // One look at an index is enough for all of them.
    let all = gates.len();
    let (needs, systems, entries) = (&needs[..all], &mut systems[..all], &mut entries[..all]);
    let (lanes, labels) = (&mut lanes[..all], &labels[..all]);
    for (number, &id) in (0..).zip(segment.systems()) {
        let at = segment.first_position() + number;
        position.set(at);
        let index = id.index();
        let (gate, entry) = (&gates[index], &mut entries[index]);
        let node = Node {
            id,
            position: at,
            system: &mut *systems[index],
            needs: &needs[index],
            lane: &mut lanes[index],
            label: &labels[index],
            last_runs,
        };
        tick.run_alone(world, gate, node, entry).map_err(|cause| (at, cause))?;
        done(number);
    }
    Ok(())
}

/// Merges what the systems of a segment recorded. A failure has the position of the system whose command it was.
fn merge(schedule: &mut Schedule, world: &mut World, tick: Tick<'_>, segment: usize) -> Result<(), (u32, Cause)> {
    let _zone = Zone::barrier(segment, tick.zone);
    let parts = schedule.parts();
    let recorders = &parts.recorders[segment];
    let left_out = usize::from(planted(Fault::RecorderLeftOut) && !recorders.is_empty());
    let recorders = recorders[..recorders.len() - left_out].iter().copied();
    let segment = &parts.plan.segments()[segment];
    world.set_stamps(RunStamps { now: stamp::at(tick.number, barrier_position(segment)), last: 0 });
    let refused = parts.report.refused;
    let merged = parts.merger.merge(world, parts.lanes, recorders, parts.report);
    merged.map_err(|panic| (panic.position, Cause::CommandPanic(message(panic.payload))))?;
    tick.check_world(world).map_err(|cause| (barrier_position(segment), cause))?;
    if parts.strict && parts.report.refused > refused {
        if let Some(refusal) = parts.report.refusals.first() {
            return Err((refusal.position, Cause::Refused(refusal.clone())));
        }
    }
    parts.report.dropped_events += world.commit_events(EventScope::Barrier);
    Ok(())
}

fn barrier_position(segment: &Segment) -> u32 {
    segment.first_position() + segment.systems().len() as u32
}
