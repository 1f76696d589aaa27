use super::words;
use crate::access::IdSet;
use crate::schedule::layout::{Barrier, Step};
use crate::schedule::plan::{Edge, Plan, Reason};
use crate::schedule::report::Diagnostic;
use crate::system::SystemId;
use core::fmt::Write;

/// One JSON object, an entry of a list on each line.
pub(super) fn render(plan: &Plan) -> String {
    let whole = object(&[
        ("hash", string(&format!("{:016x}", plan.hash()))),
        ("systems", lines(plan.systems().map(|id| system(plan, id)))),
        ("steps", lines(plan.steps().iter().map(step))),
        ("barriers", lines((1..).zip(plan.barriers()).map(|(id, barrier)| self::barrier(plan, id, barrier)))),
        ("edges", lines(plan.edges().iter().map(|edge| self::edge(plan, edge)))),
        ("diagnostics", lines(plan.diagnostics().iter().map(|finding| diagnostic(plan, finding)))),
    ]);
    whole + "\n"
}

fn system(plan: &Plan, id: SystemId) -> String {
    let spec = plan.spec(id);
    let access = &spec.access;
    object(&[
        ("id", id.get().to_string()),
        ("name", string(&spec.name)),
        ("position", plan.position(id).to_string()),
        ("segment", (plan.segment(id) + 1).to_string()),
        ("labels", list(spec.labels.iter().map(|label| string(label)))),
        ("shape", string(&spec.shape.to_string())),
        ("enabled", spec.enabled.to_string()),
        ("pinned", spec.pinned.to_string()),
        ("records_commands", spec.records_commands.to_string()),
        ("draws_from", spec.stream_key().filter(|_| spec.draws).map_or_else(|| "null".to_owned(), string)),
        ("every", spec.rate.every.to_string()),
        ("offset", spec.rate.offset.to_string()),
        ("budget_ms", spec.budget.map_or_else(|| "null".to_owned(), |budget| budget.to_string())),
        ("reads", components(plan, &access.component_reads())),
        ("lookups", components(plan, &access.lookups)),
        ("writes", components(plan, &access.component_writes())),
        ("resource_reads", resources(plan, &access.resource_reads)),
        ("resource_writes", resources(plan, &access.resource_writes)),
        ("manager_reads", list(access.manager_reads.iter().map(|id| string(plan.names.manager(id))))),
    ])
}

fn step(step: &Step) -> String {
    match step {
        Step::Run(id) => object(&[("system", id.get().to_string())]),
        Step::Barrier(id) => object(&[("barrier", id.get().to_string())]),
    }
}

fn barrier(plan: &Plan, id: u32, barrier: &Barrier) -> String {
    object(&[
        ("id", id.to_string()),
        ("position", barrier.position.to_string()),
        ("reason", string(&words::barrier(plan, barrier))),
    ])
}

fn edge(plan: &Plan, edge: &Edge) -> String {
    let mut fields = vec![("from", edge.from.get().to_string()), ("to", edge.to.get().to_string())];
    match &edge.reason {
        Reason::Explicit(_) => fields.push(("kind", string("explicit"))),
        Reason::Conflict(conflict) => {
            fields.push(("kind", string("conflict")));
            fields.push(("components", components(plan, &conflict.components)));
            fields.push(("resources", resources(plan, &conflict.resources)));
        }
    }
    fields.push(("reason", string(&words::reason(plan, &edge.reason))));
    object(&fields)
}

fn diagnostic(plan: &Plan, finding: &Diagnostic) -> String {
    object(&[("code", string(finding.code())), ("text", string(&words::diagnostic(plan, finding)))])
}

fn components(plan: &Plan, ids: &IdSet) -> String {
    list(ids.iter().map(|id| string(plan.names.component(id))))
}

fn resources(plan: &Plan, ids: &IdSet) -> String {
    list(ids.iter().map(|id| string(plan.names.resource(id))))
}

fn object(fields: &[(&str, String)]) -> String {
    let fields: Vec<_> = fields.iter().map(|(key, value)| format!("{}: {value}", string(key))).collect();
    format!("{{{}}}", fields.join(", "))
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

fn lines(values: impl Iterator<Item = String>) -> String {
    let values: Vec<_> = values.map(|value| format!("\n  {value}")).collect();
    format!("[{}]", values.join(","))
}

/// A quoted string of JSON.
fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            _ if letter.is_control() => {
                write!(out, "\\u{:04x}", u32::from(letter)).expect("a string takes every text");
            }
            _ => out.push(letter),
        }
    }
    out + "\""
}
