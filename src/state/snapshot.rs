use core::fmt;

use thiserror::Error;

use crate::world::World;

/// All state of a world at one tick: it shares the blocks of the world, and whoever writes a block first copies it.
///
/// A snapshot holds a world that nobody writes: [`world`](Self::world) answers the same read-only queries, resources, dumps
/// and hashes as the world it was taken of. It is `Send` and `Sync`, so that another thread may read it, and drop it, while the
/// world ticks on: that is how a renderer reads.
///
/// Taking one costs a look at the table of each column. What a snapshot and the world hold in common lies in memory once.
/// Opaque components with `state` are cloned value by value, and so are resources and locals that were written since the
/// snapshot that is overwritten.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq)]
/// #[repr(C)]
/// struct Health(u32);
///
/// let mut world = World::new();
/// let wolf = world.spawn(Health(3));
/// let before = world.snapshot()?;
/// world.despawn(wolf)?;
/// assert_eq!(before.world().get::<Health>(wolf)?, &Health(3));
///
/// world.restore(&before)?;
/// assert_eq!(world.get::<Health>(wolf)?, &Health(3));
/// assert_eq!(world.state_hash()?, before.world().state_hash()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Snapshot {
    /// Never written but by [`World::snapshot_into`].
    world: World,
    /// Whether it holds a whole tick.
    whole: bool,
}

/// No snapshot can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// Systems run on the world.
    #[error("a snapshot can't be taken inside of a tick; take it before or after the run")]
    InsideTick,
    /// A manager of the simulation is out of the world.
    #[error(
        "a snapshot would lack manager `{manager}`, which is out of the world while it is initialised; take it in a setup, or when the \
         simulation is built"
    )]
    ManagerAtWork {
        /// The type of the manager.
        manager: &'static str,
    },
    /// A tick failed half-way.
    #[error(
        "a snapshot of a torn world would keep half a tick; restore an earlier one first, or call `clear_torn` if what the \
         failed tick left is what you want"
    )]
    Torn,
    /// Values of a component can't be cloned.
    #[error(
        "component `{component}` can't be kept in a snapshot, and entities have it: it is opaque; make it a `StateValue` \
         and say `#[component(opaque, state)]`, or remove it from the entities first"
    )]
    Opaque {
        /// The type of the component.
        component: &'static str,
    },
}

impl SnapshotError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InsideTick => "snapshot-inside-tick",
            Self::ManagerAtWork { .. } => "snapshot-manager-at-work",
            Self::Torn => "snapshot-torn",
            Self::Opaque { .. } => "snapshot-opaque",
        }
    }
}

/// A snapshot can't be restored. The world is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Systems run on the world.
    #[error("a snapshot can't be restored inside of a tick; restore it before or after the run")]
    InsideTick,
    /// The snapshot holds nothing.
    #[error(
        "the snapshot is empty: none was taken into it, or a value panicked meanwhile; take one with `snapshot_into`"
    )]
    Empty,
    /// The worlds were built with other settings.
    #[error(
        "the world was built with {setting} = {ours}, the snapshot's with {theirs}; build both with the same settings"
    )]
    Settings {
        /// The method of the builder.
        setting: &'static str,
        /// What the world has.
        ours: u64,
        /// What the snapshot's world had.
        theirs: u64,
    },
    /// The worlds met different types, or the same in another order.
    #[error("the world has {ours} where the snapshot has {theirs}: {}", crate::storage::how_both_have(ours, theirs))]
    Registration {
        /// What the world has.
        ours: String,
        /// What the snapshot has in that place.
        theirs: String,
    },
    /// The snapshot lacks a value without which the simulation could not go on.
    #[error(
        "the snapshot has no value of {section}, without which the simulation can't go on: its world was not that of a simulation; \
         take one of a simulation that is built alike"
    )]
    NoValue {
        /// What has no value.
        section: String,
    },
}

impl RestoreError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::InsideTick => "restore-inside-tick",
            Self::Empty => "restore-empty",
            Self::Settings { .. } => "restore-settings",
            Self::Registration { .. } => "restore-registration",
            Self::NoValue { .. } => "restore-without-value",
        }
    }
}

impl Snapshot {
    /// A snapshot that holds nothing yet, for [`World::snapshot_into`].
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The world as it was, for reading. An empty world if no snapshot was taken into this one; half a world, which says that it
    /// is torn, if a value panicked meanwhile.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// How many ticks had been run.
    #[must_use]
    pub const fn tick(&self) -> u64 {
        self.world.tick()
    }

    /// Whether it holds a tick.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        self.whole
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").field("world", &self.world).field("whole", &self.whole).finish()
    }
}

impl World {
    /// All state as it is now.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`].
    ///
    /// # Determinism
    ///
    /// A snapshot changes no state, no hash and no id to come.
    pub fn snapshot(&self) -> Result<Snapshot, SnapshotError> {
        let mut snapshot = Snapshot::new();
        self.snapshot_into(&mut snapshot)?;
        Ok(snapshot)
    }

    /// The same into a snapshot that is no longer needed: what both have in common is left alone, and where all is Data,
    /// no block and no table is allocated once the memory is there.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]; the old snapshot is as it was.
    ///
    /// # Panics
    ///
    /// If the clone or the destructor of a value panics; the snapshot counts as empty then.
    pub fn snapshot_into(&self, snapshot: &mut Snapshot) -> Result<(), SnapshotError> {
        self.check_kept()?;
        if snapshot.world.registration_unlike(self).is_some() {
            *snapshot = Snapshot::new();
        }
        snapshot.whole = false;
        snapshot.world.share_from(self, true);
        snapshot.whole = true;
        Ok(())
    }

    /// Whether a snapshot can be taken.
    pub(super) fn check_kept(&self) -> Result<(), SnapshotError> {
        if self.is_inside_tick() {
            return Err(SnapshotError::InsideTick);
        }
        if let Some(manager) = self.manager_at_work() {
            return Err(SnapshotError::ManagerAtWork { manager });
        }
        if self.torn().is_some() {
            return Err(SnapshotError::Torn);
        }
        self.unkept().map_or(Ok(()), |component| Err(SnapshotError::Opaque { component }))
    }

    /// Puts the state of a snapshot in the place of this world's: in the world it was taken of, or in another that was built
    /// with the same settings and met the same types in the same order, or fewer, or more. The world of a
    /// [simulation](crate::simulation) takes what one with the same managers, command buffers and typed commands left; a world without
    /// one takes that of any, to show it.
    ///
    /// Components that the world registered later than the snapshot are not registered afterwards, and sections that it met
    /// later have no value; resources of class `host` and managers that are no state stay as they are.
    /// Handles, rows, stamps, random streams, removals and locals are those of the snapshot: the same future. A torn world is whole
    /// again.
    ///
    /// # Errors
    ///
    /// [`RestoreError`]; nothing has changed then.
    ///
    /// # Panics
    ///
    /// If the clone or the destructor of a value panics. If it is the clone of a component, nothing has changed. If it is a
    /// resource, an event or a local, the world is torn. If it is a component that was replaced, all is restored.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        self.check_restore(snapshot)?;
        self.share_from(&snapshot.world, false);
        Ok(())
    }

    /// Whether a snapshot can be restored.
    pub(crate) fn check_restore(&self, snapshot: &Snapshot) -> Result<(), RestoreError> {
        if self.is_inside_tick() {
            return Err(RestoreError::InsideTick);
        }
        if !snapshot.whole {
            return Err(RestoreError::Empty);
        }
        if let Some((setting, ours, theirs)) = self.setting_unlike(&snapshot.world) {
            return Err(RestoreError::Settings { setting, ours, theirs });
        }
        let unlike = self.registration_unlike(&snapshot.world);
        if let Some((ours, theirs)) = unlike.or_else(|| self.simulation_unlike(&snapshot.world)) {
            return Err(RestoreError::Registration { ours, theirs });
        }
        match self.simulation_lacking(&snapshot.world) {
            Some(section) => Err(RestoreError::NoValue { section }),
            None => Ok(()),
        }
    }
}
