#![expect(unsafe_code, reason = "parameters are made under the access that the caller of a system holds")]

use core::any::type_name;
use core::marker::PhantomData;

use super::param::{Binding, Run};
use super::{Context, ParamError, Shape, System, SystemError, SystemMeta, SystemOutput, SystemParam};
use crate::world::World;

/// A function whose parameters say what it touches: a system of the query shape.
///
/// `Marker` only tells functions with different parameters apart.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "not a system",
    note = "a system is a function whose parameters are `Query<..>`, `Lookup<..>`, `Res<..>`, `ResMut<..>`, `Commands`, `EventWriter<..>`, `Local<..>`, `Tick`, `Rng`, `EventReader<..>`, `Removed<..>`, `Mgr<..>` or `Host<..>`, or a single `&mut World`",
    note = "a function over rows is added with `each(..)`, one over slices with `chunk(..)`"
)]
pub trait SystemFunction<Marker>: Send + 'static {
    /// The parameters.
    type Params: SystemParam;
    /// What it returns.
    type Out: SystemOutput;

    /// Calls it.
    #[doc(hidden)]
    fn call(&mut self, params: <Self::Params as SystemParam>::Item<'_>) -> Self::Out;
}

macro_rules! system_functions {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments, reason = "a macro for every arity, also none")]
        impl<Func, Out, $($name: SystemParam),*> SystemFunction<fn($($name),*) -> Out> for Func
        where
            Out: SystemOutput,
            Func: Send + 'static,
            for<'a> &'a mut Func: FnMut($($name),*) -> Out + FnMut($($name::Item<'_>),*) -> Out,
        {
            type Params = ($($name,)*);
            type Out = Out;

            #[inline]
            fn call(&mut self, ($($name,)*): <Self::Params as SystemParam>::Item<'_>) -> Out {
                // The compiler needs to be told which of the two bounds is meant.
                fn call<Out, $($name),*>(mut function: impl FnMut($($name),*) -> Out, $($name: $name),*) -> Out {
                    function($($name),*)
                }
                call(self, $($name),*)
            }
        }
    };
}

crate::tuples::every_arity!(system_functions);

/// Anything that can be made a system: a function, `each(..)`, `chunk(..)`, a [`DynamicSystem`](super::DynamicSystem).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a system",
    label = "not a system",
    note = "a system is a function whose parameters are `Query<..>`, `Lookup<..>`, `Res<..>`, `ResMut<..>`, `Commands`, `EventWriter<..>`, `Local<..>`, `Tick`, `Rng`, `EventReader<..>`, `Removed<..>`, `Mgr<..>` or `Host<..>`, or a single `&mut World`",
    note = "a function over rows is added with `each(..)`, one over slices with `chunk(..)`"
)]
pub trait IntoSystem<Marker>: Sized {
    /// The system, its type erased.
    #[doc(hidden)]
    fn into_system(self) -> ErasedSystem;
}

/// A system whose type is erased.
#[doc(hidden)]
pub struct ErasedSystem(pub(super) Box<dyn System>);

impl core::fmt::Debug for ErasedSystem {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_tuple("ErasedSystem").field(&self.0.type_name()).finish()
    }
}

/// Marks [`IntoSystem`] of plain functions.
#[doc(hidden)]
#[derive(Debug)]
pub struct IsFunction;

impl<M: 'static, F: SystemFunction<M>> IntoSystem<(IsFunction, M)> for F {
    fn into_system(self) -> ErasedSystem {
        ErasedSystem(Box::new(FunctionSystem { function: self, state: None, marker: PhantomData::<fn() -> M> }))
    }
}

struct FunctionSystem<M, F: SystemFunction<M>> {
    function: F,
    state: Option<<F::Params as SystemParam>::State>,
    marker: PhantomData<fn() -> M>,
}

impl<M: 'static, F: SystemFunction<M>> System for FunctionSystem<M, F> {
    fn type_name(&self) -> &'static str {
        type_name::<F>()
    }

    fn captures(&self) -> bool {
        size_of::<F>() != 0
    }

    fn shape(&self) -> Shape {
        Shape::Query
    }

    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        self.state = Some(F::Params::bind(&mut Binding { world, meta })?);
        Ok(())
    }

    unsafe fn run(&mut self, context: &Context<'_>) -> Result<(), SystemError> {
        let state = self.state.as_mut().expect("bound before it runs");
        // SAFETY: the contract is passed on.
        let params = unsafe { F::Params::fetch(state, &Run { context: *context }) };
        self.function.call(params).into_result()
    }
}
