#![expect(unsafe_code, reason = "rows are handed out under the access that the caller of a system holds")]

use core::any::type_name;
use core::marker::PhantomData;
use std::panic::resume_unwind;

use super::context::SharedContext;
use super::function::{ErasedSystem, IntoSystem};
use super::loops::record;
use super::param::{Binding, QueryState, Run};
use super::row_params::{ChunkParam, RowParam, Shared};
use super::{Context, ParamError, Shape, System, SystemError, SystemMeta, SystemOutput};
use crate::command::{Lane, OwnLane};
use crate::jobs::Payload;
use crate::query::{ChunkData, QueryData, QueryFilter, UnitRows, WholeChunks};
use crate::world::World;

/// A function over rows or batches: what it fetches, what every row shares, and how it is called for a run of rows of one
/// chunk.
///
/// # Safety
///
/// `rows` touches the rows that it is given, and what the shared part declares, and nothing else.
#[doc(hidden)]
pub unsafe trait RowBody<Marker>: Send + Sync + 'static {
    /// The terms of a row.
    type Terms: QueryData;
    /// What every row shares.
    type Shared: Shared;
    /// What it returns.
    type Out: SystemOutput;
    /// How it is called.
    const SHAPE: Shape;

    /// Calls the function for the rows `first..first + count` of a chunk that pass the filter, in order.
    ///
    /// # Safety
    ///
    /// The fetches are of the chunk, the rows are in use, the caller holds their access, and nobody else uses the rows or
    /// the lane. Rows of a filter that is not of whole chunks are passed to functions over rows only.
    unsafe fn rows<'w, F: QueryFilter>(
        &self,
        data: <Self::Terms as QueryData>::Fetch<'w>,
        filter: F::Fetch<'w>,
        shared: <Self::Shared as Shared>::Fetch<'w>,
        first: u32,
        count: u32,
    ) -> Result<(), SystemError>;
}

/// A function that [`each`] calls for every row.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function over rows",
    label = "not a function for `each`",
    note = "it takes `&T`, `&mut T`, `Write<T>`, `Option<&T>`, `Option<&mut T>`, `Entity`, `Res<..>`, `Lookup<..>`, `Tick`, `Rng`, `Commands` or `EventWriter<..>`, and may return a `Result`; a closure must not change what it captures"
)]
pub trait EachFunction<Marker>: RowBody<(IsEach, Marker)> {}

/// A function that [`chunk`] calls for every batch.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function over batches",
    label = "not a function for `chunk`",
    note = "it takes `&[T]`, `&mut [T]`, `&[Entity]`, `Option` of a slice, `Res<..>`, `Lookup<..>`, `Tick`, `Commands` or `EventWriter<..>`, and may return a `Result`; a closure must not change what it captures"
)]
pub trait ChunkFunction<Marker>: RowBody<(IsChunk, Marker)> {}

#[doc(hidden)]
#[derive(Debug)]
pub struct IsEach;

#[doc(hidden)]
#[derive(Debug)]
pub struct IsChunk;

macro_rules! row_functions {
    ($($name:ident $value:ident),*) => {
        // SAFETY: the function is called with the items of the rows and with what is shared.
        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments, reason = "a macro for every arity, also none")]
        unsafe impl<Func, Out, $($name: RowParam),*> RowBody<(IsEach, fn($($name),*) -> Out)> for Func
        where
            Out: SystemOutput,
            Func: Send + Sync + 'static,
            for<'a> &'a Func: Fn($($name),*) -> Out + Fn($($name::Item<'_>),*) -> Out,
        {
            type Terms = ($($name::Term,)*);
            type Shared = ($($name::Shared,)*);
            type Out = Out;
            const SHAPE: Shape = Shape::Each;

            #[inline]
            unsafe fn rows<'w, Filter: QueryFilter>(
                &self,
                data: <Self::Terms as QueryData>::Fetch<'w>,
                filter: Filter::Fetch<'w>,
                shared: <Self::Shared as Shared>::Fetch<'w>,
                first: u32,
                count: u32,
            ) -> Result<(), SystemError> {
                // The compiler needs to be told which of the two bounds is meant.
                #[inline(always)]
                fn call<Out, $($name),*>(function: impl Fn($($name),*) -> Out, $($value: $name),*) -> Out {
                    function($($value),*)
                }
                let ($($name,)*) = shared;
                for row in first..first + count {
                    // SAFETY: the row is in use, and each is fetched once; the items of the row before are gone.
                    unsafe {
                        if Filter::ARCHETYPAL || Filter::row(filter, row) {
                            let ($($value,)*) = Self::Terms::item(data, row);
                            call(self, $($name::row($value, $name)),*).into_result()?;
                        }
                    }
                }
                Ok(())
            }
        }

        impl<Func, Out, $($name: RowParam),*> EachFunction<fn($($name),*) -> Out> for Func
        where
            Func: RowBody<(IsEach, fn($($name),*) -> Out)>,
        {
        }

        // SAFETY: the function is called with the slices of the rows and with what is shared.
        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments, reason = "a macro for every arity, also none")]
        unsafe impl<Func, Out, $($name: ChunkParam),*> RowBody<(IsChunk, fn($($name),*) -> Out)> for Func
        where
            Out: SystemOutput,
            Func: Send + Sync + 'static,
            for<'a> &'a Func: Fn($($name),*) -> Out + Fn($($name::Item<'_>),*) -> Out,
        {
            type Terms = ($($name::Term,)*);
            type Shared = ($($name::Shared,)*);
            type Out = Out;
            const SHAPE: Shape = Shape::Chunk;

            #[inline]
            unsafe fn rows<'w, Filter: QueryFilter>(
                &self,
                data: <Self::Terms as QueryData>::Fetch<'w>,
                filter: Filter::Fetch<'w>,
                shared: <Self::Shared as Shared>::Fetch<'w>,
                first: u32,
                count: u32,
            ) -> Result<(), SystemError> {
                // The compiler needs to be told which of the two bounds is meant.
                #[inline(always)]
                fn call<Out, $($name),*>(function: impl Fn($($name),*) -> Out, $($value: $name),*) -> Out {
                    function($($value),*)
                }
                let ($($name,)*) = shared;
                // SAFETY: the rows are in use, and each is handed out once; the slices of the batch before are gone.
                unsafe {
                    let ($($value,)*) = Self::Terms::slice(data, first, count);
                    call(self, $($name::batch($value, $name)),*).into_result()
                }
            }
        }

        impl<Func, Out, $($name: ChunkParam),*> ChunkFunction<fn($($name),*) -> Out> for Func
        where
            Func: RowBody<(IsChunk, fn($($name),*) -> Out)>,
        {
        }

        #[allow(non_snake_case, unused_variables, clippy::unused_unit, reason = "a macro for every arity, also none")]
        impl<$($name: Shared),*> Shared for ($($name,)*) {
            type State = ($($name::State,)*);
            type Fetch<'w> = ($($name::Fetch<'w>,)*);
            const RECORDS: bool = false $(|| $name::RECORDS)*;

            fn bind(binding: &mut Binding<'_>) -> Result<Self::State, ParamError> {
                Ok(($($name::bind(binding)?,)*))
            }

            unsafe fn fetch<'w>(($($name,)*): Self::State, run: &Run<'w>) -> Self::Fetch<'w> {
                // SAFETY: the contract is passed on to each member.
                ($(unsafe { $name::fetch($name, run) },)*)
            }
        }
    };
}

crate::tuples::every_arity_with_values!(row_functions);

/// A function over rows or batches with its filter: a system that writes its own rows only.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Health(u32);
/// #[derive(Component)]
/// struct Enemy;
///
/// fn weaken(health: &mut Health) {
///     health.0 -= 1;
/// }
///
/// let mut world = World::new();
/// let wolf = world.spawn((Health(3), Enemy));
/// let sheep = world.spawn(Health(3));
/// let mut schedule = Schedule::new();
/// schedule.add(each(weaken).filter::<With<Enemy>>());
/// schedule.run(&mut world)?;
/// assert_eq!((world.get::<Health>(wolf)?.0, world.get::<Health>(sheep)?.0), (2, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RowLocal<Marker, Body, F = ()> {
    body: Body,
    marker: PhantomData<fn() -> (Marker, F)>,
}

/// A system that calls a function for every row that has what its parameters ask for.
///
/// See [`RowParam`] for the parameters, and [`RowLocal::filter`] for filters.
pub fn each<M, Body: EachFunction<M>>(function: Body) -> RowLocal<(IsEach, M), Body> {
    RowLocal { body: function, marker: PhantomData }
}

/// A system that calls a function for every batch of rows, with a slice for each parameter: for loops that vectorise.
///
/// A batch has [`batch_rows`](crate::world::WorldBuilder::batch_rows) rows, the last one of a chunk may have fewer. See
/// [`ChunkParam`] for the parameters.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Health(u32);
///
/// fn weaken(health: &mut [Health]) {
///     for health in health {
///         health.0 -= 1;
///     }
/// }
///
/// let mut world = World::new();
/// world.spawn_batch((0..1000).map(|_| Health(3)));
/// let mut schedule = Schedule::new();
/// schedule.add(chunk(weaken));
/// schedule.run(&mut world)?;
/// assert!(world.query::<&Health, ()>().into_iter().all(|health| health.0 == 2));
/// # Ok::<(), RunError>(())
/// ```
pub fn chunk<M, Body: ChunkFunction<M>>(function: Body) -> RowLocal<(IsChunk, M), Body> {
    RowLocal { body: function, marker: PhantomData }
}

impl<M, Body> RowLocal<(IsEach, M), Body> {
    /// Calls the function for rows that a filter lets pass only.
    #[must_use]
    pub fn filter<F: QueryFilter>(self) -> RowLocal<(IsEach, M), Body, F> {
        RowLocal { body: self.body, marker: PhantomData }
    }
}

impl<M, Body> RowLocal<(IsChunk, M), Body> {
    /// Calls the function for chunks that a filter lets pass only.
    #[must_use]
    pub fn filter<F: WholeChunks>(self) -> RowLocal<(IsChunk, M), Body, F> {
        RowLocal { body: self.body, marker: PhantomData }
    }
}

/// Marks [`IntoSystem`] of functions over rows and batches.
#[doc(hidden)]
#[derive(Debug)]
pub struct IsRowLocal;

#[diagnostic::do_not_recommend]
impl<M: 'static, Body: RowBody<M>, F: QueryFilter + 'static> IntoSystem<(IsRowLocal, M)> for RowLocal<M, Body, F>
where
    Body::Terms: 'static,
{
    fn into_system(self) -> ErasedSystem {
        let marker = PhantomData::<fn() -> F>;
        ErasedSystem(Box::new(RowSystem::<M, Body, F> { body: self.body, state: None, marker }))
    }
}

/// On a line of the cache: a tick of many small systems comes by each of them.
#[repr(align(64))]
struct RowSystem<M, Body: RowBody<M>, F: QueryFilter> {
    body: Body,
    state: Option<RowState<M, Body, F>>,
    marker: PhantomData<fn() -> F>,
}

struct RowState<M, Body: RowBody<M>, F: QueryFilter> {
    query: QueryState<Body::Terms, F>,
    shared: <Body::Shared as Shared>::State,
}

impl<M: 'static, Body: RowBody<M>, F: QueryFilter + 'static> System for RowSystem<M, Body, F>
where
    Body::Terms: 'static,
{
    fn type_name(&self) -> &'static str {
        type_name::<Body>()
    }

    fn captures(&self) -> bool {
        size_of::<Body>() != 0
    }

    fn shape(&self) -> Shape {
        Body::SHAPE
    }

    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        let mut binding = Binding { world, meta };
        let query = QueryState::bind(type_name::<Body>(), &mut binding)?;
        let shared = Body::Shared::bind(&mut binding)?;
        self.state = Some(RowState { query, shared });
        Ok(())
    }

    unsafe fn run(&mut self, context: &Context<'_>) -> Result<(), SystemError> {
        debug_assert!(self.state.is_some(), "bound before it runs");
        // SAFETY: the system is bound, and the rest of the contract is passed on.
        unsafe {
            let state = self.state.as_mut().unwrap_unchecked();
            match Body::Shared::RECORDS || context.team.is_some() {
                true => state.run_units(&self.body, context),
                false => state.run_chunks(&self.body, context),
            }
        }
    }
}

impl<M, Body: RowBody<M>, F: QueryFilter> RowState<M, Body, F> {
    /// Calls the body chunk by chunk, where nobody helps and no commands need to know their batch.
    ///
    /// # Safety
    ///
    /// As for [`System::run`].
    #[inline(always)]
    unsafe fn run_chunks(&mut self, body: &Body, context: &Context<'_>) -> Result<(), SystemError> {
        // SAFETY: the contract is passed on; the rows of each chunk are handed out once.
        unsafe {
            let shared = Body::Shared::fetch(self.shared, &Run { context: *context });
            let batch_rows = context.cell.storage().shape().batch_rows();
            self.query.for_each_chunk(context, |data, filter, rows| {
                if Body::SHAPE == Shape::Each {
                    // A function over rows sees no difference between one batch and all of them.
                    return body.rows::<F>(data, filter, shared, 0, rows);
                }
                let mut batches = (0..rows).step_by(batch_rows as usize);
                batches.try_for_each(|first| body.rows::<F>(data, filter, shared, first, batch_rows.min(rows - first)))
            })
        }
    }

    /// Calls the body unit by unit, each with the lane of the hand that takes it.
    ///
    /// # Safety
    ///
    /// As for [`System::run`].
    #[inline(never)]
    unsafe fn run_units(&mut self, body: &Body, context: &Context<'_>) -> Result<(), SystemError> {
        let run = RowRun { body, shared: self.shared, context: context.shared(), marker: PhantomData::<fn() -> M> };
        // SAFETY: the contract is passed on; each unit is given to one hand, once, with a lane of its own.
        unsafe {
            let units = self.query.query(context).into_units();
            match Body::Shared::RECORDS {
                true => record(units, &mut *context.lane, &|unit, lane| run.unit(unit, lane).map_err(in_a_box)),
                false => units.run(&|claim| {
                    let mut units = core::iter::from_fn(|| claim.next());
                    units.try_for_each(|unit| run.unit(unit, no_lane())).map_err(in_a_box)
                }),
            }
        }
        .map_err(out_of_the_box)
    }
}

const fn no_lane() -> *mut Lane {
    core::ptr::null_mut::<OwnLane>()
}

/// What the hands that run a system share.
struct RowRun<'w, M, Body: RowBody<M>> {
    body: &'w Body,
    shared: <Body::Shared as Shared>::State,
    context: SharedContext<'w>,
    marker: PhantomData<fn() -> M>,
}

impl<'w, M, Body: RowBody<M>> RowRun<'w, M, Body> {
    /// Calls the body for a unit.
    ///
    /// # Safety
    ///
    /// As for [`System::run`]; the unit is given to this hand alone, once, and the lane is its own.
    unsafe fn unit<F: QueryFilter>(
        &self,
        unit: UnitRows<'w, Body::Terms, F>,
        lane: *mut Lane,
    ) -> Result<(), SystemError> {
        // SAFETY: the contract is passed on.
        unsafe {
            let shared = Body::Shared::fetch(self.shared, &Run { context: self.context.with_lane(lane) });
            unit.for_each_batch(|data, filter, first, count| self.body.rows::<F>(data, filter, shared, first, count))
        }
    }
}

/// The error of a row on its way through a loop that knows panics only.
struct RowError(SystemError);

fn in_a_box(error: SystemError) -> Payload {
    Box::new(RowError(error))
}

fn out_of_the_box(payload: Payload) -> SystemError {
    match payload.downcast::<RowError>() {
        Ok(error) => error.0,
        Err(panic) => resume_unwind(panic),
    }
}
