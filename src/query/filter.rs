#![expect(unsafe_code, reason = "reads the stamps of rows under granted access")]

use core::marker::PhantomData;

use super::matching::{Term, Touch};
use super::{ChunkView, Resolver};
use crate::access::IdSet;
use crate::component::{Component, ComponentId, Tracked};
use crate::storage::ColumnTable;

/// Which rows a query yields: [`With`], [`Without`], [`Or`], [`Changed`], [`Added`], [`ChunkChanged`], [`Show`], or a
/// tuple of filters that must all pass. `()` lets every row pass.
///
/// # Safety
///
/// * The filter writes nothing, and [`terms`](Self::terms) names every column whose stamps it reads.
/// * `terms` requires only what is true for every archetype that [`admits`](Self::admits) lets pass: two queries that the
///   requirements keep apart may write at the same time.
/// * [`ADMITS_ALL`](Self::ADMITS_ALL) is true only if `admits` is true for every archetype.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query filter",
    label = "not a filter",
    note = "filters are `With<T>`, `Without<T>`, `Or<(..)>`, `Changed<T>`, `Added<T>`, `ChunkChanged<T>`, `Show<T>`, `()` and tuples of at most 16 of them; what a query fetches stands in its first parameter"
)]
pub unsafe trait QueryFilter {
    /// The ids of the components that the filter names.
    type State: Copy + Send + Sync + 'static;
    /// What decides about the rows of one chunk.
    type Fetch<'w>: Copy;
    /// Whether an archetype passes whole or not at all.
    const ARCHETYPAL: bool;
    /// Whether every archetype is admitted.
    const ADMITS_ALL: bool = false;

    /// Looks up the ids.
    fn resolve(resolver: Resolver<'_>) -> Self::State;

    /// Whether rows of an archetype with these components can pass.
    fn admits(state: Self::State, mask: &IdSet) -> bool;

    /// Names each component and what is done with it. What is required is true of every archetype that is admitted.
    fn terms(state: Self::State, term: &mut dyn FnMut(Term));

    /// Looks at a chunk of an admitted archetype.
    ///
    /// # Safety
    ///
    /// The caller holds the access of the filter to the chunk while the fetch lives.
    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w>;

    /// Whether any row of the chunk can pass.
    fn chunk(fetch: Self::Fetch<'_>) -> bool;

    /// Whether a row passes, where [`chunk`](Self::chunk) was true.
    ///
    /// # Safety
    ///
    /// The row is in use.
    unsafe fn row(fetch: Self::Fetch<'_>, row: u32) -> bool;
}

/// Filters that let a chunk pass whole or not at all, so that its rows can be handed out as slices.
#[diagnostic::on_unimplemented(
    message = "`{Self}` picks single rows, but whole chunks are handed out here",
    label = "a filter of rows",
    note = "use `ChunkChanged` instead of `Changed` or `Added`, or go row by row"
)]
pub trait WholeChunks: QueryFilter {}

fn has(mask: &IdSet, id: Option<ComponentId>) -> bool {
    id.is_some_and(|id| mask.contains(id.bit()))
}

/// A filter that looks at the components of an archetype only.
macro_rules! archetypal_filter {
    ($(#[$doc:meta])* $name:ident, admits: $admits:expr, touch: $touch:expr) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>(PhantomData<fn() -> T>);

        // SAFETY: reads no column.
        unsafe impl<T: Component> QueryFilter for $name<T> {
            type State = Option<ComponentId>;
            type Fetch<'w> = ();
            const ARCHETYPAL: bool = true;

            fn resolve(resolver: Resolver<'_>) -> Self::State {
                resolver.id_of::<T>()
            }

            fn admits(state: Self::State, mask: &IdSet) -> bool {
                let admits: fn(bool) -> bool = $admits;
                admits(has(mask, state))
            }

            fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
                term(Term::new(state, $touch));
            }

            unsafe fn fetch<'w>(_: Self::State, _: ChunkView<'w>) -> Self::Fetch<'w> {}

            fn chunk((): Self::Fetch<'_>) -> bool {
                true
            }

            unsafe fn row((): Self::Fetch<'_>, _: u32) -> bool {
                true
            }
        }

        impl<T: Component> WholeChunks for $name<T> {}
    };
}

archetypal_filter! {
    /// Lets entities pass that have a component.
    With, admits: |has| has, touch: Touch::With
}

archetypal_filter! {
    /// Lets entities pass that lack a component.
    Without, admits: |has| !has, touch: Touch::Without
}

archetypal_filter! {
    /// Lets every entity pass, also those that a component hides by default.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Disabled;
    ///
    /// let mut world = World::builder().with_hidden_component::<Disabled>().build()?;
    /// world.spawn(Disabled);
    /// world.spawn(());
    /// assert_eq!(world.query::<Entity, ()>().count(), 1);
    /// assert_eq!(world.query::<Entity, Show<Disabled>>().count(), 2);
    /// # Ok::<(), tickweave::world::BuildError>(())
    /// ```
    Show, admits: |_| true, touch: Touch::Name
}

/// The stamps of the rows of a chunk, and the reader's last one. The pointer is fetched anew for each row: a write through
/// `Write` may move the block meanwhile.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct RowStampFetch<'w> {
    stamps: Option<&'w ColumnTable>,
    view: ChunkView<'w>,
}

impl RowStampFetch<'_> {
    /// # Safety
    ///
    /// The row is in use, and its component may be read.
    #[inline(always)]
    unsafe fn is_new(&self, row: u32) -> bool {
        self.stamps.is_some_and(|stamps| {
            let stamp = stamps.value(self.view.place(row)).cast::<u64>();
            // SAFETY: the column has a stamp for each row in use, and nobody else writes it while this filter reads.
            unsafe { *stamp > self.view.stamps().last }
        })
    }
}

macro_rules! row_filter {
    ($(#[$doc:meta])* $name:ident, $stamps:ident) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $name<T>(PhantomData<fn() -> T>);

        // SAFETY: reads the stamps of the one column that `terms` names.
        unsafe impl<T: Tracked> QueryFilter for $name<T> {
            type State = Option<ComponentId>;
            type Fetch<'w> = RowStampFetch<'w>;
            const ARCHETYPAL: bool = false;

            fn resolve(resolver: Resolver<'_>) -> Self::State {
                resolver.id_of::<T>()
            }

            fn admits(state: Self::State, mask: &IdSet) -> bool {
                has(mask, state)
            }

            fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
                term(Term::new(state, Touch::Stamps));
            }

            unsafe fn fetch<'w>(state: Self::State, view: ChunkView<'w>) -> Self::Fetch<'w> {
                let stamps = state.and_then(|id| view.column(id).row_stamps());
                RowStampFetch { stamps: stamps.map(|stamps| &stamps.$stamps), view }
            }

            fn chunk(fetch: Self::Fetch<'_>) -> bool {
                fetch.stamps.is_some()
            }

            #[inline(always)]
            unsafe fn row(fetch: Self::Fetch<'_>, row: u32) -> bool {
                // SAFETY: the contract is passed on.
                unsafe { fetch.is_new(row) }
            }
        }
    };
}

row_filter! {
    /// Lets rows pass whose component was written, inserted or replaced since the reader's last run.
    ///
    /// Strictly newer than the reader's own last stamp: a system does not see its own writes again. Only for components
    /// with `#[component(track)]`. For a query of the host every change counts.
    Changed, changed
}

row_filter! {
    /// Lets rows pass whose component was inserted or replaced since the reader's last run.
    ///
    /// Only for components with `#[component(track)]`.
    Added, added
}

/// Lets chunks pass that can hold a change of a component since the reader's last run: free for every component, but
/// whole chunks pass, also when a row was only moved into or out of them.
#[derive(Debug)]
pub struct ChunkChanged<T>(PhantomData<fn() -> T>);

// SAFETY: reads the stamps of the one column that `terms` names.
unsafe impl<T: Component> QueryFilter for ChunkChanged<T> {
    type State = Option<ComponentId>;
    type Fetch<'w> = bool;
    const ARCHETYPAL: bool = false;

    fn resolve(resolver: Resolver<'_>) -> Self::State {
        resolver.id_of::<T>()
    }

    fn admits(state: Self::State, mask: &IdSet) -> bool {
        has(mask, state)
    }

    fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
        term(Term::new(state, Touch::Stamps));
    }

    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        state.is_some_and(|id| {
            let column = chunk.column(id);
            column.has(chunk.chunk()) && column.stamp(chunk.chunk()) > chunk.stamps().last
        })
    }

    fn chunk(fetch: Self::Fetch<'_>) -> bool {
        fetch
    }

    unsafe fn row(_: Self::Fetch<'_>, _: u32) -> bool {
        true
    }
}

impl<T: Component> WholeChunks for ChunkChanged<T> {}

/// Lets rows pass that at least one of the filters in a tuple lets pass.
///
/// An `Or` proves nothing to the scheduler: two queries that only an `Or` keeps apart still conflict.
#[derive(Debug)]
pub struct Or<F>(PhantomData<fn() -> F>);

macro_rules! tuple_filters {
    ($($name:ident),*) => {
        // SAFETY: reads what its members read; true of every admitted archetype is what is true for each member.
        #[allow(unused_variables, non_snake_case, clippy::unused_unit, reason = "a macro for every arity, also none")]
        unsafe impl<$($name: QueryFilter),*> QueryFilter for ($($name,)*) {
            type State = ($($name::State,)*);
            type Fetch<'w> = ($($name::Fetch<'w>,)*);
            const ARCHETYPAL: bool = true $(&& $name::ARCHETYPAL)*;
            const ADMITS_ALL: bool = true $(&& $name::ADMITS_ALL)*;

            fn resolve(resolver: Resolver<'_>) -> Self::State {
                ($($name::resolve(resolver),)*)
            }

            fn admits(($($name,)*): Self::State, mask: &IdSet) -> bool {
                true $(&& $name::admits($name, mask))*
            }

            fn terms(($($name,)*): Self::State, term: &mut dyn FnMut(Term)) {
                $($name::terms($name, term);)*
            }

            #[inline]
            unsafe fn fetch<'w>(($($name,)*): Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
                // SAFETY: the contract is passed on to each member.
                ($(unsafe { $name::fetch($name, chunk) },)*)
            }

            #[inline]
            fn chunk(($($name,)*): Self::Fetch<'_>) -> bool {
                true $(&& $name::chunk($name))*
            }

            #[inline(always)]
            unsafe fn row(($($name,)*): Self::Fetch<'_>, row: u32) -> bool {
                // SAFETY: the contract is passed on to each member.
                true $(&& unsafe { $name::row($name, row) })*
            }
        }

        impl<$($name: WholeChunks),*> WholeChunks for ($($name,)*) {}

        // SAFETY: reads what its members read; requires nothing.
        #[allow(unused_variables, unused_mut, non_snake_case, clippy::unused_unit, reason = "a macro for every arity, also none")]
        unsafe impl<$($name: QueryFilter),*> QueryFilter for Or<($($name,)*)> {
            type State = ($($name::State,)*);
            type Fetch<'w> = ($(Option<$name::Fetch<'w>>,)*);
            const ARCHETYPAL: bool = true $(&& $name::ARCHETYPAL)*;

            fn resolve(resolver: Resolver<'_>) -> Self::State {
                ($($name::resolve(resolver),)*)
            }

            fn admits(($($name,)*): Self::State, mask: &IdSet) -> bool {
                false $(|| $name::admits($name, mask))*
            }

            fn terms(($($name,)*): Self::State, term: &mut dyn FnMut(Term)) {
                let mut optional = |inner: Term| term(Term { required: false, ..inner });
                $($name::terms($name, &mut optional);)*
            }

            unsafe fn fetch<'w>(($($name,)*): Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
                let mask = chunk.mask();
                // SAFETY: the contract is passed on to each member that admits the chunk's archetype.
                ($($name::admits($name, mask).then(|| unsafe { $name::fetch($name, chunk) }),)*)
            }

            fn chunk(($($name,)*): Self::Fetch<'_>) -> bool {
                false $(|| $name.is_some_and($name::chunk))*
            }

            #[inline]
            unsafe fn row(($($name,)*): Self::Fetch<'_>, row: u32) -> bool {
                // SAFETY: the contract is passed on to each member whose chunk passes.
                false $(|| $name.is_some_and(|fetch| $name::chunk(fetch) && unsafe { $name::row(fetch, row) }))*
            }
        }

        impl<$($name: WholeChunks),*> WholeChunks for Or<($($name,)*)> {}
    };
}

crate::tuples::every_arity!(tuple_filters);
