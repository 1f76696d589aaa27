use super::error::ScheduleError;
use super::resolve::Relation;
use super::spec::{MAX_DEPENDENCIES, Options};
use crate::system::{SystemId, SystemSpec};
use std::collections::{BTreeMap, BTreeSet};

/// Checks one system against those registered before it, so that a schedule can refuse it at once.
///
/// The order is fixed and the first failure wins: name, key of random numbers, rate, budget, lists of dependencies, duplicate
/// name, number of systems. What needs the whole set (keys that two systems draw under, unknown names, cycles, writers) is
/// found by [`plan`](super::plan).
///
/// # Errors
///
/// The first of those failures.
pub fn validate_system<'a>(
    spec: &SystemSpec,
    earlier: impl Iterator<Item = &'a str>,
    options: &Options,
) -> Result<(), ScheduleError> {
    let (mut registered, mut taken) = (0, None);
    for name in earlier {
        if taken.is_none() && name == spec.name {
            taken = Some(SystemId::from_index(registered));
        }
        registered += 1;
    }
    check(spec, registered, taken, options)
}

/// Checks each system against those before it.
pub(super) fn validate_all(specs: &[&SystemSpec], options: &Options) -> Result<(), ScheduleError> {
    let mut names = BTreeMap::new();
    for (registered, spec) in specs.iter().enumerate() {
        let taken = names.insert(spec.name.as_str(), SystemId::from_index(registered));
        check(spec, registered, taken, options)?;
    }
    check_streams(specs)
}

/// Checks that no two systems draw the same random numbers.
fn check_streams(specs: &[&SystemSpec]) -> Result<(), ScheduleError> {
    let mut drawing = BTreeMap::new();
    for spec in specs.iter().filter(|spec| spec.draws) {
        let Some(key) = spec.stream_key() else { continue };
        if let Some(first) = drawing.insert(key, &spec.name) {
            let (first, second) = (first.clone(), spec.name.clone());
            return Err(ScheduleError::SharedStream { key: key.to_owned(), first, second });
        }
    }
    Ok(())
}

fn check(
    spec: &SystemSpec,
    registered: usize,
    taken: Option<SystemId>,
    options: &Options,
) -> Result<(), ScheduleError> {
    check_name(spec, registered)?;
    check_stream(spec)?;
    check_rate(spec)?;
    check_budget(spec)?;
    check_dependencies(spec)?;
    if let Some(first) = taken {
        return Err(ScheduleError::DuplicateName { name: spec.name.clone(), first });
    }
    if registered >= options.max_systems as usize {
        return Err(ScheduleError::TooManySystems { system: spec.name.clone(), limit: options.max_systems });
    }
    Ok(())
}

fn check_name(spec: &SystemSpec, registered: usize) -> Result<(), ScheduleError> {
    if spec.name.is_empty() {
        return Err(ScheduleError::EmptyName { number: registered as u32 + 1 });
    }
    Ok(())
}

fn check_stream(spec: &SystemSpec) -> Result<(), ScheduleError> {
    match spec.stream.as_deref() {
        Some("") => Err(ScheduleError::EmptyStream { system: spec.name.clone() }),
        _ => Ok(()),
    }
}

fn check_rate(spec: &SystemSpec) -> Result<(), ScheduleError> {
    if spec.rate.is_valid() {
        return Ok(());
    }
    let (every, offset) = (spec.rate.every, spec.rate.offset);
    Err(ScheduleError::InvalidRate { system: spec.name.clone(), every, offset })
}

fn check_budget(spec: &SystemSpec) -> Result<(), ScheduleError> {
    match spec.budget {
        Some(budget) if budget <= 0 => Err(ScheduleError::InvalidBudget { system: spec.name.clone(), budget }),
        _ => Ok(()),
    }
}

fn check_dependencies(spec: &SystemSpec) -> Result<(), ScheduleError> {
    let lists = [(Relation::Before, &spec.before), (Relation::After, &spec.after)];
    for (relation, list) in lists {
        check_no_empty(spec, relation, list)?;
    }
    for (relation, list) in lists {
        check_no_repeat(spec, relation, list)?;
    }
    let count = spec.before.len() + spec.after.len();
    if count > MAX_DEPENDENCIES {
        return Err(ScheduleError::TooManyDependencies { system: spec.name.clone(), count, limit: MAX_DEPENDENCIES });
    }
    Ok(())
}

fn check_no_empty(spec: &SystemSpec, relation: Relation, list: &[String]) -> Result<(), ScheduleError> {
    match list.iter().position(String::is_empty) {
        Some(at) => Err(ScheduleError::EmptyDependency { system: spec.name.clone(), relation, position: at + 1 }),
        None => Ok(()),
    }
}

fn check_no_repeat(spec: &SystemSpec, relation: Relation, list: &[String]) -> Result<(), ScheduleError> {
    let mut seen = BTreeSet::new();
    match list.iter().position(|name| !seen.insert(name)) {
        Some(at) => Err(ScheduleError::RepeatedDependency {
            system: spec.name.clone(),
            relation,
            name: list[at].clone(),
            position: at + 1,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
