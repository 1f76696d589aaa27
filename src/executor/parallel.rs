use core::cell::Cell;

use super::commits::Course;
use super::error::Cause;
use super::nodes::{Help, Nodes};
use super::serial::{run_segments, run_systems};
use super::step::{Arrays, Tick};
use crate::clock;
use crate::jobs::{Board, Choice, Drive, Eagerness, Hand, Patience, Workers};
use crate::schedule::{Parts, Schedule};
use crate::sync::yield_now;
use crate::world::World;

/// Runs the plan segment by segment; in each, systems that don't conflict at the same time.
///
/// Segments that are too small to gain, and exclusive systems, go the serial way: results are the same.
///
/// # Errors
///
/// Position and cause of the lowest step that failed. Everything before it has run, and so may have steps of its segment that
/// come later.
pub(super) fn run(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    course: &mut Course<'_>,
) -> Result<(), (u32, Cause)> {
    run_segments(schedule, world, tick, course, |schedule, world, segment, position| match choose(schedule, segment) {
        Choice::Alone { timed } => run_alone(schedule, world, tick, segment, position, timed),
        Choice::Together { wake } => match run_together(schedule, world, tick, segment, wake) {
            Some(outcome) => outcome,
            None => run_systems(schedule, world, tick, segment, position, |_| {}),
        },
    })
}

fn choose(schedule: &mut Schedule, segment: usize) -> Choice {
    if is_exclusive(schedule, segment) {
        return Choice::Alone { timed: false };
    }
    match schedule.eagerness {
        Eagerness::Never => Choice::Alone { timed: false },
        Eagerness::Always => Choice::Together { wake: true },
        Eagerness::Measured => {
            let parts = schedule.parts();
            parts.pace.choose(segment, parts.pool.awake())
        }
    }
}

/// Whether the segment is one exclusive system, or nothing.
fn is_exclusive(schedule: &mut Schedule, segment: usize) -> bool {
    let parts = schedule.parts();
    let first = parts.plan.segments()[segment].systems().first();
    first.is_none_or(|id| parts.gates[id.index()].exclusive)
}

fn run_alone(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    segment: usize,
    position: &Cell<u32>,
    timed: bool,
) -> Result<(), (u32, Cause)> {
    let started = clock::now();
    if timed {
        let mut times = schedule.parts().pace.take_times();
        run_systems(schedule, world, tick, segment, position, |_| times.push(clock::now()))?;
        schedule.parts().pace.note_nodes(segment, started, times);
        return Ok(());
    }
    run_systems(schedule, world, tick, segment, position, |_| {})?;
    schedule.parts().pace.note_alone(segment, started);
    Ok(())
}

/// Runs a segment on the hands of the pool; `None` if they work for another schedule now.
fn run_together(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    number: usize,
    wake: bool,
) -> Option<Result<(), (u32, Cause)>> {
    let eagerness = schedule.eagerness;
    let Parts { plan, pace, drive, pool, gates, needs, systems, entries, lanes, labels, .. } = schedule.parts();
    let help = match eagerness {
        Eagerness::Measured => Help::Measured(pace.costs(number), pool),
        Eagerness::Always | Eagerness::Never => Help::Always,
    };
    let (segment, arrays) = (&plan.segments()[number], Arrays { gates, needs, systems, entries, lanes, labels });
    let nodes = Nodes::new(tick, segment, world, arrays, pool.board(), help);
    let drive = Drive::new(segment, &nodes, drive);
    let lent = pool.lend(wake, &|hand| drive.run(hand, waiting(hand)));
    lent.then(|| nodes.outcome())
}

/// What a hand does while there is nothing to run: the caller waits, others leave at some time.
fn waiting(hand: &Hand) -> impl FnMut(u32) -> bool {
    let is_caller = hand.number() == 0;
    let mut patience = Patience::new();
    move |idle| {
        if idle == 1 {
            patience = Patience::new();
        }
        let over = patience.is_over();
        if over && is_caller {
            yield_now();
        }
        is_caller || !over
    }
}

/// Runs the plan on virtual workers, which take their turns on this thread.
///
/// # Errors
///
/// As for [`run`].
pub(super) fn run_virtual(
    schedule: &mut Schedule,
    world: &mut World,
    tick: Tick<'_>,
    (workers, seed): (u32, u64),
    course: &mut Course<'_>,
) -> Result<(), (u32, Cause)> {
    let board = Board::new(0);
    run_segments(schedule, world, tick, course, |schedule, world, number, position| {
        if is_exclusive(schedule, number) {
            return run_systems(schedule, world, tick, number, position, |_| {});
        }
        let Parts { plan, drive, gates, needs, systems, entries, lanes, labels, .. } = schedule.parts();
        let (segment, arrays) = (&plan.segments()[number], Arrays { gates, needs, systems, entries, lanes, labels });
        let nodes = Nodes::new(tick, segment, world, arrays, &board, Help::Always);
        let drive = Drive::new(segment, &nodes, drive);
        Workers::new(&drive, workers, seed ^ tick.number << 20 ^ number as u64).run(&board);
        nodes.outcome()
    })
}
