use thiserror::Error;

use crate::entity::Entity;

/// Why a query does not yield an entity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The entity is not alive in this world, or it is pending or only reserved.
    #[error("no entity {0} in this world: it was despawned, is yet to be made by a command, or belongs elsewhere")]
    NoSuchEntity(Entity),
    /// The entity lacks a component that the query needs, or the filter leaves it out.
    #[error("the query does not yield entity {0}: it lacks a component of the query, or the filter leaves it out")]
    Mismatch(Entity),
    /// The same entity twice where each is borrowed for writing.
    #[error("entity {0} was asked for twice at the same time; ask for different entities")]
    Aliased(Entity),
}

impl QueryError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NoSuchEntity(_) => "no-such-entity",
            Self::Mismatch(_) => "query-mismatch",
            Self::Aliased(_) => "entity-aliased",
        }
    }
}

/// Why there is not exactly one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SingleError {
    /// No row.
    #[error("the query yields no row, but exactly one was asked for")]
    None,
    /// More than one row.
    #[error("the query yields more than one row, but exactly one was asked for")]
    Many,
}

impl SingleError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::None => "single-none",
            Self::Many => "single-many",
        }
    }
}
