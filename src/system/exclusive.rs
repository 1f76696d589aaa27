#![expect(unsafe_code, reason = "an exclusive system takes the world out of the cell")]

use core::any::type_name;
use core::marker::PhantomData;

use super::function::{ErasedSystem, IntoSystem};
use super::{Commands, Context, ParamError, Shape, System, SystemError, SystemMeta, SystemOutput};
use crate::world::World;

/// A function over the whole world: a system of the exclusive shape, alone between two barriers.
///
/// `fn(&mut World)`, or `fn(&mut World, Commands)` whose commands are applied at the barrier behind it.
pub trait ExclusiveFunction<Marker>: Send + 'static {
    /// What it returns.
    type Out: SystemOutput;
    /// Whether it records commands.
    const RECORDS: bool;

    /// Calls it.
    #[doc(hidden)]
    fn call(&mut self, world: &mut World, commands: Commands<'_>) -> Self::Out;
}

impl<Out: SystemOutput, F: FnMut(&mut World) -> Out + Send + 'static> ExclusiveFunction<fn(&mut World) -> Out> for F {
    type Out = Out;
    const RECORDS: bool = false;

    fn call(&mut self, world: &mut World, _: Commands<'_>) -> Out {
        self(world)
    }
}

impl<Out: SystemOutput, F> ExclusiveFunction<fn(&mut World, Commands<'_>) -> Out> for F
where
    F: FnMut(&mut World, Commands<'_>) -> Out + Send + 'static,
{
    type Out = Out;
    const RECORDS: bool = true;

    fn call(&mut self, world: &mut World, commands: Commands<'_>) -> Out {
        self(world, commands)
    }
}

/// Marks [`IntoSystem`] of functions over the whole world.
#[doc(hidden)]
#[derive(Debug)]
pub struct IsExclusive;

impl<M: 'static, F: ExclusiveFunction<M>> IntoSystem<(IsExclusive, M)> for F {
    fn into_system(self) -> ErasedSystem {
        ErasedSystem(Box::new(ExclusiveSystem { function: self, marker: PhantomData::<fn() -> M> }))
    }
}

struct ExclusiveSystem<M, F> {
    function: F,
    marker: PhantomData<fn() -> M>,
}

impl<M: 'static, F: ExclusiveFunction<M>> System for ExclusiveSystem<M, F> {
    fn type_name(&self) -> &'static str {
        type_name::<F>()
    }

    fn captures(&self) -> bool {
        size_of::<F>() != 0
    }

    fn shape(&self) -> Shape {
        Shape::Exclusive
    }

    fn bind(&mut self, _: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError> {
        meta.add_exclusive();
        if F::RECORDS { meta.add_commands("Commands") } else { Ok(()) }
    }

    unsafe fn run(&mut self, context: &Context<'_>) -> Result<(), SystemError> {
        // SAFETY: an exclusive system holds everything, so that no grant is out; the lane is not part of the world.
        let (world, lane) = unsafe { (context.cell.world_mut(), &mut *context.lane) };
        self.function.call(world, Commands::new(lane)).into_result()
    }
}
