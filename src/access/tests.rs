use super::*;

fn set(ids: &[u32]) -> IdSet {
    ids.iter().copied().collect()
}

fn query(reads: &[u32], writes: &[u32], with: &[u32], without: &[u32]) -> QueryAccess {
    QueryAccess { reads: set(reads), writes: set(writes), with: set(with), without: set(without) }
}

fn one(query: QueryAccess) -> Access {
    Access { queries: vec![query], ..Access::default() }
}

#[test]
fn two_readers_never_conflict() {
    let reader = one(query(&[1, 2], &[], &[1, 2], &[]));
    assert!(reader.conflict(&reader).is_empty());
}

#[test]
fn a_writer_conflicts_with_readers_and_writers_of_the_same_component() {
    let writer = one(query(&[], &[1], &[1], &[]));
    let reader = one(query(&[1], &[], &[1], &[]));
    assert_eq!(writer.conflict(&reader).components, set(&[1]));
    assert_eq!(reader.conflict(&writer).components, set(&[1]));
    assert_eq!(writer.conflict(&writer).components, set(&[1]));
}

#[test]
fn with_against_without_proves_disjointness_both_ways() {
    let dead = one(query(&[], &[1], &[1, 9], &[]));
    let living = one(query(&[], &[1], &[1], &[9]));
    assert!(dead.conflict(&living).is_empty() && living.conflict(&dead).is_empty());
}

#[test]
fn optional_terms_prove_nothing() {
    let optional = one(query(&[], &[1], &[], &[]));
    let other = one(query(&[1], &[], &[1], &[]));
    assert_eq!(optional.conflict(&other).components, set(&[1]));
}

#[test]
fn no_filter_keeps_a_writer_apart_from_who_looks_its_component_up() {
    let looks_up = Access { lookups: set(&[1]), ..one(query(&[2], &[3], &[2, 3, 9], &[])) };
    let writer = one(query(&[], &[1], &[1], &[9]));
    assert_eq!(looks_up.conflict(&writer).components, set(&[1]));
    assert_eq!(writer.conflict(&looks_up).components, set(&[1]));
    assert!(looks_up.conflict(&one(query(&[1], &[], &[1], &[]))).is_empty(), "a reader");
    assert!(
        looks_up.conflict(&Access { lookups: set(&[1, 2]), ..Access::default() }).is_empty(),
        "another that looks up"
    );
    assert_eq!((looks_up.component_reads(), looks_up.component_writes()), (set(&[1, 2]), set(&[3])));
}

#[test]
fn resources_and_components_of_the_same_number_never_meet() {
    let component = one(query(&[], &[5], &[5], &[]));
    let resource = Access { resource_writes: set(&[5]), ..Access::default() };
    assert!(component.conflict(&resource).is_empty());
    assert_eq!(resource.conflict(&resource).resources, set(&[5]));
}

#[test]
fn a_set_is_what_it_holds_not_what_it_reserved() {
    let mut grown = set(&[1, 900]);
    grown.remove(900);
    assert_eq!(grown, set(&[1]));
    assert!(grown.is_subset(&set(&[1])) && !set(&[1, 2]).is_subset(&grown));
    assert_eq!(grown.len(), 1);
}

#[test]
fn ids_come_in_ascending_order_across_words() {
    assert_eq!(set(&[130, 0, 63, 64, 127]).iter().collect::<Vec<_>>(), [0, 63, 64, 127, 130]);
}

#[test]
fn two_accesses_may_overlap_where_they_have_no_conflict() {
    let sets: [&[u32]; 3] = [&[], &[1], &[2]];
    let mut accesses = vec![Access { exclusive: true, ..Access::default() }];
    for (reads, writes, with) in sets.iter().flat_map(|a| sets.iter().flat_map(|b| sets.map(|c| (*a, *b, c)))) {
        for without in sets {
            let mut access = one(query(reads, writes, with, without));
            access.resource_reads = set(with);
            access.resource_writes = set(writes);
            accesses.push(access.clone());
            accesses.push(Access { lookups: set(with), ..access });
        }
    }
    for a in &accesses {
        for b in &accesses {
            assert_eq!(a.may_overlap(b), a.conflict(b).is_empty(), "{a:?} {b:?}");
        }
    }
}
