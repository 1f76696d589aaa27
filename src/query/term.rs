#![expect(unsafe_code, reason = "turns granted access into references to rows")]

use core::marker::PhantomData;

use super::ChunkView;
use super::matching::{Term, Touch};
use crate::access::IdSet;
use crate::component::{Component, ComponentId, Components};
use crate::entity::Entity;

/// Looks up the ids of the component types that a query names. A type that is not registered has none: it matches
/// nothing, and nothing is registered.
#[derive(Clone, Copy, Debug)]
pub struct Resolver<'w> {
    components: &'w Components,
}

impl<'w> Resolver<'w> {
    pub(crate) const fn new(components: &'w Components) -> Self {
        Self { components }
    }

    pub(crate) fn id_of<T: Component>(&self) -> Option<ComponentId> {
        self.components.id_of::<T>()
    }
}

/// What a query fetches from each row: `&T`, `&mut T`, [`Write<T>`](super::Write), `Option` of a term, [`Entity`],
/// [`Has<T>`], a tuple of up to sixteen terms, or a struct with `#[derive(QueryRow)]`.
///
/// A query that names one component twice, once to write it, is refused when it is made.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Position(f32);
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Velocity(f32);
///
/// #[derive(QueryRow)]
/// struct Mover<'w> {
///     position: &'w mut Position,
///     velocity: &'w Velocity,
/// }
///
/// let mut world = World::new();
/// let wolf = world.spawn((Position(1.0), Velocity(0.5)));
/// for mover in world.query_mut::<Mover, ()>() {
///     mover.position.0 += mover.velocity.0;
/// }
/// assert_eq!(world.get::<Position>(wolf)?.0, 1.5);
/// # Ok::<(), tickweave::world::ComponentError>(())
/// ```
///
/// # Safety
///
/// * [`terms`](Self::terms) names everything that [`fetch`](Self::fetch) and [`item`](Self::item) touch, and calls required
///   only what every admitted archetype has.
/// * [`admits`](Self::admits) and [`present`](Self::present) are true only for archetypes, and their chunks, that have every
///   column that the item needs; the two agree. [`NEEDED`](Self::NEEDED) and
///   [`TOUCHED`](Self::TOUCHED) are not more than the item needs and not less than the terms touch.
/// * [`fetch_present`](Self::fetch_present) is `None` where `present` is false.
/// * [`ReadOnly`](Self::ReadOnly) keeps these promises for the same state, and needs no column that this one does not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be fetched by a query",
    label = "not a query term",
    note = "terms are `&T`, `&mut T`, `Write<T>`, `Option<term>`, `Entity`, `Has<T>`, tuples of at most 16 terms, and structs with `#[derive(QueryRow)]`"
)]
pub unsafe trait QueryData {
    /// What the query yields for a row.
    type Item<'w>;
    /// The same terms without the right to write.
    type ReadOnly: ReadOnlyQueryData<State = Self::State>;
    /// The ids of the components that the terms name.
    type State: Copy + Send + Sync + 'static;
    /// Where the columns of one chunk are.
    type Fetch<'w>: Copy;

    /// How many columns every item needs.
    const NEEDED: u32 = 0;
    /// How many columns the terms touch, those below an `Option` too.
    const TOUCHED: u32 = Self::NEEDED;

    /// Looks up the ids.
    fn resolve(resolver: Resolver<'_>) -> Self::State;

    /// Whether the rows of an archetype with these components are fetched.
    fn admits(state: Self::State, mask: &IdSet) -> bool;

    /// Names each component, what is done with it, and whether every row has it.
    fn terms(state: Self::State, term: &mut dyn FnMut(Term));

    /// Whether the chunk has every column that an item needs.
    fn present(state: Self::State, chunk: ChunkView<'_>) -> bool;

    /// Finds the columns, and makes those that are written ours alone.
    ///
    /// # Safety
    ///
    /// The chunk is [`present`](Self::present), and the caller holds the access of the terms to it while the fetch and
    /// its items live.
    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w>;

    /// Finds the columns of a chunk that may lack some: `None` unless it is [`present`](Self::present).
    ///
    /// # Safety
    ///
    /// The caller holds the access of the terms to the chunk, if it is present, while the fetch and its items live. Unless the
    /// terms only read or touch one column, the chunk is present: a member of a tuple is entered before the next one is
    /// looked for.
    #[inline(always)]
    unsafe fn fetch_present<'w>(state: Self::State, chunk: ChunkView<'w>) -> Option<Self::Fetch<'w>> {
        // SAFETY: present is checked first; the rest is this function's contract.
        Self::present(state, chunk).then(|| unsafe { Self::fetch(state, chunk) })
    }

    /// Fetches a row.
    ///
    /// # Safety
    ///
    /// The row is in use, and no other item of the same row lives if the terms write.
    unsafe fn item<'w>(fetch: Self::Fetch<'w>, row: u32) -> Self::Item<'w>;
}

/// Terms that only read: their items may be made from a shared world, any number at a time.
///
/// # Safety
///
/// No term writes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be fetched from a world that is only shared",
    label = "not a read-only query",
    note = "to write, use `query_mut` with a `&mut World`, or ask for `&T` instead of `&mut T`",
    note = "a tuple has at most 16 terms: nest tuples for more",
    note = "a `#[derive(QueryRow)]` struct around a row that writes says so: `#[query_row(writes)]`"
)]
pub unsafe trait ReadOnlyQueryData: QueryData<ReadOnly = Self> {}

fn has(mask: &IdSet, id: Option<ComponentId>) -> bool {
    id.is_some_and(|id| mask.contains(id.bit()))
}

// SAFETY: reads the one column that `terms` names.
unsafe impl<T: Component> QueryData for &T {
    type Item<'w> = &'w T;
    type ReadOnly = Self;
    type State = Option<ComponentId>;
    type Fetch<'w> = *const T;
    const NEEDED: u32 = 1;

    fn resolve(resolver: Resolver<'_>) -> Self::State {
        resolver.id_of::<T>()
    }

    fn admits(state: Self::State, mask: &IdSet) -> bool {
        has(mask, state)
    }

    fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
        term(Term::new(state, Touch::Read));
    }

    #[inline]
    fn present(state: Self::State, chunk: ChunkView<'_>) -> bool {
        chunk.has(state)
    }

    #[inline]
    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        // SAFETY: the caller holds the access of the term to the chunk.
        unsafe { chunk.read(state) }
    }

    #[inline(always)]
    unsafe fn fetch_present<'w>(state: Self::State, chunk: ChunkView<'w>) -> Option<Self::Fetch<'w>> {
        // SAFETY: the caller holds the access of the term to the chunk.
        let rows: *const T = unsafe { chunk.read(state) };
        (!rows.is_null()).then_some(rows)
    }

    #[inline(always)]
    unsafe fn item<'w>(fetch: Self::Fetch<'w>, row: u32) -> Self::Item<'w> {
        // SAFETY: the row is in use in a chunk that has the column, and nobody writes it while `'w` lasts.
        unsafe { &*fetch.add(row as usize) }
    }
}

// SAFETY: only reads.
unsafe impl<T: Component> ReadOnlyQueryData for &T {}

/// Rows that are written, and the stamps of their changes where the component is tracked.
#[doc(hidden)]
pub struct WriteFetch<'w, T> {
    rows: *mut T,
    changed: *mut u64,
    now: u64,
    chunk: PhantomData<&'w T>,
}

impl<T> Clone for WriteFetch<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for WriteFetch<'_, T> {}

impl<T: Component> WriteFetch<'_, T> {
    /// The first of the rows from `row` on, `count` of which are marked as changed.
    ///
    /// # Safety
    ///
    /// The rows are in use, and the caller may write them.
    #[inline(always)]
    pub(super) unsafe fn rows(self, row: u32, count: u32) -> *mut T {
        if T::TRACKED {
            // SAFETY: a tracked column has a stamp for each of its rows, and whoever may write rows may write those.
            unsafe { core::slice::from_raw_parts_mut(self.changed.add(row as usize), count as usize) }.fill(self.now);
        }
        // SAFETY: the row is in use, so that it lies within the block.
        unsafe { self.rows.add(row as usize) }
    }
}

// SAFETY: writes the one column that `terms` names, and its stamps.
unsafe impl<T: Component> QueryData for &mut T {
    type Item<'w> = &'w mut T;
    type ReadOnly = &'static T;
    type State = Option<ComponentId>;
    type Fetch<'w> = WriteFetch<'w, T>;
    const NEEDED: u32 = 1;

    fn resolve(resolver: Resolver<'_>) -> Self::State {
        resolver.id_of::<T>()
    }

    fn admits(state: Self::State, mask: &IdSet) -> bool {
        has(mask, state)
    }

    fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
        term(Term::new(state, Touch::Write));
    }

    #[inline]
    fn present(state: Self::State, chunk: ChunkView<'_>) -> bool {
        chunk.has(state)
    }

    #[inline]
    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        // SAFETY: the chunk is present, so that the component is registered, and the state is of its world.
        let (rows, changed) = unsafe { chunk.enter(state.unwrap_unchecked()) };
        WriteFetch { rows, changed, now: chunk.stamps().now, chunk: PhantomData }
    }

    #[inline(always)]
    unsafe fn fetch_present<'w>(state: Self::State, chunk: ChunkView<'w>) -> Option<Self::Fetch<'w>> {
        // SAFETY: the caller holds the access of the term to the chunk; a chunk without the column is not marked.
        unsafe {
            let rows: *const T = chunk.read(state);
            (!rows.is_null()).then(|| Self::fetch(state, chunk))
        }
    }

    #[inline(always)]
    unsafe fn item<'w>(fetch: Self::Fetch<'w>, row: u32) -> Self::Item<'w> {
        // SAFETY: the row is in use, the block was made ours alone in `fetch`, and no other item of the row lives.
        unsafe { &mut *fetch.rows(row, 1) }
    }
}

// SAFETY: reads the column of entities, which nobody writes while systems run.
unsafe impl QueryData for Entity {
    type Item<'w> = Entity;
    type ReadOnly = Self;
    type State = ();
    type Fetch<'w> = *const Entity;

    fn resolve(_: Resolver<'_>) -> Self::State {}

    fn admits((): Self::State, _: &IdSet) -> bool {
        true
    }

    fn terms((): Self::State, _: &mut dyn FnMut(Term)) {}

    fn present((): Self::State, _: ChunkView<'_>) -> bool {
        true
    }

    #[inline]
    unsafe fn fetch<'w>((): Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        chunk.entities()
    }

    #[inline(always)]
    unsafe fn item<'w>(fetch: Self::Fetch<'w>, row: u32) -> Self::Item<'w> {
        // SAFETY: rows in use hold their entity.
        unsafe { fetch.add(row as usize).read() }
    }
}

// SAFETY: only reads.
unsafe impl ReadOnlyQueryData for Entity {}

/// A term that yields whether the row's entity has a component, without fetching it.
///
/// ```
/// use tickweave::prelude::*;
/// #[derive(Component)]
/// struct Enemy;
/// let mut world = World::new();
/// world.spawn(Enemy);
/// world.spawn(());
/// assert_eq!(world.query::<Has<Enemy>, ()>().into_iter().collect::<Vec<bool>>(), [false, true]);
/// ```
#[derive(Debug)]
pub struct Has<T>(PhantomData<fn() -> T>);

// SAFETY: touches no column.
unsafe impl<T: Component> QueryData for Has<T> {
    type Item<'w> = bool;
    type ReadOnly = Self;
    type State = Option<ComponentId>;
    type Fetch<'w> = bool;

    fn resolve(resolver: Resolver<'_>) -> Self::State {
        resolver.id_of::<T>()
    }

    fn admits(_: Self::State, _: &IdSet) -> bool {
        true
    }

    fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
        term(Term::new(state, Touch::Name));
    }

    fn present(_: Self::State, _: ChunkView<'_>) -> bool {
        true
    }

    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        chunk.has(state)
    }

    unsafe fn item<'w>(fetch: Self::Fetch<'w>, _: u32) -> Self::Item<'w> {
        fetch
    }
}

// SAFETY: only reads.
unsafe impl<T: Component> ReadOnlyQueryData for Has<T> {}

// SAFETY: fetches what the inner term fetches, where it is present.
unsafe impl<D: QueryData> QueryData for Option<D> {
    type Item<'w> = Option<D::Item<'w>>;
    type ReadOnly = Option<D::ReadOnly>;
    type State = D::State;
    type Fetch<'w> = Option<D::Fetch<'w>>;
    const TOUCHED: u32 = D::TOUCHED;

    fn resolve(resolver: Resolver<'_>) -> Self::State {
        D::resolve(resolver)
    }

    fn admits(_: Self::State, _: &IdSet) -> bool {
        true
    }

    fn terms(state: Self::State, term: &mut dyn FnMut(Term)) {
        D::terms(state, &mut |inner| term(Term { required: false, ..inner }));
    }

    fn present(_: Self::State, _: ChunkView<'_>) -> bool {
        true
    }

    unsafe fn fetch<'w>(state: Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
        // SAFETY: present is checked first; the access is the caller's.
        D::present(state, chunk).then(|| unsafe { D::fetch(state, chunk) })
    }

    #[inline(always)]
    unsafe fn item<'w>(fetch: Self::Fetch<'w>, row: u32) -> Self::Item<'w> {
        // SAFETY: the contract is passed on.
        fetch.map(|fetch| unsafe { D::item(fetch, row) })
    }
}

// SAFETY: only reads, since the inner term does.
unsafe impl<D: ReadOnlyQueryData> ReadOnlyQueryData for Option<D> {}

macro_rules! tuple_terms {
    ($($name:ident),*) => {
        // SAFETY: fetches what its members fetch; queries whose terms clash are refused.
        #[allow(unused_variables, non_snake_case, clippy::unused_unit, reason = "a macro for every arity, also none")]
        unsafe impl<$($name: QueryData),*> QueryData for ($($name,)*) {
            type Item<'w> = ($($name::Item<'w>,)*);
            type ReadOnly = ($($name::ReadOnly,)*);
            type State = ($($name::State,)*);
            type Fetch<'w> = ($($name::Fetch<'w>,)*);
            const NEEDED: u32 = 0 $(+ $name::NEEDED)*;
            const TOUCHED: u32 = 0 $(+ $name::TOUCHED)*;

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
            fn present(($($name,)*): Self::State, chunk: ChunkView<'_>) -> bool {
                true $(&& $name::present($name, chunk))*
            }

            #[inline]
            unsafe fn fetch<'w>(($($name,)*): Self::State, chunk: ChunkView<'w>) -> Self::Fetch<'w> {
                // SAFETY: the contract is passed on to each member.
                ($(unsafe { $name::fetch($name, chunk) },)*)
            }

            #[inline(always)]
            unsafe fn fetch_present<'w>(
                ($($name,)*): Self::State,
                chunk: ChunkView<'w>,
            ) -> Option<Self::Fetch<'w>> {
                // SAFETY: the contract is passed on to each member.
                Some(($(unsafe { $name::fetch_present($name, chunk) }?,)*))
            }

            #[inline(always)]
            unsafe fn item<'w>(($($name,)*): Self::Fetch<'w>, row: u32) -> Self::Item<'w> {
                // SAFETY: the contract is passed on; the members touch different columns, or only read.
                ($(unsafe { $name::item($name, row) },)*)
            }
        }

        // SAFETY: only reads, since every member does.
        unsafe impl<$($name: ReadOnlyQueryData),*> ReadOnlyQueryData for ($($name,)*) {}
    };
}

crate::tuples::every_arity!(tuple_terms);
