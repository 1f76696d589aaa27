use super::conflict::slot;
use super::error::{ScheduleError, WriterClash, WriterPair};
use super::name_table::NameTable;
use super::resolve::ExplicitEdge;
use super::spec::{Options, Policy};
use crate::access::{Access, IdSet};
use crate::graph::{NodeSet, Reduction};
use crate::system::SystemId;
use crate::system::SystemSpec;
use std::collections::BTreeMap;

/// The number of findings of one kind that a plan or an error lists.
pub const MAX_REPORTS: usize = 1024;

/// Something about a plan that is legal and perhaps not meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Diagnostic {
    /// An explicit edge leads from a system that records commands to one behind no barrier, which sees none of them.
    CommandsNotVisible {
        /// The system that records commands.
        from: SystemId,
        /// The system that waits for it.
        to: SystemId,
    },
    /// A system reads a component before another writes it, so it sees the values of the tick before.
    ReadBeforeWrite {
        /// The system that reads.
        reader: SystemId,
        /// The system that writes later in the tick.
        writer: SystemId,
        /// The component.
        component: u32,
    },
    /// Two systems write the same, and nothing but registration order puts them in order.
    Ambiguity {
        /// The system that comes first in schedule order.
        first: SystemId,
        /// The other one.
        second: SystemId,
        /// The components that both write.
        components: IdSet,
        /// The resources that both write.
        resources: IdSet,
    },
    /// There are more findings of one kind than [`MAX_REPORTS`]; the rest is not listed.
    Truncated {
        /// The code of that kind.
        code: &'static str,
    },
}

impl Diagnostic {
    /// The name of this kind of finding; it never changes.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::CommandsNotVisible { .. } => "commands-not-visible",
            Self::ReadBeforeWrite { .. } => "read-before-write",
            Self::Ambiguity { .. } => "ambiguous-writers",
            Self::Truncated { .. } => "truncated",
        }
    }
}

/// An arranged schedule under inspection.
pub(super) struct Survey<'a> {
    pub(super) specs: &'a [&'a SystemSpec],
    pub(super) edges: &'a [ExplicitEdge],
    pub(super) names: &'a NameTable,
    /// The systems in schedule order.
    pub(super) order: &'a [SystemId],
    /// For each system, its segment.
    pub(super) segment: &'a [u32],
    /// For each system, its stage: how many explicit barriers come before it.
    pub(super) stage: &'a [u32],
}

impl Survey<'_> {
    /// Refuses what the policy forbids, and reports the rest.
    pub(super) fn run(&self, options: &Options) -> Result<Vec<Diagnostic>, ScheduleError> {
        let mut findings = Vec::new();
        match options.ambiguity {
            Policy::Order => {}
            Policy::Warn => report(&mut findings, self.ambiguities()),
            Policy::Reject => self.reject_ambiguities()?,
            Policy::SingleWriter => self.reject_several_writers()?,
        }
        if options.report_read_before_write {
            report(&mut findings, self.reads_before_writes());
        }
        report(&mut findings, self.commands_not_visible());
        Ok(findings)
    }

    fn reject_several_writers(&self) -> Result<(), ScheduleError> {
        let mut writers = BTreeMap::<u32, Vec<String>>::new();
        for spec in self.specs {
            for component in spec.access.component_writes().iter() {
                writers.entry(component).or_default().push(spec.name.clone());
            }
        }
        let several = writers.into_iter().filter(|(_, writers)| writers.len() > 1);
        let name = |component| self.names.component(component).to_owned();
        let clashes: Vec<_> =
            several.map(|(component, writers)| WriterClash { component: name(component), writers }).collect();
        if clashes.is_empty() { Ok(()) } else { Err(ScheduleError::SeveralWriters { clashes }) }
    }

    fn reject_ambiguities(&self) -> Result<(), ScheduleError> {
        let pairs: Vec<_> = self.ambiguities().take(MAX_REPORTS).filter_map(|pair| self.writer_pair(&pair)).collect();
        if pairs.is_empty() { Ok(()) } else { Err(ScheduleError::AmbiguousWriters { pairs }) }
    }

    fn writer_pair(&self, finding: &Diagnostic) -> Option<WriterPair> {
        let Diagnostic::Ambiguity { first, second, components, resources } = finding else {
            return None;
        };
        let name = |id: &SystemId| self.specs[id.index()].name.clone();
        Some(WriterPair { first: name(first), second: name(second), data: self.names.list(components, resources) })
    }

    /// Pairs that write the same in one stage without an explicit path from one to the other, in schedule order.
    fn ambiguities(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let paths = self.explicit_paths();
        let mut writers = Writers::default();
        (0..self.order.len() as u32).flat_map(move |rank| {
            let second = self.order[rank as usize];
            let access = &self.specs[second.index()].access;
            let rivals = writers.visit(rank, self.stage[second.index()], access);
            let unordered: Vec<_> = paths.unordered(&rivals, rank).collect();
            unordered.into_iter().filter_map(move |rank| self.ambiguity(self.order[rank as usize], second))
        })
    }

    fn ambiguity(&self, first: SystemId, second: SystemId) -> Option<Diagnostic> {
        let (a, b) = (&self.specs[first.index()].access, &self.specs[second.index()].access);
        let components = shared_writes(a, b);
        let resources = a.resource_writes.intersection(&b.resource_writes);
        let shared = !components.is_empty() || !resources.is_empty();
        shared.then_some(Diagnostic::Ambiguity { first, second, components, resources })
    }

    /// Which systems explicit edges put in order; a node is a place in schedule order.
    fn explicit_paths(&self) -> Reduction {
        let mut rank = vec![0; self.order.len()];
        self.order.iter().zip(0..).for_each(|(id, place)| rank[id.index()] = place);
        let mut before = vec![NodeSet::default(); self.order.len()];
        for edge in self.edges {
            before[rank[edge.to.index()] as usize].insert(rank[edge.from.index()]);
        }
        let mut paths = Reduction::default();
        for candidates in &before {
            paths.append(candidates, |_| true);
        }
        paths
    }

    /// Once for each reader, writer and component; by writer in schedule order, then component, then reader.
    fn reads_before_writes(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let mut readers = BTreeMap::<u32, Vec<SystemId>>::new();
        self.order.iter().flat_map(move |&writer| {
            let access = &self.specs[writer.index()].access;
            let written = access.component_writes();
            let earlier: Vec<_> =
                written.iter().map(|id| (id, readers.get(&id).cloned().unwrap_or_default())).collect();
            access.component_reads().iter().for_each(|id| readers.entry(id).or_default().push(writer));
            earlier.into_iter().flat_map(move |(component, readers)| {
                readers.into_iter().filter_map(move |reader| self.read_before_write(reader, writer, component))
            })
        })
    }

    fn read_before_write(&self, reader: SystemId, writer: SystemId, component: u32) -> Option<Diagnostic> {
        let conflict = self.specs[reader.index()].access.conflict(&self.specs[writer.index()].access);
        let meets = conflict.components.contains(component);
        meets.then_some(Diagnostic::ReadBeforeWrite { reader, writer, component })
    }

    fn commands_not_visible(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let hidden = self.edges.iter().filter(|edge| {
            self.specs[edge.from.index()].records_commands
                && self.segment[edge.from.index()] == self.segment[edge.to.index()]
        });
        hidden.map(|edge| Diagnostic::CommandsNotVisible { from: edge.from, to: edge.to })
    }
}

/// Lists the first findings, and says so if there are more.
fn report(findings: &mut Vec<Diagnostic>, mut found: impl Iterator<Item = Diagnostic>) {
    findings.extend(found.by_ref().take(MAX_REPORTS));
    findings.extend(found.next().map(|more| Diagnostic::Truncated { code: more.code() }));
}

/// Components that both write where the two can meet.
fn shared_writes(a: &Access, b: &Access) -> IdSet {
    let mut shared = IdSet::new();
    for mine in &a.queries {
        for theirs in b.queries.iter().filter(|theirs| !mine.is_disjoint_from(theirs)) {
            shared.union_with(&mine.writes.intersection(&theirs.writes));
        }
    }
    shared
}

/// For each component and resource, its writers so far in the current stage.
#[derive(Default)]
struct Writers {
    stage: u32,
    components: Vec<NodeSet>,
    resources: Vec<NodeSet>,
}

impl Writers {
    /// The earlier writers of what `node` writes; then notes the node itself.
    fn visit(&mut self, node: u32, stage: u32, access: &Access) -> NodeSet {
        if stage != self.stage {
            *self = Self { stage, ..Self::default() };
        }
        let mut rivals = NodeSet::default();
        for (sets, ids) in
            [(&mut self.components, &access.component_writes()), (&mut self.resources, &access.resource_writes)]
        {
            for id in ids.iter() {
                rivals.union_with(slot(sets, id));
                slot(sets, id).insert(node);
            }
        }
        rivals
    }
}

#[cfg(test)]
mod tests;
