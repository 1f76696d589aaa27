use super::commit::{CommitEnd, CommitPoint};
use super::layout::{Barrier, BarrierReason, Step};
use super::plan::{Edge, Plan, Reason};
use crate::access::{Access, IdSet, QueryAccess};
use crate::hash::StateHasher;
use crate::system::SystemSpec;

/// Keeps hashes of plans apart from hashes of anything else.
const DOMAIN: u64 = u64::from_le_bytes(*b"tw-plan1");

/// The hash of what decides a run; each list is led by its length, each case by its number.
pub(super) fn digest(plan: &Plan) -> u64 {
    let mut hasher = StateHasher::new(DOMAIN);
    list(&mut hasher, &plan.nodes, |hasher, node| system(hasher, &node.spec));
    list(&mut hasher, &plan.steps, step);
    list(&mut hasher, &plan.barriers, barrier);
    list(&mut hasher, &plan.edges, edge);
    if !plan.commits.is_empty() {
        list(&mut hasher, &plan.commits, commit);
    }
    hasher.finish()
}

fn list<T>(hasher: &mut StateHasher, entries: &[T], fold: impl Fn(&mut StateHasher, &T)) {
    hasher.u64(entries.len() as u64);
    entries.iter().for_each(|entry| fold(hasher, entry));
}

fn system(hasher: &mut StateHasher, spec: &SystemSpec) {
    hasher.bytes(spec.name.as_bytes());
    hasher.u64(u64::from(spec.rate.every));
    hasher.u64(u64::from(spec.rate.offset));
    hasher.u64(u64::from(spec.records_commands) | u64::from(spec.draws) << 1);
    if let Some(key) = spec.stream_key().filter(|_| spec.draws) {
        hasher.bytes(key.as_bytes());
    }
    access(hasher, &spec.access);
}

fn access(hasher: &mut StateHasher, access: &Access) {
    let marks = [access.exclusive, !access.lookups.is_empty(), !access.manager_reads.is_empty()];
    hasher.u64(marks.iter().zip(0..).map(|(mark, bit)| u64::from(*mark) << bit).sum());
    list(hasher, &access.queries, query);
    if !access.lookups.is_empty() {
        ids(hasher, &access.lookups);
    }
    ids(hasher, &access.resource_reads);
    ids(hasher, &access.resource_writes);
    if !access.manager_reads.is_empty() {
        ids(hasher, &access.manager_reads);
    }
}

fn query(hasher: &mut StateHasher, query: &QueryAccess) {
    for set in [&query.reads, &query.writes, &query.with, &query.without] {
        ids(hasher, set);
    }
}

fn ids(hasher: &mut StateHasher, ids: &IdSet) {
    hasher.u64(ids.len() as u64);
    ids.iter().for_each(|id| hasher.u64(u64::from(id)));
}

fn step(hasher: &mut StateHasher, step: &Step) {
    let (kind, number) = match step {
        Step::Run(system) => (1, system.get()),
        Step::Barrier(barrier) => (2, barrier.get()),
    };
    hasher.u64(kind);
    hasher.u64(u64::from(number));
}

fn barrier(hasher: &mut StateHasher, barrier: &Barrier) {
    list(hasher, &barrier.reasons, |hasher, reason| {
        let (kind, number) = match reason {
            BarrierReason::Explicit(ordinal) => (1, *ordinal),
            BarrierReason::BeforeExclusive(system) => (2, system.get()),
            BarrierReason::AfterExclusive(system) => (3, system.get()),
            BarrierReason::End => (4, 0),
            BarrierReason::Commit(number) => (5, *number),
        };
        hasher.u64(kind);
        hasher.u64(u64::from(number));
    });
}

fn commit(hasher: &mut StateHasher, point: &CommitPoint) {
    hasher.bytes(point.name.as_bytes());
    hasher.u64(match point.ends {
        CommitEnd::Pass => 1,
        CommitEnd::Phase => 2,
        CommitEnd::Tick => 3,
    });
    hasher.u64(u64::from(point.publishes.bits()));
}

fn edge(hasher: &mut StateHasher, edge: &Edge) {
    hasher.u64(u64::from(edge.from.get()));
    hasher.u64(u64::from(edge.to.get()));
    match &edge.reason {
        Reason::Explicit(_) => hasher.u64(1),
        Reason::Conflict(conflict) => {
            hasher.u64(2);
            ids(hasher, &conflict.components);
            ids(hasher, &conflict.resources);
        }
    }
}
