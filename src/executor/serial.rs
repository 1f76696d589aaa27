use core::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::commits::{Course, pass_barrier};
use super::error::{Cause, message};
use super::step::{Arrays, LastRuns, Tick};
use crate::schedule::{Parts, Schedule};
use crate::world::World;

/// Runs the plan segment by segment, system after system: the oracle that every other executor is tested against.
///
/// # Errors
///
/// Position and cause of the first step that failed; no later step has run.
pub(super) fn run(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    course: &mut Course<'_>,
) -> Result<(), (u32, Cause)> {
    run_segments(schedule, world, tick, course, |schedule, world, segment, position| {
        run_systems(schedule, world, tick, segment, position, |_| {})
    })
}

/// Runs a segment with `run_systems`, merges what it recorded, and so on with the next.
pub(super) fn run_segments(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    course: &mut Course<'_>,
    mut run_systems: impl FnMut(&mut Schedule, &mut World, usize, &Cell<u32>) -> Result<(), (u32, Cause)>,
) -> Result<(), (u32, Cause)> {
    let position = Cell::new(0);
    let segments = AssertUnwindSafe(|| {
        let parts = schedule.parts();
        world.begin_events(parts.number, |system| parts.gates[system].enabled);
        for index in 0..schedule.parts().plan.segments().len() {
            if course.is_open(world) {
                run_systems(schedule, world, index, &position)?;
            }
            pass_barrier(schedule, world, tick, index, course)?;
        }
        course.end(schedule, world);
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
    let last_runs = LastRuns::of(world, tick, gates.len());
    let mut alone = tick.alone(world);
    let mut arrays = Arrays { gates, needs, systems, entries, lanes, labels }.of_one_length();
    let first = segment.first_position();
    for (at, &id) in (first..).zip(segment.systems()) {
        position.set(at);
        if arrays.gates[id.index()].plain {
            let outcome = tick.run_plain_alone(&mut alone, arrays.gated(id, at, last_runs));
            outcome.map_err(|error| (at, Cause::Error(error)))?;
        } else {
            tick.run_alone(&mut alone, arrays.gated(id, at, last_runs)).map_err(|cause| (at, cause))?;
        }
        done(at - first);
    }
    Ok(())
}
