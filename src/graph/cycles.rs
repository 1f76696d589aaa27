use super::Graph;
use std::collections::VecDeque;

const UNSEEN: u32 = u32::MAX;

/// Each self-edge, and the shortest cycle through the smallest node of each component of several nodes; sorted.
pub(super) fn minimal(graph: &Graph) -> Vec<Vec<u32>> {
    let component = components(graph);
    let mut parent = vec![UNSEEN; graph.len()];
    let loops = graph.nodes().filter(|node| graph.successors(*node).contains(node)).map(|node| vec![node]);
    let mut cycles: Vec<_> = loops.collect();
    cycles.extend(leaders(&component).into_iter().map(|root| shortest_through(graph, &component, &mut parent, root)));
    cycles.sort_unstable();
    cycles
}

/// The smallest node of each component that has several.
fn leaders(component: &[u32]) -> Vec<u32> {
    let mut size = vec![0; component.len()];
    component.iter().for_each(|&home| size[home as usize] += 1);
    let mut leaders = Vec::new();
    for (node, &home) in component.iter().enumerate() {
        if core::mem::take(&mut size[home as usize]) > 1 {
            leaders.push(node as u32);
        }
    }
    leaders
}

/// The shortest cycle of two or more nodes that leads from `root` back to it; of equals the one with lower nodes.
///
/// `parent` may be shared by the searches in different components: no search leaves its own.
fn shortest_through(graph: &Graph, component: &[u32], parent: &mut [u32], root: u32) -> Vec<u32> {
    let mut queue = VecDeque::from([root]);
    while let Some(node) = queue.pop_front() {
        for &next in graph.successors(node) {
            if next == root && node != root {
                return path(parent, root, node);
            }
            if next != root && parent[next as usize] == UNSEEN && component[next as usize] == component[root as usize] {
                parent[next as usize] = node;
                queue.push_back(next);
            }
        }
    }
    unreachable!("each node of a component of several nodes lies on a cycle of it")
}

fn path(parent: &[u32], root: u32, end: u32) -> Vec<u32> {
    let step_back = |&node: &u32| (node != root).then(|| parent[node as usize]);
    let mut path: Vec<u32> = core::iter::successors(Some(end), step_back).collect();
    path.reverse();
    path
}

/// For each node a number that it shares with exactly the nodes of its strongly connected component (Kosaraju).
fn components(graph: &Graph) -> Vec<u32> {
    let turned = graph.reversed();
    let mut component = vec![UNSEEN; graph.len()];
    let mut stack = Vec::new();
    for root in finish_order(graph).into_iter().rev() {
        stack.push(root);
        while let Some(node) = stack.pop() {
            if component[node as usize] == UNSEEN {
                component[node as usize] = root;
                stack.extend_from_slice(turned.successors(node));
            }
        }
    }
    component
}

/// The nodes in the order in which a depth-first walk leaves them.
fn finish_order(graph: &Graph) -> Vec<u32> {
    let mut finished = Vec::with_capacity(graph.len());
    let mut entered = vec![false; graph.len()];
    let mut stack = Vec::new();
    for root in graph.nodes() {
        stack.push((root, false));
        while let Some((node, left)) = stack.pop() {
            if left {
                finished.push(node);
            } else if !core::mem::replace(&mut entered[node as usize], true) {
                stack.push((node, true));
                stack.extend(graph.successors(node).iter().map(|&next| (next, false)));
            }
        }
    }
    finished
}
