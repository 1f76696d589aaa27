#![expect(unsafe_code, reason = "commands of any type are packed one behind the other")]

use core::mem::MaybeUninit;

use super::merge::Merge;
use super::pending::{BLOCK, LaneKey, MAX_BATCHES, MAX_SPAWNS};
use super::refusal::RefusalReason;
use crate::entity::Entity;
use crate::fault::{Fault, planted};
use crate::sync::next_unique;

/// A change that is recorded now and applied at a barrier.
pub(super) trait Change: Send + 'static {
    /// What it does, for reports.
    const NAME: &'static str;
    /// Whether it waits where a commit does not publish structure.
    const IS_STRUCTURE: bool = true;

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason>;
}

/// What a lane knows of the type of a command.
struct Code {
    size: usize,
    name: &'static str,
    is_structure: bool,
    /// What stands in the place of a command that was used up while others of the lane wait.
    gone: Option<&'static Self>,
    apply: unsafe fn(*const u8, &mut Merge<'_>) -> Result<(), RefusalReason>,
    drop: unsafe fn(*const u8),
}

struct CodeOf<C>(core::marker::PhantomData<C>);

impl<C: Change> CodeOf<C> {
    const CODE: Code = Code { gone: Some(&Self::GONE), apply: apply::<C>, drop: drop_packed::<C>, ..Self::GONE };
    const GONE: Code = Code {
        size: size_of::<C>(),
        name: C::NAME,
        is_structure: C::IS_STRUCTURE,
        gone: None,
        apply: |_, _| Ok(()),
        drop: |_| {},
    };
}

/// # Safety
///
/// `packed` points to the bytes of a `C`, at any alignment, which is used up by this call.
unsafe fn apply<C: Change>(packed: *const u8, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
    // SAFETY: the caller hands over a `C`; the read asks for no alignment.
    unsafe { packed.cast::<C>().read_unaligned() }.apply(merge)
}

/// # Safety
///
/// As for [`apply`].
unsafe fn drop_packed<C: Change>(packed: *const u8) {
    // SAFETY: the caller hands over a `C`; the read asks for no alignment.
    drop(unsafe { packed.cast::<C>().read_unaligned() });
}

/// Bytes of the header in front of each command: a pointer to its [`Code`].
const HEADER: usize = size_of::<&'static Code>();

/// What became of the next command of a lane.
pub(super) enum Step {
    /// It was used up.
    Done(&'static str, Result<(), RefusalReason>),
    /// It had been used up before.
    Gone,
    /// It waits.
    Waits,
}

/// Commands that one system, or one batch of a parallel loop, records: the handle through which it asks for change.
///
/// Commands are applied in the order in which they were recorded, at the next barrier. Values are moved into the lane and
/// dropped exactly once: by the command that uses them, or with the lane.
///
/// A lane is lent: it has no size that is known to the compiler, so that nobody can swap it for another one, or take it away.
/// `Tail` only sees to that; nobody needs to name it.
///
/// ```compile_fail,E0277
/// # use tickweave::prelude::*;
/// fn steal(mut commands: Commands) {
///     std::mem::swap(&mut *commands, &mut *CommandBuffer::new());
/// }
/// ```
///
/// Nor does the body of a loop get at more than what it was lent:
///
/// ```compile_fail,E0277
/// # use tickweave::prelude::*;
/// fn steal(mut rows: Query<Entity>, mut commands: Commands) {
///     rows.par_for_each_with(&mut commands, |_, lane| std::mem::swap(lane, &mut *CommandBuffer::new()));
/// }
/// ```
#[derive(Debug)]
pub struct Lane<Tail: ?Sized = [()]> {
    /// Whose numbers the entities have that are spawned now.
    key: LaneKey,
    position: u32,
    packed: Vec<MaybeUninit<u8>>,
    read: usize,
    /// The number of the first pending entity of this recording: numbers of what was cleared or applied are not used again.
    first: u32,
    spawned: u32,
    /// The number behind the last one that can be given.
    end: u32,
    /// What was spawned before, in the order of the recording.
    stretches: Vec<Stretch>,
    /// Lanes of the claims of parallel loops, each with the place in the log at which the loop stood.
    loops: Vec<(usize, OwnLane)>,
    next_loop: usize,
    /// How many batches of loops have numbers.
    batches: u32,
    /// Where in the log the batch begins that records now, or the part of whoever has its turn at a commit point; `None` outside
    /// of both.
    batch: Option<usize>,
    /// Whether a pending handle was handed out since this was last taken; it outlives the commands.
    handed_out: bool,
    /// The most that a batch recorded here, ever.
    batch_bytes: usize,
    memory: LoopMemory,
    _tail: Tail,
}

/// A lane as whoever owns it holds it, to lend it as a [`Lane`].
pub(crate) type OwnLane = Lane<[(); 0]>;

/// Lanes of the claims of a loop, kept from loop to loop.
#[derive(Debug, Default)]
pub(crate) struct LoopMemory {
    /// Empty ones.
    pub(crate) empty: Vec<OwnLane>,
    /// Those with commands, each with the first number of its units.
    pub(crate) recorded: Vec<(u32, OwnLane)>,
    /// The most that a batch of the loops ever recorded.
    batch_bytes: usize,
    /// Whether a batch ever spawned.
    spawns: bool,
    /// Whether a batch of the loop handed out a pending handle.
    handed_out: bool,
}

/// A part of a recording in which entities were spawned.
#[derive(Clone, Copy, Debug)]
enum Stretch {
    /// By the lane itself, in one go.
    Own { key: LaneKey, first: u32, count: u32 },
    /// By the lane of a loop, with this index.
    Loop(usize),
}

/// Where the recording of a system stood before a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    key: LaneKey,
    first: u32,
}

/// Bytes that are kept ready in a lane of a loop, at most: one that needs more takes them when it does.
const LANE_ROOM: usize = 64 << 10;

impl LoopMemory {
    /// Sees to it that a loop whose units are taken at once in `takes` parts of at most `units` has a lane for each, with room:
    /// which units are taken together changes from run to run, while what one of them records does not, so that a steady loop
    /// finds lanes and, up to [`LANE_ROOM`], room enough.
    pub(crate) fn make_room(&mut self, takes: usize, units: usize) {
        if self.empty.len() < takes {
            self.empty.resize_with(takes, OwnLane::unused);
        }
        self.recorded.reserve(takes);
        let bytes = units.saturating_mul(self.batch_bytes).min(LANE_ROOM);
        let stretches = if self.spawns { units } else { 0 };
        for lane in self.empty.iter_mut().rev().take(takes) {
            lane.packed.reserve_exact(bytes);
            lane.stretches.reserve_exact(stretches);
        }
    }

    /// Takes the lane of units that were taken at once back, the first of which has this number.
    pub(crate) fn take_back(&mut self, first: u32, mut lane: OwnLane) {
        lane.measure_batch();
        self.batch_bytes = self.batch_bytes.max(lane.batch_bytes);
        self.spawns |= lane.has_spawned();
        self.handed_out |= lane.take_handed_out();
        if lane.has_commands() {
            self.recorded.push((first, lane));
        } else {
            self.empty.push(lane);
        }
    }
}

impl OwnLane {
    pub(crate) const fn new(key: LaneKey, position: u32) -> Self {
        Self::with_numbers(key, position, MAX_SPAWNS)
    }

    const fn with_numbers(key: LaneKey, position: u32, end: u32) -> Self {
        Self {
            key,
            position,
            packed: Vec::new(),
            read: 0,
            first: 0,
            spawned: 0,
            end,
            stretches: Vec::new(),
            loops: Vec::new(),
            next_loop: 0,
            batches: 0,
            batch: None,
            handed_out: false,
            batch_bytes: 0,
            memory: LoopMemory {
                empty: Vec::new(),
                recorded: Vec::new(),
                batch_bytes: 0,
                spawns: false,
                handed_out: false,
            },
            _tail: [],
        }
    }

    /// A lane that nobody records to yet.
    pub(crate) const fn unused() -> Self {
        Self::new(LaneKey::UNUSED, 0)
    }

    /// The lane of a buffer of the host: it takes numbers when it spawns.
    pub(super) const fn of_buffer() -> Self {
        Self::with_numbers(LaneKey::NO_BLOCK, 0, 0)
    }
}

impl Lane {
    /// Drops every command that was recorded; in the systems over rows of a schedule and in the bodies of its loops, those of
    /// the batch. At a commit point of a simulation, those of the manager, the command buffer or the command that has its turn.
    ///
    /// # Determinism
    ///
    /// Batches follow from the data, so that what is dropped does not depend on who ran which of them.
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// let mut buffer = CommandBuffer::new();
    /// buffer.spawn(());
    /// buffer.clear();
    /// assert!(buffer.is_empty());
    /// ```
    pub fn clear(&mut self) {
        self.drop_commands();
    }

    /// Whether nothing was recorded since the lane was last applied; in the systems over rows of a schedule and in the bodies of
    /// its loops, since the batch began, and at a commit point of a simulation, in this turn.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batch.map_or_else(|| !self.has_commands(), |start| self.packed.len() == start)
    }
}

impl<Tail: ?Sized> Lane<Tail> {
    /// Empties the lane for the next user; the memory stays.
    pub(crate) fn reset(&mut self, key: LaneKey, position: u32) {
        self.clear_all();
        (self.key, self.position, self.first, self.batches) = (key, position, 0, 0);
        self.handed_out = false;
    }

    /// Drops what was recorded in batches too.
    pub(crate) fn clear_all(&mut self) {
        self.batch = None;
        self.drop_commands();
    }

    fn drop_commands(&mut self) {
        // A destructor may panic: the guard drops what is left.
        struct Rest<'l, Tail: ?Sized>(&'l mut Lane<Tail>);
        impl<Tail: ?Sized> Drop for Rest<'_, Tail> {
            fn drop(&mut self) {
                self.0.drop_rest();
                self.0.rewind();
            }
        }
        self.read = self.batch.unwrap_or(self.read);
        Rest(self).0.drop_rest();
    }

    fn drop_rest(&mut self) {
        while self.drop_next().is_some() {}
        if self.batch.is_none() {
            self.loops.iter_mut().for_each(|(_, lane)| lane.clear_all());
        }
    }

    /// Whether there is a command to apply, in any batch.
    pub(crate) fn has_commands(&self) -> bool {
        self.read < self.packed.len() || self.loops[self.next_loop..].iter().any(|(_, lane)| lane.has_commands())
    }

    pub(crate) const fn position(&self) -> u32 {
        self.position
    }

    /// Whether entities were spawned.
    pub(crate) fn has_spawned(&self) -> bool {
        self.spawned > 0 || !self.stretches.is_empty()
    }

    /// Whether a pending handle was handed out since this was last asked, or since the lane was reset: also of an entity whose
    /// spawn was dropped again.
    pub(crate) const fn take_handed_out(&mut self) -> bool {
        core::mem::replace(&mut self.handed_out, false)
    }

    /// Calls `each` with key, first number and count of the entities that were spawned, in the order of the recording.
    pub(super) fn for_each_spawned(&self, each: &mut dyn FnMut(LaneKey, u32, u32)) {
        let own_first = planted(Fault::IdsOwnLaneFirst);
        if own_first && self.spawned > 0 {
            each(self.key, self.first, self.spawned);
        }
        for &stretch in &self.stretches {
            match stretch {
                Stretch::Own { key, first, count } => each(key, first, count),
                Stretch::Loop(index) => self.loops[index].1.for_each_spawned(each),
            }
        }
        if !own_first && self.spawned > 0 {
            each(self.key, self.first, self.spawned);
        }
    }

    /// Goes back to where the dropped commands began.
    fn rewind(&mut self) {
        self.measure_batch();
        self.packed.truncate(self.batch.unwrap_or(0));
        (self.read, self.first, self.spawned) = (0, self.first + self.spawned, 0);
        if self.batch.is_none() {
            self.stretches.clear();
            self.rewind_loops();
        }
    }

    fn rewind_loops(&mut self) {
        self.next_loop = 0;
        for (_, mut lane) in self.loops.drain(..) {
            lane.rewind();
            self.memory.empty.push(lane);
        }
    }

    /// Notes what the batch that records has taken until now.
    fn measure_batch(&mut self) {
        let bytes = self.batch.map_or(0, |start| self.packed.len() - start);
        self.batch_bytes = self.batch_bytes.max(bytes);
    }

    /// The handle of the next entity that is spawned.
    ///
    /// # Panics
    ///
    /// If it is the lane of a system that has spawned [`MAX_SPAWNS`] entities since the last barrier.
    pub(super) fn next_pending(&mut self) -> Entity {
        if self.first + self.spawned == self.end {
            self.take_numbers();
        }
        let number = self.first + self.spawned;
        self.spawned += 1;
        self.handed_out = true;
        self.key.entity(number)
    }

    /// Has a buffer go on with numbers that nobody else has.
    #[cold]
    fn take_numbers(&mut self) {
        assert!(self.key.is_of_buffer(), "one lane can spawn {MAX_SPAWNS} entities between two barriers");
        self.cut();
        (self.key, self.first) = LaneKey::block(next_unique());
        self.end = self.first + BLOCK;
    }

    /// Begins a loop of so many batches: where the recording stands, and the number of the first batch. `None` if the loop
    /// is one inside a batch of another, or of a buffer of the host: it is run by one hand then, and records like a loop
    /// of the language.
    ///
    /// # Panics
    ///
    /// If the loops of one run of a system have [`MAX_BATCHES`](super::MAX_BATCHES) batches or more.
    pub(crate) fn begin_loop(&mut self, batches: u32) -> Option<(Mark, u32)> {
        if !self.key.is_main() {
            return None;
        }
        let first = self.batches + 1;
        self.batches = self.batches.saturating_add(batches);
        assert!(
            self.batches < MAX_BATCHES,
            "the loops of one run of a system that record commands can have {MAX_BATCHES} batches at most (MAX_BATCHES)"
        );
        Some((Mark { key: self.key, first: self.first + self.spawned }, first))
    }

    /// Has the entities of batch `number` numbers of their own.
    pub(crate) fn enter_batch(&mut self, mark: Mark, number: u32) {
        self.measure_batch();
        self.cut();
        (self.key, self.first) = (mark.key.batch(number), 0);
        self.batch = (!planted(Fault::ClearedByClaim)).then_some(self.packed.len());
    }

    /// Has somebody record who shares the lane with those before: what is dropped from here on is what comes from here on.
    pub(crate) fn begin_turn(&mut self) {
        self.cut();
        self.batch = Some(self.packed.len());
    }

    /// Goes on where the loop began.
    pub(crate) fn end_loop(&mut self, mark: Mark) {
        self.cut();
        (self.key, self.first) = (mark.key, mark.first);
        self.batch = None;
    }

    /// Lends the lanes for the hands of a loop.
    pub(crate) fn take_memory(&mut self) -> LoopMemory {
        core::mem::take(&mut self.memory)
    }

    /// Puts what the hands of a loop recorded here, in the order of their claims.
    pub(crate) fn splice(&mut self, mut memory: LoopMemory) {
        self.cut();
        self.handed_out |= core::mem::take(&mut memory.handed_out);
        if !planted(Fault::MergeByCompletion) {
            memory.recorded.sort_unstable_by_key(|(first, _)| *first);
        }
        // How many of the lanes have commands changes from run to run. What the lane spawned itself has a stretch in front.
        let lanes = memory.recorded.len() + memory.empty.len();
        self.loops.reserve(lanes);
        self.stretches.reserve(lanes + 1);
        for (_, lane) in memory.recorded.drain(..) {
            if lane.has_spawned() {
                self.stretches.push(Stretch::Loop(self.loops.len()));
            }
            self.loops.push((self.packed.len(), lane));
        }
        self.memory = memory;
    }

    /// The next lane of a loop that stands where the log is read.
    pub(super) fn next_loop(&mut self) -> Option<&mut OwnLane> {
        let (at, _) = self.loops.get(self.next_loop)?;
        if *at != self.read || planted(Fault::LoopsLost) {
            return None;
        }
        self.next_loop += 1;
        Some(&mut self.loops[self.next_loop - 1].1)
    }

    fn cut(&mut self) {
        if self.spawned > 0 {
            if !planted(Fault::SpawnedBeforeLoopLost) {
                self.stretches.push(Stretch::Own { key: self.key, first: self.first, count: self.spawned });
            }
            (self.first, self.spawned) = (self.first + self.spawned, 0);
        }
    }

    pub(super) fn push<C: Change>(&mut self, command: C) {
        let size = HEADER + size_of::<C>();
        self.packed.reserve(size);
        let command = core::mem::ManuallyDrop::new(command);
        // SAFETY: `size` bytes of spare capacity follow the length; header and command are written there by unaligned
        // copies, so that every byte below the new length is one of theirs (padding may stay uninitialised, which
        // `MaybeUninit` allows). The command is owned by the lane from here on.
        unsafe {
            let end = self.packed.as_mut_ptr().add(self.packed.len()).cast::<u8>();
            end.cast::<&'static Code>().write_unaligned(&CodeOf::<C>::CODE);
            let bytes = core::ptr::from_ref(&command).cast::<u8>();
            end.add(HEADER).copy_from_nonoverlapping(bytes, size_of::<C>());
            self.packed.set_len(self.packed.len() + size);
        }
    }

    /// Steps over the next command and hands out its code and bytes: whoever gets them owns the command.
    fn next(&mut self) -> Option<(&'static Code, *const u8)> {
        if self.read == self.packed.len() {
            return None;
        }
        // SAFETY: `read` is the start of a command that `push` wrote, since it starts at 0 or where a batch began, which was
        // the end of the log then, and advances by whole commands.
        let (code, bytes) = unsafe {
            let start = self.packed.as_ptr().add(self.read).cast::<u8>();
            (start.cast::<&'static Code>().read_unaligned(), start.add(HEADER))
        };
        self.read += HEADER + code.size;
        Some((code, bytes))
    }

    /// Drops the next command and says what it would have done; `None` behind the last one.
    pub(super) fn drop_next(&mut self) -> Option<&'static str> {
        let (code, bytes) = self.next()?;
        // SAFETY: the command was stepped over, so that it is dropped once, by its own code.
        unsafe { (code.drop)(bytes) };
        Some(code.name)
    }

    /// Applies the next command; `None` behind the last one. Without `structure` changes of structure are passed over: the
    /// lane is to be [read again](Self::read_again) then.
    pub(super) fn apply_next(&mut self, merge: &mut Merge<'_>, structure: bool) -> Option<Step> {
        let start = self.read;
        let (code, bytes) = self.next()?;
        let Some(gone) = code.gone else { return Some(Step::Gone) };
        if !structure {
            if code.is_structure {
                return Some(Step::Waits);
            }
            // SAFETY: the header of the command starts here. The command is used up below and nowhere else: it counts as gone.
            unsafe { self.packed.as_mut_ptr().add(start).cast::<&'static Code>().write_unaligned(gone) };
        }
        // SAFETY: the command was stepped over, or is marked as gone, so that it is used up once, by its own code; the bytes
        // stay where they are, since the merge does not reach this lane.
        Some(Step::Done(code.name, unsafe { (code.apply)(bytes, merge) }))
    }

    /// Has the commands that wait read again, from the first on.
    pub(super) fn read_again(&mut self) {
        (self.read, self.next_loop) = (0, 0);
        self.loops.iter_mut().for_each(|(_, lane)| lane.read_again());
    }
}

impl<Tail: ?Sized> Drop for Lane<Tail> {
    fn drop(&mut self) {
        self.clear_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    impl Change for Nothing {
        const NAME: &'static str = "nothing";

        fn apply(self, _: &mut Merge<'_>) -> Result<(), RefusalReason> {
            Ok(())
        }
    }

    /// A lane in whose batches so many commands were recorded; those of the last one were dropped again.
    fn recorded(batches: &[usize]) -> OwnLane {
        let mut lane = OwnLane::unused();
        let mark = Mark { key: LaneKey::new(1, 1, 0), first: 0 };
        for (number, &commands) in (1..).zip(batches) {
            lane.enter_batch(mark, number);
            (0..commands).for_each(|_| lane.push(Nothing));
        }
        lane.drop_commands();
        lane
    }

    #[test]
    fn a_loop_has_a_lane_for_each_part_with_room_for_the_largest_batches_that_there_ever_were_and_no_more() {
        let mut memory = LoopMemory::default();
        memory.take_back(1, recorded(&[1, 3, 2]));
        memory.take_back(17, recorded(&[0, 5]));
        memory.make_room(2, 16);
        assert_eq!((memory.recorded.len(), memory.empty.len(), memory.batch_bytes), (1, 2, 5 * HEADER));
        for _ in 0..40 {
            memory.make_room(4, 16);
        }
        let room = |lane: &OwnLane| (lane.packed.capacity(), lane.stretches.capacity());
        assert_eq!(memory.empty.iter().map(room).collect::<Vec<_>>(), [(80 * HEADER, 0); 4]);
    }

    #[test]
    fn a_batch_that_was_very_large_once_makes_no_lane_larger_than_the_room_that_is_kept() {
        let mut memory = LoopMemory { batch_bytes: usize::MAX, ..LoopMemory::default() };
        memory.make_room(3, 16);
        assert_eq!(memory.empty.iter().map(|lane| lane.packed.capacity()).collect::<Vec<_>>(), [LANE_ROOM; 3]);
    }
}
