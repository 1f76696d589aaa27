//! The house is in order: arrows point down, `unsafe` is where it is marked, nothing is unfinished or too long.
//!
//! The rules and the reasons are in `docs/house.md`. Each check reports every place at once; `planted` shows each of
//! them red on a small source of its own.

mod arrows;
mod codes;
mod marks;
mod paths;
mod planted;
mod rooms;
mod sizes;
mod source;

use source::{Finding, Source};

fn assert_none(findings: &[Finding]) {
    let lines: Vec<String> = findings.iter().map(|f| format!("{}:{}: {}", f.path, f.line, f.what)).collect();
    assert!(findings.is_empty(), "{} place(s) break a rule of the house:\n{}", lines.len(), lines.join("\n"));
}

#[test]
fn arrows_between_rooms_point_down() {
    assert_none(&arrows::check(&Source::all_below(&["src"])));
}

#[test]
fn unsafe_stands_only_where_it_is_marked_with_a_reason() {
    assert_none(&marks::check_unsafe(&Source::all_below(&["src"])));
}

#[test]
fn only_the_sync_room_names_atomics_locks_and_threads() {
    assert_none(&marks::check_sync(&Source::all_below(&["src"])));
}

#[test]
fn nothing_is_unfinished_or_ignored() {
    let folders = ["src", "derive", "tests", "loom-tests", "examples", "benches"];
    assert_none(&marks::check_unfinished(&Source::all_below(&folders)));
}

#[test]
fn files_and_functions_stay_short() {
    assert_none(&sizes::check(&Source::all_below(&["src", "derive"])));
}

#[test]
fn each_code_of_an_error_names_one_failure() {
    assert_none(&codes::check(&Source::all_below(&["src"])));
}

#[test]
fn every_room_stands_in_the_page_of_the_house() {
    let front = Source::new("src/lib.rs", &source::read("src/lib.rs"));
    assert_none(&rooms::check(&front, &source::read("docs/house.md")));
}
