#![expect(unsafe_code, reason = "parameters split the shared world under the access that the plan granted")]

use core::any::{TypeId, type_name};
use core::fmt;
use core::iter::FusedIterator;
use std::collections::vec_deque;

use super::param::{Binding, Run};
use super::{ParamError, SystemParam};
use crate::event::{Cursor, Event, EventError, Queue};
use crate::storage::SectionId;

/// A parameter that reads events of one type: each once, in order, whenever the system runs.
///
/// How far it has come is state of its own, also where two systems run the same function. It begins with what is kept when
/// its schedule is first built. Events that a plan's barriers have not committed yet are not seen, so a reader makes no
/// edge to a writer: where it shall see what the same tick sent, put a barrier between them.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, StateValue, Event)]
/// struct Noise(u64);
/// #[derive(Clone, StateValue, Resource)]
/// struct Heard(Vec<u64>);
///
/// fn shout(tick: Tick, mut noises: EventWriter<Noise>) {
///     noises.send(Noise(tick.0));
/// }
///
/// fn listen(mut noises: EventReader<Noise>, mut heard: ResMut<Heard>) {
///     heard.0.extend(noises.read().map(|noise| noise.0));
/// }
///
/// let mut world = World::new();
/// world.add_event::<Noise>()?;
/// world.insert_resource(Heard(Vec::new()));
/// let mut schedule = Schedule::new();
/// schedule.add(shout);
/// schedule.barrier();
/// schedule.add(listen.every(2));
/// for _ in 0..4 {
///     schedule.run(&mut world)?;
/// }
/// assert_eq!(world.resource::<Heard>()?.0, [1, 2, 3, 4]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EventReader<'w, E> {
    queue: &'w Queue<E>,
    cursor: &'w mut Cursor,
}

impl<E: Event> EventReader<'_, E> {
    /// The events that the reader has not passed. It passes each when the iterator gives it: what a loop leaves, it finds
    /// the next time.
    pub fn read(&mut self) -> Unread<'_, E> {
        Unread { events: self.queue.since(self.cursor.next), next: &mut self.cursor.next }
    }

    /// How many events are left to read.
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue.since(self.cursor.next).len()
    }

    /// Whether none is left to read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Passes all that are left.
    pub fn clear(&mut self) {
        self.cursor.next = self.queue.end();
    }

    /// How many events were gone before the reader came to them, since it exists: of a type that is
    /// [kept](crate::event::EventSetup::keep) for a number of commits, or while the system was disabled.
    #[must_use]
    pub const fn missed(&self) -> u64 {
        self.cursor.missed
    }
}

impl<E> fmt::Debug for EventReader<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventReader").field("cursor", &self.cursor).finish_non_exhaustive()
    }
}

/// The events that a reader has not passed; see [`EventReader::read`].
pub struct Unread<'r, E> {
    events: vec_deque::Iter<'r, E>,
    next: &'r mut u64,
}

impl<'r, E> Iterator for Unread<'r, E> {
    type Item = &'r E;

    #[inline]
    fn next(&mut self) -> Option<&'r E> {
        let event = self.events.next()?;
        *self.next += 1;
        Some(event)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl<E> ExactSizeIterator for Unread<'_, E> {}

impl<E> FusedIterator for Unread<'_, E> {}

impl<E> fmt::Debug for Unread<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unread").field("left", &self.events.len()).finish()
    }
}

/// Where the events of a type lie, and how far the reader has come.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ReaderState {
    queue: SectionId,
    cursor: SectionId,
}

// SAFETY: touches a cursor that is this parameter's alone, by its key, and a queue, which changes at barriers, in exclusive
// systems and between ticks only.
unsafe impl<E: Event> SystemParam for EventReader<'_, E> {
    type State = ReaderState;
    type Item<'w> = EventReader<'w, E>;

    fn bind(binding: &mut Binding<'_>) -> Result<ReaderState, ParamError> {
        let not_added = EventError::NotAdded { event: type_name::<E>() };
        let event = binding.world.event_registry().id_of(TypeId::of::<E>()).ok_or(not_added)?;
        let first = binding.world.queue_mut::<E>()?.first();
        let cursor = binding.meta.reader(type_name::<Self>(), event, first, binding.world)?;
        Ok(ReaderState { queue: binding.world.event_registry().section(event), cursor })
    }

    unsafe fn fetch<'w>(state: &'w mut ReaderState, run: &Run<'w>) -> EventReader<'w, E> {
        // SAFETY: no `&mut World` is made of the cell while this system runs.
        let sections = unsafe { run.context.cell.sections() };
        // SAFETY: no system that runs beside this one writes the queue, and the cursor is this parameter's alone.
        let (queue, cursor) = unsafe { (sections.get::<Queue<E>>(state.queue), sections.get_mut(state.cursor)) };
        let (queue, cursor): (_, &mut Cursor) = queue.zip(cursor).expect("set when the system was bound");
        cursor.catch_up(queue.first());
        EventReader { queue, cursor }
    }
}
