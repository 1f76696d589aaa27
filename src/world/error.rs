use thiserror::Error;

use crate::component::RegistryError;
use crate::entity::{Entity, EntityCapacity};
use crate::storage::StorageFull;

/// Why a handle names no entity of this world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Missing {
    /// The entity was despawned.
    Despawned,
    /// This world never issued the handle: it belongs to another world, or was made up.
    NeverIssued,
    /// The handle stands for an entity that a command is yet to make.
    Pending,
    /// The entity's id is real, but its row is yet to appear.
    Reserved,
}

impl Missing {
    const fn because(self) -> &'static str {
        match self {
            Self::Despawned => "it was despawned; drop the handle, or check `contains` first",
            Self::NeverIssued => "this world never issued the handle; use handles with the world that made them",
            Self::Pending => {
                "it is pending: use it in commands of the same buffer, and look it up after they were applied"
            }
            Self::Reserved => "its row is yet to appear; look it up after the commit that publishes it",
        }
    }
}

/// The entity is not alive in this world, or has no row yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("no entity {entity} in this world: {}", why.because())]
pub struct NoSuchEntity {
    /// The handle.
    pub entity: Entity,
    /// Why it names nothing.
    pub why: Missing,
}

impl NoSuchEntity {
    /// A stable code for programs: `no-such-entity`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "no-such-entity"
    }
}

/// A component can't be had from an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComponentError {
    /// The entity does not exist.
    #[error(transparent)]
    NoSuchEntity(#[from] NoSuchEntity),
    /// The entity lacks the component.
    #[error("entity {entity} has no component `{component}`; insert it first, or ask with `has`")]
    Missing {
        /// The entity.
        entity: Entity,
        /// The type of the component.
        component: &'static str,
    },
    /// The same entity twice where each is borrowed for writing.
    #[error("entity {entity} was asked for twice at the same time; ask for different entities")]
    Aliased {
        /// The entity.
        entity: Entity,
    },
}

impl ComponentError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchEntity(error) => error.code(),
            Self::Missing { .. } => "component-missing",
            Self::Aliased { .. } => "entity-aliased",
        }
    }
}

/// A spawn or insert was refused; the world is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StructureError {
    /// The entity does not exist.
    #[error(transparent)]
    NoSuchEntity(#[from] NoSuchEntity),
    /// A component type of the bundle can't be registered.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A component type stands in the bundle twice.
    #[error("the bundle `{bundle}` holds component `{component}` twice; an entity has one value of each type")]
    DuplicateInBundle {
        /// The bundle.
        bundle: &'static str,
        /// The component.
        component: &'static str,
    },
    /// There is no room.
    #[error(transparent)]
    Full(#[from] StorageFull),
}

impl From<EntityCapacity> for StructureError {
    fn from(error: EntityCapacity) -> Self {
        Self::Full(error.into())
    }
}

impl StructureError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchEntity(error) => error.code(),
            Self::Registry(error) => error.code(),
            Self::DuplicateInBundle { .. } => "bundle-duplicate",
            Self::Full(error) => error.code(),
        }
    }
}

/// A resource is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "there is no resource `{resource}` in this world; insert it with `insert_resource`, or ask for `Option<Res<..>>`"
)]
pub struct ResourceError {
    /// The type of the resource.
    pub resource: &'static str,
}

impl ResourceError {
    /// A stable code for programs: `resource-missing`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "resource-missing"
    }
}
