mod digest;
mod properties;

use super::testing::*;
use super::*;

#[test]
fn without_edges_schedule_order_is_registration_order() {
    assert_eq!(steps(&planned(&items(["c", "a", "b"].map(system)))), ["c", "a", "b", "|"]);
}

#[test]
fn the_system_that_must_wait_moves_later_and_no_other_moves_earlier() {
    let specs = [system("1"), system("2"), system("3"), before("4", &["2"]), system("5")];
    assert_eq!(steps(&planned(&items(specs))), ["1", "3", "4", "2", "5", "|"]);
}

#[test]
fn a_label_means_every_system_that_carries_it() {
    let specs =
        [after("last", &["movers"]), labelled("movers", system("a")), system("b"), labelled("movers", system("c"))];
    let plan = planned(&items(specs));
    assert_eq!(steps(&plan), ["a", "b", "c", "last", "|"]);
    assert_eq!(plan.edges().len(), 2);
}

#[test]
fn after_a_base_name_means_every_instance_and_after_a_numbered_name_means_that_one() {
    let all = [after("last", &["f"]), unnamed("f"), unnamed("f#2"), system("f#3")];
    assert_eq!(steps(&planned(&items(all))), ["f", "f#2", "last", "f#3", "|"]);
    let one = [after("last", &["f#2"]), unnamed("f#2"), unnamed("f")];
    assert_eq!(steps(&planned(&items(one))), ["f#2", "last", "f", "|"]);
}

#[test]
fn a_chain_binds_instances_of_one_function_without_binding_the_base_name() {
    let chained = |name: &str, to: u32| SystemSpec { follows: vec![id(to)], ..unnamed(name) };
    let plan = planned(&items([chained("f", 2), unnamed("f#2"), chained("f#3", 1)]));
    assert_eq!(steps(&plan), ["f#2", "f", "f#3", "|"]);
    let unknown = refused(&items([chained("f", 9)]), &many());
    assert_eq!(unknown.code(), "unknown-dependency");
}

#[test]
fn an_edge_that_is_declared_twice_is_one_edge_with_its_first_declaration() {
    let specs = [before("a", &["b"]), labelled("late", after("b", &["a"]))];
    let plan = planned(&items(specs));
    let declaration = Declaration { by: id(1), relation: Relation::Before, index: 0 };
    assert_eq!(plan.edges(), [Edge { from: id(1), to: id(2), reason: Reason::Explicit(declaration) }]);
}

#[test]
fn explicit_edges_count_although_their_ends_come_in_another_order_than_they_were_registered() {
    let turned = [after("a", &["w"]), after("b", &["x"]), after("c", &["y"]), after("d", &["z"])];
    let mut specs: Vec<_> = turned.into_iter().map(|spec| labelled("turned", spec)).collect();
    specs.extend(["z", "y", "x", "w"].map(system));
    specs.push(after("last", &["turned"]));
    let plan = planned(&items(specs));
    assert_eq!(steps(&plan), ["z", "d", "y", "c", "x", "b", "w", "a", "last", "|"]);
    assert_eq!(plan.segments()[0].predecessors(), [0, 1, 0, 1, 0, 1, 0, 1, 4]);
}

/// Three systems of one label close a 4-cycle; beside it a self-edge, two more cycles and an edge given twice.
fn tangle() -> Vec<Item> {
    items([
        after("a", &["group"]),
        labelled("group", after("b", &["d"])),
        labelled("group", after("c", &["d"])),
        labelled("group", after("x", &["d"])),
        after("d", &["e"]),
        SystemSpec { before: strings(&["d", "f"]), after: strings(&["a"]), ..system("e") },
        after("f", &["f"]),
        after("g", &["h"]),
        after("h", &["g"]),
    ])
}

#[test]
fn every_separate_cycle_is_reported_with_every_system_on_it_and_the_words_that_close_it() {
    let ScheduleError::Cycles { cycles } = refused(&tangle(), &many()) else { panic!("cycles") };
    let systems: Vec<_> = cycles.iter().map(|cycle| cycle.systems.join(" ")).collect();
    assert_eq!(systems, ["a e d b", "f", "g h"]);
    assert_eq!(cycles[0].declarations, ["`e` after `a`", "`d` after `e`", "`b` after `d`", "`a` after `group`"]);
}

#[test]
fn the_text_of_a_cycle_error_is_the_same_in_each_of_a_hundred_builds() {
    let first = refused(&tangle(), &many()).to_string();
    assert!((0..100).all(|_| refused(&tangle(), &many()).to_string() == first));
    assert_eq!(
        first,
        "no order can keep every dependency; take one out of each cycle:\
         \n  `a` -> `e` -> `d` -> `b` -> `a` (declared: `e` after `a`, `d` after `e`, `b` after `d`, `a` after `group`)\
         \n  `f` -> `f` (declared: `f` after `f`)\
         \n  `g` -> `h` -> `g` (declared: `h` after `g`, `g` after `h`)"
    );
}

#[test]
fn a_system_ordered_against_its_own_label_or_base_waits_for_itself() {
    let own_label = items([labelled("movers", after("a", &["movers"]))]);
    assert_eq!(refused(&own_label, &many()).code(), "dependency-cycle");
    let own_base = items([unnamed("f"), SystemSpec { after: strings(&["f"]), ..unnamed("f#2") }]);
    assert_eq!(refused(&own_base, &many()).code(), "dependency-cycle");
}

#[test]
fn a_name_that_nobody_has_is_reported_with_system_list_and_place() {
    let specs = [system("a"), SystemSpec { before: strings(&["a", "nobody"]), ..after("b", &["a"]) }];
    let error = refused(&items(specs), &many());
    let expected = ScheduleError::UnknownDependency {
        system: "b".into(),
        relation: Relation::Before,
        name: "nobody".into(),
        position: 2,
    };
    assert_eq!(error, expected);
}

#[test]
fn an_unknown_name_is_reported_before_a_cycle_and_a_cycle_before_writers() {
    let single = Options { ambiguity: Policy::SingleWriter, ..many() };
    let mut specs = vec![touching("a", &[], &[1]), touching("b", &[], &[1]), after("c", &["c"]), after("d", &["?"])];
    assert_eq!(refused(&items(specs.clone()), &single).code(), "unknown-dependency");
    specs.pop();
    assert_eq!(refused(&items(specs.clone()), &single).code(), "dependency-cycle");
    specs.pop();
    assert_eq!(refused(&items(specs), &single).code(), "several-writers");
}

fn drawing(key: &str, name: &str) -> SystemSpec {
    SystemSpec { draws: true, stream: Some(key.to_owned()), ..system(name) }
}

/// The code of what is found first in a list with a crowd that has too many edges, a cycle and two writers at its end.
fn first_failure(front: &[SystemSpec], has_crowd: bool, back: &[SystemSpec]) -> &'static str {
    let crowd = if has_crowd { 1_200 } else { 1 };
    let early = (0..crowd).map(|n| labelled("early", system(&format!("e{n}"))));
    let late = (0..crowd).map(|n| after(&format!("l{n}"), &["early"]));
    let end = [after("round", &["round"]), touching("one", &[], &[1]), touching("two", &[], &[1])];
    let specs = front.iter().cloned().chain(early).chain(late).chain(back.iter().cloned()).chain(end);
    refused(&items(specs), &Options { ambiguity: Policy::SingleWriter, ..many() }).code()
}

#[test]
fn over_all_systems_shared_keys_are_found_first_then_system_by_system_names_and_edges_then_cycles() {
    let twins = [drawing("dice", "first"), drawing("dice", "second")];
    let lost = [after("lost", &["nobody"])];
    assert_eq!(first_failure(&lost, true, &twins), "stream-shared");
    assert_eq!(first_failure(&lost, true, &[]), "unknown-dependency");
    assert_eq!(first_failure(&[], true, &lost), "too-many-edges");
    assert_eq!(first_failure(&[], false, &lost), "unknown-dependency");
    assert_eq!(first_failure(&[], false, &[drawing("dice", "first"), drawing("cards", "second")]), "dependency-cycle");
}

#[test]
fn labels_that_multiply_to_too_many_edges_are_refused_with_the_limit() {
    let early = (0..1_200).map(|n| labelled("early", system(&format!("e{n}"))));
    let late = (0..1_200).map(|n| after(&format!("l{n}"), &["early"]));
    let error = refused(&items(early.chain(late)), &many());
    assert_eq!(error, ScheduleError::TooManyEdges { system: "l873".into(), limit: MAX_EXPLICIT_EDGES });
}

#[test]
fn a_barrier_keeps_its_place_and_a_system_that_waits_passes_it() {
    let list = vec![
        Item::System(after("a", &["d"])),
        Item::System(system("b")),
        Item::Barrier,
        Item::System(system("c")),
        Item::System(system("d")),
    ];
    let plan = planned(&list);
    assert_eq!(steps(&plan), ["b", "|", "c", "d", "a", "|"]);
    assert_eq!(plan.barriers()[0].reasons, [BarrierReason::Explicit(0)]);
    assert_eq!(plan.barriers()[1].reasons, [BarrierReason::End]);
}

fn chain_with_exclusives() -> Vec<Item> {
    items([
        commanding(system("spawn")),
        after("plain", &["spawn"]),
        SystemSpec { after: strings(&["plain"]), ..exclusive("look") },
        system("between"),
        exclusive("edit"),
        exclusive("save"),
    ])
}

#[test]
fn an_exclusive_system_stands_between_barriers_and_neighbours_share_one_with_both_reasons() {
    let plan = planned(&chain_with_exclusives());
    assert_eq!(steps(&plan), ["spawn", "plain", "|", "look", "|", "between", "|", "edit", "|", "save", "|"]);
    let reasons: Vec<_> = plan.barriers().iter().map(|barrier| barrier.reasons.clone()).collect();
    use BarrierReason::{AfterExclusive, BeforeExclusive, End};
    assert_eq!(reasons[0], [BeforeExclusive(id(3))]);
    assert_eq!(reasons[3], [AfterExclusive(id(5)), BeforeExclusive(id(6))]);
    assert_eq!(reasons[4], [AfterExclusive(id(6)), End]);
}

#[test]
fn access_to_the_whole_world_makes_a_system_exclusive_in_whatever_shape() {
    let mut whole = system("whole");
    whole.access.exclusive = true;
    assert_eq!(steps(&planned(&items([system("a"), whole, system("b")]))), ["a", "|", "whole", "|", "b", "|"]);
}

#[test]
fn neighbouring_barriers_are_one_that_keeps_every_reason() {
    let list = [Item::Barrier, Item::Barrier, Item::System(exclusive("x")), Item::Barrier];
    let plan = planned(&list);
    assert_eq!(steps(&plan), ["|", "x", "|"]);
    use BarrierReason::{AfterExclusive, BeforeExclusive, End, Explicit};
    assert_eq!(plan.barriers()[0].reasons, [Explicit(0), Explicit(1), BeforeExclusive(id(1))]);
    assert_eq!(plan.barriers()[1].reasons, [AfterExclusive(id(1)), Explicit(2), End]);
}

#[test]
fn place_and_number_of_barriers_are_the_same_in_each_rebuild() {
    let list = chain_with_exclusives();
    let first = planned(&list);
    assert!((0..100).all(|_| planned(&list) == first));
    let mut rebuilt = first.clone();
    rebuilt.set_enabled(id(4), false);
    assert_eq!(rebuilt.barriers(), first.barriers());
}

#[test]
fn positions_count_steps_from_one_and_barriers_have_theirs() {
    let plan = planned(&chain_with_exclusives());
    for (index, step) in plan.steps().iter().enumerate() {
        let position = match step {
            Step::Run(id) => plan.position(*id),
            Step::Barrier(id) => plan.barrier(*id).position,
        };
        assert_eq!(position as usize, index + 1);
    }
    let firsts: Vec<_> = plan.segments().iter().map(Segment::first_position).collect();
    assert_eq!(firsts, [1, 4, 6, 8, 10]);
    assert_eq!(plan.segment(id(4)), 2);
}

#[test]
fn an_empty_schedule_is_one_barrier() {
    let plan = planned(&[]);
    assert!(plan.is_empty() && plan.edges().is_empty() && plan.diagnostics().is_empty());
    assert_eq!(steps(&plan), ["|"]);
    assert!(plan.segments()[0].systems().is_empty());
}

#[test]
fn a_disabled_system_keeps_its_place_edges_and_hash() {
    let specs = [touching("a", &[], &[1]), touching("b", &[1], &[]), exclusive("c")];
    let plan = planned(&items(specs.clone()));
    let off = specs.map(|spec| SystemSpec { enabled: false, ..spec });
    let mut plan_off = planned(&items(off));
    assert_eq!((plan_off.steps(), plan_off.edges()), (plan.steps(), plan.edges()));
    assert_eq!(plan_off.hash(), plan.hash());
    plan.systems().for_each(|id| plan_off.set_enabled(id, true));
    assert_eq!(plan_off, plan);
}

#[test]
fn a_barrier_joins_the_critical_paths_of_its_segments() {
    let list = [
        Item::System(touching("a", &[], &[1])),
        Item::System(touching("b", &[], &[2])),
        Item::System(touching("c", &[1], &[])),
        Item::Barrier,
        Item::System(system("d")),
        Item::System(system("e")),
    ];
    let plan = planned(&list);
    let path = plan.critical_path(|id| [4, 9, 6, 1, 2][id.index()]);
    assert_eq!(path, CriticalPath { weight: 12, systems: vec![id(1), id(3), id(5)] });
}

#[test]
fn six_thousand_systems_are_planned_whether_all_or_none_conflict() {
    let name = |n: u32| format!("s{n}");
    let chain = planned(&items((0..6_000).map(|n| touching(&name(n), &[], &[1]))));
    assert_eq!(chain.edges().len(), 5_999);
    let free = planned(&items((0..6_000).map(|n| touching(&name(n), &[1], &[]))));
    assert!(free.edges().is_empty());
    let mixed = planned(&items((0..6_000).map(|n| touching(&name(n), &[n % 7, n % 250], &[n % 101]))));
    assert!(mixed.edges().len() < 60_000);
}
