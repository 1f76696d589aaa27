#![expect(unsafe_code, reason = "turns granted access into references to rows")]

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use super::matching::Term;
use super::{ChunkView, QueryData, Resolver};
use crate::access::IdSet;
use crate::component::{Component, ComponentId};

/// A term that reads like `&T` and marks the row, and its chunk, as changed at the first write.
///
/// `&mut T` marks every row that it fetches. Use this where most rows are left alone: `Changed` then tells the rows that
/// were written, and chunks that were not written stay shared with snapshots.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, PartialEq, Debug)]
/// #[component(track)]
/// #[repr(C)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// world.spawn_batch([Health(0), Health(5)]);
/// for mut health in world.query_mut::<Write<Health>, ()>() {
///     if health.0 == 0 {
///         health.0 = 9;
///     }
/// }
/// assert_eq!(world.query::<&Health, ()>().into_iter().collect::<Vec<_>>(), [&Health(9), &Health(5)]);
/// ```
pub struct Write<'w, T> {
    view: ChunkView<'w>,
    component: ComponentId,
    row: u32,
    marker: PhantomData<&'w mut T>,
}

impl<T: Component> Deref for Write<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        let value = self.view.column(self.component).value(self.view.place(self.row)).cast::<T>();
        // SAFETY: the row is in use in a chunk with this column, and this term alone may write it. The pointer is fetched
        // anew each time, since a write moves a shared block.
        unsafe { &*value }
    }
}

impl<T: Component> DerefMut for Write<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the row is in use in a chunk with this column, the block is made ours alone here, and no other reference to
        // the row lives: it would have come from this term, which is borrowed.
        unsafe {
            let (rows, changed) = self.view.write::<T>(self.component);
            if !changed.is_null() {
                changed.add(self.row as usize).write(self.view.stamps().now);
            }
            &mut *rows.add(self.row as usize)
        }
    }
}

impl<T: Component + fmt::Debug> fmt::Debug for Write<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

// SAFETY: writes the one column that `terms` names, and its stamps.
unsafe impl<T: Component> QueryData for Write<'_, T> {
    type Item<'w> = Write<'w, T>;
    type ReadOnly = &'static T;
    type State = Option<ComponentId>;
    type Fetch<'w> = (ChunkView<'w>, Option<ComponentId>);
    const NEEDED: u32 = 1;

    fn resolve(resolver: Resolver<'_>) -> Self::State {
        <&mut T>::resolve(resolver)
    }

    fn admits(state: Self::State, mask: &IdSet) -> bool {
        <&mut T>::admits(state, mask)
    }

    fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
        <&mut T>::terms(state, term);
    }

    fn present(state: Self::State, chunk: ChunkView<'_>) -> bool {
        <&mut T>::present(state, chunk)
    }

    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        (chunk, state)
    }

    #[inline]
    unsafe fn item<'w>((view, state): Self::Fetch<'w>, row: u32) -> Self::Item<'w> {
        let component = state.expect("only chunks with the column are fetched");
        Write { view, component, row, marker: PhantomData }
    }
}
