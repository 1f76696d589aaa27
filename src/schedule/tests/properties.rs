//! Random schedules against obvious models.

use super::super::testing::*;
use super::super::*;
use crate::access::Conflict;
use proptest::prelude::*;

/// What an item of a random schedule is, and which later or earlier systems it names.
#[derive(Clone, Debug)]
struct Draw {
    barrier: bool,
    after: Vec<u32>,
    before: Vec<u32>,
    reads: Vec<u32>,
    writes: Vec<u32>,
    without: Vec<u32>,
}

fn draw() -> impl Strategy<Value = Draw> {
    let ids = |most: usize| prop::collection::vec(0..5_u32, 0..most);
    let other = || prop::option::weighted(0.25, 0..14_u32).prop_map(Vec::from_iter);
    (0..8_u32, other(), other(), ids(3), ids(2), ids(2)).prop_map(|(kind, after, before, reads, writes, without)| {
        Draw { barrier: kind == 0, after, before, reads, writes, without }
    })
}

fn name(index: u32) -> String {
    format!("n{index}")
}

/// A schedule whose edges name existing systems; it may be cyclic.
fn schedule(draws: &[Draw]) -> Vec<Item> {
    let known = |others: &[u32]| {
        let mut known: Vec<_> = others.iter().filter(|&&n| draws.get(n as usize).is_some_and(|d| !d.barrier)).collect();
        known.dedup();
        known.into_iter().map(|&n| name(n)).collect::<Vec<_>>()
    };
    let item = |(index, draw): (u32, &Draw)| {
        if draw.barrier {
            return Item::Barrier;
        }
        let mut access = query(&draw.reads, &draw.writes);
        access.without = draw.without.iter().copied().filter(|id| !access.with.contains(*id)).collect();
        let spec = querying(&name(index), vec![access]);
        Item::System(SystemSpec { after: known(&draw.after), before: known(&draw.before), ..spec })
    };
    (0..).zip(draws).map(item).collect()
}

/// At each step the first item whose named predecessors have all come; `None` if none is left that may.
fn model(items: &[Item]) -> Option<Vec<String>> {
    let mut edges = Vec::new();
    for item in items {
        if let Item::System(spec) = item {
            edges.extend(spec.after.iter().map(|other| (other.clone(), spec.name.clone())));
            edges.extend(spec.before.iter().map(|other| (spec.name.clone(), other.clone())));
        }
    }
    let named = |(index, item): (usize, &Item)| match item {
        Item::System(spec) => spec.name.clone(),
        Item::Barrier | Item::Commit(_) => format!("|{index}"),
    };
    let mut left: Vec<_> = items.iter().enumerate().map(named).collect();
    let mut order = Vec::new();
    while !left.is_empty() {
        let free = left.iter().position(|name| edges.iter().all(|(from, to)| to != name || !left.contains(from)))?;
        order.push(left.remove(free));
    }
    Some(order)
}

/// The steps without the barrier at the end, neighbouring barriers of the model joined.
fn collapsed(order: Vec<String>) -> Vec<String> {
    let mut steps: Vec<_> =
        order.into_iter().map(|name| if name.starts_with('|') { "|".to_owned() } else { name }).collect();
    steps.push("|".to_owned());
    steps.dedup_by(|a, b| *a == "|" && *b == "|");
    steps
}

fn reaches(segment: &Segment, from: u32, to: u32) -> bool {
    from == to || segment.successors(from).iter().any(|&next| reaches(segment, next, to))
}

proptest! {
    #[test]
    fn schedule_order_is_that_of_the_obvious_model(draws in prop::collection::vec(draw(), 0..14)) {
        let list = schedule(&draws);
        match model(&list) {
            Some(order) => {
                let plan = planned(&list);
                prop_assert_eq!(steps(&plan), collapsed(order));
            }
            None => prop_assert_eq!(refused(&list, &many()).code(), "dependency-cycle"),
        }
    }

    #[test]
    fn every_pair_that_conflicts_or_has_an_edge_is_connected_in_schedule_order(
        draws in prop::collection::vec(draw(), 0..14)
    ) {
        let list = schedule(&draws);
        let Ok(plan) = plan(&list, &many(), &Letters) else { return Ok(()) };
        for segment in plan.segments() {
            for (second, b) in (0..).zip(segment.systems()) {
                for (first, a) in (0..second).zip(segment.systems()) {
                    let clash = !plan.spec(*a).access.conflict(&plan.spec(*b).access).is_empty();
                    let said = plan.edges().iter().any(|edge| (edge.from, edge.to) == (*a, *b));
                    prop_assert!(!(clash || said) || reaches(segment, first, second));
                }
            }
        }
        for edge in plan.edges() {
            prop_assert!(plan.position(edge.from) < plan.position(edge.to));
        }
    }

    #[test]
    fn a_conflict_edge_tells_everything_that_its_two_systems_clash_on(draws in prop::collection::vec(draw(), 0..14)) {
        let Ok(plan) = plan(&schedule(&draws), &many(), &Letters) else { return Ok(()) };
        for edge in plan.edges() {
            let conflict = plan.spec(edge.from).access.conflict(&plan.spec(edge.to).access);
            match &edge.reason {
                Reason::Conflict(reason) => prop_assert_eq!(reason, &conflict),
                Reason::Explicit(_) => {}
            }
            prop_assert!(edge.reason != Reason::Conflict(Conflict::default()));
        }
    }

    #[test]
    fn each_step_of_the_segments_is_there_once_and_counts_its_predecessors(
        draws in prop::collection::vec(draw(), 0..14)
    ) {
        let Ok(plan) = plan(&schedule(&draws), &many(), &Letters) else { return Ok(()) };
        prop_assert_eq!(plan.segments().len(), plan.barriers().len());
        prop_assert_eq!(plan.order().count(), plan.len());
        for segment in plan.segments() {
            let mut counts = vec![0; segment.systems().len()];
            (0..counts.len() as u32).flat_map(|member| segment.successors(member)).for_each(|&to| counts[to as usize] += 1);
            prop_assert_eq!(segment.predecessors(), counts);
        }
    }
}
