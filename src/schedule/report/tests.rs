use super::super::testing::*;
use super::*;
use crate::schedule::{Item, Plan, plan};

fn under(policy: Policy) -> Options {
    Options { ambiguity: policy, ..many() }
}

fn warned(list: &[Item]) -> Plan {
    plan(list, &under(Policy::Warn), &Letters).expect("a plan")
}

fn watched(list: &[Item]) -> Plan {
    plan(list, &Options { report_read_before_write: true, ..many() }, &Letters).expect("a plan")
}

fn ambiguity(first: u32, second: u32, components: &[u32]) -> Diagnostic {
    Diagnostic::Ambiguity { first: id(first), second: id(second), components: set(components), resources: set(&[]) }
}

fn writer(name: &str) -> SystemSpec {
    touching(name, &[], &[1])
}

#[test]
fn two_writers_that_only_registration_orders_are_legal_reported_or_refused_by_policy() {
    let list = items([writer("a"), writer("b")]);
    assert!(planned(&list).diagnostics().is_empty());
    assert_eq!(warned(&list).diagnostics(), [ambiguity(1, 2, &[1])]);
    let error = refused(&list, &under(Policy::Reject));
    assert_eq!(
        error.to_string(),
        "writers of the same data are ordered by their registration alone; say with before, after or a barrier which \
         comes first:\n  `a` and `b` write C1"
    );
}

#[test]
fn an_explicit_path_through_others_or_an_explicit_barrier_settles_two_writers() {
    let through = items([writer("a"), after("x", &["a"]), SystemSpec { after: strings(&["x"]), ..writer("b") }]);
    assert!(warned(&through).diagnostics().is_empty());
    let barred = [Item::System(writer("a")), Item::Barrier, Item::System(writer("b"))];
    assert!(plan(&barred, &under(Policy::Reject), &Letters).is_ok());
}

#[test]
fn the_barriers_of_an_exclusive_system_between_two_writers_settle_nothing() {
    let list = items([writer("a"), exclusive("x"), writer("b")]);
    assert_eq!(warned(&list).diagnostics(), [ambiguity(1, 3, &[1])]);
}

#[test]
fn readers_and_writers_that_never_meet_are_not_ambiguous() {
    let (mut dead, mut living) = (query(&[], &[1]), query(&[], &[1]));
    dead.with.insert(9);
    living.without.insert(9);
    let list = items([querying("dead", vec![dead]), querying("living", vec![living]), touching("reader", &[1], &[])]);
    assert!(warned(&list).diagnostics().is_empty());
}

#[test]
fn two_writers_of_one_resource_are_ambiguous_too() {
    let writer = |name: &str| {
        let mut spec = system(name);
        spec.access.resource_writes = set(&[4]);
        spec
    };
    let error = refused(&items([writer("a"), writer("b")]), &under(Policy::Reject));
    let pair = WriterPair { first: "a".into(), second: "b".into(), data: strings(&["R4"]) };
    assert_eq!(error, ScheduleError::AmbiguousWriters { pairs: vec![pair] });
}

#[test]
fn a_single_writer_policy_refuses_even_ordered_writers_and_names_them_all() {
    let list = items([
        touching("a", &[], &[2, 3]),
        SystemSpec { after: strings(&["a"]), ..touching("b", &[], &[3]) },
        touching("c", &[3], &[2]),
        touching("d", &[], &[4]),
    ]);
    let error = refused(&list, &under(Policy::SingleWriter));
    assert_eq!(
        error.to_string(),
        "the policy allows one writer for each component; join these systems or relax the policy:\
         \n  C2 is written by `a`, `c`\n  C3 is written by `a`, `b`"
    );
    assert!(plan(&items([writer("a"), touching("b", &[1], &[2])]), &under(Policy::SingleWriter), &Letters).is_ok());
}

#[test]
fn a_read_before_a_write_is_reported_once_for_each_reader_writer_and_component() {
    let list =
        items([touching("r", &[1, 2], &[]), touching("w", &[], &[1, 2]), touching("late", &[1], &[]), writer("w2")]);
    let found =
        |reader, writer, component| Diagnostic::ReadBeforeWrite { reader: id(reader), writer: id(writer), component };
    assert_eq!(watched(&list).diagnostics(), [found(1, 2, 1), found(1, 2, 2), found(1, 4, 1), found(3, 4, 1)]);
    assert!(planned(&list).diagnostics().is_empty());
}

#[test]
fn a_reader_moved_behind_the_writer_or_of_other_rows_is_not_reported() {
    let moved = items([SystemSpec { after: strings(&["w"]), ..touching("r", &[1], &[]) }, writer("w")]);
    assert!(watched(&moved).diagnostics().is_empty());
    let mut living = query(&[1], &[]);
    living.without.insert(9);
    let disjoint = items([querying("r", vec![living]), touching("w", &[9], &[1])]);
    assert!(watched(&disjoint).diagnostics().is_empty());
}

#[test]
fn an_explicit_edge_from_commands_to_a_system_behind_no_barrier_is_reported() {
    let mut list = items([commanding(system("spawn")), after("look", &["spawn"]), after("plain", &["look"])]);
    assert_eq!(planned(&list).diagnostics(), [Diagnostic::CommandsNotVisible { from: id(1), to: id(2) }]);
    list.insert(1, Item::Barrier);
    assert!(planned(&list).diagnostics().is_empty());
}

#[test]
fn a_flood_of_findings_is_cut_at_the_limit_and_says_so() {
    let plan = warned(&items((0..100).map(|n| writer(&format!("w{n}")))));
    assert_eq!(plan.diagnostics().len(), MAX_REPORTS + 1);
    assert_eq!(plan.diagnostics()[MAX_REPORTS], Diagnostic::Truncated { code: "ambiguous-writers" });
    let ScheduleError::AmbiguousWriters { pairs } =
        refused(&items((0..100).map(|n| writer(&format!("w{n}")))), &under(Policy::Reject))
    else {
        panic!("ambiguous writers")
    };
    assert_eq!(pairs.len(), MAX_REPORTS);
}

#[test]
fn six_thousand_writers_in_one_explicit_chain_are_looked_through_at_once() {
    let link = |n: u32| SystemSpec {
        after: n.checked_sub(1).map(|m| format!("w{m}")).into_iter().collect(),
        ..writer(&format!("w{n}"))
    };
    assert!(warned(&items((0..6_000).map(link))).diagnostics().is_empty());
}
