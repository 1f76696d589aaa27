//! Directed graphs on dense `u32` nodes: order, cycles, reduction, critical path.
//!
//! Nothing here knows what a node stands for, and nothing depends on the order in which edges were given.

mod cycles;
mod reduction;

pub(crate) use reduction::{NodeSet, Reduction};

use core::cmp::Reverse;
use std::collections::BinaryHeap;

/// Successor lists of `0..len()`: ascending, without duplicates, self-edges kept.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Graph {
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    fn new(nodes: u32, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0; nodes as usize + 1];
        for &(from, _) in &edges {
            starts[from as usize + 1] += 1;
        }
        for node in 0..nodes as usize {
            starts[node + 1] += starts[node];
        }
        Self { starts, targets: edges.into_iter().map(|(_, to)| to).collect() }
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn nodes(&self) -> impl Iterator<Item = u32> + use<> {
        0..self.len() as u32
    }

    fn successors(&self, node: u32) -> &[u32] {
        &self.targets[self.starts[node as usize]..self.starts[node as usize + 1]]
    }

    fn reversed(&self) -> Self {
        let turned = self.nodes().flat_map(|from| self.successors(from).iter().map(move |&to| (to, from)));
        Self::new(self.len() as u32, turned.collect())
    }

    fn predecessor_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.len()];
        for &to in &self.targets {
            counts[to as usize] += 1;
        }
        counts
    }

    /// Kahn's algorithm, lowest ready node first; shorter than the graph if there is a cycle.
    fn order(&self) -> Vec<u32> {
        let mut waiting = self.predecessor_counts();
        let mut ready: BinaryHeap<_> = self.nodes().filter(|&node| waiting[node as usize] == 0).map(Reverse).collect();
        let mut order = Vec::with_capacity(self.len());
        while let Some(Reverse(node)) = ready.pop() {
            order.push(node);
            for &next in self.successors(node) {
                waiting[next as usize] -= 1;
                if waiting[next as usize] == 0 {
                    ready.push(Reverse(next));
                }
            }
        }
        order
    }
}

/// A graph that is known to have no cycle, with its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dag {
    graph: Graph,
    order: Vec<u32>,
}

impl Dag {
    /// Builds the graph on `0..nodes`; duplicate edges are harmless.
    ///
    /// # Errors
    ///
    /// If there are cycles: each self-edge, and for each cyclic component the shortest cycle through its smallest node.
    /// A cycle starts at its smallest node and names each node once; the list is sorted.
    pub(crate) fn new(nodes: u32, edges: Vec<(u32, u32)>) -> Result<Self, Vec<Vec<u32>>> {
        let graph = Graph::new(nodes, edges);
        let order = graph.order();
        if order.len() < graph.len() {
            return Err(cycles::minimal(&graph));
        }
        Ok(Self { graph, order })
    }

    /// Every node after its predecessors; of the nodes that are free to come next, the lowest.
    pub(crate) fn order(&self) -> &[u32] {
        &self.order
    }

    /// The nodes that wait for `node`, ascending.
    pub(crate) fn successors(&self, node: u32) -> &[u32] {
        self.graph.successors(node)
    }

    /// For each node, how many others it waits for.
    pub(crate) fn predecessor_counts(&self) -> Vec<u32> {
        self.graph.predecessor_counts()
    }

    /// The heaviest path and its weight (sums saturate); of equally heavy ones the one whose nodes come first.
    pub(crate) fn critical_path(&self, weights: &[u64]) -> (u64, Vec<u32>) {
        let mut ahead: Vec<(u64, Option<u32>)> = weights.iter().map(|&weight| (weight, None)).collect();
        for &node in self.order.iter().rev() {
            let next = heaviest(self.successors(node), &ahead);
            let rest = next.map_or(0, |next| ahead[next as usize].0);
            ahead[node as usize] = (weights[node as usize].saturating_add(rest), next);
        }
        let first = heaviest(&self.order, &ahead);
        let path = core::iter::successors(first, |&node| ahead[node as usize].1).collect();
        (first.map_or(0, |node| ahead[node as usize].0), path)
    }
}

/// The first of `nodes` from which the heaviest path leads on.
fn heaviest(nodes: &[u32], ahead: &[(u64, Option<u32>)]) -> Option<u32> {
    nodes.iter().copied().min_by_key(|&node| Reverse(ahead[node as usize].0))
}

#[cfg(test)]
mod tests;
