//! Every record is in the catalogue, on the page, and is told by a program.

use std::fs;
use std::path::Path;
use std::time::Duration;

use super::kit::Pace;
use crate::events::kit::{Heard, Noise, listener, shout};
use crate::systems::kit::{A, B};
use tickweave::clock::ManualClock;
use tickweave::prelude::*;
use tickweave::records::{Record, RecordKind};
use tickweave::simulation::Ticker;

/// Runs a schedule on a world for some ticks; returns what was told.
fn run(mut schedule: Schedule, mut world: World, ticks: u32) -> Vec<Record> {
    (0..ticks).for_each(|_| schedule.run(&mut world).unwrap());
    world.records_mut().drain().collect()
}

/// Overruns a budget of a millisecond by a factor.
fn overrun(factor: u64) -> Vec<Record> {
    let pace = Pace::default();
    pace.set(factor * 1_000_000);
    let mut schedule = pace.schedule();
    schedule.add(pace.system("slow"));
    run(schedule, World::new(), 1)
}

fn filled(percent: usize) -> Vec<Record> {
    let mut world = World::builder().entity_capacity(100).build().unwrap();
    world.spawn_batch((0..percent).map(|_| ()));
    run(crate::serial(), world, 1)
}

/// Ticks with more churn than allowed.
fn churn(ticks: u32) -> Vec<Record> {
    let mut world = World::builder().churn_budget(1).build().unwrap();
    world.ensure_component::<A>().unwrap();
    world.ensure_component::<B>().unwrap();
    world.records_mut().set_window(2);
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| _ = commands.spawn((A(0), B(0))).id());
    run(schedule, world, ticks)
}

fn refused() -> Vec<Record> {
    let mut world = World::new();
    let entity = world.spawn(());
    let mut schedule = crate::serial();
    schedule.add((move |mut commands: Commands| (0..2).for_each(|_| commands.despawn(entity))).named("twice"));
    run(schedule, world, 1)
}

fn dropped() -> Vec<Record> {
    let mut world = World::new();
    world.insert_resource(Heard::default());
    world.add_event::<Noise>().unwrap().keep(1);
    let mut schedule = crate::serial();
    schedule.add(shout);
    schedule.add(listener("rare").every(64));
    run(schedule, world, 8)
}

/// A loop that is a second late.
fn late() -> Vec<Record> {
    let mut sim = Simulation::builder().build().unwrap();
    let clock = ManualClock::new();
    let mut ticker = Ticker::new(sim.tick_rate(), clock.clock());
    clock.advance(Duration::from_secs(1));
    sim.run_due(&mut ticker, |_| ()).unwrap();
    sim.world_mut().records_mut().drain().collect()
}

/// What a program tells that provokes a record.
fn provoke(kind: RecordKind) -> Vec<Record> {
    match kind {
        RecordKind::BudgetOverrun => overrun(2),
        RecordKind::BudgetCritical => overrun(3),
        RecordKind::Entities25 => filled(25),
        RecordKind::Entities50 => filled(50),
        RecordKind::Entities100 => filled(100),
        RecordKind::Churn => churn(1),
        RecordKind::Archetypes => churn(1),
        RecordKind::CommandsRefused => refused(),
        RecordKind::EventsDropped => dropped(),
        RecordKind::TicksDropped => late(),
        RecordKind::Suppressed => churn(2),
        other => panic!("no program provokes `{other}`: write one"),
    }
}

#[test]
fn every_record_of_the_catalogue_is_told_by_some_program() {
    for &kind in RecordKind::ALL {
        let told = provoke(kind);
        let record = told.iter().find(|record| record.kind() == kind);
        let record = record.unwrap_or_else(|| panic!("`{kind}` is not among {told:#?}"));
        assert_eq!(record.about().is_some(), kind.about().is_some(), "{record}");
        assert!(record.values().all(|(_, value)| value > 0 || kind == RecordKind::CommandsRefused), "{record}");
        assert!(record.to_string().starts_with(&format!("{} {} in tick ", kind.severity(), kind.name())), "{record}");
    }
}

/// Name, severity, subject and fields of each row of the page's table.
fn on_the_page(page: &str) -> Vec<[String; 4]> {
    let rows = page.lines().filter(|line| line.starts_with("| `") && line.contains("/"));
    rows.map(|row| {
        let mut cells = row.split('|').skip(1).map(|cell| cell.replace('`', "").trim().to_owned());
        [(); 4].map(|()| cells.next().expect("four columns"))
    })
    .collect()
}

fn in_the_code() -> Vec<[String; 4]> {
    let row = |kind: &RecordKind| {
        let about = kind.about().unwrap_or("-").to_owned();
        [kind.name().to_owned(), kind.severity().to_string(), about, kind.fields().join(", ")]
    };
    RecordKind::ALL.iter().map(row).collect()
}

#[test]
fn the_page_of_records_and_the_catalogue_are_the_same() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/records.md")).unwrap();
    assert_eq!(on_the_page(&page), in_the_code(), "docs/records.md and the code differ");
}

#[test]
fn names_are_stable() {
    let names: Vec<_> = RecordKind::ALL.iter().map(|kind| kind.name()).collect();
    let expected = [
        "budget/overrun",
        "budget/critical",
        "world/entities-25",
        "world/entities-50",
        "world/entities-100",
        "world/churn",
        "world/archetypes",
        "command/refused",
        "event/dropped",
        "loop/ticks-dropped",
        "records/suppressed",
    ];
    assert_eq!(names, expected);
}
