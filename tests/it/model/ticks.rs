//! A tick of systems that write and look for changes, and what the model expects of them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use tickweave::command::{CommandReport, Lane};
use tickweave::entity::Entity;
use tickweave::query::{Added, Changed, ChunkChanged, Or, Show, With};
use tickweave::schedule::{Executor, Schedule};
use tickweave::system::{Commands, Removed};
use tickweave::world::World;

use super::commands::{self, Command, Recording};
use super::oracle::{Cell, Model, Stamp};
use super::parts::*;
use super::steps::Pool;

/// What the systems of a tick are told and what they saw.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) seed: u8,
    changed: Vec<Entity>,
    added: Vec<Entity>,
    changed_links: Vec<Entity>,
    chunks: [Vec<Entity>; 3],
    either: Vec<Entity>,
    text_chunks: Vec<Entity>,
    removed: Vec<Entity>,
    pub(crate) program: Vec<Command>,
    pub(crate) pool: Pool,
    pub(crate) recording: Recording,
}

/// The steps of the plan: an exclusive system has a barrier on both sides.
const WRITE: u32 = 2;
const READ: u32 = 4;
const READ_REMOVALS: u32 = 6;
const RECORD: u32 = 7;
const LAST_BARRIER: u32 = 8;

/// A system that writes, one that reads, one that reads removals, and one that records commands.
pub(crate) fn schedule(seen: &Arc<Mutex<Seen>>) -> Schedule {
    let mut schedule = Schedule::new();
    // The ledger of values is one of this thread.
    schedule.set_executor(Executor::Serial);
    let shared = seen.clone();
    schedule.add(move |world: &mut World| {
        let value = Value::Seed(shared.lock().expect("no panic").seed.into());
        world.query_mut::<&mut Big, With<Enemy>>().for_each(|big| *big = Big::make(value));
    });
    let shared = seen.clone();
    schedule.add(move |world: &mut World| read(world, &mut shared.lock().expect("no panic")));
    let shared = seen.clone();
    schedule.add(move |removed: Removed<Big>| {
        shared.lock().expect("no panic").removed = removed.iter().collect();
    });
    let shared = seen.clone();
    schedule.add(move |mut commands: Commands| shared.lock().expect("no panic").record(&mut commands));
    schedule
}

impl Seen {
    fn record(&mut self, lane: &mut Lane) {
        let program = core::mem::take(&mut self.program);
        self.recording = commands::record(&program, lane, &self.pool);
    }
}

fn read(world: &World, seen: &mut Seen) {
    seen.changed = world.query::<Entity, Changed<Big>>().into_iter().collect();
    seen.added = world.query::<Entity, Added<Big>>().into_iter().collect();
    seen.changed_links = world.query::<Entity, (Changed<Link>, With<Link>)>().into_iter().collect();
    seen.either = world.query::<Entity, Or<(ChunkChanged<Text>, Changed<Big>)>>().into_iter().collect();
    seen.text_chunks = world.query::<Entity, (ChunkChanged<Text>, Show<Big>)>().into_iter().collect();
    seen.chunks = [
        world.query::<Entity, ChunkChanged<Big>>().into_iter().collect(),
        world.query::<Entity, ChunkChanged<Text>>().into_iter().collect(),
        world.query::<Entity, ChunkChanged<Line>>().into_iter().collect(),
    ];
}

/// Runs the tick on the model; `last` is when the reader last ran. Returns when it ran now.
pub(crate) fn run(model: &mut Model, last: Stamp, seen: &Seen) -> (Stamp, CommandReport) {
    model.begin_tick();
    model.at_step(WRITE);
    let enemies = model.shown([Kind::Big, Kind::Enemy]).filter(|(_, row)| row.cells.contains_key(&Kind::Enemy));
    let enemies: Vec<Entity> = enemies.map(|(entity, _)| entity).collect();
    for entity in enemies {
        let _ = model.set(entity, Kind::Big, Value::Seed(seen.seed.into()));
    }
    let newer = |kind: Kind, of: fn(&Cell) -> Stamp| -> Vec<Entity> {
        let newer = model.shown([kind]).filter(|(_, row)| row.cells.get(&kind).is_some_and(|cell| of(cell) > last));
        newer.map(|(entity, _)| entity).collect()
    };
    assert_eq!(seen.changed, newer(Kind::Big, |cell| cell.changed), "changed since {last:?}");
    assert_eq!(seen.added, newer(Kind::Big, |cell| cell.added), "added since {last:?}");
    assert_eq!(seen.changed_links, newer(Kind::Link, |cell| cell.changed), "links changed since {last:?}");
    for (kind, chunks) in [Kind::Big, Kind::Text, Kind::Line].into_iter().zip(&seen.chunks) {
        let chunks: BTreeSet<Entity> = chunks.iter().copied().collect();
        let missed: Vec<Entity> =
            newer(kind, |cell| cell.changed).into_iter().filter(|entity| !chunks.contains(entity)).collect();
        assert!(missed.is_empty(), "changed {kind:?} in chunks that say they did not change: {missed:?}");
    }
    let either = model.shown([Kind::Text, Kind::Big]).filter(|(entity, row)| {
        let changed = row.cells.get(&Kind::Big).is_some_and(|cell| cell.changed > last);
        changed || seen.text_chunks.contains(entity)
    });
    let either = either.map(|(entity, _)| entity);
    assert_eq!(seen.either, either.collect::<Vec<_>>(), "a chunk that changed, or a row");
    let log = model.removals_of(Kind::Big).iter();
    let since = if last == Stamp::default() { last } else { Stamp { step: READ_REMOVALS, ..last } };
    let removed: Vec<Entity> = log.filter(|(_, stamp)| *stamp > since).map(|(entity, _)| *entity).collect();
    assert_eq!(seen.removed, removed, "removed since {since:?}");
    model.at_step(LAST_BARRIER);
    let mut report = commands::apply(&seen.recording, model);
    report.refusals.iter_mut().for_each(|refusal| refusal.position = RECORD);
    model.end_tick();
    (Stamp { tick: model.ticks, step: READ }, report)
}
