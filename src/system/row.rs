#![expect(unsafe_code, reason = "rows are handed out under the access that the caller of a system holds")]

use core::any::type_name;
use core::marker::PhantomData;

use super::function::{ErasedSystem, IntoSystem};
use super::param::{Binding, QueryState, Run};
use super::row_params::{ChunkParam, RowParam, Shared};
use super::{Context, ParamError, Shape, System, SystemError, SystemMeta, SystemOutput};
use crate::query::{ChunkData, ChunkView, QueryData, QueryFilter, WholeChunks};
use crate::world::World;

/// A function over rows or batches: what it fetches, what every row shares, and how it is called for a run of rows of one
/// chunk.
///
/// # Safety
///
/// `rows` touches the rows that it is given, and what the shared part declares, and nothing else.
#[doc(hidden)]
pub unsafe trait RowBody<Marker>: Send + 'static {
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
    note = "it takes `&T`, `&mut T`, `Write<T>`, `Option<&T>`, `Option<&mut T>`, `Entity`, `Res<..>`, `Tick` or `Commands`, and may return a `Result`; a closure must not change what it captures"
)]
pub trait EachFunction<Marker>: RowBody<(IsEach, Marker)> {}

/// A function that [`chunk`] calls for every batch.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a function over batches",
    label = "not a function for `chunk`",
    note = "it takes `&[T]`, `&mut [T]`, `&[Entity]`, `Option` of a slice, `Res<..>`, `Tick` or `Commands`, and may return a `Result`; a closure must not change what it captures"
)]
pub trait ChunkFunction<Marker>: RowBody<(IsChunk, Marker)> {}

#[doc(hidden)]
#[derive(Debug)]
pub struct IsEach;

#[doc(hidden)]
#[derive(Debug)]
pub struct IsChunk;

macro_rules! each_functions {
    ($($name:ident),*) => {
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
            unsafe fn rows<'w, F: QueryFilter>(
                &self,
                data: <Self::Terms as QueryData>::Fetch<'w>,
                filter: F::Fetch<'w>,
                ($($name,)*): <Self::Shared as Shared>::Fetch<'w>,
                first: u32,
                count: u32,
            ) -> Result<(), SystemError> {
                #[inline(always)]
                fn call<Out, $($name),*>(function: impl Fn($($name),*) -> Out, $($name: $name),*) -> Out {
                    function($($name),*)
                }
                let shared = ($($name,)*);
                for row in first..first + count {
                    // SAFETY: the row is in use, and each is fetched once; items of the row before are gone.
                    unsafe {
                        if F::ARCHETYPAL || F::row(filter, row) {
                            each_functions!(@call self, shared, Self::Terms::item(data, row), $($name),*).into_result()?;
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
    };
    (@call $self:ident, $shared:ident, $items:expr, $($name:ident),*) => {{
        #[allow(unused_mut, reason = "the empty tuple has no members")]
        let mut index = 0;
        let _ = &mut index;
        let ($($name,)*) = each_functions!(@zip $items, $shared, $($name),*);
        call($self, $($name),*)
    }};
}
