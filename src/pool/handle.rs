use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use tickweave_derive::Component;

/// The name of an object of an [`ObjectPool`](super::ObjectPool) for as long as it is active: an index, and the generation of
/// its use.
///
/// A handle that was released names nothing for ever: each acquire has a generation of its own, from 1. It is plain data of
/// 8 bytes, so it may be a component, or lie in one. A handle belongs to the pool that gave it; another pool of the same type
/// can't tell it from its own, so give the objects of each pool a type.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Seat { guest: PoolHandle<String> }
///
/// let mut guests: ObjectPool<String> = ["Ann", "Bob"].map(String::from).into_iter().collect();
/// let mut world = World::new();
/// let seat = world.spawn(Seat { guest: PoolHandle::NOTHING });
/// assert_eq!(guests.get(PoolHandle::NOTHING), None);
/// world.get_mut::<Seat>(seat)?.guest = guests.acquire().expect("two are free").0;
/// assert_eq!(guests.get(world.get::<Seat>(seat)?.guest).map(String::as_str), Some("Ann"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component)]
#[repr(C)]
pub struct PoolHandle<T> {
    index: u32,
    generation: u32,
    object: PhantomData<fn() -> T>,
}

impl<T> PoolHandle<T> {
    /// A handle that no pool ever gives: it names nothing.
    pub const NOTHING: Self = Self::new(u32::MAX, 0);

    pub(super) const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation, object: PhantomData }
    }

    /// Which object of the pool, from 0.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Which use of the object, from 1; 0 for [`NOTHING`](Self::NOTHING).
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    const fn bits(self) -> (u32, u32) {
        (self.index, self.generation)
    }
}

impl<T> Clone for PoolHandle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for PoolHandle<T> {}

impl<T> PartialEq for PoolHandle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl<T> Eq for PoolHandle<T> {}

impl<T> Hash for PoolHandle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().hash(state);
    }
}

/// By index, then by generation.
impl<T> Ord for PoolHandle<T> {
    fn cmp(&self, other: &Self) -> core::cmp::Ordering {
        self.bits().cmp(&other.bits())
    }
}

impl<T> PartialOrd for PoolHandle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> fmt::Display for PoolHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}g{}", self.index, self.generation)
    }
}

impl<T> fmt::Debug for PoolHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
