use crate::access::{Conflict, IdSet};
use crate::schedule::commit::CommitPoint;
use crate::schedule::layout::{Barrier, BarrierReason};
use crate::schedule::plan::{Plan, Reason};
use crate::schedule::report::{Diagnostic, MAX_REPORTS};
use crate::system::SystemId;
use crate::system::{Rate, SystemSpec};

/// A name on one line: control characters are escaped.
pub(super) fn plain(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for letter in name.chars() {
        if letter.is_control() {
            out.extend(letter.escape_default());
        } else {
            out.push(letter);
        }
    }
    out
}

/// The name of a system between backticks.
pub(super) fn quoted(plan: &Plan, id: SystemId) -> String {
    format!("`{}`", plain(&plan.spec(id).name))
}

/// Everything about a system but its name, as short remarks.
pub(super) fn remarks(plan: &Plan, spec: &SystemSpec) -> Vec<String> {
    let mut remarks = vec![spec.shape.to_string()];
    let flags = [(!spec.enabled, "disabled"), (spec.pinned, "pinned"), (spec.records_commands, "records commands")];
    remarks.extend(flags.iter().filter(|(applies, _)| *applies).map(|(_, text)| (*text).to_owned()));
    remarks.extend(spec.stream_key().filter(|_| spec.draws).map(|key| format!("draws from {}", plain(key))));
    remarks.extend(rate(spec.rate));
    remarks.extend(spec.budget.map(|budget| format!("budget {budget} ms")));
    remarks.extend(touched(plan, "reads", &spec.access.component_reads(), &spec.access.resource_reads));
    remarks.extend(managers(plan, &spec.access.manager_reads));
    remarks.extend(touched(plan, "looks up", &spec.access.lookups, &IdSet::new()));
    remarks.extend(touched(plan, "writes", &spec.access.component_writes(), &spec.access.resource_writes));
    remarks
}

fn rate(rate: Rate) -> Option<String> {
    let each = rate == Rate::EVERY_TICK;
    (!each).then(|| format!("every {} ticks with offset {}", rate.every, rate.offset))
}

fn touched(plan: &Plan, verb: &str, components: &IdSet, resources: &IdSet) -> Option<String> {
    let names = data(plan, components, resources);
    (!names.is_empty()).then(|| format!("{verb} {}", names.join(" ")))
}

fn managers(plan: &Plan, read: &IdSet) -> Option<String> {
    let names: Vec<String> = read.iter().map(|id| plain(plan.names.manager(id))).collect();
    (!names.is_empty()).then(|| format!("reads managers {}", names.join(" ")))
}

fn data(plan: &Plan, components: &IdSet, resources: &IdSet) -> Vec<String> {
    plan.names.list(components, resources).iter().map(|name| plain(name)).collect()
}

/// Why an edge exists.
pub(super) fn reason(plan: &Plan, reason: &Reason) -> String {
    match reason {
        Reason::Explicit(declaration) => {
            format!("explicit: {}", plain(&declaration.describe(|id| plan.spec(id))))
        }
        Reason::Conflict(conflict) => format!("conflict on {}", clash(plan, conflict)),
    }
}

/// Exclusive systems share no segment with another, so the world as a whole is no reason for an edge.
fn clash(plan: &Plan, conflict: &Conflict) -> String {
    data(plan, &conflict.components, &conflict.resources).join(", ")
}

/// Why a barrier exists.
pub(super) fn barrier(plan: &Plan, barrier: &Barrier) -> String {
    let reasons = barrier.reasons.iter().map(|reason| match reason {
        BarrierReason::Explicit(_) => "explicit".to_owned(),
        BarrierReason::BeforeExclusive(id) => format!("before exclusive {}", quoted(plan, *id)),
        BarrierReason::AfterExclusive(id) => format!("after exclusive {}", quoted(plan, *id)),
        BarrierReason::Commit(number) => commit(&plan.commits()[*number as usize]),
        BarrierReason::End => "end of the run".to_owned(),
    });
    reasons.collect::<Vec<_>>().join(", ")
}

fn commit(point: &CommitPoint) -> String {
    format!("commit of {} `{}` (publishes {})", point.ends, plain(&point.name), point.publishes)
}

/// What a diagnostic says, and how to answer it.
pub(super) fn diagnostic(plan: &Plan, diagnostic: &Diagnostic) -> String {
    match diagnostic {
        Diagnostic::CommandsNotVisible { from, to } => format!(
            "{} runs after {} but sees none of its commands: no barrier lies between them; add one if it should",
            quoted(plan, *to),
            quoted(plan, *from)
        ),
        Diagnostic::ReadBeforeWrite { reader, writer, component } => format!(
            "{} reads {} before {} writes it, so it sees values of the tick before; order it after the writer if it should not",
            quoted(plan, *reader),
            plain(plan.names.component(*component)),
            quoted(plan, *writer)
        ),
        Diagnostic::Ambiguity { first, second, components, resources } => format!(
            "{} and {} write {} and are ordered by their registration alone; say with before, after or a barrier which comes first",
            quoted(plan, *first),
            quoted(plan, *second),
            data(plan, components, resources).join(", ")
        ),
        Diagnostic::Truncated { code } => {
            format!("there are more findings of the kind {code}; the first {MAX_REPORTS} are listed")
        }
    }
}
