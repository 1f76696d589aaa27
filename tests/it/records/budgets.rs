//! Budgets: who is timed, when it is told, and what is known of the last runs.

use core::time::Duration;

use super::kit::{Pace, talkative, tick};
use crate::systems::kit::{A, Score, small_world};
use fixed::types::I16F16;
use tickweave::budget::TIMING_WINDOW;
use tickweave::prelude::*;
use tickweave::records::Severity;

const MS: u64 = 1_000_000;

const EXECUTORS: [Executor; 4] = [
    Executor::Serial,
    Executor::Parallel,
    Executor::Virtual { workers: 1, seed: 1 },
    Executor::Virtual { workers: 3, seed: 2 },
];

#[test]
fn more_than_the_budget_warns_and_three_times_the_budget_is_an_error_too() {
    let pace = Pace::default();
    let (mut schedule, mut world) = (pace.schedule(), talkative(World::new()));
    schedule.add(pace.system("work"));
    let mut told = |nanoseconds| {
        pace.set(nanoseconds);
        tick(&mut schedule, &mut world)
    };
    assert_eq!([told(0), told(MS)], [[]; 2] as [[&str; 0]; 2]);
    assert_eq!([told(MS + 1), told(3 * MS - 1)], [["budget/overrun"]; 2]);
    assert_eq!([told(3 * MS), told(60 * MS)], [["budget/overrun", "budget/critical"]; 2]);
}

#[test]
fn a_record_names_the_system_and_tells_time_budget_percentile_and_samples() {
    let pace = Pace::default();
    let (mut schedule, mut world) = (pace.schedule(), World::new());
    schedule.add(pace.system("work"));
    for time in [MS / 2, 4 * MS] {
        pace.set(time);
        schedule.run(&mut world).unwrap();
    }
    let records: Vec<_> = world.records_mut().drain().collect();
    assert_eq!(records.iter().map(|record| record.severity()).collect::<Vec<_>>(), [Severity::Warn, Severity::Error]);
    for record in records {
        assert_eq!((record.about(), record.tick()), (Some("work"), 2));
        let values = [("took_ns", 4 * MS), ("budget_ns", MS), ("p99_ns", 4 * MS), ("samples", 2)];
        assert_eq!(record.values().collect::<Vec<_>>(), values);
    }
}

#[test]
fn systems_without_a_budget_and_runs_that_were_not_due_are_not_timed() {
    let pace = Pace::default();
    let (mut schedule, mut world) = (pace.schedule(), small_world());
    world.insert_resource(Score(0));
    let free = schedule.add((|| {}).named("free"));
    let rare = schedule.add(pace.system("rare").every(4));
    let never = schedule.add(pace.system("never").run_if(|score: Res<Score>| score.0 < 0));
    let disabled = schedule.add(pace.system("off").disabled());
    (0..8).for_each(|_| schedule.run(&mut world).unwrap());
    assert_eq!(schedule.timing(free), None);
    let runs = [rare, never, disabled].map(|id| schedule.timing(id).unwrap().runs);
    assert_eq!(runs, [2, 0, 0]);
    schedule.remove(rare);
    assert_eq!(schedule.timing(rare), None);
}

#[test]
fn systems_of_every_shape_are_timed_by_every_executor() {
    for executor in EXECUTORS {
        let pace = Pace::default();
        let (mut schedule, mut world) = (pace.schedule(), small_world());
        world.spawn(A(0));
        schedule.set_executor(executor);
        let budget = I16F16::ONE;
        let [a, b, c, d] = [(); 4].map(|()| pace.clone());
        let ids = [
            schedule.add(each(move |_: &mut A| a.pass()).named("each").budget_ms(budget)),
            schedule.add(chunk(move |_: &mut [A]| b.pass()).named("chunk").budget_ms(budget)),
            schedule.add((move |_: Query<&mut A>| c.pass()).named("query").budget_ms(budget)),
            schedule.add((move |_: &mut World| d.pass()).named("exclusive").budget_ms(budget)),
        ];
        pace.set(10);
        (0..3).for_each(|_| schedule.run(&mut world).unwrap());
        for (index, id) in ids.into_iter().enumerate() {
            let timing = schedule.timing(id).unwrap();
            assert_eq!((timing.runs, timing.samples), (3, 3), "{executor:?}, system {index}");
            assert!(timing.max >= Duration::from_nanos(10) && timing.max == timing.last, "{executor:?}: {timing:?}");
        }
    }
}

#[test]
fn a_run_is_timed_without_its_conditions_what_it_waits_for_and_the_merge_of_its_commands() {
    for executor in EXECUTORS {
        let pace = Pace::default();
        let (mut schedule, mut world) = (pace.schedule(), small_world());
        schedule.set_executor(executor);
        let passes = |time: u64| {
            let clock = pace.clock.clone();
            move || clock.advance(Duration::from_nanos(time))
        };
        let (condition, merge, own) = (passes(100), passes(1_000), passes(7));
        schedule.add(passes(10).named("before"));
        let work = move |mut commands: Commands| {
            own();
            let merge = merge.clone();
            commands.queue(move |_| merge());
        };
        let condition = move || {
            condition();
            true
        };
        let work = work.named("work").after("before").run_if(condition).budget_ms(I16F16::ONE);
        let id = schedule.add(work);
        schedule.add(passes(10_000).named("behind").after("work"));
        (0..2).for_each(|_| schedule.run(&mut world).unwrap());
        assert_eq!(pace.clock.clock().now(), Duration::from_nanos(2 * 11_117), "{executor:?}: all of it takes time");
        let timing = schedule.timing(id).unwrap();
        let times = [timing.last, timing.max, timing.p50];
        assert_eq!((timing.runs, times), (2, [Duration::from_nanos(7); 3]), "{executor:?}");
    }
}

#[test]
fn percentiles_are_of_the_last_runs() {
    let pace = Pace::default();
    let (mut schedule, mut world) = (pace.schedule(), World::new());
    let id = schedule.add(pace.system("work"));
    for time in 1..=2 * TIMING_WINDOW as u64 {
        pace.set(time);
        schedule.run(&mut world).unwrap();
    }
    let timing = schedule.timing(id).unwrap();
    let ns = Duration::from_nanos;
    assert_eq!((timing.runs, timing.samples, timing.budget), (256, 128, I16F16::ONE));
    assert_eq!([timing.p50, timing.p95, timing.p99, timing.max, timing.last], [192, 250, 255, 256, 256].map(ns));
}

#[test]
fn records_are_limited_in_rate_while_every_overrun_counts_and_no_run_is_skipped() {
    let pace = Pace::default();
    let (mut schedule, mut world) = (pace.schedule(), World::new());
    world.records_mut().set_window(10);
    let id = schedule.add(pace.system("work"));
    pace.set(3 * MS);
    (0..10).for_each(|_| schedule.run(&mut world).unwrap());
    let timing = schedule.timing(id).unwrap();
    assert_eq!((timing.runs, timing.overruns, timing.critical), (10, 10, 10));
    let told: Vec<_> = world.records().iter().map(|record| (record.tick(), record.name(), record.about())).collect();
    let expected = [
        (1, "budget/overrun", Some("work")),
        (1, "budget/critical", Some("work")),
        (10, "records/suppressed", Some("budget/overrun")),
        (10, "records/suppressed", Some("budget/critical")),
    ];
    assert_eq!(told, expected);
    assert_eq!(world.records().iter().last().unwrap().value("suppressed"), Some(9));
}

#[test]
fn systems_are_told_of_in_the_order_of_their_ids_whoever_ran_first() {
    let pace = Pace::default();
    pace.set(2 * MS);
    let (mut schedule, mut world) = (pace.schedule(), talkative(World::new()));
    schedule.add(pace.system("late").after("early"));
    schedule.add(pace.system("early"));
    schedule.run(&mut world).unwrap();
    let names: Vec<_> = world.records().iter().filter_map(|record| record.about()).collect();
    assert_eq!(names, ["late", "early"]);
}

#[test]
fn the_clock_of_the_machine_is_the_default_and_can_be_changed_between_ticks() {
    let (mut schedule, mut world) = (crate::serial(), World::new());
    let pace = Pace::default();
    let spin = || (0..10_000).for_each(|number| _ = std::hint::black_box(number));
    let by_machine = schedule.add(spin.named("spin").budget_ms(I16F16::MAX));
    let by_hand = schedule.add(pace.system("work"));
    schedule.run(&mut world).unwrap();
    assert!(schedule.timing(by_machine).unwrap().last > Duration::ZERO);
    pace.set(7);
    schedule.set_clock(pace.clock.clock());
    schedule.run(&mut world).unwrap();
    let last = [by_machine, by_hand].map(|id| schedule.timing(id).unwrap().last.as_nanos());
    assert_eq!(last, [0, 7]);
}
