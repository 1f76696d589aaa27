//! What most programs need: `use tickweave::prelude::*;`.

pub use crate::command::{Command, CommandBuffer, Lane};
pub use crate::component::{Bundle, Component};
pub use crate::entity::{Entity, MapEntities};
pub use crate::event::{Event, EventScope};
pub use crate::executor::RunError;
pub use crate::jobs::{Eagerness, Pool};
pub use crate::machine::{MachineState, StateMachine, StateMask};
pub use crate::pool::{ObjectPool, PoolHandle};
pub use crate::query::{Added, Changed, ChunkChanged, Has, Lookup, Or, Query, QueryRow, Show, With, Without, Write};
pub use crate::resource::Resource;
pub use crate::schedule::{Executor, Schedule};
pub use crate::simulation::{
    Execute, FlushContext, HandlesCommand, InitContext, Inputs, Manager, Simulation, Ticker, Verdict,
};
pub use crate::state::{Snapshot, SnapshotRing};
pub use crate::system::{
    Commands, DynamicSystem, DynamicWorld, EventReader, EventWriter, Host, IntoSystemConfig, Local, Mgr, Removed, Res,
    ResMut, Rng, SystemError, Tick, chunk, each,
};
pub use crate::value::StateValue;
pub use crate::world::{PreparedQuery, World};
