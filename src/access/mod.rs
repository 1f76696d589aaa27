//! What a system touches: sets of ids, and the algebra that tells whether two systems conflict.
//!
//! Nothing here knows entities, storage or systems; components, resources and managers are dense `u32` ids. Those of
//! each kind are a space of their own and never meet the others.

mod id_set;

pub use id_set::IdSet;

/// What one query (or one row-local system) can reach: components read and written, in archetypes that its filter admits.
///
/// `with` and `without` are the conjunctive part of the filter. Only they prove that two queries never meet: an `Or`
/// filter adds nothing to them. A required term (`&T`, `&mut T`) is in `with` too; an optional one is not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueryAccess {
    /// Components that are read, never written.
    pub reads: IdSet,
    /// Components that are written (and may be read).
    pub writes: IdSet,
    /// Components that every admitted archetype has.
    pub with: IdSet,
    /// Components that no admitted archetype has.
    pub without: IdSet,
}

impl QueryAccess {
    /// Whether no archetype can be admitted by both, as far as the conjunctive filters show.
    #[must_use]
    pub fn is_disjoint_from(&self, other: &Self) -> bool {
        self.with.intersects(&other.without) || other.with.intersects(&self.without)
    }

    /// Components that one of the two writes and the other touches, unless the two are provably disjoint.
    #[must_use]
    pub fn conflicts(&self, other: &Self) -> IdSet {
        if self.is_disjoint_from(other) {
            return IdSet::new();
        }
        clashes(&self.reads, &self.writes, &other.reads, &other.writes)
    }
}

/// Everything that one system touches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// One entry for each query parameter.
    pub queries: Vec<QueryAccess>,
    /// Components that are read of any entity, by its handle: no filter keeps a writer of them apart.
    pub lookups: IdSet,
    /// Resources that are read.
    pub resource_reads: IdSet,
    /// Resources that are written.
    pub resource_writes: IdSet,
    /// Managers, and command buffers of a simulation, that are read. They conflict with nothing: no system writes them.
    pub manager_reads: IdSet,
    /// Whether the system takes the whole world (`&mut World`): it conflicts with every other system.
    pub exclusive: bool,
}

/// Why two systems may not run at the same time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflict {
    /// Components on which they clash.
    pub components: IdSet,
    /// Resources on which they clash.
    pub resources: IdSet,
    /// Whether one of them takes the whole world.
    pub exclusive: bool,
}

impl Conflict {
    /// Whether there is no conflict at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !self.exclusive && self.components.is_empty() && self.resources.is_empty()
    }
}

impl Access {
    /// What the two clash on; empty if they may overlap.
    #[must_use]
    pub fn conflict(&self, other: &Self) -> Conflict {
        let mut components = IdSet::new();
        for mine in &self.queries {
            for theirs in &other.queries {
                components.union_with(&mine.conflicts(theirs));
            }
        }
        for (one, other) in [(self, other), (other, self)] {
            other.queries.iter().for_each(|query| components.union_with(&one.lookups.intersection(&query.writes)));
        }
        Conflict {
            components,
            resources: clashes(
                &self.resource_reads,
                &self.resource_writes,
                &other.resource_reads,
                &other.resource_writes,
            ),
            exclusive: self.exclusive || other.exclusive,
        }
    }

    /// Whether the two may be out at the same time: [`conflict`](Self::conflict) is empty then. It allocates nothing.
    #[must_use]
    pub fn may_overlap(&self, other: &Self) -> bool {
        let apart = |mine: &QueryAccess, theirs: &QueryAccess| {
            mine.is_disjoint_from(theirs) || !clash(&mine.reads, &mine.writes, &theirs.reads, &theirs.writes)
        };
        let resources = (&self.resource_reads, &self.resource_writes, &other.resource_reads, &other.resource_writes);
        let looked_up =
            |one: &Self, other: &Self| other.queries.iter().any(|query| one.lookups.intersects(&query.writes));
        !(self.exclusive || other.exclusive || looked_up(self, other) || looked_up(other, self))
            && self.queries.iter().all(|mine| other.queries.iter().all(|theirs| apart(mine, theirs)))
            && !clash(resources.0, resources.1, resources.2, resources.3)
    }

    /// Whether any query writes the component. It allocates nothing.
    #[must_use]
    pub fn writes_component(&self, component: u32) -> bool {
        self.queries.iter().any(|query| query.writes.contains(component))
    }

    /// Whether the component is looked up or any query reads it, and none writes it. It allocates nothing.
    #[must_use]
    pub fn reads_component(&self, component: u32) -> bool {
        let read = |query: &QueryAccess| query.reads.contains(component);
        (self.lookups.contains(component) || self.queries.iter().any(read)) && !self.writes_component(component)
    }

    /// Components that are looked up, or that any query reads, and none writes.
    #[must_use]
    pub fn component_reads(&self) -> IdSet {
        let mut reads = self.lookups.clone();
        for query in &self.queries {
            reads.union_with(&query.reads);
        }
        reads.subtract(&self.component_writes());
        reads
    }

    /// Components that any query writes.
    #[must_use]
    pub fn component_writes(&self) -> IdSet {
        let mut writes = IdSet::new();
        for query in &self.queries {
            writes.union_with(&query.writes);
        }
        writes
    }
}

/// Ids that one side writes and the other reads or writes.
fn clashes(reads_a: &IdSet, writes_a: &IdSet, reads_b: &IdSet, writes_b: &IdSet) -> IdSet {
    let mut clash = writes_a.intersection(writes_b);
    clash.union_with(&writes_a.intersection(reads_b));
    clash.union_with(&reads_a.intersection(writes_b));
    clash
}

/// Whether there are such ids.
fn clash(reads_a: &IdSet, writes_a: &IdSet, reads_b: &IdSet, writes_b: &IdSet) -> bool {
    writes_a.intersects(writes_b) || writes_a.intersects(reads_b) || reads_a.intersects(writes_b)
}

#[cfg(test)]
mod tests;
