use super::{barrier_edges, words};
use crate::schedule::layout::BarrierId;
use crate::schedule::plan::{Edge, Plan, Reason, Segment};
use crate::system::SystemId;

/// A graph for Graphviz.
pub(super) fn render(plan: &Plan) -> String {
    let mut lines = vec!["digraph schedule {".to_owned(), "  node [shape=box];".to_owned()];
    for (index, segment) in plan.segments().iter().enumerate() {
        cluster(&mut lines, plan, index, segment);
        lines.push(barrier(plan, BarrierId::from_index(index)));
    }
    lines.extend(plan.edges().iter().map(|edge| self::edge(plan, edge)));
    let barriers = barrier_edges(plan);
    lines.extend(barriers.iter().map(|(from, to)| format!("  {from} -> {to} [label=\"barrier\", style=dotted];")));
    lines.join("\n") + "\n}\n"
}

fn cluster(lines: &mut Vec<String>, plan: &Plan, index: usize, segment: &Segment) {
    if segment.systems().is_empty() {
        return;
    }
    lines.push(format!("  subgraph cluster_{number} {{ label=\"segment {number}\";", number = index + 1));
    lines.extend(segment.systems().iter().map(|&id| node(plan, id)));
    lines.push("  }".to_owned());
}

fn node(plan: &Plan, id: SystemId) -> String {
    let spec = plan.spec(id);
    let label = format!("{id} {}\n{}", words::plain(&spec.name), words::remarks(plan, spec).join("\n"));
    let style = if spec.enabled { "solid" } else { "dashed" };
    format!("    {id} [label={}, style={style}];", string(&label))
}

fn barrier(plan: &Plan, id: BarrierId) -> String {
    let label = format!("barrier {id}\n{}", words::barrier(plan, plan.barrier(id)));
    format!("  {id} [shape=octagon, label={}];", string(&label))
}

fn edge(plan: &Plan, edge: &Edge) -> String {
    let style = match edge.reason {
        Reason::Explicit(_) => "bold",
        Reason::Conflict(_) => "solid",
    };
    let label = string(&words::reason(plan, &edge.reason));
    format!("  {} -> {} [label={label}, style={style}];", edge.from, edge.to)
}

/// A quoted string of the DOT language.
fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
