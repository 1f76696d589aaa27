#![expect(unsafe_code, reason = "commands of any type are packed one behind the other")]

use core::mem::MaybeUninit;

use super::merge::Merge;
use super::pending::{LaneKey, MAX_SPAWNS};
use super::refusal::RefusalReason;
use crate::entity::Entity;

/// A change that is recorded now and applied at a barrier.
pub(super) trait Command: Send + 'static {
    /// What it does, for reports.
    const NAME: &'static str;

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason>;
}

/// What a lane knows of the type of a command.
struct Code {
    size: usize,
    name: &'static str,
    apply: unsafe fn(*const u8, &mut Merge<'_>) -> Result<(), RefusalReason>,
    drop: unsafe fn(*const u8),
}

struct CodeOf<C>(core::marker::PhantomData<C>);

impl<C: Command> CodeOf<C> {
    const CODE: Code = Code { size: size_of::<C>(), name: C::NAME, apply: apply::<C>, drop: drop_packed::<C> };
}

/// # Safety
///
/// `packed` points to the bytes of a `C`, at any alignment, which is used up by this call.
unsafe fn apply<C: Command>(packed: *const u8, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
    // SAFETY: the caller hands over a `C`; the read asks for no alignment.
    unsafe { packed.cast::<C>().read_unaligned() }.apply(merge)
}

/// # Safety
///
/// As for [`apply`].
unsafe fn drop_packed<C: Command>(packed: *const u8) {
    // SAFETY: the caller hands over a `C`; the read asks for no alignment.
    drop(unsafe { packed.cast::<C>().read_unaligned() });
}

/// Bytes of the header in front of each command: a pointer to its [`Code`].
const HEADER: usize = size_of::<&'static Code>();

/// Commands that one system, or one batch of a parallel loop, records: the handle through which it asks for change.
///
/// Commands are applied in the order in which they were recorded, at the next barrier. Values are moved into the lane and
/// dropped exactly once: by the command that uses them, or with the lane.
#[derive(Debug)]
pub struct Lane {
    key: LaneKey,
    position: u32,
    packed: Vec<MaybeUninit<u8>>,
    read: usize,
    /// The number of the first pending entity of this recording: numbers of what was cleared or applied are not used again.
    first: u32,
    spawned: u32,
}

impl Lane {
    pub(crate) const fn new(key: LaneKey, position: u32) -> Self {
        Self { key, position, packed: Vec::new(), read: 0, first: 0, spawned: 0 }
    }

    /// Empties the lane for the next user; the memory stays.
    pub(crate) fn reset(&mut self, key: LaneKey, position: u32) {
        self.clear();
        (self.key, self.position, self.first) = (key, position, 0);
    }

    /// Drops every command that was recorded.
    pub fn clear(&mut self) {
        // A destructor may panic: the guard drops what is left.
        struct Rest<'l>(&'l mut Lane);
        impl Drop for Rest<'_> {
            fn drop(&mut self) {
                while self.0.drop_next().is_some() {}
                self.0.rewind();
            }
        }
        let rest = Rest(self);
        while rest.0.drop_next().is_some() {}
    }

    /// Whether nothing was recorded since the lane was last applied.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.read == self.packed.len()
    }

    pub(crate) const fn key(&self) -> LaneKey {
        self.key
    }

    pub(crate) const fn position(&self) -> u32 {
        self.position
    }

    /// The number of the first entity that was spawned.
    pub(super) const fn first(&self) -> u32 {
        self.first
    }

    /// How many entities were spawned.
    pub(crate) const fn spawned(&self) -> u32 {
        self.spawned
    }

    pub(super) fn rewind(&mut self) {
        self.packed.clear();
        (self.read, self.first, self.spawned) = (0, self.first + self.spawned, 0);
    }

    /// The handle of the next entity that is spawned.
    ///
    /// # Panics
    ///
    /// If the lane has spawned [`MAX_SPAWNS`] entities since the last barrier.
    pub(super) fn next_pending(&mut self) -> Entity {
        let number = self.first + self.spawned;
        assert!(number < MAX_SPAWNS, "one lane can spawn {MAX_SPAWNS} entities between two barriers");
        self.spawned += 1;
        self.key.entity(number)
    }

    pub(super) fn push<C: Command>(&mut self, command: C) {
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
        if self.is_empty() {
            return None;
        }
        // SAFETY: `read` is the start of a command that `push` wrote, since it starts at 0 and advances by whole commands.
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

    /// Applies the next command; `None` behind the last one.
    pub(super) fn apply_next(&mut self, merge: &mut Merge<'_>) -> Option<(&'static str, Result<(), RefusalReason>)> {
        let (code, bytes) = self.next()?;
        // SAFETY: the command was stepped over, so that it is used up once, by its own code; the bytes stay where they are,
        // since the merge does not reach this lane.
        Some((code.name, unsafe { (code.apply)(bytes, merge) }))
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        self.clear();
    }
}
