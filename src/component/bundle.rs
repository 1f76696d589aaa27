#![expect(unsafe_code, reason = "a bundle promises the order in which it hands out its values")]

use super::{Component, ComponentDescriptor};
use crate::entity::EntityMapper;

/// Components that are spawned or inserted as one move: a component, a tuple of up to sixteen bundles, or a derived
/// struct of bundles. `()` is the empty bundle.
///
/// A component type may stand in a bundle once; twice is an error that names it.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Default)]
/// #[repr(C)]
/// struct Position { x: f32, y: f32 }
///
/// #[derive(Component)]
/// struct Enemy;
///
/// #[derive(Bundle)]
/// struct Wolf { position: Position, enemy: Enemy }
///
/// let mut world = World::new();
/// let wolf = world.spawn(Wolf { position: Position::default(), enemy: Enemy });
/// assert!(world.has::<Enemy>(wolf));
/// ```
///
/// # Safety
///
/// [`put`](Self::put) hands out exactly the components that [`descriptors`](Self::descriptors) names, in that order, and
/// runs no other code in between: until the last one is taken, the row that they are written to is not whole.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a bundle of components",
    label = "not a `Bundle`",
    note = "a bundle is a component, a tuple of at most 16 bundles (nest tuples for more), or a struct with `#[derive(Bundle)]`"
)]
pub unsafe trait Bundle: Send + Sync + Sized + 'static {
    /// Whether an entity may be somewhere inside of the values.
    const HOLDS_ENTITIES: bool;

    /// Names each component, in the order of [`put`](Self::put).
    fn descriptors(name: &mut dyn FnMut(ComponentDescriptor));

    /// Hands out each value.
    fn put(self, sink: &mut impl BundleSink);

    /// Replaces each entity in the values by what `mapper` says.
    fn map_bundle(&mut self, mapper: &mut dyn EntityMapper);
}

/// Takes the values of a [`Bundle`].
pub trait BundleSink {
    /// Takes the next value.
    fn take<T: Component>(&mut self, value: T);
}

// SAFETY: one descriptor, which is checked to be that of the type, and one value of it.
unsafe impl<T: Component> Bundle for T {
    const HOLDS_ENTITIES: bool = T::ENTITIES_INSIDE;

    fn descriptors(name: &mut dyn FnMut(ComponentDescriptor)) {
        name(ComponentDescriptor::of::<T>());
    }

    #[inline(always)]
    fn put(self, sink: &mut impl BundleSink) {
        sink.take(self);
    }

    fn map_bundle(&mut self, mapper: &mut dyn EntityMapper) {
        self.map_inside(mapper);
    }
}

macro_rules! tuple_bundles {
    ($($name:ident),*) => {
        // SAFETY: both functions walk the members from first to last.
        unsafe impl<$($name: Bundle),*> Bundle for ($($name,)*) {
            const HOLDS_ENTITIES: bool = false $(|| $name::HOLDS_ENTITIES)*;

            #[allow(unused_variables, reason = "the empty tuple names nothing")]
            fn descriptors(name: &mut dyn FnMut(ComponentDescriptor)) {
                $($name::descriptors(name);)*
            }

            #[allow(unused_variables, non_snake_case, reason = "a macro for every arity, also none")]
            #[inline(always)]
            fn put(self, sink: &mut impl BundleSink) {
                let ($($name,)*) = self;
                $($name.put(sink);)*
            }

            #[allow(unused_variables, non_snake_case, reason = "a macro for every arity, also none")]
            fn map_bundle(&mut self, mapper: &mut dyn EntityMapper) {
                let ($($name,)*) = self;
                $($name.map_bundle(mapper);)*
            }
        }
    };
}

crate::tuples::every_arity!(tuple_bundles);
