use thiserror::Error;

use crate::access::Access;
use crate::component::{ComponentId, ComponentKind};
use crate::schedule::{Needs, Schedule};
use crate::storage::resources::{ResourceClass, ResourceId};
use crate::system::SystemSpec;
use crate::world::World;

/// What a simulation refuses of its systems when it is built. All of it is on unless switched off.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::simulation::{PhaseBuilder, Strictness};
///
/// let mut seen = 0;
/// let counting = move || seen += 1;
/// let build = |strictness| {
///     let builder = Simulation::builder().strictness(strictness);
///     let fill = |main: &mut PhaseBuilder| _ = main.pass("all").system(counting);
///     builder.phase("Main", fill).build()
/// };
/// assert_eq!(build(Strictness::ALL).unwrap_err().code(), "strict-capture");
/// assert!(build(Strictness { captures: false, ..Strictness::ALL }).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Strictness {
    /// Opaque components without `#[component(opaque, state)]`: neither hash nor snapshot nor save knows their values.
    pub opaque: bool,
    /// Resources of class host, and what the host lends: they are no part of state.
    pub host: bool,
    /// Closures that capture, as systems or run conditions, and pointers to functions: what they hold is no part of state.
    pub captures: bool,
    /// Queries, lookups and `Removed` of component types that are not registered: they match nothing.
    pub unregistered: bool,
    /// Managers that systems read and that are no state: no hash, snapshot or save knows what they hold.
    pub managers: bool,
    /// Resources that a system which is enabled requires and that the world lacks when it is filled: its first step would be refused.
    pub missing: bool,
}

impl Strictness {
    /// Everything is refused.
    pub const ALL: Self =
        Self { opaque: true, host: true, captures: true, unregistered: true, managers: true, missing: true };
    /// Nothing is.
    pub const NONE: Self =
        Self { opaque: false, host: false, captures: false, unregistered: false, managers: false, missing: false };
}

impl Default for Strictness {
    fn default() -> Self {
        Self::ALL
    }
}

/// A system of a simulation uses what [`Strictness`] refuses.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StrictError {
    /// An opaque component without state.
    #[error(
        "system `{system}` touches component `{component}`, which is opaque, so that no hash and no snapshot knows it; make \
         it plain data, say `#[component(opaque, state)]`, or switch `Strictness::opaque` off"
    )]
    Opaque {
        /// The system.
        system: String,
        /// The component.
        component: &'static str,
    },
    /// A resource of the host, or what it lends.
    #[error(
        "system `{system}` touches `{resource}` of the host, which is no part of state; make it a state or input resource, \
         or switch `Strictness::host` off"
    )]
    Host {
        /// The system.
        system: String,
        /// The resource.
        resource: &'static str,
    },
    /// A closure that captures.
    #[error(
        "system `{system}`, or a run condition of it, captures something (or is a pointer to a function), which is no part of \
         state; keep it in a `Local` or a resource, or switch `Strictness::captures` off"
    )]
    Capture {
        /// The system.
        system: String,
    },
    /// A component type that is not registered.
    #[error(
        "parameter `{param}` of system `{system}` asks for a component type that is not registered; add it with `component`, \
         or switch `Strictness::unregistered` off"
    )]
    Unregistered {
        /// The system.
        system: String,
        /// The parameter.
        param: &'static str,
    },
    /// A manager that is no state.
    #[error(
        "system `{system}` reads manager `{manager}`, which is no state, so that no hash and no snapshot knows what it computes \
         from; derive `StateValue` and add it with `manager`, or switch `Strictness::managers` off"
    )]
    Manager {
        /// The system.
        system: String,
        /// The manager.
        manager: &'static str,
    },
    /// A resource that is not there.
    #[error(
        "system `{system}` requires resource `{resource}`, which the world lacks after the setups; add it with `resource`, insert \
         it in a `setup` or an `init`, ask for `Option<Res<..>>`, or switch `Strictness::missing` off"
    )]
    Missing {
        /// The system.
        system: String,
        /// The resource.
        resource: &'static str,
    },
}

impl StrictError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Opaque { .. } => "strict-opaque",
            Self::Host { .. } => "strict-host",
            Self::Capture { .. } => "strict-capture",
            Self::Unregistered { .. } => "strict-unregistered",
            Self::Manager { .. } => "strict-manager",
            Self::Missing { .. } => "strict-missing",
        }
    }
}

impl Strictness {
    /// The first system, in order, that uses what is refused.
    ///
    /// # Panics
    ///
    /// If the schedule was not built.
    pub(super) fn check(self, schedule: &mut Schedule, world: &mut World) -> Result<(), StrictError> {
        let parts = schedule.parts();
        for ((entry, needs), system) in parts.entries.iter().zip(parts.needs).zip(parts.systems.iter()) {
            let captures = system.captures() || entry.conditions.iter().any(|condition| condition.captures());
            self.check_touched(&entry.spec, needs, world)?;
            if captures && self.captures {
                return Err(StrictError::Capture { system: entry.spec.name.clone() });
            }
            if entry.spec.enabled && self.missing {
                check_missing(&entry.spec, needs, world)?;
            }
        }
        Ok(())
    }

    /// What a system touches, as far as the world knows it.
    fn check_touched(self, spec: &SystemSpec, needs: &Needs, world: &World) -> Result<(), StrictError> {
        let system = || spec.name.clone();
        if let Some(param) = needs.unmatched.filter(|_| self.unregistered) {
            return Err(StrictError::Unregistered { system: system(), param });
        }
        if let Some(component) = opaque(world, &spec.access).filter(|_| self.opaque) {
            return Err(StrictError::Opaque { system: system(), component });
        }
        let lent = needs.host.map(|(_, host)| host);
        if let Some(resource) = lent.or_else(|| host(world, &spec.access)).filter(|_| self.host) {
            return Err(StrictError::Host { system: system(), resource });
        }
        if let Some(manager) = hidden_manager(world, &spec.access).filter(|_| self.managers) {
            return Err(StrictError::Manager { system: system(), manager });
        }
        Ok(())
    }
}

/// What a system can't run without is there.
fn check_missing(spec: &SystemSpec, needs: &Needs, world: &mut World) -> Result<(), StrictError> {
    let missing = needs.resources.iter().find(|(section, _)| !world.sections_mut().holds_value(*section));
    missing.map_or(Ok(()), |&(_, resource)| Err(StrictError::Missing { system: spec.name.clone(), resource }))
}

/// The first component of an access whose values nothing knows.
fn opaque(world: &World, access: &Access) -> Option<&'static str> {
    let mut touched = access.component_reads();
    touched.union_with(&access.component_writes());
    touched.union_with(&access.lookups);
    let opaque = |id: &ComponentId| {
        let descriptor = world.components().descriptor(*id);
        descriptor.kind == ComponentKind::Opaque && descriptor.encode_row.is_none()
    };
    touched.iter().map(ComponentId::from_bit).find(opaque).and_then(|id| world.type_name_of(id))
}

/// The first resource of an access that is the host's.
fn host(world: &World, access: &Access) -> Option<&'static str> {
    let registry = world.resource_registry();
    let mut touched = access.resource_reads.clone();
    touched.union_with(&access.resource_writes);
    let mut ids = touched.iter().map(ResourceId::from_bit);
    ids.find(|&id| registry.class(id) == ResourceClass::Host).map(|id| registry.name(id))
}

/// The first manager of an access that is no state.
fn hidden_manager(world: &World, access: &Access) -> Option<&'static str> {
    let hidden = access.manager_reads.iter().find(|&manager| !world.manager_is_state(manager));
    hidden.and_then(|manager| world.manager_name(manager))
}
