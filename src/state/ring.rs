use std::collections::VecDeque;

use super::{RestoreError, Snapshot, SnapshotError};
use crate::world::{Timeline, World};

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
    /// That of the world when its last snapshot was pushed.
    timeline: Option<Timeline>,
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
        let (snapshots, spare) = (VecDeque::with_capacity(room), Vec::with_capacity(room));
        Self { snapshots, spare, capacity: ticks, timeline: None }
    }

    /// Of how many ticks it keeps a snapshot.
    #[must_use]
    pub const fn capacity(&self) -> usize {
        self.capacity
    }

    /// Takes a snapshot of the world as it is. Snapshots of this tick and of later ones, which a rollback has undone, go;
    /// so does the oldest if the ring is full.
    ///
    /// All go if other state was put into the world since the last push, by a load or by a restore of a snapshot that is not of this
    /// ring: they are no past of what the world is now.
    ///
    /// # Errors
    ///
    /// [`SnapshotError`]; the ring is as it was then.
    ///
    /// # Panics
    ///
    /// As [`World::snapshot_into`] does; this tick is not in the ring then.
    pub fn push(&mut self, world: &World) -> Result<(), SnapshotError> {
        world.check_kept()?;
        let earlier = self.snapshots.partition_point(|snapshot| snapshot.tick() < world.tick());
        self.keep_first(earlier.min(self.past_of(world)));
        self.timeline = Some(world.timeline());
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
        self.keep_first(0);
    }

    /// The same, and all go unless one of them is of the tick before, or of this one.
    pub(crate) fn push_next(&mut self, world: &World) -> Result<(), SnapshotError> {
        world.check_kept()?;
        if self.last_of(world).is_none_or(|last| last + 1 < world.tick()) {
            self.clear();
        }
        self.push(world)
    }

    /// How many of the snapshots are of the past of the world, its present among them; the others were undone, or are of another.
    fn past_of(&self, world: &World) -> usize {
        let now = world.timeline();
        if self.timeline.is_some_and(|noted| now.goes_on(noted)) {
            return self.snapshots.len();
        }
        let begins = |snapshot: &Snapshot| snapshot.world().timeline().has_beginning_of(now);
        self.snapshots.iter().rposition(begins).map_or(0, |at| at + 1)
    }

    /// The last tick of the world's past of which there is a snapshot.
    pub(crate) fn last_of(&self, world: &World) -> Option<u64> {
        self.snapshots.range(..self.past_of(world)).next_back().map(Snapshot::tick)
    }

    /// Lets go of all but the first.
    fn keep_first(&mut self, count: usize) {
        self.spare.extend(self.snapshots.drain(count..).rev());
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
