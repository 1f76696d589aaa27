use std::io;
use std::num::NonZeroU32;

use tickweave::prelude::*;

use super::belt::{Layout, OnBelt, SPACING, Spot};
use super::cli::{Executor, NoExecutor, Options};
use super::factory::Factory;
use super::map::Map;
use super::{Failure, run};

fn options(ticks: u64, threads: Executor) -> Options {
    Options { ticks, threads, seed: 4, items: 20_000 }
}

fn output(options: &Options) -> Vec<String> {
    let mut out = Vec::new();
    run(options, &mut out).expect("the factory should run");
    String::from_utf8(out).unwrap().lines().map(String::from).collect()
}

/// The last line up to the executor.
fn result(options: &Options) -> String {
    output(options).last().unwrap().split(" executor=").next().unwrap().to_owned()
}

#[test]
fn last_line_is_the_report() {
    let lines = output(&options(20, Executor::Serial));
    let report = lines.last().unwrap();
    assert!(report.starts_with("tick=20 population="), "{report}");
    assert!(report.ends_with(" executor=serial threads=1"), "{report}");
    assert_eq!(lines.len(), 12, "ten lines of progress, the mean, the report");
    assert_eq!(output(&options(0, Executor::Serial)).len(), 1);
}

#[test]
fn any_number_of_threads_gives_the_same_population_and_hash() {
    let serial = result(&options(200, Executor::Serial));
    for threads in [1, 2, 3, 8] {
        let parallel = Executor::Parallel(NonZeroU32::new(threads).unwrap());
        assert_eq!(result(&options(200, parallel)), serial, "{threads} threads");
    }
    assert_ne!(result(&Options { seed: 5, ..options(200, Executor::Serial) }), serial);
}

#[test]
fn output_that_nobody_takes_is_an_error_and_no_panic() {
    let failure = run(&options(1, Executor::Serial), &mut [].as_mut_slice()).unwrap_err();
    assert!(matches!(failure, Failure::Output(_)), "{failure}");
    assert!(run(&options(0, Executor::Serial), &mut io::sink()).is_ok());
}

#[test]
fn words_that_are_no_executor_are_refused() {
    assert_eq!("serial".parse(), Ok(Executor::Serial));
    assert_eq!("2".parse(), Ok(Executor::Parallel(NonZeroU32::new(2).unwrap())));
    assert_eq!(["0", "", "two", "-1"].map(str::parse::<Executor>), [const { Err(NoExecutor) }; 4]);
}

fn factory(seed: u64) -> Factory {
    Factory::new(Map { seed, items: 5_000 }).unwrap()
}

#[test]
fn items_of_a_belt_keep_their_distance_and_their_place_on_the_map() {
    let mut factory = factory(1);
    for _ in 0..300 {
        factory.step().unwrap();
    }
    let world = factory.world();
    let layout = world.resource::<Layout>().unwrap().clone();
    let mut places: Vec<(u32, u32)> = Vec::new();
    for (on, spot) in world.query::<(&OnBelt, &Spot), ()>().iter() {
        places.push((on.belt, on.left));
        let just_loaded = on.left == layout.0[on.belt as usize].length;
        assert!(just_loaded || layout.spot(on) == *spot, "{on:?} {spot:?}");
    }
    places.sort_unstable();
    let close = places.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[1].1 - pair[0].1 < SPACING);
    assert_eq!(close, None);
}

#[test]
fn items_come_and_go_and_belts_stay_as_full_as_was_asked_for() {
    let mut factory = factory(2);
    let full = factory.population();
    let mut ends = Vec::new();
    for _ in 0..2_000 {
        factory.step().unwrap();
        ends.push(factory.population());
    }
    assert!(ends.iter().all(|&items| (5_000..=full).contains(&items)), "{:?} {:?}", ends.iter().min(), full);
    let before = ends[ends.len() - 2] as u64;
    assert_eq!(factory.census().items(), before, "counted in tick 2,000, before its commands took effect");
    assert!(factory.world().query::<Entity, With<OnBelt>>().iter().any(|item| item.generation() > 1));
}
