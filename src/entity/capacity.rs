use thiserror::Error;

/// How many entities may live at a time was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "no room for another entity: {capacity} live already; raise `entity_capacity` of the world's builder or despawn \
     entities that are no longer needed"
)]
pub struct EntityCapacity {
    /// The capacity of the world, in entities.
    pub capacity: u32,
}

impl EntityCapacity {
    /// A stable code for programs: `entity-capacity`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        "entity-capacity"
    }
}
