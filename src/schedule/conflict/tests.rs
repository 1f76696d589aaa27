use super::super::testing::*;
use super::*;
use crate::access::QueryAccess;

fn links_of(accesses: &[Access]) -> Links {
    let accesses: Vec<_> = accesses.iter().collect();
    link(&accesses, &vec![Vec::new(); accesses.len()])
}

fn one(query: QueryAccess) -> Access {
    Access { queries: vec![query], ..Access::default() }
}

fn resources(reads: &[u32], writes: &[u32]) -> Access {
    Access { resource_reads: set(reads), resource_writes: set(writes), ..Access::default() }
}

fn optional(reads: &[u32], writes: &[u32]) -> Access {
    one(QueryAccess { reads: set(reads), writes: set(writes), ..QueryAccess::default() })
}

fn filtered(reads: &[u32], writes: &[u32], with: &[u32], without: &[u32]) -> Access {
    let mut query = query(reads, writes);
    query.with.union_with(&set(with));
    query.without = set(without);
    one(query)
}

fn both(a: Access, b: Access) -> Access {
    Access { queries: [a.queries, b.queries].concat(), ..a }
}

const A: &[u32] = &[1];
const B: &[u32] = &[2];
const NONE: &[u32] = &[];

/// Pairs of parameters, and whether they put an edge between their systems. `T` is a tag of number 9.
fn table() -> Vec<(&'static str, Access, Access, bool)> {
    let read = |ids| one(query(ids, NONE));
    let write = |ids| one(query(NONE, ids));
    const T: &[u32] = &[9];
    vec![
        ("&mut A, &mut A", write(A), write(A), true),
        ("&A, &mut A", read(A), write(A), true),
        ("&mut A, &A", write(A), read(A), true),
        ("&A, &A", read(A), read(A), false),
        ("&mut A, &mut B", write(A), write(B), false),
        ("&A, &mut B", read(A), write(B), false),
        ("Option<&mut A>, &A", optional(NONE, A), read(A), true),
        ("Option<&A>, &mut A", optional(A, NONE), write(A), true),
        ("Option<&A>, Option<&A>", optional(A, NONE), optional(A, NONE), false),
        ("Option<&mut A>, Option<&mut A>", optional(NONE, A), optional(NONE, A), true),
        ("Option<&mut A>, (&mut A, Without<A>) is absurd and disjoint", write(A), filtered(NONE, B, NONE, A), false),
        ("&mut A with T, &mut A without T", filtered(NONE, A, T, NONE), filtered(NONE, A, NONE, T), false),
        ("&mut A without T, &A with T", filtered(NONE, A, NONE, T), filtered(A, NONE, T, NONE), false),
        ("&mut A with T, &mut A with T", filtered(NONE, A, T, NONE), filtered(NONE, A, T, NONE), true),
        ("&mut A without T, &mut A without T", filtered(NONE, A, NONE, T), filtered(NONE, A, NONE, T), true),
        ("&mut A with T, &mut A", filtered(NONE, A, T, NONE), write(A), true),
        ("&mut A without T, &mut A", filtered(NONE, A, NONE, T), write(A), true),
        ("(&mut A, &B), &mut A without B", one(query(B, A)), filtered(NONE, A, NONE, B), false),
        ("(&mut A, Option<&B>), &mut A without B", optional(B, A), filtered(NONE, A, NONE, B), true),
        ("AnyOf<(&mut A, &mut B)>, &A", optional(NONE, &[1, 2]), read(A), true),
        ("AnyOf<(&A, &B)>, &mut B", optional(&[1, 2], NONE), write(B), true),
        ("AnyOf<(&A, &B)>, &A", optional(&[1, 2], NONE), read(A), false),
        ("read all, &mut A", optional(&[1, 2, 9], NONE), write(A), true),
        ("read all, &A", optional(&[1, 2, 9], NONE), read(A), false),
        ("write all, &A", optional(NONE, &[1, 2, 9]), read(A), true),
        ("read all, resource", optional(&[1, 2, 9], NONE), resources(NONE, A), false),
        ("query and resource of one number", write(A), resources(NONE, A), false),
        ("Res R, Res R", resources(A, NONE), resources(A, NONE), false),
        ("Res R, ResMut R", resources(A, NONE), resources(NONE, A), true),
        ("ResMut R, ResMut R", resources(NONE, A), resources(NONE, A), true),
        ("ResMut R, ResMut S", resources(NONE, A), resources(NONE, B), false),
        ("two queries, the second clashes", both(read(B), write(A)), both(read(B), read(A)), true),
        ("two queries, none clashes", both(read(B), write(A)), both(read(B), filtered(A, NONE, NONE, A)), false),
        ("nothing, &mut A", Access::default(), write(A), false),
        ("nothing, nothing", Access::default(), Access::default(), false),
    ]
}

#[test]
fn each_pair_of_parameters_makes_an_edge_or_none_as_the_table_says_both_ways() {
    for (pair, a, b, edge) in table() {
        assert_eq!(links_of(&[a.clone(), b.clone()]).reduced.len(), usize::from(edge), "{pair}");
        assert_eq!(links_of(&[b, a]).reduced.len(), usize::from(edge), "{pair}, turned");
    }
}

#[test]
fn an_exclusive_access_conflicts_with_one_that_touches_nothing() {
    let whole = Access { exclusive: true, ..Access::default() };
    assert!(whole.conflict(&Access::default()).exclusive);
}

#[test]
fn a_conflict_that_a_path_implies_gets_no_edge_of_its_own() {
    let writer = one(query(NONE, A));
    let links = links_of(&[writer.clone(), one(query(A, NONE)), one(query(A, NONE)), writer]);
    assert_eq!(links.reduced, [(0, 1), (0, 2), (2, 3), (1, 3)]);
    assert_eq!(links.conflicts.len(), 4);
}

#[test]
fn a_writer_behind_a_disjoint_one_is_still_ordered_after_both_halves() {
    let (with, without) = (filtered(NONE, A, B, NONE), filtered(NONE, A, NONE, B));
    let links = links_of(&[with, without, one(query(A, NONE))]);
    assert_eq!(links.reduced, [(1, 2), (0, 2)]);
}

#[test]
fn an_explicit_edge_makes_a_conflict_path_and_a_conflict_makes_an_explicit_one() {
    let (a, b) = (one(query(NONE, A)), one(query(NONE, B)));
    let both = one(query(NONE, &[1, 2]));
    let accesses = [&a, &b, &both];
    let links = link(&accesses, &[vec![], vec![0], vec![0]]);
    assert_eq!(links.reduced, [(0, 1), (1, 2)]);
    let conflicts: Vec<_> = links.conflicts.iter().map(|(from, to, _)| (*from, *to)).collect();
    assert_eq!(conflicts, [(1, 2)]);
}

#[test]
fn the_reason_of_an_edge_is_complete() {
    let many = Access { resource_writes: set(&[7]), ..one(query(&[1], &[2, 3])) };
    let other = Access { resource_reads: set(&[7]), ..one(query(&[2], &[1])) };
    let links = links_of(&[many, other]);
    assert_eq!(links.conflicts[0].2, Conflict { components: set(&[1, 2]), resources: set(&[7]), exclusive: false });
}
