use super::error::{RollbackError, StepError};
use super::step::Simulation;
use crate::executor::RunError;
use crate::state::Snapshot;

/// The way back.
impl Simulation {
    /// Goes back to what the simulation was when it was built: after `init` of its managers and its setups. The hash is the same.
    ///
    /// Managers are [reset](super::Manager::reset), then command buffers cleared, each in order, before state is put back. Systems are
    /// enabled as they were registered. A torn world is whole again.
    ///
    /// # Errors
    ///
    /// [`StepError::Snapshot`] if that could not be kept, since entities had components that can't be cloned;
    /// [`StepError::Run`] if the world was put in the place of the one that was built.
    ///
    /// # Panics
    ///
    /// If the `reset` of a manager or the `clear` of a buffer does; it is put back, and the world is torn. As for
    /// [`restore`](Self::restore), too.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// let fill = |world: &mut World| {
    ///     world.spawn(());
    /// };
    /// let mut sim = Simulation::builder().setup(fill).build()?;
    /// let before = sim.state_hash()?;
    /// sim.step(())?;
    /// sim.reset()?;
    /// assert_eq!((sim.tick(), sim.state_hash()?), (0, before));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reset(&mut self) -> Result<(), StepError> {
        self.check_home().map_err(RunError::from)?;
        let initial = self.initial.as_ref().map_err(|error| *error)?;
        self.world.tear("a reset was not finished, since a manager or a buffer panicked; reset it again".to_owned());
        self.commits.registry.reset(&mut self.world);
        self.world.restore(initial)?;
        self.schedule.enable_as_registered();
        self.keep_own_past();
        Ok(())
    }

    /// Where other state took the place of the world's, what was kept before is not its past: it goes, and the present is kept.
    pub(super) fn keep_own_past(&mut self) {
        if self.past == self.world.past() {
            return;
        }
        if let Some(ring) = &mut self.ring {
            ring.clear();
            // What can't be kept now is told behind the next tick, if it can't be kept then.
            _ = ring.push(&self.world);
        }
        self.past = self.world.past();
    }

    /// Goes back to what the simulation was after as many ticks. Later snapshots are kept until the next step. What the host
    /// [enabled](Self::set_enabled) is no state, and stays.
    ///
    /// # Errors
    ///
    /// [`RollbackError`]; nothing has changed then.
    ///
    /// # Panics
    ///
    /// As for [`restore`](Self::restore).
    pub fn rollback_to(&mut self, tick: u64) -> Result<(), RollbackError> {
        self.check_home()?;
        self.keep_own_past();
        let ring = self.ring.as_ref().ok_or(RollbackError::Off)?;
        if ring.restore(tick, &mut self.world)? {
            self.past = self.world.past();
            return Ok(());
        }
        let (first, last) = ring.ticks().into_inner();
        Err(RollbackError::NotKept { tick, first, last })
    }

    /// The snapshot of a tick, to be read, hashed or shown while the simulation goes on.
    #[must_use]
    pub fn snapshot_of(&self, tick: u64) -> Option<&Snapshot> {
        let ring = self.ring.as_ref().filter(|_| self.past == self.world.past());
        ring.and_then(|ring| ring.get(tick))
    }

    /// Puts the state of a snapshot in the place of the simulation's: one of this simulation, or of another that was built alike.
    /// Snapshots that were kept before are another's past: they go, and this state is the first that is kept. Managers that are no
    /// state stay as they are, like resources of class `host`.
    ///
    /// # Errors
    ///
    /// [`RollbackError`]; nothing has changed then.
    ///
    /// # Panics
    ///
    /// If the clone or the destructor of a value does; [`World::restore`](crate::world::World::restore) says what is there then.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RollbackError> {
        self.check_home()?;
        self.world.restore(snapshot)?;
        self.keep_own_past();
        Ok(())
    }
}
