use super::refusal::RefusalReason;
use crate::entity::{Entity, EntityCapacity, EntityMapper};
use crate::world::StructureError;

const NUMBER_BITS: u32 = 26;
const LANE_BITS: u32 = 20;
const NODE_BITS: u32 = 14;
const TICK_BITS: u32 = 3;

const _: () = assert!(NUMBER_BITS + LANE_BITS + NODE_BITS + TICK_BITS == 63);

/// Plan positions that a lane can name; the last one stands for lanes outside of a plan.
pub(crate) const MAX_NODES: u32 = (1 << NODE_BITS) - 1;

/// Entities that one lane of a system can spawn between two barriers.
pub const MAX_SPAWNS: u32 = 1 << NUMBER_BITS;

/// Batches that the loops of one run of a system can have at most, if they record commands.
pub const MAX_BATCHES: u32 = 1 << LANE_BITS;

/// Numbers that a buffer of the host takes at once.
pub(super) const BLOCK: u32 = 1 << 8;

/// Which of the lanes outside of a plan: all bits but those of the position.
const OUTSIDE_BITS: u32 = TICK_BITS + LANE_BITS;
/// The bit that tells a system that runs once from a buffer.
const ONCE: u64 = 1 << (OUTSIDE_BITS - 1);

/// Which lane a pending entity belongs to.
///
/// ```text
/// 63 bits of a pending handle:  tick, low bits (3) | position in the plan (14) | lane of that node (20) | number (26)
/// of a system that runs once:   1, mark (2)        | all ones                  | mark (20)              | number (26)
/// of a buffer of the host:      0, count (2)       | all ones                  | count (20)             | count (26)
/// ```
///
/// The key of a system is computed from the plan and the data, so that it is the same for every executor, and that of a system
/// that runs once from the state of the world. Buffers belong to no world: the process counts what they spawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct LaneKey(u64);

impl LaneKey {
    /// Of a lane that does not record.
    pub(crate) const UNUSED: Self = Self(0);

    /// The lane number `lane` of the node at a position of the plan, in a tick.
    pub(crate) const fn new(tick: u64, position: u32, lane: u32) -> Self {
        debug_assert!(position < MAX_NODES && lane < 1 << LANE_BITS, "plans with more steps are refused");
        let tick = tick & ((1 << TICK_BITS) - 1);
        Self((tick << NODE_BITS | position as u64) << LANE_BITS | lane as u64)
    }

    /// Of a buffer of the host that has no numbers yet.
    pub(super) const NO_BLOCK: Self = Self::outside(0);

    const fn outside(which: u64) -> Self {
        let (high, low) = (which >> LANE_BITS, which & ((1 << LANE_BITS) - 1));
        Self((high << NODE_BITS | MAX_NODES as u64) << LANE_BITS | low)
    }

    /// Where the numbers of a block begin. Blocks are given out again after 2^40 of them.
    pub(super) const fn block(block: u64) -> (Self, u32) {
        let start = block * BLOCK as u64;
        (Self::outside(start >> NUMBER_BITS & (ONCE - 1)), (start & (MAX_SPAWNS as u64 - 1)) as u32)
    }

    /// The lane of a system that runs once in a tick, when `next` would be the next real entity, inside of `depth` others that
    /// run once.
    ///
    /// What spawned makes another entity the next one, so that handles of the one before mean nothing to it.
    pub(crate) const fn once(tick: u64, next: Entity, depth: u32) -> Self {
        let mark = tick.wrapping_mul(0x9e37_79b1) ^ (next.generation() as u64).wrapping_mul(0x85eb_ca77);
        let mark = mark.wrapping_add(next.slot() as u64).wrapping_add((depth as u64) << (LANE_BITS - 1));
        Self::outside(ONCE | mark & (ONCE - 1))
    }

    const fn is_outside(self) -> bool {
        self.0 >> LANE_BITS & MAX_NODES as u64 == MAX_NODES as u64
    }

    /// Whether it is a lane of a buffer of the host.
    pub(super) const fn is_of_buffer(self) -> bool {
        self.is_outside() && self.0 >> (NODE_BITS + OUTSIDE_BITS - 1) == 0
    }

    /// Whether it is the lane of a system itself, not that of a batch or one outside of a plan.
    pub(super) const fn is_main(self) -> bool {
        self.0 & (MAX_BATCHES as u64 - 1) == 0 && !self.is_outside()
    }

    /// The lane of a batch of a loop of this system.
    pub(super) const fn batch(self, number: u32) -> Self {
        Self(self.0 & !(MAX_BATCHES as u64 - 1) | number as u64)
    }

    pub(super) const fn entity(self, number: u32) -> Entity {
        Entity::pending(self.0 << NUMBER_BITS | number as u64)
    }

    const fn of(entity: Entity) -> (Self, u32) {
        let bits = entity.pending_bits();
        (Self(bits >> NUMBER_BITS), (bits & (MAX_SPAWNS as u64 - 1)) as u32)
    }
}

/// The real entities of the pending ones of every lane of a barrier.
#[derive(Debug, Default)]
pub(super) struct PendingMap {
    /// Ascending by key and first number, once sealed.
    lanes: Vec<Made>,
    real: Vec<Result<Entity, EntityCapacity>>,
}

/// What was made real of one stretch of a lane: the number of its first pending entity, and where the real ones are.
#[derive(Debug)]
struct Made {
    key: LaneKey,
    first: u32,
    real: core::ops::Range<usize>,
}

impl PendingMap {
    /// Notes the real entities of a lane, in the order of their numbers from `first` on, or that there was no room.
    pub(super) fn add(&mut self, key: LaneKey, first: u32, real: impl Iterator<Item = Result<Entity, EntityCapacity>>) {
        let start = self.real.len();
        self.real.extend(real);
        self.lanes.push(Made { key, first, real: start..self.real.len() });
    }

    /// Ends the adding: from here on handles can be resolved.
    pub(super) fn seal(&mut self) {
        self.lanes.sort_unstable_by_key(|made| (made.key, made.first));
    }

    /// The real entity that stands for a pending one; real ones stand for themselves.
    ///
    /// # Errors
    ///
    /// [`RefusalReason`] if no lane of this barrier spawned it, or there was no room for it.
    pub(super) fn resolve(&self, entity: Entity) -> Result<Entity, RefusalReason> {
        if !entity.is_pending() {
            return Ok(entity);
        }
        let made = self.made_of(entity).ok_or(RefusalReason::UnknownPending(entity))?;
        made.map_err(|error| RefusalReason::Structure(StructureError::from(error)))
    }

    fn made_of(&self, pending: Entity) -> Option<Result<Entity, EntityCapacity>> {
        let (key, number) = LaneKey::of(pending);
        let behind = self.lanes.partition_point(|made| (made.key, made.first) <= (key, number));
        let made = self.lanes[..behind].last().filter(|made| made.key == key)?;
        self.real[made.real.clone()].get((number - made.first) as usize).copied()
    }

    pub(super) fn clear(&mut self) {
        self.lanes.clear();
        self.real.clear();
    }

    /// Every entity that was made real.
    pub(super) fn made(&self) -> impl Iterator<Item = Entity> + '_ {
        self.real.iter().copied().filter_map(Result::ok)
    }
}

/// Maps pending entities inside of values to real ones, and notes why the first that can't be is not.
#[derive(Debug)]
pub(super) struct Resolve<'m> {
    map: &'m PendingMap,
    pub(super) refused: Option<RefusalReason>,
}

impl<'m> Resolve<'m> {
    pub(super) const fn new(map: &'m PendingMap) -> Self {
        Self { map, refused: None }
    }
}

impl EntityMapper for Resolve<'_> {
    fn map(&mut self, entity: Entity) -> Entity {
        self.map.resolve(entity).unwrap_or_else(|reason| {
            self.refused.get_or_insert(reason);
            entity
        })
    }
}
