#![expect(unsafe_code, reason = "parameters are made under the access that the caller of a system holds")]

use super::lookup::SharedLookup;
use super::param::{Binding, Run};
use super::{Commands, ParamError, Res, SectionId, SystemParam, Tick};
use crate::command::Lane;
use crate::component::Component;
use crate::entity::Entity;
use crate::event::EventSet;
use crate::query::{ChunkData, Lookup, QueryData, ReadOnlyQueryData, Write};
use crate::storage::resources::Resource;

/// What every row of a system shares: resources, the tick, the lane.
#[doc(hidden)]
pub trait Shared {
    /// What is resolved once, when the system is bound to a world.
    type State: Copy + Send + Sync + 'static;
    /// What a run hands to every row.
    type Fetch<'w>: Copy;
    /// Whether rows record commands.
    const RECORDS: bool = false;

    /// Resolves it and declares what it touches.
    fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError>;

    /// # Safety
    ///
    /// As for [`SystemParam::fetch`].
    unsafe fn fetch<'w>(state: Self::State, run: &Run<'w>) -> Self::Fetch<'w>;
}

/// Nothing is shared: the parameter is a term of the row.
#[doc(hidden)]
#[derive(Debug)]
pub struct NotShared;

impl Shared for NotShared {
    type State = ();
    type Fetch<'w> = ();

    fn bind(_: &mut Binding<'_>) -> Result<(), ParamError> {
        Ok(())
    }

    unsafe fn fetch<'w>((): (), _: &Run<'w>) {}
}

#[doc(hidden)]
#[derive(Debug)]
pub struct SharedResource<T>(core::marker::PhantomData<fn() -> T>);

impl<T: Resource> Shared for SharedResource<T> {
    type State = SectionId;
    type Fetch<'w> = Res<'w, T>;

    fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError> {
        Res::<'static, T>::bind(binding)
    }

    unsafe fn fetch<'w>(section: SectionId, run: &Run<'w>) -> Res<'w, T> {
        // SAFETY: the contract is passed on.
        unsafe { Res::of(section, run) }
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct SharedTick;

impl Shared for SharedTick {
    type State = ();
    type Fetch<'w> = Tick;

    fn bind(_: &mut Binding<'_>) -> Result<(), ParamError> {
        Ok(())
    }

    unsafe fn fetch<'w>((): (), run: &Run<'w>) -> Tick {
        Tick(run.context.tick)
    }
}

#[doc(hidden)]
#[derive(Debug)]
pub struct SharedLane<E>(core::marker::PhantomData<fn() -> E>);

impl<E: EventSet> Shared for SharedLane<E> {
    type State = ();
    type Fetch<'w> = *mut Lane;
    const RECORDS: bool = true;

    fn bind(binding: &mut Binding<'_>) -> Result<(), ParamError> {
        Commands::<E>::declare(binding)
    }

    unsafe fn fetch<'w>((): (), run: &Run<'w>) -> *mut Lane {
        run.context.lane
    }
}

/// A parameter of a function that [`each`](super::each) calls for every row: `&T`, `&mut T`, [`Write<T>`](Write),
/// `Option<&T>`, `Option<&mut T>`, [`Entity`], [`Res`], [`Lookup`], [`Tick`], [`Rng`](super::Rng),
/// [`Commands`] or [`EventWriter`](super::EventWriter).
///
/// Nothing else compiles, since such a function may touch its own row only; with a [`Lookup`] it also reads other rows.
///
/// # Safety
///
/// `row` hands out what the terms fetched and what is shared, and nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a function over rows",
    label = "not a row parameter",
    note = "a function for `each(..)` takes `&T`, `&mut T`, `Write<T>`, `Option<&T>`, `Option<&mut T>`, `Entity`, `Res<..>`, `Lookup<..>`, `Tick`, `Rng`, `Commands` or `EventWriter<..>`: it touches its own row only",
    note = "to read other rows by their handles, use a `Lookup`; to walk over rows or to write a resource, use a `Query` or `ResMut` in a plain system function"
)]
pub unsafe trait RowParam {
    /// The term of the row.
    #[doc(hidden)]
    type Term: QueryData;
    /// What every row shares.
    #[doc(hidden)]
    type Shared: Shared;
    /// The parameter for one row.
    type Item<'w>: RowParam;

    /// # Safety
    ///
    /// The caller holds what the shared part declares, and no item of another row lives that holds the lane.
    #[doc(hidden)]
    unsafe fn row<'w>(
        term: <Self::Term as QueryData>::Item<'w>,
        shared: <Self::Shared as Shared>::Fetch<'w>,
    ) -> Self::Item<'w>;
}

/// A parameter of a function that [`chunk`](super::chunk) calls for every batch: `&[T]`, `&mut [T]`, `&[Entity]`,
/// `Option` of a slice, [`Res`], [`Lookup`], [`Tick`], [`Commands`] or [`EventWriter`](super::EventWriter).
///
/// # Safety
///
/// `batch` hands out what the terms fetched and what is shared, and nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a function over batches",
    label = "not a batch parameter",
    note = "a function for `chunk(..)` takes `&[T]`, `&mut [T]`, `&[Entity]`, `Option` of a slice, `Res<..>`, `Lookup<..>`, `Tick`, `Commands` or `EventWriter<..>`: it touches its own rows only"
)]
pub unsafe trait ChunkParam {
    /// The term of the rows.
    #[doc(hidden)]
    type Term: ChunkData;
    /// What every batch shares.
    #[doc(hidden)]
    type Shared: Shared;
    /// The parameter for one batch.
    type Item<'w>: ChunkParam;

    /// # Safety
    ///
    /// The caller holds what the shared part declares, and no item of another batch lives that holds the lane.
    #[doc(hidden)]
    unsafe fn batch<'w>(
        term: <Self::Term as ChunkData>::Slice<'w>,
        shared: <Self::Shared as Shared>::Fetch<'w>,
    ) -> Self::Item<'w>;
}

/// A parameter that is a term of the row.
macro_rules! row_terms {
    ($([$($generics:tt)*] $type:ty, $term:ty, $item:ty;)*) => {$(
        // SAFETY: hands out what the term fetched.
        unsafe impl<$($generics)*> RowParam for $type {
            type Term = $term;
            type Shared = NotShared;
            type Item<'w> = $item;

            #[inline(always)]
            unsafe fn row<'w>(term: <Self::Term as QueryData>::Item<'w>, (): ()) -> Self::Item<'w> {
                term
            }
        }
    )*};
}

row_terms! {
    [T: Component] &T, &'static T, &'w T;
    [T: Component] &mut T, &'static mut T, &'w mut T;
    [T: Component] Write<'_, T>, Write<'static, T>, Write<'w, T>;
    [T: Component] Option<&T>, Option<&'static T>, Option<&'w T>;
    [T: Component] Option<&mut T>, Option<&'static mut T>, Option<&'w mut T>;
    [] Entity, Entity, Entity;
}

/// A parameter that is a slice of the batch's rows.
macro_rules! batch_terms {
    ($([$($generics:tt)*] $type:ty, $term:ty, $item:ty;)*) => {$(
        // SAFETY: hands out what the term fetched.
        unsafe impl<$($generics)*> ChunkParam for $type {
            type Term = $term;
            type Shared = NotShared;
            type Item<'w> = $item;

            #[inline(always)]
            unsafe fn batch<'w>(term: <Self::Term as ChunkData>::Slice<'w>, (): ()) -> Self::Item<'w> {
                term
            }
        }
    )*};
}

batch_terms! {
    [T: Component] &[T], &'static T, &'w [T];
    [T: Component] &mut [T], &'static mut T, &'w mut [T];
    [T: Component] Option<&[T]>, Option<&'static T>, Option<&'w [T]>;
    [T: Component] Option<&mut [T]>, Option<&'static mut T>, Option<&'w mut [T]>;
    [] &[Entity], Entity, &'w [Entity];
}

/// A parameter that every row and every batch shares.
macro_rules! shared_params {
    ($([$($generics:tt)*] $type:ty, $shared:ty, $item:ty, $hand_out:expr;)*) => {$(
        // SAFETY: hands out what is shared.
        unsafe impl<$($generics)*> RowParam for $type {
            type Term = ();
            type Shared = $shared;
            type Item<'w> = $item;

            #[inline(always)]
            unsafe fn row<'w>((): (), shared: <Self::Shared as Shared>::Fetch<'w>) -> Self::Item<'w> {
                $hand_out(shared)
            }
        }

        // SAFETY: hands out what is shared.
        unsafe impl<$($generics)*> ChunkParam for $type {
            type Term = ();
            type Shared = $shared;
            type Item<'w> = $item;

            #[inline(always)]
            unsafe fn batch<'w>((): (), shared: <Self::Shared as Shared>::Fetch<'w>) -> Self::Item<'w> {
                $hand_out(shared)
            }
        }
    )*};
}

shared_params! {
    [T: Resource] Res<'_, T>, SharedResource<T>, Res<'w, T>, |resource| resource;
    [D: ReadOnlyQueryData + 'static] Lookup<'_, D>, SharedLookup<D>, Lookup<'w, D>, |lookup| lookup;
    [] Tick, SharedTick, Tick, |tick| tick;
    // SAFETY: the lane is the system's alone while it runs, and no item of another row holds it.
    [E: EventSet] Commands<'_, E>, SharedLane<E>, Commands<'w, E>, |lane: *mut Lane| Commands::new(unsafe { &mut *lane });
}
