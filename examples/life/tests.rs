use std::io;
use std::num::NonZeroU32;
use std::path::PathBuf;

use super::{Failure, exit_code, run};
use crate::cli::{Executor, Options, Start};
use crate::soup::Soup;

fn options(start: Start, generations: u64, every: u64) -> Options {
    Options { start, generations, every, executor: Executor::Serial }
}

fn pattern(name: &str) -> Start {
    Start::Pattern(PathBuf::from(name))
}

fn output(options: &Options) -> Vec<String> {
    let mut out = Vec::new();
    run(options, &mut out).expect("the game should run");
    String::from_utf8(out).unwrap().lines().map(String::from).collect()
}

#[test]
fn last_line_is_the_report() {
    let lines = output(&options(pattern("die-hard"), 129, 1000));
    let report = lines.last().unwrap();
    assert!(report.starts_with("generation=129 population=2 state_hash=0x"), "{report}");
    assert!(report.ends_with(" executor=serial threads=1"), "{report}");
}

#[test]
fn report_comes_without_generations_and_without_cells() {
    let empty = output(&options(pattern("die-hard"), 130, 1000));
    assert!(empty.last().unwrap().starts_with("generation=130 population=0 "));
    let start = output(&options(pattern("acorn"), 0, 1));
    assert!(start.last().unwrap().starts_with("generation=0 population=7 "));
}

#[test]
fn progress_lines_come_as_often_as_asked_for() {
    let lines = output(&options(Start::Soup(Soup { width: 20, height: 20, seed: 1 }), 10, 5));
    let generations: Vec<_> = lines.iter().filter_map(|line| line.split_whitespace().nth(1)).collect();
    assert_eq!(generations[..3], ["0", "5", "10"]);
    assert_eq!(lines.len(), 4);
}

#[test]
fn two_runs_print_the_same() {
    let soup = options(Start::Soup(Soup { width: 100, height: 100, seed: 4 }), 50, 7);
    assert_eq!(output(&soup), output(&soup));
}

#[test]
fn any_number_of_threads_prints_the_same_population_and_hash() {
    let soup = Start::Soup(Soup { width: 300, height: 300, seed: 4 });
    let line = |executor| {
        let lines = output(&Options { executor, ..options(soup.clone(), 60, 100) });
        lines.last().unwrap().split(" executor=").next().unwrap().to_owned()
    };
    let serial = line(Executor::Serial);
    for threads in [1, 2, 3, 8] {
        assert_eq!(line(Executor::Parallel(NonZeroU32::new(threads).unwrap())), serial, "{threads} threads");
    }
}

#[test]
fn malformed_or_missing_pattern_exits_with_code_2() {
    let failure = run(&options(pattern("no/such/file"), 1, 1), &mut io::sink()).unwrap_err();
    assert_eq!(exit_code(&failure), 2);
}

#[test]
fn output_that_nobody_takes_is_an_error_and_no_panic() {
    let failure = run(&options(pattern("acorn"), 1, 1), &mut [].as_mut_slice()).unwrap_err();
    assert!(matches!(failure, Failure::Output(_)), "{failure}");
    assert_eq!(exit_code(&failure), 1);
}
