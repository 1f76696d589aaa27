use thiserror::Error;

use crate::access::Access;
use crate::component::{ComponentId, ComponentKind};
use crate::schedule::Schedule;
use crate::storage::resources::{ResourceClass, ResourceId};
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
}

impl Strictness {
    /// Everything is refused.
    pub const ALL: Self = Self { opaque: true, host: true, captures: true, unregistered: true };
    /// Nothing is.
    pub const NONE: Self = Self { opaque: false, host: false, captures: false, unregistered: false };
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
        }
    }
}

impl Strictness {
    /// The first system, in order, that uses what is refused.
    ///
    /// # Panics
    ///
    /// If the schedule was not built.
    pub(super) fn check(self, schedule: &mut Schedule, world: &World) -> Result<(), StrictError> {
        let parts = schedule.parts();
        for ((entry, needs), system) in parts.entries.iter().zip(parts.needs).zip(parts.systems.iter()) {
            let name = || entry.spec.name.clone();
            let captures = system.captures() || entry.conditions.iter().any(|condition| condition.captures());
            if let Some(param) = needs.unmatched.filter(|_| self.unregistered) {
                return Err(StrictError::Unregistered { system: name(), param });
            }
            if let Some(component) = opaque(world, &entry.spec.access).filter(|_| self.opaque) {
                return Err(StrictError::Opaque { system: name(), component });
            }
            let lent = needs.host.map(|(_, host)| host);
            if let Some(resource) = lent.or_else(|| host(world, &entry.spec.access)).filter(|_| self.host) {
                return Err(StrictError::Host { system: name(), resource });
            }
            if captures && self.captures {
                return Err(StrictError::Capture { system: name() });
            }
        }
        Ok(())
    }
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
