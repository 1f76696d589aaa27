//! Systems: a function and what it touches.
//!
//! ```text
//! fn(Query<..>, Res<..>, Commands, ..)    query shape      FunctionSystem
//! each(fn(&mut A, &B, Res<..>, ..))       one row          RowSystem
//! chunk(fn(&mut [A], &[B], ..))           one batch        RowSystem
//! fn(&mut World)                          exclusive        ExclusiveSystem
//! DynamicSystem::new("name").reads::<A>() built by hand    DynamicSystem
//! ```
//!
//! The parameters of a function say what it touches, so that the declared access cannot differ from the real one.

mod condition;
mod config;
mod context;
mod dynamic;
mod event_reader;
mod exclusive;
mod function;
mod id;
mod lookup;
mod loops;
mod manager_param;
mod meta;
mod output;
mod param;
mod removed;
mod resource_params;
mod rng;
mod row;
mod row_params;
mod spec;
mod timed;

pub use condition::{ConditionFunction, ConditionParam};
pub(crate) use config::Condition;
pub use config::{IntoSystemConfig, IntoSystemConfigs, SystemConfig};
pub(crate) use context::Context;
pub use dynamic::{DynamicSystem, DynamicWorld, UndeclaredAccess};
pub use event_reader::{EventReader, Unread};
pub use exclusive::ExclusiveFunction;
pub use function::{IntoSystem, SystemFunction};
pub use id::SystemId;
pub use manager_param::Mgr;
pub use meta::ParamError;
pub(crate) use meta::{BoundSystem, MetaParts, SystemMeta};
pub use output::{SystemError, SystemOutput};
pub use param::{Commands, EventWriter, Host, Local, SystemParam, Tick};
pub use removed::Removed;
pub use resource_params::{Res, ResMut};
pub use rng::Rng;
pub use row::{ChunkFunction, EachFunction, RowLocal, chunk, each};
pub use row_params::{ChunkParam, RowParam};
pub use spec::{Rate, Shape, SystemSpec};
pub(crate) use timed::Timed;

#[doc(hidden)]
pub use crate::storage::SectionId;

use crate::clock::Clock;
use crate::world::World;

/// A system whose type is erased.
pub(crate) trait System: Send {
    /// The name of its function's type, from which automatic names are made.
    fn type_name(&self) -> &'static str;

    /// How it is called.
    fn shape(&self) -> Shape;

    /// Whether its function holds something: a closure that captures, or a pointer.
    fn captures(&self) -> bool;

    /// Resolves its parameters for a world and says what they touch.
    fn bind(&mut self, world: &mut World, meta: &mut SystemMeta) -> Result<(), ParamError>;

    /// Runs it once.
    ///
    /// # Safety
    ///
    /// The system is bound to the context's world as it is now, the caller holds its access, and the context has a lane if the
    /// system declared commands.
    #[expect(unsafe_code, reason = "the caller promises the access")]
    unsafe fn run(&mut self, context: &Context<'_>) -> Result<(), SystemError>;

    /// Nanoseconds that it took since this was last asked; `None` if it did not run or is not timed.
    fn take_time(&mut self) -> Option<u64> {
        None
    }

    /// Where the time is taken from, if it is timed.
    fn set_clock(&mut self, _clock: &Clock) {}
}
