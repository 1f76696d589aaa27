use core::any::type_name;
use core::fmt;

use super::error::BuildError;
use crate::schedule::{BindError, Commit, CommitEnd, CommitPoint, Schedule};
use crate::storage::resources::Resource;
use crate::system::{IntoSystemConfig, SystemConfig};
use crate::world::World;

/// The first of the default phases.
pub const PRE: &str = "Pre";
/// The second of the default phases.
pub const MAIN: &str = "Main";
/// The last of the default phases.
pub const POST: &str = "Post";

/// A resource that tells in which state of a game it is, as a bit, or several: what passes are filtered by.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::simulation::{Commit, StateMask};
///
/// #[derive(Clone, Copy, PartialEq, StateValue, Resource)]
/// enum Game { Running, Paused }
///
/// impl StateMask for Game {
///     fn bits(&self) -> u64 {
///         match self {
///             Self::Running => 1,
///             Self::Paused => 2,
///         }
///     }
/// }
///
/// #[derive(Clone, StateValue, Resource)]
/// struct Moves(u32);
///
/// let mut sim = Simulation::builder()
///     .resource(Game::Paused)
///     .resource(Moves(0))
///     .phase("Main", |main| {
///         main.pass("move").system(|mut moves: ResMut<Moves>| moves.0 += 1).run_in::<Game>(Game::Running.bits());
///     })
///     .build()?;
/// sim.step(())?;
/// *sim.world_mut().resource_mut::<Game>()? = Game::Running;
/// sim.step(())?;
/// assert_eq!(sim.world().resource::<Moves>()?.0, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait StateMask: Resource {
    /// The bit of the state; that of a nested state beside that of its host, if both shall be asked for.
    fn bits(&self) -> u64;
}

/// When the systems of a pass run.
#[derive(Clone, Copy)]
pub(super) struct Gate {
    mask: u64,
    state: &'static str,
    bits: fn(&World) -> Option<u64>,
}

impl Gate {
    fn of<S: StateMask>(mask: u64) -> Self {
        Self { mask, state: type_name::<S>(), bits: |world| world.resource::<S>().ok().map(StateMask::bits) }
    }

    pub(super) fn is_open(self, world: &World) -> bool {
        (self.bits)(world).is_some_and(|bits| bits & self.mask != 0)
    }
}

/// The passes of a phase; see [`SimulationBuilder::phase`](super::SimulationBuilder::phase).
pub struct PhaseBuilder {
    pub(super) name: String,
    passes: Vec<PassBuilder>,
}

/// The systems of a pass, and what its commit point publishes: everything, unless [`commit`](Self::commit) says otherwise.
pub struct PassBuilder {
    name: String,
    items: Vec<PassItem>,
    publishes: Commit,
    gate: Option<Gate>,
}

enum PassItem {
    System(Box<SystemConfig>),
    Barrier,
}

impl PhaseBuilder {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), passes: Vec::new() }
    }

    /// The pass with this name, made behind the others of the phase if there is none.
    pub fn pass(&mut self, name: impl Into<String>) -> &mut PassBuilder {
        let name = name.into();
        let found = self.passes.iter().position(|pass| pass.name == name);
        let index = found.unwrap_or_else(|| {
            self.passes.push(PassBuilder { name, items: Vec::new(), publishes: Commit::ALL, gate: None });
            self.passes.len() - 1
        });
        &mut self.passes[index]
    }

    /// Puts the phase behind what the schedule has; notes when each pass runs.
    pub(super) fn add_to(
        self,
        schedule: &mut Schedule,
        world: &World,
        gates: &mut Vec<Option<Gate>>,
    ) -> Result<(), BuildError> {
        for pass in self.passes {
            let name = format!("{}/{}", self.name, pass.name);
            for item in pass.items {
                match item {
                    PassItem::System(system) => {
                        schedule.try_add(*system).map_err(BindError::from)?;
                    }
                    PassItem::Barrier => schedule.barrier(),
                }
            }
            if let Some(gate) = pass.gate.filter(|gate| (gate.bits)(world).is_none()) {
                return Err(BuildError::NoState { pass: name, state: gate.state });
            }
            gates.push(pass.gate);
            schedule.commit(CommitPoint { name, ends: CommitEnd::Pass, publishes: pass.publishes });
        }
        gates.push(None);
        schedule.commit(CommitPoint { name: self.name, ends: CommitEnd::Phase, publishes: Commit::ALL });
        Ok(())
    }
}

impl PassBuilder {
    /// Adds a system behind the others.
    pub fn system<M>(&mut self, system: impl IntoSystemConfig<M>) -> &mut Self {
        self.items.push(PassItem::System(Box::new(system.into_config())));
        self
    }

    /// Adds a barrier: what was recorded before takes effect here, and events that wait for a barrier become visible. It is
    /// no commit point: typed commands wait, and managers do not flush.
    pub fn barrier(&mut self) -> &mut Self {
        self.items.push(PassItem::Barrier);
        self
    }

    /// What the commit point at the end of the pass publishes. The rest waits for the next one that does; the end of a
    /// phase publishes everything.
    pub fn commit(&mut self, publishes: Commit) -> &mut Self {
        self.publishes = publishes;
        self
    }

    /// Has the systems of the pass run only while the state shares a bit with `mask`. It is asked once, when the pass begins.
    /// A pass that is skipped commits all the same.
    pub fn run_in<S: StateMask>(&mut self, mask: u64) -> &mut Self {
        self.gate = Some(Gate::of::<S>(mask));
        self
    }
}

impl fmt::Debug for PhaseBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PhaseBuilder").field("name", &self.name).field("passes", &self.passes).finish()
    }
}

impl fmt::Debug for PassBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PassBuilder")
            .field("name", &self.name)
            .field("publishes", &self.publishes)
            .finish_non_exhaustive()
    }
}
