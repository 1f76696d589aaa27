//! A plan in words: text for terminals, DOT, Mermaid and JSON.

mod dot;
mod json;
mod mermaid;
mod text;
mod words;

use super::plan::{Plan, Segment};
use super::report::Diagnostic;
use crate::system::SystemId;
use core::fmt;

/// A plan to be read by people and tools; displays as text.
///
/// Equal plans give equal text.
#[derive(Clone, Copy, Debug)]
pub struct Explanation<'a> {
    plan: &'a Plan,
}

impl Plan {
    /// Order, segments, barriers, edges with their reasons and diagnostics, in words.
    #[must_use]
    pub fn explain(&self) -> Explanation<'_> {
        Explanation { plan: self }
    }

    /// What a diagnostic says, with the names of systems and data.
    #[must_use]
    pub fn describe(&self, diagnostic: &Diagnostic) -> String {
        words::diagnostic(self, diagnostic)
    }
}

impl Explanation<'_> {
    /// A graph for Graphviz: segments as clusters, a label on each edge that tells its reason.
    #[must_use]
    pub fn dot(&self) -> String {
        dot::render(self.plan)
    }

    /// A Mermaid flowchart with the same content as [`dot`](Self::dot).
    #[must_use]
    pub fn mermaid(&self) -> String {
        mermaid::render(self.plan)
    }

    /// One JSON object: `hash`, `systems`, `steps`, `barriers`, `edges`, `diagnostics`.
    #[must_use]
    pub fn json(&self) -> String {
        json::render(self.plan)
    }
}

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::render(self.plan))
    }
}

/// The systems of a segment that wait for no other of it.
fn sources(segment: &Segment) -> impl Iterator<Item = SystemId> + '_ {
    let waits = segment.systems().iter().zip(segment.predecessors());
    waits.filter(|(_, count)| **count == 0).map(|(id, _)| *id)
}

/// The systems of a segment for which no other of it waits.
fn sinks(segment: &Segment) -> impl Iterator<Item = SystemId> + '_ {
    let members = segment.systems().iter().zip(0..);
    members.filter(|(_, member)| segment.successors(*member).is_empty()).map(|(id, _)| *id)
}

/// Edges between systems and the barriers around their segment, as (from, to).
fn barrier_edges(plan: &Plan) -> Vec<(String, String)> {
    let mut edges = Vec::new();
    let mut opened_by = None;
    for (number, segment) in (1..).zip(plan.segments()) {
        let barrier = format!("b{number}");
        if let Some(opener) = opened_by {
            edges.extend(sources(segment).map(|id| (String::clone(&opener), id.to_string())));
        }
        edges.extend(sinks(segment).map(|id| (id.to_string(), barrier.clone())));
        opened_by = Some(barrier);
    }
    edges
}

#[cfg(test)]
mod tests;
