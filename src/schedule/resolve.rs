use super::error::ScheduleError;
use super::names;
use super::spec::MAX_EXPLICIT_EDGES;
use crate::system::SystemId;
use crate::system::SystemSpec;
use core::fmt;
use std::collections::BTreeMap;

/// The list of a system that holds a dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// The system runs before what it names.
    Before,
    /// The system runs after what it names.
    After,
    /// The system is a link of a chain and runs after the links before it.
    Follows,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Before => "before",
            Self::After => "after",
            Self::Follows => "follows",
        })
    }
}

/// The words of the user that an explicit edge comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Declaration {
    /// The system that declares it.
    pub by: SystemId,
    /// In which of its lists.
    pub relation: Relation,
    /// The index in that list.
    pub index: u32,
}

impl Declaration {
    /// The declaration as one would say it: "`bite` after `movers`".
    pub(super) fn describe<'a>(self, spec_of: impl Fn(SystemId) -> &'a SystemSpec) -> String {
        let spec = spec_of(self.by);
        let other = match self.relation {
            Relation::Before => &spec.before[self.index as usize],
            Relation::After => &spec.after[self.index as usize],
            Relation::Follows => &spec_of(spec.follows[self.index as usize]).name,
        };
        format!("`{}` {} `{other}`", spec.name, self.relation)
    }
}

/// An edge that the user asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ExplicitEdge {
    pub(super) from: SystemId,
    pub(super) to: SystemId,
    pub(super) declaration: Declaration,
}

/// Every explicit edge once, with its first declaration; sorted by its ends.
///
/// A name means each system that has it as its name, as the base of its automatic name, or as a label.
pub(super) fn explicit_edges(specs: &[&SystemSpec]) -> Result<Vec<ExplicitEdge>, ScheduleError> {
    let carriers = carriers(specs);
    let mut edges = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let by = SystemId::from_index(index);
        resolve_names(spec, by, Relation::Before, &carriers, &mut edges)?;
        resolve_names(spec, by, Relation::After, &carriers, &mut edges)?;
        resolve_chain(spec, by, specs.len(), &mut edges)?;
    }
    edges.sort_unstable();
    edges.dedup_by_key(|edge| (edge.from, edge.to));
    Ok(edges)
}

type Carriers<'a> = BTreeMap<&'a str, Vec<SystemId>>;

/// For each name, the systems that it means, ascending.
fn carriers<'a>(specs: &[&'a SystemSpec]) -> Carriers<'a> {
    let mut carriers = Carriers::new();
    for (index, spec) in specs.iter().enumerate() {
        let id = SystemId::from_index(index);
        for name in spoken_names(spec) {
            let ids = carriers.entry(name).or_default();
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        }
    }
    carriers
}

/// What others may call the system.
fn spoken_names(spec: &SystemSpec) -> impl Iterator<Item = &str> {
    let base = (!spec.explicit_name).then(|| names::base(&spec.name));
    core::iter::once(spec.name.as_str()).chain(base).chain(spec.labels.iter().map(String::as_str))
}

fn resolve_names(
    spec: &SystemSpec,
    by: SystemId,
    relation: Relation,
    carriers: &Carriers<'_>,
    edges: &mut Vec<ExplicitEdge>,
) -> Result<(), ScheduleError> {
    let list = if relation == Relation::Before { &spec.before } else { &spec.after };
    for (index, name) in list.iter().enumerate() {
        let others = carriers.get(name.as_str()).ok_or_else(|| unknown(spec, relation, name, index))?;
        check_room(spec, edges.len() + others.len())?;
        let declaration = Declaration { by, relation, index: index as u32 };
        edges.extend(others.iter().map(|&other| match relation {
            Relation::Before => ExplicitEdge { from: by, to: other, declaration },
            _ => ExplicitEdge { from: other, to: by, declaration },
        }));
    }
    Ok(())
}

fn resolve_chain(
    spec: &SystemSpec,
    by: SystemId,
    systems: usize,
    edges: &mut Vec<ExplicitEdge>,
) -> Result<(), ScheduleError> {
    check_room(spec, edges.len() + spec.follows.len())?;
    for (index, &from) in spec.follows.iter().enumerate() {
        if from.index() >= systems {
            return Err(unknown(spec, Relation::Follows, &from.to_string(), index));
        }
        let declaration = Declaration { by, relation: Relation::Follows, index: index as u32 };
        edges.push(ExplicitEdge { from, to: by, declaration });
    }
    Ok(())
}

fn unknown(spec: &SystemSpec, relation: Relation, name: &str, index: usize) -> ScheduleError {
    ScheduleError::UnknownDependency { system: spec.name.clone(), relation, name: name.to_owned(), position: index + 1 }
}

fn check_room(spec: &SystemSpec, edges: usize) -> Result<(), ScheduleError> {
    if edges > MAX_EXPLICIT_EDGES {
        return Err(ScheduleError::TooManyEdges { system: spec.name.clone(), limit: MAX_EXPLICIT_EDGES });
    }
    Ok(())
}
