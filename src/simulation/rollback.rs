use super::error::{RollbackError, StepError};
use super::step::Simulation;
use crate::executor::RunError;
use crate::save::SaveError;
use crate::state::Snapshot;

/// The way back.
impl Simulation {
    /// Goes back to what the simulation was when it was built: after `init` of its managers and its setups. The hash is the same.
    ///
    /// Managers are [reset](super::Manager::reset), then command buffers cleared, each in order, before state is put back. Systems are
    /// enabled as they were registered. A torn world is whole again. Of the ticks before nothing is kept.
    ///
    /// # Errors
    ///
    /// [`StepError::Snapshot`] if that could not be kept, since entities had components that can't be cloned;
    /// [`StepError::Run`] if the world was put in the place of the one that was built; [`StepError::Restore`] if the world has met other
    /// types since, after a [`restore`](Self::restore) to before the simulation was built. Nothing has changed then.
    ///
    /// # Panics
    ///
    /// If the `reset` of a manager or the `clear` of a buffer does; it is put back, and the world is torn. Where a value does, as
    /// [`World::restore`](crate::world::World::restore) says.
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
        self.world.check_restore(initial)?;
        self.world.tear("a reset was not finished, since a manager or a buffer panicked; reset it again".to_owned());
        self.commits.registry.reset(&mut self.world);
        self.world.restore(initial)?;
        self.schedule.enable_as_registered();
        self.keep_present();
        Ok(())
    }

    /// Goes back to what the simulation was after as many ticks. Later snapshots are kept until the next step.
    ///
    /// What the host did after that tick is undone as well: commands that it submitted since then, for whatever tick, are gone and must be
    /// submitted again, and edits of the world made again, where the ticks are run again. What it [enabled](Self::set_enabled) is no
    /// state, and stays.
    ///
    /// # Errors
    ///
    /// [`RollbackError`]; nothing has changed then. Ticks from before a [`reset`](Self::reset), a [`restore`](Self::restore) or a
    /// [`load`](Self::load) are not kept.
    ///
    /// # Panics
    ///
    /// As [`World::restore`](crate::world::World::restore) does.
    pub fn rollback_to(&mut self, tick: u64) -> Result<(), RollbackError> {
        self.check_home()?;
        if self.ring.as_ref().is_some_and(|ring| ring.last_of(&self.world).is_none()) {
            self.keep_present();
        }
        let ring = self.ring.as_ref().ok_or(RollbackError::Off)?;
        if ring.restore(tick, &mut self.world)? {
            return Ok(());
        }
        let ((first, last), full) = (ring.ticks().into_inner(), ring.len() == ring.capacity());
        Err(RollbackError::NotKept { tick, first, last, full })
    }

    /// The snapshot of a tick, to be read, hashed or shown while the simulation goes on.
    #[must_use]
    pub fn snapshot_of(&self, tick: u64) -> Option<&Snapshot> {
        let ring = self.ring.as_ref().filter(|ring| ring.last_of(&self.world).is_some());
        ring.and_then(|ring| ring.get(tick))
    }

    /// Puts the state of a snapshot in the place of the simulation's: one of this simulation, or of another that was built alike.
    ///
    /// It is the first that is kept from then on: what was kept before is no past of it, and goes. A manager that is
    /// [no state](super::SimulationBuilder::opaque_manager) stays as it is: nobody resets it.
    ///
    /// # Errors
    ///
    /// [`RollbackError`]; nothing has changed then.
    ///
    /// # Panics
    ///
    /// As [`World::restore`](crate::world::World::restore) does, and [`World::snapshot`](crate::world::World::snapshot), if ticks are kept.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RollbackError> {
        self.check_home()?;
        self.world.restore(snapshot)?;
        self.keep_present();
        Ok(())
    }

    /// All state of the simulation as bytes: what [`load`](Self::load) puts into one that is built alike.
    ///
    /// # Errors
    ///
    /// As for [`World::save`](crate::world::World::save).
    pub fn save(&self) -> Result<Vec<u8>, SaveError> {
        self.world.save()
    }

    /// Puts the state that [`save`](Self::save) made bytes of in the place of the simulation's, which is built like the one that was
    /// saved: same hash, same future. [`World::load`](crate::world::World::load) says what is checked.
    ///
    /// It is the first that is kept from then on: what was kept before is no past of it, and goes. A manager that is
    /// [no state](super::SimulationBuilder::opaque_manager) stays as it is: nobody resets it. The save of a torn
    /// world leaves this one torn.
    ///
    /// # Errors
    ///
    /// [`RollbackError`]; nothing has changed then.
    ///
    /// # Panics
    ///
    /// As [`World::load`](crate::world::World::load) does, and [`World::snapshot`](crate::world::World::snapshot), if ticks are kept.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// let build = || Simulation::builder().rollback(8).build();
    /// let (mut here, mut there) = (build()?, build()?);
    /// here.run_headless(100, |_| ())?;
    /// there.load(&here.save()?)?;
    /// assert_eq!((there.tick(), there.state_hash()?), (100, here.state_hash()?));
    ///
    /// there.step(())?;
    /// there.rollback_to(100)?;
    /// assert_eq!(there.rollback_to(99).unwrap_err().code(), "rollback-not-kept");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn load(&mut self, bytes: &[u8]) -> Result<(), RollbackError> {
        self.check_home()?;
        self.world.load(bytes)?;
        self.keep_present();
        Ok(())
    }

    /// Keeps the present, if it is not kept. What is kept goes where it is no past of the present, also if the present can't be kept.
    pub(super) fn keep_present(&mut self) {
        let is_home = self.check_home().is_ok();
        let Some(ring) = self.ring.as_mut().filter(|_| is_home) else { return };
        let last = ring.last_of(&self.world);
        if last != Some(self.world.tick()) && ring.push_next(&self.world).is_err() && last.is_none() {
            ring.clear();
        }
    }
}
