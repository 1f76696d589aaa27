use super::*;
use proptest::prelude::*;

fn dag(nodes: u32, edges: &[(u32, u32)]) -> Dag {
    Dag::new(nodes, edges.to_vec()).expect("no cycle")
}

fn cycles(nodes: u32, edges: &[(u32, u32)]) -> Vec<Vec<u32>> {
    Dag::new(nodes, edges.to_vec()).expect_err("a cycle")
}

/// Runs Floyd and Warshall: `[a][b]` tells whether one or more edges lead from a to b.
fn closure(nodes: usize, edges: &[(u32, u32)]) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; nodes]; nodes];
    for &(from, to) in edges {
        reach[from as usize][to as usize] = true;
    }
    for via in 0..nodes {
        for from in 0..nodes {
            for to in 0..nodes {
                reach[from][to] |= reach[from][via] && reach[via][to];
            }
        }
    }
    reach
}

/// At each step the lowest node whose predecessors have all come.
fn model_order(nodes: u32, edges: &[(u32, u32)]) -> Vec<u32> {
    let mut order = Vec::new();
    while let Some(next) = (0..nodes)
        .find(|node| !order.contains(node) && edges.iter().all(|(from, to)| to != node || order.contains(from)))
    {
        order.push(next);
    }
    order
}

fn ascending(edges: Vec<(u32, u32)>) -> Vec<(u32, u32)> {
    edges.into_iter().filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect()
}

/// Edges of a graph on 12 nodes without a cycle, in numbers that are not their order.
fn acyclic() -> impl Strategy<Value = Vec<(u32, u32)>> {
    let names = Just((0..12).collect::<Vec<u32>>()).prop_shuffle();
    (any_edges(12, 30), names).prop_map(|(edges, names)| {
        ascending(edges).into_iter().map(|(a, b)| (names[a as usize], names[b as usize])).collect()
    })
}

fn any_edges(nodes: u32, most: usize) -> impl Strategy<Value = Vec<(u32, u32)>> {
    prop::collection::vec((0..nodes, 0..nodes), 0..most)
}

fn reduce(nodes: u32, edges: &[(u32, u32)]) -> (Reduction, Vec<(u32, u32)>) {
    let mut reduction = Reduction::default();
    let mut kept = Vec::new();
    for node in 0..nodes {
        let mut candidates = NodeSet::default();
        edges.iter().filter(|edge| edge.1 == node).for_each(|edge| candidates.insert(edge.0));
        kept.extend(reduction.append(&candidates, |_| true).into_iter().map(|from| (from, node)));
    }
    (reduction, kept)
}

#[test]
fn without_edges_the_order_is_that_of_the_numbers() {
    assert_eq!(dag(5, &[]).order(), [0, 1, 2, 3, 4]);
    assert!(dag(0, &[]).order().is_empty());
}

#[test]
fn an_edge_moves_the_waiting_node_later_and_no_node_earlier() {
    assert_eq!(dag(5, &[(3, 1)]).order(), [0, 2, 3, 1, 4]);
}

#[test]
fn duplicate_edges_are_harmless() {
    let once = dag(3, &[(2, 0)]);
    assert_eq!(dag(3, &[(2, 0), (2, 0), (2, 0)]), once);
    assert_eq!(once.predecessor_counts(), [1, 0, 0]);
}

#[test]
fn self_edges_are_reported_beside_the_cycle_of_their_component() {
    assert_eq!(cycles(3, &[(1, 1)]), [vec![1]]);
    assert_eq!(cycles(3, &[(0, 2), (2, 0), (2, 2)]), [vec![0, 2], vec![2]]);
}

#[test]
fn separate_cycles_are_all_reported_in_stable_order() {
    let edges = [(5, 3), (3, 5), (0, 4), (4, 1), (1, 0), (2, 2)];
    assert_eq!(cycles(6, &edges), [vec![0, 4, 1], vec![2], vec![3, 5]]);
}

#[test]
fn what_leads_into_a_cycle_or_out_of_it_is_not_named() {
    assert_eq!(cycles(5, &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4)]), [vec![1, 2]]);
}

#[test]
fn the_critical_path_is_the_heaviest_and_the_first_of_equals() {
    let diamond = dag(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]);
    assert_eq!(diamond.critical_path(&[1, 1, 1, 1]), (3, vec![0, 1, 3]));
    assert_eq!(diamond.critical_path(&[1, 1, 5, 1]), (7, vec![0, 2, 3]));
    assert_eq!(diamond.critical_path(&[u64::MAX; 4]).0, u64::MAX);
    assert_eq!(dag(0, &[]).critical_path(&[]), (0, vec![]));
}

#[test]
fn a_complete_order_is_reduced_to_its_chain_by_one_question_a_node() {
    let (mut reduction, mut candidates, mut asked) = (Reduction::default(), NodeSet::default(), 0);
    for node in 0..6_000_u32 {
        let kept = reduction.append(&candidates, |_| {
            asked += 1;
            true
        });
        assert_eq!(kept, Vec::from_iter(node.checked_sub(1)));
        candidates.insert(node);
    }
    assert_eq!(asked, 5_999);
}

#[test]
fn thousands_of_nodes_in_one_chain_or_one_ring_are_fine() {
    let mut edges: Vec<_> = (1..6_000).map(|node| (node, node - 1)).collect();
    assert_eq!(dag(6_000, &edges).order()[0], 5_999);
    edges.push((0, 5_999));
    assert_eq!(cycles(6_000, &edges)[0].len(), 6_000);
}

proptest! {
    #[test]
    fn the_order_is_that_of_the_obvious_model(edges in acyclic()) {
        let dag = dag(12, &edges);
        prop_assert_eq!(dag.order(), model_order(12, &edges));
    }

    #[test]
    fn the_order_of_the_edges_given_decides_nothing(edges in any_edges(10, 25), seed in any::<u64>()) {
        let mut shuffled = edges.clone();
        shuffled.sort_by_key(|&(from, to)| (u64::from(from * 10 + to) ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        prop_assert_eq!(Dag::new(10, edges), Dag::new(10, shuffled));
    }

    #[test]
    fn each_cyclic_component_gives_one_shortest_cycle_through_its_smallest_node(edges in any_edges(10, 25)) {
        let reach = closure(10, &edges);
        let reported = Dag::new(10, edges.clone()).err().unwrap_or_default();
        let loops = (0..10).filter(|&node| edges.contains(&(node, node))).count();
        let leaders: Vec<u32> = (0..10)
            .filter(|&a| (0..a).all(|b| !(reach[a][b] && reach[b][a])))
            .filter(|&a| (a + 1..10).any(|b| reach[a][b] && reach[b][a]))
            .map(|a| a as u32)
            .collect();
        let long: Vec<_> = reported.iter().filter(|cycle| cycle.len() > 1).collect();
        prop_assert_eq!(long.iter().map(|cycle| cycle[0]).collect::<Vec<_>>(), leaders);
        prop_assert_eq!(reported.len() - long.len(), loops);
        for cycle in &reported {
            let links: Vec<_> = cycle.iter().copied().zip(cycle.iter().copied().cycle().skip(1)).collect();
            prop_assert!(links.iter().all(|link| edges.contains(link)));
        }
        for cycle in long {
            prop_assert_eq!(cycle.len(), shortest_walk_back(&edges, cycle[0]));
        }
    }

    #[test]
    fn a_reduction_reaches_the_same_and_no_edge_of_it_is_implied(edges in any_edges(12, 40).prop_map(ascending)) {
        let (reduction, kept) = reduce(12, &edges);
        let (full, reduced) = (closure(12, &edges), closure(12, &kept));
        prop_assert_eq!(&full, &reduced);
        for to in 0..12 {
            let mut earlier = NodeSet::default();
            (0..to).for_each(|from| earlier.insert(from));
            let unordered: Vec<_> = (0..to).filter(|&from| !full[from as usize][to as usize]).collect();
            prop_assert_eq!(reduction.unordered(&earlier, to).collect::<Vec<_>>(), unordered);
        }
        for edge in &kept {
            let others: Vec<_> = kept.iter().copied().filter(|other| other != edge).collect();
            prop_assert!(!closure(12, &others)[edge.0 as usize][edge.1 as usize]);
        }
    }

    #[test]
    fn the_critical_path_is_a_path_of_its_weight_and_no_other_is_heavier(
        edges in acyclic(), weights in prop::collection::vec(0..9_u64, 12)
    ) {
        let (weight, path) = dag(12, &edges).critical_path(&weights);
        prop_assert!(path.windows(2).all(|pair| edges.contains(&(pair[0], pair[1]))));
        prop_assert_eq!(path.iter().map(|&node| weights[node as usize]).sum::<u64>(), weight);
        prop_assert_eq!((0..12).map(|node| heaviest_from(&edges, &weights, node)).max(), Some(weight));
    }
}

/// Edges of the shortest walk of two or more nodes from `root` back to it.
fn shortest_walk_back(edges: &[(u32, u32)], root: u32) -> usize {
    let mut front = vec![root];
    for steps in 1.. {
        front = edges.iter().filter(|(a, b)| a != b && front.contains(a)).map(|edge| edge.1).collect();
        if front.contains(&root) {
            return steps;
        }
    }
    unreachable!()
}

fn heaviest_from(edges: &[(u32, u32)], weights: &[u64], node: u32) -> u64 {
    let ahead = edges.iter().filter(|edge| edge.0 == node).map(|edge| heaviest_from(edges, weights, edge.1));
    weights[node as usize] + ahead.max().unwrap_or(0)
}
