//! Every test that `docs/seeds.md` names is there, and every one that shows an order of a simulation in `docs/determinism.md`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => rust_files(&path, files),
            false if path.extension().is_some_and(|extension| extension == "rs") => files.push(path),
            false => {}
        }
    }
}

/// The module of a file: `tests/it/systems/shapes.rs` is `it::systems::shapes`, `src/query/rows.rs` is `query::rows`.
fn module_of(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap().with_extension("");
    let words: Vec<&str> = path.iter().skip(1).filter_map(|word| word.to_str()).collect();
    words.into_iter().filter(|word| !["mod", "main", "lib"].contains(word)).collect::<Vec<_>>().join("::")
}

/// The tests of a file, each with its module in front. Tests in a `mod tests` of the file itself are in that module.
fn tests_of(module: &str, text: &str) -> Vec<String> {
    let (mut tests, mut inner, mut marked) = (Vec::new(), "", false);
    for line in text.lines().map(str::trim) {
        if line == "mod tests {" {
            inner = "::tests";
        }
        let name = line.strip_prefix("fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let Some(name) = name.filter(|_| marked) {
            tests.push(format!("{module}{inner}::{name}"));
        }
        marked = line == "#[test]" || marked && (line.starts_with("#[") || line.starts_with("///"));
    }
    tests
}

fn all_tests() -> BTreeSet<String> {
    let mut files = Vec::new();
    ["src", "tests"].iter().for_each(|folder| rust_files(&root().join(folder), &mut files));
    files.iter().flat_map(|path| tests_of(&module_of(path), &fs::read_to_string(path).unwrap())).collect()
}

/// What stands between backticks in the last column of every table row.
fn named_in_last_column(page: &str) -> Vec<(usize, String)> {
    let mut named = Vec::new();
    for (number, line) in page.lines().enumerate().filter(|(_, line)| line.starts_with('|')) {
        let last = line.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default();
        named.extend(last.split('`').skip(1).step_by(2).map(|name| (number + 1, name.to_owned())));
    }
    named
}

/// Names of tests or of files under `tests/` that are not there.
fn lost(page: &str, tests: &BTreeSet<String>) -> Vec<(usize, String)> {
    let there = |name: &str| match name.ends_with(".rs") {
        true => root().join("tests").join(name).is_file(),
        false => tests.contains(name),
    };
    named_in_last_column(page).into_iter().filter(|(_, name)| !there(name)).collect()
}

#[test]
fn every_test_that_the_page_names_is_there() {
    let page = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let lost = lost(&page, &all_tests());
    assert!(lost.is_empty(), "docs/seeds.md names what is not there (line, name): {lost:#?}");
}

#[test]
fn every_order_of_a_simulation_names_tests_that_are_there() {
    let page = fs::read_to_string(root().join("docs/determinism.md")).unwrap();
    let (_, section) = page.split_once("### The orders of a simulation\n").expect("the section");
    let (orders, _) = section.split_once("\n### ").expect("one behind it");
    let lost = lost(orders, &all_tests());
    assert!(lost.is_empty(), "docs/determinism.md names what is not there (line of the section, name): {lost:#?}");
    let rows = orders.lines().filter(|line| line.starts_with("| ") && !line.contains("shown by"));
    assert!(rows.clone().all(is_answered) && rows.count() > 12);
}

/// Whether a row says where its fact is shown, when it comes, or why it does not.
fn is_answered(row: &str) -> bool {
    let last = row.trim_end().trim_end_matches('|').rsplit('|').next().unwrap_or_default().trim();
    last.contains('`') || ["later: ", "out of scope: ", "by the type: "].iter().any(|word| last.starts_with(word))
}

#[test]
fn every_row_of_the_page_names_a_test_or_says_why_there_is_none() {
    let page = fs::read_to_string(root().join("docs/seeds.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| ") && !line.contains("where it is shown"));
    let open: Vec<&str> = rows.filter(|row| !is_answered(row)).collect();
    assert!(open.is_empty(), "{open:#?}");
    assert!(page.lines().filter(|line| line.starts_with("| ")).count() > 80, "the three documents have more rows");
}

#[test]
fn a_name_that_is_lost_is_found() {
    let tests: BTreeSet<String> =
        tests_of("it::a", "#[test]\nfn one() {\n}\n#[test]\n#[cfg(unix)]\nfn two<T>() {}\nfn three() {}\nmod tests {\n#[test]\nfn four() {}")
            .into_iter()
            .collect();
    assert_eq!(
        tests.iter().map(String::as_str).collect::<Vec<_>>(),
        ["it::a::one", "it::a::tests::four", "it::a::two"]
    );
    let page =
        "| a | `World` | `it::a::one` |\n| b | c | `it::a::three`, `it::a::tests::four` |\n| d | e | `nowhere.rs` |";
    let expected = [(2, "it::a::three".to_owned()), (3, "nowhere.rs".to_owned())];
    assert_eq!(lost(page, &tests), expected);
    assert!(is_answered("| a | b | later: simulation |") && !is_answered("| a | `b` | soon |"));
}
