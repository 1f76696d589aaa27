use core::fmt;

use super::{EventScope, Queue};

/// How the events of a type that was just added live.
///
/// Without a word they are visible at the next barrier, and live until every reader has passed them.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, StateValue, Event)]
/// struct Noise(u32);
///
/// let mut world = World::new();
/// world.add_event::<Noise>()?.scope(EventScope::Tick).keep(2);
/// # Ok::<(), tickweave::event::EventError>(())
/// ```
pub struct EventSetup<'w, E> {
    queue: &'w mut Queue<E>,
}

impl<'w, E> EventSetup<'w, E> {
    pub(crate) const fn new(queue: &'w mut Queue<E>) -> Self {
        Self { queue }
    }

    /// When events become visible to readers; [`EventScope::Barrier`] unless this is called.
    #[expect(clippy::must_use_candidate, reason = "it may be the last word")]
    pub fn scope(self, scope: EventScope) -> Self {
        self.queue.set_scope(scope);
        self
    }

    /// For how many commits (at least 1) an event stays, whoever has read it: the one after so many that follow the commit
    /// which made it visible finds it gone. Barriers are counted, or ticks, as the scope says.
    #[expect(clippy::must_use_candidate, reason = "it may be the last word")]
    pub fn keep(self, commits: u32) -> Self {
        self.queue.set_keep(commits);
        self
    }
}

impl<E> fmt::Debug for EventSetup<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventSetup").finish_non_exhaustive()
    }
}

/// The events of one type that are committed and kept, as the host sees them.
///
/// To look changes nothing: it is no reader, and holds nothing back. Between ticks it sees what became visible since the
/// last tick began, and what readers or [`keep`](EventSetup::keep) hold.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, Debug, PartialEq, StateValue, Event)]
/// struct Noise(u32);
///
/// let mut world = World::new();
/// world.add_event::<Noise>()?.keep(10);
/// let mut schedule = Schedule::new();
/// schedule.add(|tick: Tick, mut noises: EventWriter<Noise>| noises.send(Noise(tick.0 as u32)));
/// let mut seen = 0;
/// for step in 0..3 {
///     schedule.run(&mut world)?;
///     if step != 1 { // a frame that shows nothing misses nothing
///         let noises = world.events::<Noise>()?;
///         let new: Vec<u32> = noises.since(seen).map(|noise| noise.0).collect();
///         assert_eq!(new, if step == 0 { vec![1] } else { vec![2, 3] });
///         seen = noises.end();
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Events<'w, E> {
    queue: &'w Queue<E>,
}

impl<'w, E> Events<'w, E> {
    pub(crate) const fn new(queue: &'w Queue<E>) -> Self {
        Self { queue }
    }

    /// The events, oldest first.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'w E> + DoubleEndedIterator + use<'w, E> {
        self.since(0)
    }

    /// Those whose number is `number` or higher, oldest first: events are numbered from 0 in the order of their commits.
    #[must_use]
    pub fn since(&self, number: u64) -> impl ExactSizeIterator<Item = &'w E> + DoubleEndedIterator + use<'w, E> {
        self.queue.since(number)
    }

    /// The number of the next event: how many were ever committed.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.queue.end()
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        (self.queue.end() - self.queue.first()) as usize
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many events of this type were [kept](EventSetup::keep) for as long as was asked for and went although a reader
    /// had not passed them.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.queue.dropped()
    }
}

impl<E> Clone for Events<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Events<'_, E> {}

impl<E: fmt::Debug> fmt::Debug for Events<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
