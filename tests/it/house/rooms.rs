//! `docs/house.md` shows every room on its floor.

use super::arrows::{FRONT, floor_of};
use super::source::{Finding, Source};

/// Rooms of `front` (the crate's `lib.rs`) that `page` does not show, each in a table row that starts with its floor.
pub(super) fn check(front: &Source, page: &str) -> Vec<Finding> {
    let tokens = front.tokens();
    let modules = tokens.windows(3).filter(|w| w[0].text == "mod" && w[2].text == ";").map(|w| w[1]);
    let rooms = modules.filter(|room| !FRONT.contains(&room.text));
    let missing = rooms.filter(|room| !is_shown(page, room.text));
    missing
        .map(|room| {
            let floor = floor_of(room.text).map_or("its floor".to_owned(), |floor| floor.to_string());
            let name = room.text;
            front.finding(room.line, format!("docs/house.md has no row `| {floor} | ... ` that names `{name}/` first"))
        })
        .collect()
}

fn is_shown(page: &str, room: &str) -> bool {
    let Some(floor) = floor_of(room) else { return false };
    let starts = [format!("| {floor} | `{room}/`"), format!("| {floor} | `{room}.rs`")];
    page.lines().any(|line| starts.iter().any(|start| line.starts_with(start)))
}
