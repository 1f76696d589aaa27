use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{CommandFactory, Parser};

use super::{Cli, Executor, Options, Start, UsageError};
use crate::soup::Soup;

fn parser_code(arguments: &[&str]) -> i32 {
    Cli::try_parse_from([&["life"], arguments].concat()).expect_err("the parser should refuse this").exit_code()
}

fn options(arguments: &[&str]) -> Result<Options, UsageError> {
    Cli::try_parse_from([&["life"], arguments].concat()).expect("the parser should accept this").options()
}

#[test]
fn command_line_is_well_formed() {
    Cli::command().debug_assert();
}

#[test]
fn no_argument_means_the_default_soup_on_the_serial_executor() {
    let expected =
        Options { start: Start::Soup(Soup::DEFAULT), generations: 500, every: 50, executor: Executor::Serial };
    assert_eq!(options(&[]), Ok(expected));
}

#[test]
fn pattern_known_by_name_runs_as_long_as_it_deserves() {
    assert_eq!(options(&["--pattern", "die-hard"]).unwrap().generations, 130);
    assert_eq!(options(&["--pattern", "die-hard", "--generations", "7"]).unwrap().generations, 7);
    assert_eq!(options(&["--pattern", "some.rle"]).unwrap().generations, 500);
}

#[test]
fn pattern_is_kept_as_it_is_given() {
    assert_eq!(options(&["--pattern", "a/b.lif"]).unwrap().start, Start::Pattern(PathBuf::from("a/b.lif")));
}

#[test]
fn soup_takes_width_height_and_seed() {
    let soup = Soup { width: 30, height: 20, seed: u64::MAX };
    let seed = u64::MAX.to_string();
    assert_eq!(options(&["--soup", "30", "20", &seed]).unwrap().start, Start::Soup(soup));
}

#[test]
fn soup_of_no_cells_or_too_many_is_refused() {
    for (width, height) in
        [("0", "5"), ("5", "0"), ("8388609", "1"), ("4294967296", "1"), ("18446744073709551615", "2")]
    {
        let sides = (width.parse().unwrap(), height.parse().unwrap());
        let expected = UsageError::SoupSize { width: sides.0, height: sides.1 };
        assert_eq!(options(&["--soup", width, height, "1"]), Err(expected));
    }
    assert!(options(&["--soup", "8388608", "1", "1"]).is_ok());
}

#[test]
fn zero_generations_still_make_a_report() {
    let options = options(&["--generations", "0"]).unwrap();
    assert_eq!((options.generations, options.every), (0, 1));
}

#[test]
fn threads_are_a_number_or_the_serial_executor() {
    let four = Executor::Parallel(NonZeroU32::new(4).unwrap());
    assert_eq!(options(&["--threads", "4"]).unwrap().executor, four);
    assert_eq!(options(&["--threads", "serial"]).unwrap().executor, Executor::Serial);
}

#[test]
fn bad_usage_exits_with_code_2() {
    let bad: [&[&str]; 10] = [
        &["--threads", "0"],
        &["--threads", "parallel"],
        &["--threads", "-1"],
        &["--every", "0"],
        &["--generations", "-5"],
        &["--generations", "many"],
        &["--soup", "10", "10"],
        &["--soup", "10", "10", "1", "1"],
        &["--pattern", "acorn", "--soup", "10", "10", "1"],
        &["--unknown"],
    ];
    for arguments in bad {
        assert_eq!(parser_code(arguments), 2, "{arguments:?}");
    }
}
