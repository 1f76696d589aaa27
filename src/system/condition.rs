#![expect(unsafe_code, reason = "parameters are made under the access that the caller of a condition holds")]

use core::marker::PhantomData;

use super::param::{Binding, Run};
use super::{Context, ParamError, Res, SystemMeta, SystemParam, Tick};
use crate::storage::resources::Resource;
use crate::world::World;

/// A parameter of a run condition: [`Res`], `Option<Res<..>>`, [`Tick`] or a tuple of those. Nothing else compiles.
///
/// # Safety
///
/// It touches nothing but resources, which it reads, and declares them: nothing else of what it declares is added to the
/// access of the system.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a parameter of a run condition",
    label = "not a condition parameter",
    note = "a run condition reads resources and the tick: `Res<..>`, `Option<Res<..>>`, `Tick`"
)]
pub unsafe trait ConditionParam: SystemParam {}

// SAFETY: reads the resource that it declares.
unsafe impl<T: Resource> ConditionParam for Res<'_, T> {}
// SAFETY: reads the resource that it declares.
unsafe impl<T: Resource> ConditionParam for Option<Res<'_, T>> {}
// SAFETY: touches nothing.
unsafe impl ConditionParam for Tick {}

/// A function that decides whether a system runs on a tick.
///
/// It is called right before the system would run; what it reads counts as read by the system.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a run condition",
    label = "not a run condition",
    note = "a run condition is a function that returns `bool` and only reads resources and the tick: its parameters are `Res<..>`, `Option<Res<..>>` and `Tick`"
)]
pub trait ConditionFunction<Marker>: Send + 'static {
    /// The parameters.
    type Params: ConditionParam;

    /// Calls it.
    #[doc(hidden)]
    fn call(&mut self, params: <Self::Params as SystemParam>::Item<'_>) -> bool;
}

macro_rules! conditions {
    ($($name:ident),*) => {
        // SAFETY: every member reads the resources that it declares, and touches nothing else.
        unsafe impl<$($name: ConditionParam),*> ConditionParam for ($($name,)*) {}

        #[allow(non_snake_case, unused_variables, clippy::too_many_arguments, reason = "a macro for every arity, also none")]
        impl<Func, $($name: ConditionParam),*> ConditionFunction<fn($($name),*) -> bool> for Func
        where
            Func: Send + 'static,
            for<'a> &'a mut Func: FnMut($($name),*) -> bool + FnMut($($name::Item<'_>),*) -> bool,
        {
            type Params = ($($name,)*);

            fn call(&mut self, ($($name,)*): <Self::Params as SystemParam>::Item<'_>) -> bool {
                // The compiler needs to be told which of the two bounds is meant.
                fn call<$($name),*>(mut function: impl FnMut($($name),*) -> bool, $($name: $name),*) -> bool {
                    function($($name),*)
                }
                call(self, $($name),*)
            }
        }
    };
}

crate::tuples::every_arity!(conditions);

/// A run condition whose type is erased.
pub(super) trait ErasedCondition: Send {
    fn captures(&self) -> bool;

    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError>;

    /// # Safety
    ///
    /// The condition is bound to the context's world as it is now, and the caller holds its access.
    unsafe fn holds(&mut self, context: Context<'_>) -> bool;
}

struct BoundCondition<M, F: ConditionFunction<M>> {
    function: F,
    state: Option<<F::Params as SystemParam>::State>,
    marker: PhantomData<fn() -> M>,
}

pub(super) fn erase<M: 'static, F: ConditionFunction<M>>(function: F) -> Box<dyn ErasedCondition> {
    Box::new(BoundCondition { function, state: None, marker: PhantomData::<fn() -> M> })
}

impl<M: 'static, F: ConditionFunction<M>> ErasedCondition for BoundCondition<M, F> {
    fn captures(&self) -> bool {
        size_of::<F>() != 0
    }

    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        self.state = Some(F::Params::bind(&mut Binding { world, meta })?);
        Ok(())
    }

    unsafe fn holds(&mut self, context: Context<'_>) -> bool {
        let state = self.state.as_mut().expect("bound before it runs");
        // SAFETY: the contract is passed on.
        let params = unsafe { F::Params::fetch(state, &Run { context }) };
        self.function.call(params)
    }
}
