use super::PoolHandle;

/// What a hook is: a plain function, so that it holds no state that nobody hashes.
type Hook<T, C> = fn(&mut T, PoolHandle<T>, &mut C);

/// What is done to objects on their way into use and out of it: a constant beside the pool, not part of its value.
///
/// [`ObjectPool::acquire_with`](super::ObjectPool::acquire_with) has an object placed, initialized and activated, in this
/// order; [`release_with`](super::ObjectPool::release_with) has it deactivated. The context is whatever the hooks need: a
/// random [`Stream`](crate::rng::Stream) to place by, the world itself.
///
/// ```
/// use tickweave::pool::{PoolHandle, PoolHooks};
/// use tickweave::prelude::*;
/// use tickweave::rng::Stream;
///
/// #[derive(Clone, StateValue)]
/// struct Rock { x: u32, health: u32 }
///
/// fn anywhere(rock: &mut Rock, _: PoolHandle<Rock>, places: &mut Stream) {
///     rock.x = places.range(0..100);
/// }
/// fn whole(rock: &mut Rock, _: PoolHandle<Rock>, _: &mut Stream) {
///     rock.health = 3;
/// }
/// const HOOKS: PoolHooks<Rock, Stream> = PoolHooks::new().place(anywhere).initialize(whole);
///
/// let mut places = Stream::new(42, "rocks");
/// let mut rocks = ObjectPool::new(&Rock { x: 0, health: 0 }, 10);
/// let rock = rocks.acquire_with(&HOOKS, &mut places).and_then(|handle| rocks.get(handle));
/// assert!(rock.is_some_and(|rock| rock.x < 100 && rock.health == 3));
/// ```
pub struct PoolHooks<T, C> {
    place: Hook<T, C>,
    initialize: Hook<T, C>,
    activate: Hook<T, C>,
    deactivate: Hook<T, C>,
}

impl<T, C> PoolHooks<T, C> {
    /// Hooks that do nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { place: nothing, initialize: nothing, activate: nothing, deactivate: nothing }
    }

    /// What comes first on the way in: where the object is.
    #[must_use]
    pub const fn place(self, place: fn(&mut T, PoolHandle<T>, &mut C)) -> Self {
        Self { place, ..self }
    }

    /// What comes second on the way in: what the object is.
    #[must_use]
    pub const fn initialize(self, initialize: fn(&mut T, PoolHandle<T>, &mut C)) -> Self {
        Self { initialize, ..self }
    }

    /// What comes last on the way in: the object is seen by others.
    #[must_use]
    pub const fn activate(self, activate: fn(&mut T, PoolHandle<T>, &mut C)) -> Self {
        Self { activate, ..self }
    }

    /// What is done on the way out.
    #[must_use]
    pub const fn deactivate(self, deactivate: fn(&mut T, PoolHandle<T>, &mut C)) -> Self {
        Self { deactivate, ..self }
    }

    pub(super) fn enter(&self, object: &mut T, handle: PoolHandle<T>, context: &mut C) {
        (self.place)(object, handle, context);
        (self.initialize)(object, handle, context);
        (self.activate)(object, handle, context);
    }

    pub(super) fn leave(&self, object: &mut T, handle: PoolHandle<T>, context: &mut C) {
        (self.deactivate)(object, handle, context);
    }
}

impl<T, C> Default for PoolHooks<T, C> {
    fn default() -> Self {
        Self::new()
    }
}

fn nothing<T, C>(_: &mut T, _: PoolHandle<T>, _: &mut C) {}
