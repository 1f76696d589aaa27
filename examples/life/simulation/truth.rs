//! Populations that an independent program counted, from a folder next to the project that not everybody has.

use std::path::{Path, PathBuf};

use super::Life;
use crate::pattern;

/// Generations times cells beyond which a row waits for a release build.
const DEBUG_WORK: u64 = 5_000_000;

struct Row {
    pattern: String,
    generation: u64,
    population: u64,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/life")
}

fn row(line: &str) -> Row {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |index: usize| fields[index].trim().parse().expect("a number");
    Row { pattern: fields[0].to_string(), generation: number(1), population: number(2) }
}

/// The rows of the table, those of one pattern in order of generations.
fn rows(table: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = table.lines().filter(|line| !line.starts_with('#')).map(row).collect();
    rows.sort_by(|a, b| (&a.pattern, a.generation).cmp(&(&b.pattern, b.generation)));
    rows
}

fn is_too_slow(row: &Row) -> bool {
    cfg!(debug_assertions) && row.generation * row.population > DEBUG_WORK
}

/// A pattern of the table is a file of the folder, or else has a built-in name.
fn start(pattern: &str) -> Life {
    let file = folder().join(pattern);
    let source = if file.exists() { file } else { PathBuf::from(pattern) };
    Life::new(pattern::load(&source).unwrap_or_else(|error| panic!("{error}")))
}

fn assert_populations(rows: &[Row]) {
    let (mut life, mut generation) = (start(&rows[0].pattern), 0);
    for row in rows {
        if is_too_slow(row) {
            println!("skipped in a debug build: {} at generation {}", row.pattern, row.generation);
            continue;
        }
        (generation..row.generation).for_each(|_| life.step().unwrap());
        generation = row.generation;
        assert_eq!(life.population() as u64, row.population, "{} at generation {generation}", row.pattern);
    }
}

#[test]
fn populations_are_those_of_an_independent_program() {
    let path = folder().join("truth.tsv");
    let Ok(table) = std::fs::read_to_string(&path) else {
        println!("skipped: there is no {}", path.display());
        return;
    };
    let rows = rows(&table);
    assert!(!rows.is_empty());
    rows.chunk_by(|a, b| a.pattern == b.pattern).for_each(assert_populations);
}
