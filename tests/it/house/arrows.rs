//! Which room names which: arrows point down, and never in a circle.

use std::collections::{BTreeMap, BTreeSet};

use super::paths::{PathUse, paths};
use super::source::{Finding, Source};

/// The floors of the house, from the ground up.
pub(super) const FLOORS: [&[&str]; 10] = [
    &["sync", "hash", "graph", "layout", "profile", "tuples", "clock", "fault", "rng", "records", "budget"],
    &["entity", "component", "access", "value", "jobs"],
    &["storage"],
    &["query", "event", "pool", "machine"],
    &["world"],
    &["command", "state", "save"],
    &["system"],
    &["schedule"],
    &["executor"],
    &["simulation"],
];

/// Rooms that only gather names for the user: they look everywhere, and nobody looks at them.
pub(super) const FRONT: [&str; 1] = ["prelude"];

/// Arrows between rooms of one floor: from, to, why.
pub(super) const NEIGHBOURS: [(&str, &str, &str); 9] = [
    ("clock", "sync", "when the clock began is noted once, and a clock that is moved by hand is an atomic number"),
    ("component", "access", "the registry names component types by sets of ids"),
    ("component", "entity", "entities are values inside components, and their ids are mapped"),
    ("component", "value", "every Data component is a state value"),
    ("profile", "sync", "names for Tracy are kept once for the whole process, behind a lock"),
    ("records", "profile", "records go to subscribers of `tracing` through the one room that names it"),
    ("rng", "hash", "where a stream starts is a hash of what it is keyed by"),
    ("sync", "fault", "kernels ask whether a fault of theirs is planted"),
    ("value", "entity", "state values map the entities inside them"),
];

/// The floor of a room; `None` if it has none.
pub(super) fn floor_of(room: &str) -> Option<usize> {
    FLOORS.iter().position(|rooms| rooms.contains(&room))
}

/// Rooms without a floor, arrows that do not point down, and circles of rooms.
pub(super) fn check(sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut arrows = Vec::new();
    for source in sources.iter().filter(|source| !source.is_test()) {
        let module = source.module();
        let Some(room) = module.first().filter(|room| !FRONT.contains(room)) else { continue };
        if floor_of(room).is_none() {
            findings.push(source.finding(1, format!("room `{room}` stands on no floor of the table")));
        }
        for used in paths(&source.tokens(), &module) {
            if used.inside.first() != Some(room) {
                findings.extend(wrong_arrow(room, &used).map(|what| source.finding(used.line, what)));
                arrows.push((source, (*room).to_owned(), used));
            }
        }
    }
    findings.extend(circles(&arrows));
    findings
}

fn wrong_arrow(room: &str, used: &PathUse<'_>) -> Option<String> {
    let target = *used.inside.first().unwrap_or(&"*");
    let full = used.inside.join("::");
    let Some(theirs) = floor_of(target) else {
        return (!used.is_macro).then(|| {
            format!("`{room}` names `crate::{full}` through the front page: name it in the room where it lives")
        });
    };
    let ours = floor_of(room)?;
    let is_neighbour = NEIGHBOURS.iter().any(|(from, to, _)| (*from, *to) == (room, target));
    (theirs > ours || theirs == ours && !is_neighbour).then(|| {
        let direction = if theirs > ours { "upwards" } else { "sideways, and no listed exception allows it" };
        format!("`{room}` (floor {ours}) names `crate::{full}` (floor {theirs}): this arrow points {direction}")
    })
}

fn circles(arrows: &[(&Source, String, PathUse<'_>)]) -> Vec<Finding> {
    let mut graph: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (_, from, used) in arrows {
        graph.entry(from).or_default().extend(used.inside.first().copied());
    }
    let mut findings = Vec::new();
    for (source, from, used) in arrows {
        let Some(to) = used.inside.first() else { continue };
        if let Some(way) = way_between(&graph, to, from) {
            let circle = way.join("` -> `");
            findings.push(source.finding(used.line, format!("rooms in a circle: `{from}` -> `{circle}`")));
        }
    }
    findings
}

/// The rooms from `start` to `goal`, both named, if arrows lead there.
fn way_between<'a>(graph: &BTreeMap<&'a str, BTreeSet<&'a str>>, start: &'a str, goal: &str) -> Option<Vec<&'a str>> {
    let mut seen = BTreeSet::new();
    let mut open = vec![vec![start]];
    while let Some(way) = open.pop() {
        let last = *way.last()?;
        if last == goal {
            return Some(way);
        }
        if seen.insert(last) {
            let further = graph.get(last).into_iter().flatten();
            open.extend(further.map(|next| [way.as_slice(), &[next]].concat()));
        }
    }
    None
}
