//! Entities: the handle that names one, and what is promised of it.

mod bytes;
mod capacity;

pub use capacity::EntityCapacity;
pub use tickweave_derive::MapEntities;

use core::fmt;
use core::num::NonZeroU64;

/// The bit that a pending entity carries and a real one never does.
const PENDING_BIT: u64 = 1 << 63;

/// The highest generation of a real entity; a slot that has used it up is retired.
pub const MAX_GENERATION: u32 = (PENDING_BIT >> 32) as u32 - 1;

/// The name of one entity: a slot and the generation of its use, 8 bytes, with a niche so that `Option<Entity>` is
/// 8 bytes too.
///
/// A handle stays dead for ever once its entity is gone: each use of a slot has its own generation, from 1 to
/// [`MAX_GENERATION`], and a slot whose generations are used up is retired. Handles are ordered by slot, then by
/// generation, and printed as `slot` `v` `generation`, for instance `81v2`.
///
/// A handle belongs to the world that made it. Another world refuses it if it never issued that slot and generation;
/// where it did, 64 bits cannot tell the two apart.
///
/// ```
/// use tickweave::prelude::*;
/// let mut world = World::new();
/// let first = world.spawn(());
/// world.despawn(first)?;
/// let second = world.spawn(());
/// assert_eq!(first.slot(), second.slot());
/// assert!(first != second && !world.contains(first));
/// # Ok::<(), tickweave::world::NoSuchEntity>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Entity(NonZeroU64);

impl Entity {
    pub(crate) const fn new(slot: u32, generation: u32) -> Self {
        debug_assert!(generation != 0 && generation <= MAX_GENERATION, "a real generation");
        match Self::from_bits((generation as u64) << 32 | slot as u64) {
            Some(entity) => entity,
            None => panic!("generations of real entities start at 1"),
        }
    }

    /// The slot: an index below the highest number of entities that the world has had at one time.
    #[inline]
    #[must_use]
    pub const fn slot(self) -> u32 {
        self.0.get() as u32
    }

    /// Which use of the slot this is, from 1.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        (self.0.get() >> 32) as u32
    }

    /// The handle as a number, for the user's own formats.
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0.get()
    }

    /// The handle that [`to_bits`](Self::to_bits) gave; `None` if no handle has these bits.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits >> 32 == 0 {
            return None;
        }
        match NonZeroU64::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// Whether the handle stands for an entity that a command buffer is yet to make.
    ///
    /// A pending handle is legal as a target of, or inside values of, commands that the same buffer records; a world
    /// refuses it everywhere else.
    #[inline]
    #[must_use]
    pub const fn is_pending(self) -> bool {
        self.0.get() & PENDING_BIT != 0
    }

    /// A handle that no world ever gives out: it names nothing, anywhere.
    ///
    /// Entities that are loaded into a running world have it where the saved ones referred to an entity that was not saved
    /// with them.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// assert!(!World::new().contains(Entity::NOBODY));
    /// ```
    pub const NOBODY: Self = Self::new(u32::MAX, 1);

    pub(crate) const fn pending(bits: u64) -> Self {
        match NonZeroU64::new(bits | PENDING_BIT) {
            Some(bits) => Self(bits),
            None => unreachable!(),
        }
    }

    pub(crate) const fn pending_bits(self) -> u64 {
        self.0.get() & !PENDING_BIT
    }
}

impl Ord for Entity {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        (self.slot(), self.generation()).cmp(&(other.slot(), other.generation()))
    }
}

impl PartialOrd for Entity {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pending() {
            return write!(f, "pending:{:x}", self.pending_bits());
        }
        write!(f, "{}v{}", self.slot(), self.generation())
    }
}

impl fmt::Debug for Entity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Replaces entities inside of values: pending handles by real ones at a merge, saved handles by new ones at a load.
pub trait EntityMapper {
    /// The entity to put in the place of `entity`.
    fn map(&mut self, entity: Entity) -> Entity;
}

/// A value that can have the entities inside of it replaced.
///
/// Derived for structs and enums: each field is mapped. Values without entities do nothing, which is the default.
///
/// ```
/// use tickweave::prelude::*;
/// #[derive(MapEntities)]
/// struct Squad { leader: Entity, members: Vec<Entity>, name: String }
/// ```
#[diagnostic::on_unimplemented(
    message = "tickweave does not know where the entities inside of `{Self}` are",
    label = "not `MapEntities`",
    note = "derive it: `#[derive(MapEntities)]`, or `#[derive(Clone, StateValue)]`, which includes it"
)]
pub trait MapEntities {
    /// Replaces each entity in the value by what `mapper` says.
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        let _ = mapper;
    }
}

#[cfg(test)]
mod tests;
