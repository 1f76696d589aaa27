use crate::access::{Access, Conflict, IdSet};
use crate::graph::{NodeSet, Reduction};

/// What orders the systems of one segment; ends are places in the segment, the first end the lower.
#[derive(Debug, Default)]
pub(super) struct Links {
    /// The transitive reduction of explicit edges and conflicts together.
    pub(super) reduced: Vec<(u32, u32)>,
    /// The conflicts among those edges, each with its complete reason.
    pub(super) conflicts: Vec<(u32, u32, Conflict)>,
}

/// Links the systems of a segment, given in schedule order with the explicit predecessors of each (ascending).
///
/// Every pair that conflicts ends up with a path. A pair is compared only if the two touch something in common and no
/// path between them is known yet, so a segment in which all conflict costs one comparison for each system.
pub(super) fn link(accesses: &[&Access], explicit: &[Vec<u32>]) -> Links {
    let mut links = Links::default();
    let mut touched = (Touched::default(), Touched::default());
    let mut reduction = Reduction::default();
    let mut candidates = NodeSet::default();
    for (node, access) in accesses.iter().enumerate() {
        candidates.clear();
        explicit[node].iter().for_each(|&before| candidates.insert(before));
        touched.0.visit(node as u32, &access.component_reads(), &access.component_writes(), &mut candidates);
        touched.1.visit(node as u32, &access.resource_reads, &access.resource_writes, &mut candidates);
        let kept = reduction.append(&candidates, |before| {
            let conflict = accesses[before as usize].conflict(access);
            let clash = !conflict.is_empty();
            if clash {
                links.conflicts.push((before, node as u32, conflict));
            }
            clash || explicit[node].binary_search(&before).is_ok()
        });
        links.reduced.extend(kept.into_iter().map(|before| (before, node as u32)));
    }
    links
}

/// For each id of one space, which systems so far touch it.
#[derive(Debug, Default)]
struct Touched {
    all: Vec<NodeSet>,
    writers: Vec<NodeSet>,
}

impl Touched {
    /// Adds to `candidates` what may clash with `node`, then notes the node itself.
    fn visit(&mut self, node: u32, reads: &IdSet, writes: &IdSet, candidates: &mut NodeSet) {
        for id in writes.iter() {
            candidates.union_with(slot(&mut self.all, id));
        }
        for id in reads.iter() {
            candidates.union_with(slot(&mut self.writers, id));
        }
        for id in reads.iter().chain(writes.iter()) {
            slot(&mut self.all, id).insert(node);
        }
        for id in writes.iter() {
            slot(&mut self.writers, id).insert(node);
        }
    }
}

/// The set of `id`, made if it is new.
pub(super) fn slot(sets: &mut Vec<NodeSet>, id: u32) -> &mut NodeSet {
    let index = id as usize;
    if index >= sets.len() {
        sets.resize_with(index + 1, NodeSet::default);
    }
    &mut sets[index]
}

#[cfg(test)]
mod tests;
