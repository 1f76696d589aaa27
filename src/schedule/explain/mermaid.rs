use super::{barrier_edges, words};
use crate::schedule::layout::BarrierId;
use crate::schedule::plan::{Edge, Plan, Segment};
use crate::system::SystemId;
use core::fmt::Write;

/// A Mermaid flowchart.
pub(super) fn render(plan: &Plan) -> String {
    let mut lines = vec!["flowchart TD".to_owned()];
    for (index, segment) in plan.segments().iter().enumerate() {
        subgraph(&mut lines, plan, index, segment);
        lines.push(barrier(plan, BarrierId::from_index(index)));
    }
    lines.extend(plan.edges().iter().map(|edge| self::edge(plan, edge)));
    lines.extend(barrier_edges(plan).iter().map(|(from, to)| format!("  {from} -.->|\"barrier\"| {to}")));
    lines.join("\n") + "\n"
}

fn subgraph(lines: &mut Vec<String>, plan: &Plan, index: usize, segment: &Segment) {
    if segment.systems().is_empty() {
        return;
    }
    lines.push(format!("  subgraph g{number} [\"segment {number}\"]", number = index + 1));
    lines.extend(segment.systems().iter().map(|&id| node(plan, id)));
    lines.push("  end".to_owned());
}

fn node(plan: &Plan, id: SystemId) -> String {
    let spec = plan.spec(id);
    let label = format!("{id} {}\n{}", words::plain(&spec.name), words::remarks(plan, spec).join("\n"));
    format!("    {id}[{}]", string(&label))
}

fn barrier(plan: &Plan, id: BarrierId) -> String {
    let label = format!("barrier {id}\n{}", words::barrier(plan, plan.barrier(id)));
    format!("  {id}{{{{{}}}}}", string(&label))
}

fn edge(plan: &Plan, edge: &Edge) -> String {
    let label = string(&words::reason(plan, &edge.reason));
    format!("  {} -->|{label}| {}", edge.from, edge.to)
}

/// A quoted label; whatever could mean something to Mermaid or HTML becomes a character code.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '\n' => out.push_str("<br/>"),
            ' ' | '_' | '.' | ',' | ':' | '-' => out.push(letter),
            _ if letter.is_alphanumeric() => out.push(letter),
            _ => write!(out, "#{};", u32::from(letter)).expect("a string takes every text"),
        }
    }
    out + "\""
}
