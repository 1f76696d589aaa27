//! Small words for tests of this room.

use super::*;
use crate::access::{Access, IdSet, QueryAccess};
pub(super) use crate::system::{Rate, Shape, SystemSpec};

pub(super) struct Letters;

impl Names for Letters {
    fn component(&self, id: u32) -> String {
        format!("C{id}")
    }

    fn resource(&self, id: u32) -> String {
        format!("R{id}")
    }

    fn manager(&self, id: u32) -> String {
        format!("M{id}")
    }
}

pub(super) fn strings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

pub(super) fn set(ids: &[u32]) -> IdSet {
    ids.iter().copied().collect()
}

pub(super) fn system(name: &str) -> SystemSpec {
    SystemSpec::new(name)
}

pub(super) fn after(name: &str, others: &[&str]) -> SystemSpec {
    SystemSpec { after: strings(others), ..system(name) }
}

pub(super) fn before(name: &str, others: &[&str]) -> SystemSpec {
    SystemSpec { before: strings(others), ..system(name) }
}

pub(super) fn labelled(label: &str, spec: SystemSpec) -> SystemSpec {
    SystemSpec { labels: strings(&[label]), ..spec }
}

pub(super) fn commanding(spec: SystemSpec) -> SystemSpec {
    SystemSpec { records_commands: true, ..spec }
}

pub(super) fn exclusive(name: &str) -> SystemSpec {
    SystemSpec { shape: Shape::Exclusive, ..system(name) }
}

/// A system as it is when the user gave no name.
pub(super) fn unnamed(name: &str) -> SystemSpec {
    SystemSpec { explicit_name: false, ..system(name) }
}

/// One query with required terms only.
pub(super) fn query(reads: &[u32], writes: &[u32]) -> QueryAccess {
    let (reads, writes) = (set(reads), set(writes));
    let mut with = reads.clone();
    with.union_with(&writes);
    QueryAccess { reads, writes, with, ..QueryAccess::default() }
}

pub(super) fn querying(name: &str, queries: Vec<QueryAccess>) -> SystemSpec {
    SystemSpec { access: Access { queries, ..Access::default() }, ..system(name) }
}

pub(super) fn touching(name: &str, reads: &[u32], writes: &[u32]) -> SystemSpec {
    querying(name, vec![query(reads, writes)])
}

pub(super) fn items(specs: impl IntoIterator<Item = SystemSpec>) -> Vec<Item> {
    specs.into_iter().map(Item::System).collect()
}

pub(super) fn many() -> Options {
    Options { max_systems: u32::MAX, ..Options::default() }
}

pub(super) fn planned(items: &[Item]) -> Plan {
    plan(items, &many(), &Letters).expect("a plan")
}

pub(super) fn refused(items: &[Item], options: &Options) -> ScheduleError {
    plan(items, options, &Letters).expect_err("no plan")
}

/// The steps by name, barriers as `|`.
pub(super) fn steps(plan: &Plan) -> Vec<&str> {
    let name = |step: &Step| match step {
        Step::Run(id) => plan.spec(*id).name.as_str(),
        Step::Barrier(_) => "|",
    };
    plan.steps().iter().map(name).collect()
}

pub(super) fn id(number: u32) -> crate::system::SystemId {
    crate::system::SystemId::from_index(number as usize - 1)
}
