use core::ops::{Deref, DerefMut};
use std::panic::resume_unwind;

use super::lane::{Lane, OwnLane};
use super::merge::Merger;
use super::refusal::CommandReport;
use crate::world::World;

/// Commands that the host records by hand, to apply them to any world.
///
/// It records like a [`Lane`], to which it dereferences. A world that lacks component types of the commands registers
/// them. A buffer that is dropped drops what it recorded.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[repr(C)]
/// struct Parent(Entity);
///
/// let mut buffer = CommandBuffer::new();
/// let wolf = buffer.spawn(()).id();
/// buffer.spawn(Parent(wolf));
///
/// let mut world = World::new();
/// let report = buffer.apply(&mut world);
/// assert_eq!((report.applied, report.refused), (2, 0));
/// let parent = world.query::<&Parent, ()>().single()?.0;
/// assert!(world.contains(parent) && !parent.is_pending());
/// # Ok::<(), tickweave::query::SingleError>(())
/// ```
#[derive(Debug)]
pub struct CommandBuffer {
    lane: OwnLane,
}

impl CommandBuffer {
    /// An empty buffer.
    #[must_use]
    pub const fn new() -> Self {
        Self { lane: OwnLane::of_buffer() }
    }

    /// Applies everything that was recorded, in order, and leaves the buffer empty.
    ///
    /// # Panics
    ///
    /// If code of the user that a command runs does. What came before is applied, the rest is dropped.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut buffer = CommandBuffer::new();
    /// buffer.spawn(Health(3));
    /// let (mut one, mut other) = (World::new(), World::new());
    /// assert_eq!(buffer.apply(&mut one).applied, 1);
    /// assert_eq!(buffer.apply(&mut other).applied, 0); // it is empty now
    /// assert_eq!((one.len(), other.len()), (1, 0));
    /// ```
    pub fn apply(&mut self, world: &mut World) -> CommandReport {
        let mut report = CommandReport::default();
        let lanes = core::slice::from_mut(&mut self.lane);
        let merged = Merger::default().merge(world, lanes, core::iter::once(0), &mut report);
        merged.map_or_else(|panic| resume_unwind(panic.payload), |()| report)
    }
}

impl Default for CommandBuffer {
    fn default() -> Self {
        Self::new()
    }
}

impl Deref for CommandBuffer {
    type Target = Lane;

    fn deref(&self) -> &Lane {
        &self.lane
    }
}

impl DerefMut for CommandBuffer {
    fn deref_mut(&mut self) -> &mut Lane {
        &mut self.lane
    }
}
