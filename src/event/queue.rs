use std::collections::{VecDeque, vec_deque};

use super::{Event, EventScope};
use crate::entity::{EntityMapper, MapEntities};
use crate::value::{DecodeError, Sink, Source, StateValue};

/// The events of one type: those that readers see, oldest first, and behind them those that wait for their commit.
///
/// Events are numbered through, from 0, for as long as the world lives.
#[derive(Debug)]
pub(crate) struct Queue<E> {
    scope: EventScope,
    /// For how many commits an event stays; 0 if readers decide.
    keep: u32,
    events: VecDeque<E>,
    /// The number of the first of them.
    first: u64,
    /// How many of them readers see.
    visible: u64,
    /// Where the visible events ended before each of the last commits, oldest first: fewer than `keep`.
    marks: VecDeque<u64>,
    /// How many left before every reader had passed them.
    dropped: u64,
}

impl<E> Default for Queue<E> {
    fn default() -> Self {
        Self {
            scope: EventScope::Barrier,
            keep: 0,
            events: VecDeque::new(),
            first: 0,
            visible: 0,
            marks: VecDeque::new(),
            dropped: 0,
        }
    }
}

impl<E: Clone> Clone for Queue<E> {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        clone.clone_from(self);
        clone
    }

    /// Keeps what memory it can. A clone of an event may panic: no event is visible then.
    fn clone_from(&mut self, source: &Self) {
        self.visible = 0;
        self.events.clone_from(&source.events);
        self.marks.clone_from(&source.marks);
        (self.scope, self.keep, self.first) = (source.scope, source.keep, source.first);
        (self.visible, self.dropped) = (source.visible, source.dropped);
    }
}

impl<E> Queue<E> {
    pub(super) const fn set_scope(&mut self, scope: EventScope) {
        self.scope = scope;
    }

    pub(super) fn set_keep(&mut self, commits: u32) {
        self.keep = commits.max(1);
    }

    /// The number of the oldest event.
    pub(crate) const fn first(&self) -> u64 {
        self.first
    }

    /// The number behind the last event that readers see.
    pub(crate) const fn end(&self) -> u64 {
        self.first + self.visible
    }

    pub(super) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The visible events from number `from` on.
    pub(crate) fn since(&self, from: u64) -> vec_deque::Iter<'_, E> {
        let passed = from.saturating_sub(self.first).min(self.visible);
        self.events.range(passed as usize..self.visible as usize)
    }

    /// Adds an event: visible at once, or at the next commit.
    pub(crate) fn push(&mut self, event: E, at_once: bool) {
        self.events.push_back(event);
        if at_once {
            self.visible = self.events.len() as u64;
        }
    }

    /// Whether commits and ends of phases change nothing: it holds no event, and does not count commits.
    pub(super) fn is_idle(&self) -> bool {
        self.keep == 0 && self.events.is_empty() && self.marks.is_empty()
    }

    /// Drops the visible events before number `limit`.
    fn let_go(&mut self, limit: u64) {
        let gone = limit.saturating_sub(self.first).min(self.visible);
        // Destructors may panic: what goes is counted out before.
        (self.first, self.visible) = (self.first + gone, self.visible - gone);
        self.events.drain(..gone as usize);
    }
}

/// What a commit asks of a queue whose type it does not know.
pub(super) trait AnyQueue {
    /// Commits, if it is the queue's own kind of commit. `passed` is the first event that some reader has not passed. Returns
    /// how many events left before every reader had passed them.
    fn commit(&mut self, scope: EventScope, passed: Option<u64>) -> u64;

    /// Drops what every reader has passed, if readers decide.
    fn release(&mut self, passed: Option<u64>);

    /// Drops what does not live on behind the end of a phase.
    fn end_phase(&mut self);

    /// Drops what waits for its commit.
    fn forget_waiting(&mut self);
}

impl<E: Event> AnyQueue for Queue<E> {
    fn commit(&mut self, scope: EventScope, passed: Option<u64>) -> u64 {
        if self.scope != scope {
            return 0;
        }
        let before = self.end();
        self.visible = self.events.len() as u64;
        if self.keep > 0 {
            self.marks.push_back(before);
        }
        if self.keep == 0 || self.marks.len() < self.keep as usize {
            return 0;
        }
        let limit = self.marks.pop_front().unwrap_or(before);
        let unread = passed.map_or(0, |passed| limit.saturating_sub(passed.max(self.first)));
        self.dropped = self.dropped.saturating_add(unread);
        self.let_go(limit);
        unread
    }

    fn release(&mut self, passed: Option<u64>) {
        if self.keep == 0 {
            self.let_go(passed.unwrap_or_else(|| self.end()));
        }
    }

    fn end_phase(&mut self) {
        match self.scope {
            EventScope::Barrier | EventScope::Tick => return,
            EventScope::Pass => self.visible = self.events.len() as u64,
            EventScope::Phase => {}
        }
        self.marks.clear();
        self.let_go(self.end());
    }

    fn forget_waiting(&mut self) {
        self.events.truncate(self.visible as usize);
    }
}

impl<E: MapEntities> MapEntities for Queue<E> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.events.map_entities(mapper);
    }
}

impl<E: StateValue> StateValue for Queue<E> {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.scope.encode(sink);
        self.keep.encode(sink);
        self.first.encode(sink);
        self.visible.encode(sink);
        self.dropped.encode(sink);
        self.marks.encode(sink);
        self.events.encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let queue = Self {
            scope: EventScope::decode(source)?,
            keep: u32::decode(source)?,
            first: u64::decode(source)?,
            visible: u64::decode(source)?,
            dropped: u64::decode(source)?,
            marks: VecDeque::decode(source)?,
            events: VecDeque::decode(source)?,
        };
        let events = queue.events.len() as u64;
        let is_sound = queue.visible <= events && queue.first.checked_add(events).is_some();
        if is_sound { Ok(queue) } else { Err(DecodeError::invalid::<Self>()) }
    }
}

/// How far a reader has come.
#[derive(Clone, Debug, Default, PartialEq, Eq, StateValue)]
pub(crate) struct Cursor {
    /// The number of the next event.
    pub(crate) next: u64,
    /// How many left before the reader came.
    pub(crate) missed: u64,
}

impl Cursor {
    /// A cursor in front of everything that is kept.
    pub(crate) const fn at(first: u64) -> Self {
        Self { next: first, missed: 0 }
    }

    /// Steps over what is gone.
    pub(crate) const fn catch_up(&mut self, first: u64) {
        if self.next < first {
            self.missed = self.missed.saturating_add(first - self.next);
            self.next = first;
        }
    }
}
