use core::any::type_name;
use core::fmt;

use super::error::BuildError;
use crate::machine::{MachineState, StateMachine, StateMask};
use crate::schedule::{BindError, Commit, CommitEnd, CommitPoint, Schedule};
use crate::storage::SectionId;
use crate::system::{IntoSystemConfig, SystemConfig};
use crate::world::World;

/// The first of the default phases.
pub const PRE: &str = "Pre";
/// The second of the default phases.
pub const MAIN: &str = "Main";
/// The last of the default phases.
pub const POST: &str = "Post";

/// The states of one machine in which the systems of a pass run.
pub(super) struct Gate {
    pub(super) state: &'static str,
    /// Where the machine is in the world that the simulation was built with.
    section: SectionId,
    is_in: Box<Ask>,
}

/// Whether the machine in a section is in one of the states; `None` if there is none.
type Ask = dyn Fn(&World, SectionId) -> Option<bool> + Send + Sync;

impl Gate {
    /// Without a machine it is closed.
    pub(super) fn is_open(&self, world: &World) -> bool {
        (self.is_in)(world, self.section).unwrap_or(false)
    }

    /// Whether the world lacks the machine.
    pub(super) fn lacks_state(&self, world: &World) -> bool {
        (self.is_in)(world, self.section).is_none()
    }
}

/// A gate whose machine is not looked up yet.
struct Wanted {
    state: &'static str,
    section_in: fn(&World) -> Option<SectionId>,
    is_in: Box<Ask>,
}

impl Wanted {
    fn new<S: MachineState>(states: StateMask<S>) -> Self {
        let is_in = move |world: &World, section| {
            let machine = world.resource_in::<StateMachine<S>>(section);
            machine.map(|machine| machine.is_in(states))
        };
        let section_in = World::resource_section::<StateMachine<S>>;
        Self { state: type_name::<StateMachine<S>>(), section_in, is_in: Box::new(is_in) }
    }

    /// The gate, or the name of the machine that the world lacks.
    fn resolve(self, world: &World) -> Result<Gate, &'static str> {
        let Self { state, section_in, is_in } = self;
        let gate = section_in(world).map(|section| Gate { state, section, is_in });
        gate.filter(|gate| !gate.lacks_state(world)).ok_or(state)
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
    states: Vec<Wanted>,
}

enum PassItem {
    System(Box<SystemConfig>),
    Barrier,
}

impl PhaseBuilder {
    pub(super) fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), passes: Vec::new() }
    }

    /// The pass with this name, made behind the others of the phase if there is none. One that is there keeps what was said of
    /// it: systems come behind the others, and states beside the others; what its commit publishes stays unless it is said anew.
    pub fn pass(&mut self, name: impl Into<String>) -> &mut PassBuilder {
        let name = name.into();
        let found = self.passes.iter().position(|pass| pass.name == name);
        let index = found.unwrap_or_else(|| {
            self.passes.push(PassBuilder { name, items: Vec::new(), publishes: Commit::ALL, states: Vec::new() });
            self.passes.len() - 1
        });
        &mut self.passes[index]
    }

    /// Puts the phase behind what the schedule has; notes for each commit point what lets the systems of its pass run.
    pub(super) fn add_to(
        self,
        schedule: &mut Schedule,
        world: &World,
        gates: &mut Vec<Vec<Gate>>,
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
            let resolved = pass.states.into_iter().map(|wanted| wanted.resolve(world)).collect::<Result<_, _>>();
            match resolved {
                Ok(resolved) => gates.push(resolved),
                Err(state) => return Err(BuildError::NoState { pass: name, state }),
            }
            schedule.commit(CommitPoint { name, ends: CommitEnd::Pass, publishes: pass.publishes });
        }
        gates.push(Vec::new());
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

    /// Has the systems of the pass run only while the [`StateMachine`] among the resources is in one of these states. Where it is
    /// said more than once, of one machine or of several, all of it must hold. It is asked once, when the pass begins. A pass that
    /// is skipped commits all the same.
    ///
    /// ```
    /// use tickweave::machine::{MachineState, StateMachine, StateMask};
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
    /// #[repr(u8)]
    /// enum Game { Run, Pause }
    /// impl MachineState for Game {
    ///     type Transition = bool;
    /// }
    ///
    /// #[derive(Clone, StateValue, Resource)]
    /// struct Moves(u32);
    ///
    /// let mut sim = Simulation::builder()
    ///     .resource(StateMachine::new(Game::Pause))
    ///     .resource(Moves(0))
    ///     .phase("Main", |main| {
    ///         main.pass("move").system(|mut moves: ResMut<Moves>| moves.0 += 1).run_in(StateMask::of([Game::Run]));
    ///     })
    ///     .build()?;
    /// sim.step(())?;
    /// sim.world_mut().insert_resource(StateMachine::new(Game::Run));
    /// sim.step(())?;
    /// assert_eq!(sim.world().resource::<Moves>()?.0, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_in<S: MachineState>(&mut self, states: StateMask<S>) -> &mut Self {
        self.states.push(Wanted::new(states));
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
