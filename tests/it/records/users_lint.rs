//! `docs/clippy-for-users.toml`, the lint that users copy.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

const LISTS: [&str; 2] = ["disallowed-methods", "disallowed-types"];

fn read(path: &str) -> Table {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    text.parse().unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Path and reason of each entry of the lists.
fn bans(file: &Table) -> Vec<(&str, &str)> {
    let entries = LISTS.iter().filter_map(|list| file.get(*list)).flat_map(|list| list.as_array().unwrap());
    entries
        .map(|entry| {
            let part = |key| entry.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("{entry} has no `{key}`"));
            (part("path"), part("reason"))
        })
        .collect()
}

#[test]
fn the_users_lint_is_a_file_of_clippy_with_a_path_and_a_way_out_in_each_entry() {
    let file = read("docs/clippy-for-users.toml");
    assert!(file.keys().all(|key| LISTS.contains(&key.as_str())), "{file}");
    let bans = bans(&file);
    for (path, reason) in &bans {
        let is_path = path.split("::").all(|name| name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_'));
        assert!(is_path && path.contains("::"), "`{path}` is no path");
        assert!(reason.contains([';', ':']), "`{path}`: why, and what to write instead: {reason}");
    }
    let paths: BTreeSet<&str> = bans.iter().map(|(path, _)| *path).collect();
    assert_eq!(paths.len(), bans.len(), "a path stands in the lists twice");
}

#[test]
fn what_the_library_forbids_itself_it_forbids_its_users() {
    let (ours, theirs) = (read("clippy.toml"), read("docs/clippy-for-users.toml"));
    let theirs: BTreeSet<&str> = bans(&theirs).into_iter().map(|(path, _)| path).collect();
    let is_covered = |path: &str| theirs.iter().any(|ban| path == *ban || path.starts_with(&format!("{ban}::")));
    let open: Vec<&str> = bans(&ours).into_iter().map(|(path, _)| path).filter(|path| !is_covered(path)).collect();
    assert!(open.is_empty(), "clippy.toml forbids what the users' lint allows: {open:#?}");
}

#[test]
fn the_page_on_determinism_names_the_lint() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/determinism.md")).unwrap();
    assert!(page.contains("clippy-for-users.toml"));
}
