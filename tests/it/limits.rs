//! `docs/limits.md` tells the values of the named constants, and of all of them.

use std::fs;
use std::path::Path;

use tickweave::{budget, command, entity, jobs, records, schedule, simulation, value, world};

macro_rules! constants {
    ($($room:ident::$name:ident),* $(,)?) => {
        [$((concat!(stringify!($room), "::", stringify!($name)), $room::$name as u64)),*]
    };
}

const CONSTANTS: [(&str, u64); 23] = constants![
    world::MAX_COMPONENTS,
    world::REMOVAL_TICKS,
    world::CHUNK_ROWS,
    world::BATCH_ROWS,
    world::MAX_CHUNK_ROWS,
    world::CHURN_BUDGET,
    entity::MAX_GENERATION,
    value::MAX_NESTING,
    schedule::DEFAULT_MAX_SYSTEMS,
    simulation::DEFAULT_CATCH_UP,
    simulation::MAX_ROLLBACK,
    schedule::MAX_STEPS,
    schedule::MAX_COMMITS,
    schedule::MAX_DEPENDENCIES,
    schedule::MAX_EXPLICIT_EDGES,
    schedule::MAX_REPORTS,
    command::MAX_SPAWNS,
    command::MAX_BATCHES,
    jobs::MAX_THREADS,
    command::REFUSALS_KEPT,
    budget::TIMING_WINDOW,
    records::RECORD_WINDOW,
    records::RECORDS_KEPT,
];

fn read(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Constant and value of each row of the page's table.
fn told(page: &str) -> Vec<(&str, u64)> {
    page.lines().filter_map(row).collect()
}

fn row(line: &str) -> Option<(&str, u64)> {
    let mut cells = line.split('|').map(str::trim).skip(1);
    let name = cells.next()?.strip_prefix('`')?.strip_suffix('`')?;
    Some((name, cells.next()?.parse().ok()?))
}

/// Names of the public numbers in the sources below `folder`.
fn public_numbers(folder: &Path, found: &mut Vec<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            public_numbers(&path, found);
        } else {
            let source = read(&path);
            let declared = source.lines().filter_map(|line| line.strip_prefix("pub const ")?.split_once(": u"));
            let numbers = declared.map(|(name, _)| name.to_owned()).filter(|name| !name.starts_with("fn "));
            found.extend(numbers);
        }
    }
}

#[test]
fn the_page_of_limits_tells_the_value_of_each_constant() {
    let page = read("docs/limits.md");
    assert_eq!(told(&page), CONSTANTS, "docs/limits.md and the code differ");
}

#[test]
fn no_public_number_is_missing_on_the_page_of_limits() {
    let mut found = Vec::new();
    public_numbers(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut found);
    found.sort();
    let mut told: Vec<&str> = CONSTANTS.iter().filter_map(|(path, _)| Some(path.split_once("::")?.1)).collect();
    told.sort_unstable();
    assert_eq!(found, told, "constants of the source, and those on the page");
}
