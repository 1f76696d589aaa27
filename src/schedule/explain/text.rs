use super::words;
use crate::schedule::layout::Step;
use crate::schedule::plan::{Edge, Plan};
use crate::schedule::report::Diagnostic;
use crate::system::SystemId;

/// A list of sections for terminals and for tests that compare text.
pub(super) fn render(plan: &Plan) -> String {
    let mut lines = vec![headline(plan)];
    section(&mut lines, "order", (1..).zip(plan.steps()).map(|(position, step)| self::step(plan, position, step)));
    section(&mut lines, "edges", plan.edges().iter().map(|edge| self::edge(plan, edge)));
    section(&mut lines, "diagnostics", plan.diagnostics().iter().map(|finding| diagnostic(plan, finding)));
    lines.join("\n") + "\n"
}

fn headline(plan: &Plan) -> String {
    let (systems, segments, barriers) = (plan.len(), plan.segments().len(), plan.barriers().len());
    format!("schedule: systems {systems}, segments {segments}, barriers {barriers}, plan {:016x}", plan.hash())
}

fn section(lines: &mut Vec<String>, title: &str, entries: impl Iterator<Item = String>) {
    let before = lines.len();
    lines.push(format!("{title}:"));
    lines.extend(entries.map(|entry| format!("  {entry}")));
    if lines.len() == before + 1 {
        lines[before].push_str(" none");
    }
}

fn step(plan: &Plan, position: u32, step: &Step) -> String {
    match step {
        Step::Run(id) => {
            let remarks = words::remarks(plan, plan.spec(*id)).join(", ");
            format!("{position:>4}  {}: {remarks}", system(plan, *id))
        }
        Step::Barrier(id) => format!("{position:>4}  -- barrier {id}: {} --", words::barrier(plan, plan.barrier(*id))),
    }
}

fn edge(plan: &Plan, edge: &Edge) -> String {
    let (from, to) = (system(plan, edge.from), system(plan, edge.to));
    format!("{from} -> {to}: {}", words::reason(plan, &edge.reason))
}

fn diagnostic(plan: &Plan, finding: &Diagnostic) -> String {
    format!("{}: {}", finding.code(), words::diagnostic(plan, finding))
}

fn system(plan: &Plan, id: SystemId) -> String {
    format!("{id} {}", words::quoted(plan, id))
}
