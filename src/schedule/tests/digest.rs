use super::super::testing::*;
use super::super::*;
use fixed::types::I16F16;

fn swapped(mut items: Vec<Item>, a: usize, b: usize) -> Vec<Item> {
    items.swap(a, b);
    items
}

#[test]
fn the_hash_changes_with_whatever_counts() {
    let base = vec![
        Item::System(touching("a", &[1], &[2])),
        Item::System(system("b")),
        Item::Barrier,
        Item::System(touching("c", &[2], &[])),
    ];
    let changed = |index: usize, change: fn(&mut SystemSpec)| {
        let mut list = base.clone();
        let Item::System(spec) = &mut list[index] else { panic!("a system") };
        change(spec);
        planned(&list).hash()
    };
    let mut hashes = vec![
        planned(&base).hash(),
        planned(&base[..2]).hash(),
        planned(&swapped(base.clone(), 0, 1)).hash(),
        planned(&swapped(base.clone(), 1, 2)).hash(),
        changed(1, |spec| spec.name = "z".into()),
        changed(1, |spec| spec.rate = Rate { every: 2, offset: 0 }),
        changed(1, |spec| spec.rate = Rate { every: 2, offset: 1 }),
        changed(1, |spec| spec.after = strings(&["a"])),
        changed(1, |spec| spec.shape = Shape::Exclusive),
        changed(1, |spec| spec.access.resource_reads = set(&[1])),
        changed(1, |spec| spec.access.resource_writes = set(&[1])),
        changed(1, |spec| spec.records_commands = true),
        changed(1, |spec| spec.draws = true),
        changed(1, |spec| (spec.draws, spec.stream) = (true, Some("dice".into()))),
        changed(0, |spec| spec.access.queries[0].without = set(&[9])),
        changed(0, |spec| spec.access.queries[0].with = set(&[9])),
        changed(0, |spec| spec.access.queries[0].reads = set(&[])),
        changed(0, |spec| spec.access.queries[0].writes = set(&[3])),
        changed(0, |spec| spec.access.queries.push(query(&[1], &[]))),
        changed(0, |spec| spec.access.lookups = set(&[1])),
        changed(0, |spec| spec.access.lookups = set(&[3])),
        changed(1, |spec| spec.access.manager_reads = set(&[1])),
        changed(1, |spec| spec.access.manager_reads = set(&[2])),
    ];
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}

#[test]
fn budgets_labels_and_the_way_an_edge_is_said_do_not_change_the_hash() {
    let base = [touching("a", &[], &[2]), after("b", &["a"]), touching("c", &[], &[2])];
    let hash = planned(&items(base.clone())).hash();
    let budget = base.clone().map(|spec| SystemSpec { budget: Some(I16F16::ONE), ..spec });
    let pinned = base.clone().map(|spec| labelled("all", SystemSpec { pinned: true, ..spec }));
    let said = [before("a", &["b"]), system("b"), base[2].clone()];
    let said = [SystemSpec { before: said[0].before.clone(), ..base[0].clone() }, said[1].clone(), said[2].clone()];
    for same in [budget, pinned, said] {
        assert_eq!(planned(&items(same)).hash(), hash);
    }
    let strict = Options { ambiguity: Policy::Warn, report_read_before_write: true, ..many() };
    let warned = plan(&items(base), &strict, &Letters).expect("a plan");
    assert!(!warned.diagnostics().is_empty());
    assert_eq!(warned.hash(), hash);
}

#[test]
fn the_hash_of_a_plan_is_this_number_on_every_platform() {
    assert_eq!(format!("{:016x}", planned(&super::chain_with_exclusives()).hash()), "cf4d11bc9917d2f8");
}
