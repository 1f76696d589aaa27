use core::any::type_name;
use core::fmt;
use core::ops::{Deref, DerefMut};

use super::error::BuildError;
use super::registry::Registry;
use crate::command::{Command, Lane};
use crate::storage::SectionId;
use crate::world::World;

/// What owns a part of the game's logic: it takes typed commands, and acts on them when it flushes at a commit point.
///
/// Managers are added with [`manager`](super::SimulationBuilder::manager), are initialised, flushed and reset in that order,
/// and are read by systems with [`Mgr`](crate::system::Mgr) alone.
///
/// One that is [no state](super::SimulationBuilder::opaque_manager) stays as it is when a snapshot is
/// [restored](super::Simulation::restore) or a save [loaded](super::Simulation::load); only [`reset`](super::Simulation::reset) tells it.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::simulation::{FlushContext, HandlesCommand, Manager, InitContext, Verdict};
///
/// #[derive(Component)]
/// struct Wolf;
///
/// #[derive(Clone, StateValue, Command)]
/// struct SpawnWave { wolves: u32 }
///
/// #[derive(Clone, StateValue)]
/// struct Spawner { waiting: u32, most: u32 }
///
/// impl Manager for Spawner {
///     fn init(&mut self, context: &mut InitContext<'_, Self>) {
///         context.handles::<SpawnWave>();
///     }
///
///     fn flush(&mut self, context: &mut FlushContext<'_>) {
///         for _ in 0..std::mem::take(&mut self.waiting) {
///             context.spawn(Wolf);
///         }
///     }
/// }
///
/// impl HandlesCommand<SpawnWave> for Spawner {
///     fn submit(&mut self, wave: SpawnWave) -> Verdict {
///         if self.waiting + wave.wolves > self.most {
///             return Verdict::Refused;
///         }
///         self.waiting += wave.wolves;
///         Verdict::Accepted
///     }
/// }
///
/// let mut sim = Simulation::builder().component::<Wolf>().manager(Spawner { waiting: 0, most: 5 }).build()?;
/// sim.submit(SpawnWave { wolves: 3 })?;
/// sim.submit(SpawnWave { wolves: 4 })?;
/// let report = sim.step(())?;
/// assert_eq!((sim.world().len(), report.refused), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Manager: Sized + Send + Sync + 'static {
    /// Is called once, when the simulation is built, after every manager was added. Handlers of typed commands are
    /// registered here.
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        let _ = context;
    }

    /// Is called at each commit point that publishes managers: several times in a tick, once for each such pass, for each phase and for
    /// the tick. What counts ticks compares [`tick`](FlushContext::tick) with the last one. A resource is written by
    /// [`queue`](Lane::queue). It does nothing unless it is written.
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        let _ = context;
    }

    /// Is called when the simulation is [reset](super::Simulation::reset): a manager that is state is then put back to what
    /// it was after `init`; one that is not does so by itself.
    fn reset(&mut self) {}
}

/// A buffer of commands of one's own: it flushes at each commit point that publishes commands, before managers do.
///
/// It is filled by typed commands that it [handles](HandlesCommand), and by the host between ticks.
pub trait CustomBuffer: Sized + Send + Sync + 'static {
    /// Applies what it holds.
    fn flush(&mut self, context: &mut FlushContext<'_>);

    /// Drops what it holds: when the simulation is reset, and after a tick that failed.
    fn clear(&mut self);
}

/// What became of a command that was submitted to a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is taken.
    Accepted,
    /// It is not: it has no effect, and is counted in the report.
    Refused,
}

/// Takes typed commands of one type. Most handlers only queue them and act when they flush.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not handle `{C}`",
    label = "no handler of this command",
    note = "implement `HandlesCommand<{C}>`: `fn submit(&mut self, command: {C}) -> Verdict`"
)]
pub trait HandlesCommand<C: Command>: Send + Sync + 'static {
    /// Takes a command, or refuses it.
    fn submit(&mut self, command: C) -> Verdict;
}

/// A typed command that needs no manager.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component)]
/// struct Wolf;
///
/// #[derive(Clone, StateValue, Resource)]
/// struct Howls(u32);
///
/// #[derive(Clone, StateValue, Command)]
/// struct Howl;
///
/// impl Execute for Howl {
///     fn execute(self, world: &mut World, commands: &mut Lane) {
///         if let Ok(howls) = world.resource_mut::<Howls>() {
///             howls.0 += 1;
///         }
///         commands.spawn(Wolf);
///     }
/// }
///
/// let mut sim = Simulation::builder().component::<Wolf>().resource(Howls(0)).executing::<Howl>().build()?;
/// sim.submit(Howl)?;
/// sim.step(())?;
/// assert_eq!((sim.world().resource::<Howls>()?.0, sim.world().len()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not execute itself",
    label = "not an `Execute`",
    note = "implement `Execute`: `fn execute(self, world: &mut World, commands: &mut Lane)`, or have a manager handle it"
)]
pub trait Execute: Command {
    /// Does what the command asks for. What is recorded to `commands` is merged at this commit point, behind every typed command.
    fn execute(self, world: &mut World, commands: &mut Lane);
}

/// What a manager or a command buffer works with while it flushes: a [`Lane`], to which it dereferences, and the world, to look at.
///
/// Structure and events that it records take effect at this commit point, if it publishes them. Typed commands that it submits
/// wait for the next.
pub struct FlushContext<'c> {
    pub(super) world: &'c World,
    pub(super) lane: &'c mut Lane,
}

impl<'c> FlushContext<'c> {
    /// The world as it is. The manager that flushes is not in it meanwhile.
    #[must_use]
    pub const fn world(&self) -> &'c World {
        self.world
    }

    /// The tick that runs.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.world.tick()
    }
}

impl Deref for FlushContext<'_> {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        self.lane
    }
}

impl DerefMut for FlushContext<'_> {
    fn deref_mut(&mut self) -> &mut Lane {
        self.lane
    }
}

impl fmt::Debug for FlushContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlushContext").field("tick", &self.tick()).finish_non_exhaustive()
    }
}

/// What a manager works with in its [`init`](Manager::init): it says which commands it handles, and has the world, to fill it.
///
/// What the game itself puts into the world stands in a [`setup`](super::SimulationBuilder::setup), which runs after every `init`.
pub struct InitContext<'s, M> {
    pub(super) world: &'s mut World,
    pub(super) registry: &'s mut Registry,
    pub(super) section: SectionId,
    pub(super) error: &'s mut Option<BuildError>,
    pub(super) manager: core::marker::PhantomData<fn() -> M>,
}

impl<M> InitContext<'_, M> {
    /// Has the manager handle the commands of a type, which is registered with it. A type has one handler; a second one is
    /// an error of the build.
    pub fn handles<C: Command>(&mut self)
    where
        M: HandlesCommand<C>,
    {
        if let Err(error) = self.registry.handle::<C, M>(self.world, self.section) {
            self.error.get_or_insert(error);
        }
    }

    /// The world, for resources and entities that the manager needs.
    pub const fn world(&mut self) -> &mut World {
        self.world
    }
}

impl<M> fmt::Debug for InitContext<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InitContext").field("manager", &type_name::<M>()).finish_non_exhaustive()
    }
}
