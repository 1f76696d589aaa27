use std::collections::VecDeque;

use super::{RestoreError, Snapshot, SnapshotError};
use crate::world::World;

/// How many snapshots a ring has room for from the start; a larger one grows.
const ROOM: usize = 1 << 16;

/// The snapshots of the last ticks, for rollback: a fixed number, the oldest of which makes room for the next.
///
/// The memory of a snapshot that goes is used for the one that comes.
///
/// ```
/// use tickweave::prelude::*;
/// use tickweave::state::SnapshotRing;
///
/// #[derive(Clone, StateValue, Resource)]
/// struct Score(u32);
///
/// let mut world = World::new();
/// world.insert_resource(Score(0));
/// let mut schedule = Schedule::new();
/// schedule.add(|mut score: ResMut<Score>| score.0 += 1);
/// let mut ring = SnapshotRing::new(8);
/// for _ in 0..20 {
///     ring.push(&world)?;
///     schedule.run(&mut world)?;
/// }
/// assert_eq!(ring.ticks(), 12..=19);
/// assert!(ring.restore(15, &mut world)?);
/// assert_eq!((world.tick(), world.resource::<Score>()?.0), (15, 15));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SnapshotRing {
    snapshots: VecDeque<Snapshot>,
    /// Snapshots whose memory is used next.
    spare: Vec<Snapshot>,
    capacity: usize,
}

impl SnapshotRing {
    /// A ring for as many ticks.
    ///
    /// # Panics
    ///
    /// If `ticks` is 0.
    #[must_use]
    pub fn new(ticks: usize) -> Self {
        assert!(ticks > 0, "a ring of snapshots holds at least one tick");
        let room = ticks.min(ROOM);
        Self { snapshots: VecDeque::with_capacity(room), spare: Vec::with_capacity(room), capacity: ticks }
    }

    /// Of how many ticks it keeps a snapshot.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Takes a snapshot of the world as it is. Snapshots of this tick and of later ones, which a rollback has undone, go;
    /// so does the oldest if the ring is full.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]; the ring is as it was then.
    pub fn push(&mut self, world: &World) -> Result<(), SnapshotError> {
        world.check_kept()?;
        while self.snapshots.back().is_some_and(|snapshot| snapshot.tick() >= world.tick()) {
            self.spare.extend(self.snapshots.pop_back());
        }
        if self.snapshots.len() == self.capacity {
            self.spare.extend(self.snapshots.pop_front());
        }
        let mut next = self.spare.pop().unwrap_or_default();
        world.snapshot_into(&mut next)?;
        self.snapshots.push_back(next);
        Ok(())
    }

    /// Forgets every snapshot; their memory is used for those to come.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// let mut ring = SnapshotRing::new(8);
    /// ring.push(&World::new())?;
    /// ring.clear();
    /// assert!(ring.is_empty() && ring.get(0).is_none());
    /// # Ok::<(), tickweave::state::SnapshotError>(())
    /// ```
    pub fn clear(&mut self) {
        self.spare.extend(self.snapshots.drain(..));
    }

    /// The snapshot that was taken after as many ticks.
    #[must_use]
    pub fn get(&self, tick: u64) -> Option<&Snapshot> {
        let at = self.snapshots.partition_point(|snapshot| snapshot.tick() < tick);
        self.snapshots.get(at).filter(|snapshot| snapshot.tick() == tick)
    }

    /// Restores the snapshot that was taken after as many ticks; `false` if the ring has none.
    ///
    /// Later snapshots stay until the world's next snapshot is pushed.
    ///
    /// # Errors
    ///
    /// [`RestoreError`].
    pub fn restore(&self, tick: u64, world: &mut World) -> Result<bool, RestoreError> {
        match self.get(tick) {
            Some(snapshot) => world.restore(snapshot).map(|()| true),
            None => Ok(false),
        }
    }

    /// The first and the last tick of which the ring has a snapshot; an empty range if it has none.
    #[must_use]
    pub fn ticks(&self) -> core::ops::RangeInclusive<u64> {
        match (self.snapshots.front(), self.snapshots.back()) {
            (Some(first), Some(last)) => first.tick()..=last.tick(),
            #[expect(clippy::reversed_empty_ranges, reason = "there is no tick")]
            _ => 1..=0,
        }
    }

    /// How many snapshots it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.snapshots.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.snapshots.is_empty()
    }

    /// The last snapshot.
    #[must_use]
    pub fn latest(&self) -> Option<&Snapshot> {
        self.snapshots.back()
    }
}
