//! Object pools: a fixed number of objects that are used again and again.
//!
//! An [`ObjectPool`] makes its objects once. From then on they are acquired and released, and nothing is allocated: one that
//! is released waits, as it is, for the next acquire. What names an acquired object is a [`PoolHandle`], which is dead once
//! the object was released. A pool is a state value and a resource: hashes, snapshots and saves hold it like any other.

mod handle;
mod hooks;
mod state;

pub use handle::PoolHandle;
pub use hooks::PoolHooks;

use tickweave_derive::{Resource, StateValue};

/// The generation of the last use of an object.
const LAST_GENERATION: u32 = u32::MAX;

/// A fixed number of objects, each of them active (somebody holds its handle) or inactive.
///
/// A pool is locked from the start: no verb adds an object or takes one away. Its value is all of it: the objects, active or
/// not, whose turn is next, and the counters.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, Debug, PartialEq, StateValue)]
/// struct Bullet { height: i32, speed: i32 }
///
/// let mut bullets = ObjectPool::new(&Bullet { height: 0, speed: 3 }, 2);
/// let (first, bullet) = bullets.acquire().expect("two are free");
/// bullet.height = 10;
/// let (second, _) = bullets.acquire().expect("one is free");
/// assert!(bullets.acquire().is_none() && bullets.exhausted() == 1);
///
/// assert!(bullets.release(first));
/// assert_eq!(bullets.get(first), None);
/// let (third, bullet) = bullets.acquire().expect("one is free again");
/// assert_eq!(bullet.height, 10, "as its last holder left it");
/// assert!(third != first && third.index() == first.index());
/// assert!(!bullets.release(first) && bullets.stale_releases() == 1);
/// assert_eq!((bullets.active_count(), bullets.inactive_count()), (2, 0));
/// # _ = second;
/// ```
///
/// # Determinism
///
/// The object that was released last is acquired first; those that were never used come after, by their index. [`iter`]
/// gives active objects by their index. Nothing else enters: a pool that was restored gives the same handles again.
///
/// [`iter`]: Self::iter
#[derive(Debug, PartialEq, Eq, Resource)]
pub struct ObjectPool<T> {
    slots: Vec<Slot<T>>,
    /// Slots to be acquired, the next one last.
    free: Vec<u32>,
    active: u32,
    exhausted: u64,
    stale: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, StateValue)]
struct Slot<T> {
    /// Which use of the object this is, or was if it is inactive; 0 before the first.
    generation: u32,
    is_active: bool,
    object: T,
}

impl<T> ObjectPool<T> {
    /// A pool of `amount` clones of `prefab`.
    #[must_use]
    pub fn new(prefab: &T, amount: u32) -> Self
    where
        T: Clone,
    {
        (0..amount).map(|_| prefab.clone()).collect()
    }

    /// Takes an inactive object, or gives `None` and counts that if there is none.
    ///
    /// The object is as its last holder left it.
    pub fn acquire(&mut self) -> Option<(PoolHandle<T>, &mut T)> {
        let handle = self.acquire_with(&PoolHooks::new(), &mut ())?;
        Some((handle, &mut self.slots[handle.index() as usize].object))
    }

    /// Takes an inactive object and has the hooks place, initialize and activate it, in this order; `None`, counted and
    /// without a hook, if there is none.
    ///
    /// # Panics
    ///
    /// If a hook does. The object is inactive then, and nothing is lost; the next acquire gives the handle that the hooks saw.
    pub fn acquire_with<C>(&mut self, hooks: &PoolHooks<T, C>, context: &mut C) -> Option<PoolHandle<T>> {
        let Some(&index) = self.free.last() else {
            self.exhausted += 1;
            return None;
        };
        let slot = &mut self.slots[index as usize];
        let handle = PoolHandle::new(index, slot.generation + 1);
        hooks.enter(&mut slot.object, handle, context);
        (slot.generation, slot.is_active) = (handle.generation(), true);
        self.active += 1;
        self.free.pop();
        Some(handle)
    }

    /// Gives an object back; whether the handle named one. A handle that does not is ignored and counted.
    pub fn release(&mut self, handle: PoolHandle<T>) -> bool {
        self.release_with(&PoolHooks::new(), handle, &mut ())
    }

    /// Gives an object back after the hook deactivated it; whether the handle named one. For one that does not there is no
    /// hook; it is counted.
    ///
    /// # Panics
    ///
    /// If the hook does. The object is active then, as before.
    pub fn release_with<C>(&mut self, hooks: &PoolHooks<T, C>, handle: PoolHandle<T>, context: &mut C) -> bool {
        let Some(object) = self.get_mut(handle) else {
            self.stale += 1;
            return false;
        };
        hooks.leave(object, handle, context);
        self.give_back(handle.index());
        true
    }

    /// Releases each active object for which `keep` says no, by their index; how many.
    pub fn retain(&mut self, mut keep: impl FnMut(PoolHandle<T>, &mut T) -> bool) -> u32 {
        let before = self.active;
        for index in 0..self.slots.len() as u32 {
            let slot = &mut self.slots[index as usize];
            if slot.is_active && !keep(PoolHandle::new(index, slot.generation), &mut slot.object) {
                self.give_back(index);
            }
        }
        before - self.active
    }

    /// The object that the handle names; `None` if it was released.
    #[must_use]
    pub fn get(&self, handle: PoolHandle<T>) -> Option<&T> {
        let slot = self.slots.get(handle.index() as usize)?;
        slot.is_named_by(handle).then_some(&slot.object)
    }

    /// As [`get`](Self::get), to be changed.
    #[must_use]
    pub fn get_mut(&mut self, handle: PoolHandle<T>) -> Option<&mut T> {
        let slot = self.slots.get_mut(handle.index() as usize)?;
        slot.is_named_by(handle).then_some(&mut slot.object)
    }

    /// Whether the handle names an active object.
    #[must_use]
    pub fn contains(&self, handle: PoolHandle<T>) -> bool {
        self.get(handle).is_some()
    }

    /// The active objects, by their index.
    pub fn iter(&self) -> impl Iterator<Item = (PoolHandle<T>, &T)> {
        let active = (0..).zip(&self.slots).filter(|(_, slot)| slot.is_active);
        active.map(|(index, slot)| (PoolHandle::new(index, slot.generation), &slot.object))
    }

    /// The active objects, by their index, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (PoolHandle<T>, &mut T)> {
        let active = (0..).zip(&mut self.slots).filter(|(_, slot)| slot.is_active);
        active.map(|(index, slot)| (PoolHandle::new(index, slot.generation), &mut slot.object))
    }

    /// How many objects the pool has.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// How many objects are active.
    #[must_use]
    pub fn active_count(&self) -> u32 {
        self.active
    }

    /// How many objects can be acquired now.
    ///
    /// With the active ones these are all, but for objects whose 2^32 - 1 generations are used up: they are retired when they
    /// are released.
    #[must_use]
    pub fn inactive_count(&self) -> u32 {
        self.free.len() as u32
    }

    /// How many acquires found no object.
    #[must_use]
    pub fn exhausted(&self) -> u64 {
        self.exhausted
    }

    /// How many releases were ignored because their handle named no active object.
    #[must_use]
    pub fn stale_releases(&self) -> u64 {
        self.stale
    }

    /// Makes an active slot inactive.
    fn give_back(&mut self, index: u32) {
        let slot = &mut self.slots[index as usize];
        slot.is_active = false;
        self.active -= 1;
        if slot.generation < LAST_GENERATION {
            self.free.push(index);
        }
    }
}

impl<T> Slot<T> {
    fn is_named_by(&self, handle: PoolHandle<T>) -> bool {
        self.is_active && self.generation == handle.generation()
    }
}

/// A pool of these objects: the first has index 0 and is acquired first.
///
/// # Panics
///
/// If they are more than 2^32 - 1.
impl<T> FromIterator<T> for ObjectPool<T> {
    fn from_iter<I: IntoIterator<Item = T>>(objects: I) -> Self {
        let fresh = |object| Slot { generation: 0, is_active: false, object };
        let slots: Vec<Slot<T>> = objects.into_iter().map(fresh).collect();
        let amount = u32::try_from(slots.len()).expect("a pool has at most 2^32 - 1 objects; make several pools");
        Self { slots, free: (0..amount).rev().collect(), active: 0, exhausted: 0, stale: 0 }
    }
}

#[cfg(test)]
mod tests;
