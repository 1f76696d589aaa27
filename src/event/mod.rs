//! Events: what happened, told by systems to other systems.
//!
//! ```text
//! Commands<E>, Lane::send --a record in the lane--> merge, in schedule order --> Queue<E>: waiting
//!                                                     commit (barrier or tick)   Queue<E>: visible --> EventReader, host
//! ```
//!
//! Queues and the cursors of readers are sections of the world: state like any other. See `docs/events.md`.

mod error;
mod queue;
mod registry;
mod view;

pub use error::EventError;
pub(crate) use queue::{Cursor, Queue};
pub(crate) use registry::{EventId, EventRegistry, Reader};
pub use tickweave_derive::Event;
pub use view::{EventSetup, Events};

use core::any::{TypeId, type_name};

use crate::value::StateValue;

/// A value that tells what happened.
///
/// Always derived, for types that are state values: an event that waits for its readers is state.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, Debug, PartialEq, StateValue, Event)]
/// struct Bite { by: Entity, of: Entity }
///
/// let mut world = World::new();
/// world.add_event::<Bite>()?;
/// let (wolf, sheep) = (world.spawn(()), world.spawn(()));
/// world.send_event(Bite { by: wolf, of: sheep })?;
/// assert_eq!(world.events::<Bite>()?.iter().count(), 1);
/// # Ok::<(), tickweave::event::EventError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an `Event`",
    note = "derive it: `#[derive(Clone, StateValue, Event)]`, or `#[derive(Component, Clone, Copy, Event)]` for plain data"
)]
pub trait Event: StateValue {}

/// When events become visible to readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, StateValue)]
pub enum EventScope {
    /// At the next barrier of the plan.
    #[default]
    Barrier,
    /// At the end of the tick: readers of one tick all see the same events.
    Tick,
    /// In a [simulation](crate::simulation) at the end of a pass: passes that follow in the same phase see them. They are gone at
    /// the end of the phase, read or not. A schedule that runs by itself is one phase without passes.
    Pass,
    /// At the end of a phase: the next phase sees them, and at its end they are gone, read or not. A schedule that runs by itself
    /// is one phase.
    Phase,
}

/// The events that a system says it sends: none, `()`; one type; or a tuple of types.
pub trait EventSet: 'static {
    /// Calls `each` with every type.
    #[doc(hidden)]
    fn for_each_type(each: &mut dyn FnMut(TypeId, &'static str));
}

impl<E: Event> EventSet for E {
    fn for_each_type(each: &mut dyn FnMut(TypeId, &'static str)) {
        each(TypeId::of::<E>(), type_name::<E>());
    }
}

macro_rules! event_sets {
    ($($name:ident),*) => {
        #[allow(unused_variables, reason = "a macro for every arity, also none")]
        impl<$($name: Event),*> EventSet for ($($name,)*) {
            fn for_each_type(each: &mut dyn FnMut(TypeId, &'static str)) {
                $($name::for_each_type(each);)*
            }
        }
    };
}

crate::tuples::every_arity!(event_sets);

#[cfg(test)]
mod tests;
