#![expect(unsafe_code, reason = "the one door for shared access to a world while systems run")]

use core::marker::PhantomData;
use std::sync::Arc;

use super::World;
use crate::access::Access;
use crate::component::Components;
use crate::storage::{Resources, Sections, Storage};
use crate::sync::Mutex;

/// A world while systems run: shared by all of them, each of which touches only what its access grants.
///
/// The only door to rows and sections under a shared world. A debug build keeps a list of the grants that are out and
/// refuses two that overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorldCell<'w> {
    world: *mut World,
    marker: PhantomData<&'w mut World>,
}

// SAFETY: a cell gives out the world itself, which is `Send`, and shared references to parts of it, which are `Sync` (both
// are checked below); whoever writes through it holds a grant that no other grant overlaps.
unsafe impl Send for WorldCell<'_> {}
// SAFETY: as above.
unsafe impl Sync for WorldCell<'_> {}

const _: () = {
    const fn crosses_threads<T: Send + Sync>() {}
    crosses_threads::<World>();
};

impl<'w> WorldCell<'w> {
    pub(crate) fn new(world: &'w mut World) -> Self {
        Self { world, marker: PhantomData }
    }

    /// The world itself: for an exclusive system, and for barriers.
    ///
    /// # Safety
    ///
    /// No grant is out, and nobody else uses the cell while the reference lives.
    pub(crate) unsafe fn world_mut(self) -> &'w mut World {
        // SAFETY: the pointer came from a `&'w mut World`, and nobody else uses it by this function's contract.
        unsafe { &mut *self.world }
    }

    /// # Safety
    ///
    /// No `&mut World` made of this cell lives.
    unsafe fn world(self) -> &'w World {
        // SAFETY: the pointer came from a `&'w mut World`; rows and sections that are written meanwhile lie behind atomics
        // and `UnsafeCell`s.
        unsafe { &*self.world }
    }

    /// # Safety
    ///
    /// No `&mut World` made of this cell lives; rows are touched under a grant only.
    pub(crate) unsafe fn storage(self) -> &'w Storage {
        // SAFETY: the contract is passed on.
        unsafe { self.world() }.storage()
    }

    /// # Safety
    ///
    /// No `&mut World` made of this cell lives; sections are touched under a grant only.
    pub(crate) unsafe fn sections(self) -> &'w Sections {
        // SAFETY: the contract is passed on.
        unsafe { self.world() }.sections()
    }

    /// # Safety
    ///
    /// No `&mut World` made of this cell lives.
    pub(crate) unsafe fn components(self) -> &'w Components {
        // SAFETY: the contract is passed on.
        unsafe { self.world() }.components()
    }

    /// # Safety
    ///
    /// No `&mut World` made of this cell lives.
    pub(crate) unsafe fn resources(self) -> &'w Resources {
        // SAFETY: the contract is passed on.
        unsafe { self.world() }.resource_registry()
    }
}

/// The accesses that are out. Release builds keep no list.
#[derive(Debug, Default)]
pub(super) struct Grants(Mutex<Vec<(u64, Arc<Access>)>>);

/// An access that is out, until it is dropped.
#[derive(Debug)]
pub(crate) struct Grant<'w> {
    grants: &'w Grants,
    key: u64,
}

impl<'w> WorldCell<'w> {
    /// Notes that an access is out; a debug build refuses one that overlaps another.
    ///
    /// # Safety
    ///
    /// No `&mut World` made of this cell lives.
    ///
    /// # Panics
    ///
    /// In debug builds, if the access conflicts with one that is out: the plan let two systems overlap that may not.
    pub(crate) unsafe fn grant(self, access: &Arc<Access>) -> Grant<'w> {
        // SAFETY: the contract is passed on.
        let grants = &unsafe { self.world() }.grants;
        let key = if cfg!(debug_assertions) { grants.note(access) } else { 0 };
        Grant { grants, key }
    }
}

impl Grants {
    fn note(&self, access: &Arc<Access>) -> u64 {
        let mut out = self.0.lock().expect("no code of a user runs under this lock");
        let overlap = out.iter().find(|(_, other)| !other.may_overlap(access)).map(|(_, other)| Arc::clone(other));
        if let Some(other) = overlap {
            drop(out);
            panic!("an access was granted that overlaps one that is out: {access:?} and {other:?}");
        }
        let key = out.last().map_or(1, |(last, _)| last + 1);
        out.push((key, Arc::clone(access)));
        key
    }
}

impl Drop for Grant<'_> {
    fn drop(&mut self) {
        if cfg!(debug_assertions) {
            if let Ok(mut out) = self.grants.0.lock() {
                out.retain(|(key, _)| *key != self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn writes(component: u32) -> Access {
        let mut access = Access::default();
        access
            .queries
            .push(crate::access::QueryAccess { writes: [component].into_iter().collect(), ..Default::default() });
        access
    }

    #[test]
    #[cfg(debug_assertions)]
    fn two_grants_that_overlap_are_refused_in_debug_builds() {
        let mut world = World::new();
        let cell = WorldCell::new(&mut world);
        // SAFETY: no `&mut World` is made of the cell in this test.
        let (first, other) = unsafe { (cell.grant(&Arc::new(writes(1))), cell.grant(&Arc::new(writes(2)))) };
        let overlap = std::panic::AssertUnwindSafe(|| {
            // SAFETY: as above.
            drop(unsafe { cell.grant(&Arc::new(writes(1))) });
        });
        assert!(std::panic::catch_unwind(overlap).is_err());
        drop(first);
        // SAFETY: as above.
        drop(unsafe { cell.grant(&Arc::new(writes(1))) });
        drop(other);
    }
}
