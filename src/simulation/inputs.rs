use core::any::{TypeId, type_name};

use tickweave_derive::Resource;

use super::error::StepError;
use crate::storage::resources::{InputResource, Resource};
use crate::value::StateValue;
use crate::world::World;

/// The inputs of several players, in order: what [`inputs`](super::SimulationBuilder::inputs) registers, a step is given as
/// a slice, and systems read as `Res<Inputs<I>>`.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::simulation::Inputs;
///
/// #[derive(Clone, StateValue)]
/// struct Stick { x: i32 }
/// #[derive(Clone, StateValue, Resource)]
/// struct Sum(i32);
///
/// let mut sim = Simulation::builder()
///     .inputs::<Stick>()
///     .resource(Sum(0))
///     .phase("Main", |main| {
///         main.pass("steer").system(|sticks: Res<Inputs<Stick>>, mut sum: ResMut<Sum>| {
///             sum.0 += sticks.iter().map(|stick| stick.x).sum::<i32>();
///         });
///     })
///     .build()?;
/// sim.step(&[Stick { x: 3 }, Stick { x: -1 }][..])?;
/// assert_eq!(sim.world().resource::<Sum>()?.0, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, StateValue, Resource)]
#[resource(input)]
pub struct Inputs<I: StateValue>(Vec<I>);

impl<I: StateValue> core::ops::Deref for Inputs<I> {
    type Target = [I];

    fn deref(&self) -> &[I] {
        &self.0
    }
}

impl<I: StateValue> Default for Inputs<I> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// The types of inputs of a simulation.
#[derive(Debug, Default)]
pub struct KnownInputs(pub(super) Vec<TypeId>);

impl KnownInputs {
    fn check<I: 'static>(&self) -> Result<(), StepError> {
        let known = self.0.contains(&TypeId::of::<I>());
        if known { Ok(()) } else { Err(StepError::UnknownInput { input: type_name::<I>() }) }
    }
}

/// What a step is given: `()` for nothing, `&input`, the inputs of several players as slice, array or `Vec`, or a tuple of those.
///
/// Inputs that a step is not given stay as they are.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be given to a step",
    label = "no inputs of a step",
    note = "give `()`, a reference to a resource of class input, a slice, array or `Vec` of state values, or a tuple of those"
)]
pub trait StepInputs {
    /// Whether the simulation knows the types.
    #[doc(hidden)]
    fn check(&self, known: &KnownInputs) -> Result<(), StepError>;

    /// Puts the inputs into the world.
    #[doc(hidden)]
    fn put(self, world: &mut World);
}

impl<I: InputResource + Clone> StepInputs for &I {
    fn check(&self, known: &KnownInputs) -> Result<(), StepError> {
        known.check::<I>()
    }

    fn put(self, world: &mut World) {
        match slot::<I>(world) {
            Some(old) => old.clone_from(self),
            None => drop(world.insert_resource(self.clone())),
        }
    }
}

impl<I: StateValue> StepInputs for &[I] {
    fn check(&self, known: &KnownInputs) -> Result<(), StepError> {
        known.check::<Inputs<I>>()
    }

    fn put(self, world: &mut World) {
        match slot::<Inputs<I>>(world) {
            Some(Inputs(old)) => {
                old.clear();
                old.extend_from_slice(self);
            }
            None => drop(world.insert_resource(Inputs(self.to_vec()))),
        }
    }
}

macro_rules! inputs_of_players {
    ($([$($const:tt)*] $list:ty),*) => {$(
        impl<I: StateValue, $($const)*> StepInputs for $list {
            fn check(&self, known: &KnownInputs) -> Result<(), StepError> {
                (&self[..]).check(known)
            }

            fn put(self, world: &mut World) {
                (&self[..]).put(world);
            }
        }
    )*};
}

inputs_of_players!([const N: usize] [I; N], [const N: usize] &[I; N], [] Vec<I>, [] &Vec<I>);

/// The value of an input, for writing: only a step may.
fn slot<I: Resource>(world: &mut World) -> Option<&mut I> {
    let registry = world.resource_registry();
    let section = registry.id_of::<I>().map(|id| registry.section(id))?;
    world.sections_mut().value_mut(section)
}

macro_rules! step_inputs {
    ($($name:ident),*) => {
        #[allow(non_snake_case, unused_variables, reason = "a macro for every arity, also none")]
        impl<$($name: StepInputs),*> StepInputs for ($($name,)*) {
            fn check(&self, known: &KnownInputs) -> Result<(), StepError> {
                let ($($name,)*) = self;
                $($name.check(known)?;)*
                Ok(())
            }

            fn put(self, world: &mut World) {
                let ($($name,)*) = self;
                $($name.put(world);)*
            }
        }
    };
}

crate::tuples::every_arity!(step_inputs);
