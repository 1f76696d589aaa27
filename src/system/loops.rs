use crate::command::{Lane, LaneKey, LoopMemory, Mark, OwnLane};
use crate::fault::{Fault, planted};
use crate::jobs::{GRAIN, Payload};
use crate::query::{ChunkData, Query, QueryData, QueryFilter, UnitRows, Units, WholeChunks, pass_on};
use crate::sync::Mutex;

/// Loops that several hands share and that record commands.
impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    /// Calls `each` with every row and a lane to record commands in, on several hands.
    ///
    /// The commands stand where the loop stands in the recording of the system, in the order of the rows, whoever ran them.
    /// `lane` is the system's [`Commands`](super::Commands), or the lane that a loop around this one was given.
    ///
    /// # Panics
    ///
    /// As for [`par_for_each`](Self::par_for_each), and if the loops of the system have
    /// [`MAX_BATCHES`](crate::command::MAX_BATCHES) batches or more.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Health(u32);
    ///
    /// fn bury(mut dead: Query<(Entity, &Health)>, mut commands: Commands) {
    ///     dead.par_for_each_with(&mut commands, |(entity, health), lane| {
    ///         if health.0 == 0 {
    ///             lane.despawn(entity);
    ///         }
    ///     });
    /// }
    ///
    /// let mut world = World::new();
    /// world.spawn_batch((0..1000).map(|number| Health(number % 2)));
    /// let mut schedule = Schedule::new();
    /// schedule.add(bury);
    /// schedule.run(&mut world)?;
    /// assert_eq!(world.len(), 500);
    /// # Ok::<(), RunError>(())
    /// ```
    pub fn par_for_each_with(&mut self, lane: &mut Lane, each: impl Fn(D::Item<'_>, &mut Lane) + Sync) {
        pass_on(record(self.reborrow().into_units(), lane, &|unit, lane| {
            unit.for_each(|_, item| each(item, lane));
            Ok(())
        }));
    }
}

impl<D: ChunkData, F: WholeChunks> Query<'_, D, F> {
    /// Calls `each` with the rows of every batch as slices and a lane to record commands in, on several hands; see
    /// [`par_for_each_with`](Self::par_for_each_with).
    ///
    /// # Panics
    ///
    /// As there.
    pub fn par_for_each_batch_with(&mut self, lane: &mut Lane, each: impl Fn(D::Slice<'_>, &mut Lane) + Sync) {
        pass_on(record(self.reborrow().into_units(), lane, &|unit, lane| {
            unit.slices(|slices| each(slices, lane));
            Ok(())
        }));
    }
}

/// Calls `each` with every unit and the lane that it records to.
///
/// # Errors
///
/// What the lowest unit failed with.
pub(super) fn record<'w, D: QueryData, F: QueryFilter>(
    units: Units<'w, D, F>,
    lane: &mut Lane,
    each: &(impl Fn(UnitRows<'w, D, F>, &mut Lane) -> Result<(), Payload> + Sync),
) -> Result<(), Payload> {
    match lane.begin_loop(units.count()) {
        None => units.run_alone(|unit| each(unit, lane)),
        Some((mark, first)) if !units.are_shared() => {
            let rest = EndLoop { lane, mark };
            units.run_alone(|unit| {
                rest.lane.enter_batch(mark, first + unit.number);
                each(unit, rest.lane)
            })
        }
        Some((mark, first)) => record_shared(units, lane, mark, first, each),
    }
}

/// Puts a lane back where the loop began, also when the body panics.
struct EndLoop<'l> {
    lane: &'l mut Lane,
    mark: Mark,
}

impl Drop for EndLoop<'_> {
    fn drop(&mut self) {
        self.lane.end_loop(self.mark);
    }
}

fn record_shared<'w, D: QueryData, F: QueryFilter>(
    units: Units<'w, D, F>,
    lane: &mut Lane,
    mark: Mark,
    first: u32,
    each: &(impl Fn(UnitRows<'w, D, F>, &mut Lane) -> Result<(), Payload> + Sync),
) -> Result<(), Payload> {
    let position = lane.position();
    let mut memory = lane.take_memory();
    memory.make_room(units.most_takes() as usize, GRAIN as usize);
    let lanes = Mutex::new(memory);
    let outcome = units.run(&|claim| {
        let mut claimed = Claimed::new(&lanes, claim.first(), position);
        while let Some(unit) = claim.next() {
            claimed.go_on(claim.first(), position);
            if unit.number == claimed.first || !planted(Fault::LaneByClaim) {
                claimed.lane.enter_batch(mark, first + unit.number);
            }
            each(unit, &mut claimed.lane)?;
        }
        Ok(())
    });
    lane.splice(lanes.into_inner().expect("no code of a user runs under this lock"));
    outcome
}

/// The lane of a claim, until the claim is done.
struct Claimed<'l> {
    lanes: &'l Mutex<LoopMemory>,
    first: u32,
    lane: OwnLane,
}

impl<'l> Claimed<'l> {
    fn new(lanes: &'l Mutex<LoopMemory>, first: u32, position: u32) -> Self {
        let empty = lanes.lock().expect("no code of a user runs under this lock").empty.pop();
        let mut lane = empty.unwrap_or_else(OwnLane::unused);
        lane.reset(LaneKey::UNUSED, position);
        Self { lanes, first, lane }
    }

    /// Units that were taken at once have a lane of their own: how long a claim goes on changes from run to run, and a steady
    /// loop shall find room enough.
    fn go_on(&mut self, first: u32, position: u32) {
        if first != self.first {
            *self = Self::new(self.lanes, first, position);
        }
    }
}

impl Drop for Claimed<'_> {
    fn drop(&mut self) {
        let lane = core::mem::replace(&mut self.lane, OwnLane::unused());
        let Ok(mut lanes) = self.lanes.lock() else { return };
        lanes.take_back(self.first, lane);
    }
}
