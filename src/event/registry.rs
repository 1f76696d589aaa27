use core::any::{TypeId, type_name};
use core::hash::BuildHasherDefault;
use std::collections::HashMap;
use std::sync::Weak;

use super::queue::AnyQueue;
use super::{Cursor, Event, EventError, EventScope, Queue};
use crate::component::TypeIdHasher;
use crate::storage::{SectionId, SectionKey, Sections};

/// The id of an event type in one world, dense from 0 in the order in which the types were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EventId(u32);

/// The event types of a world, and who reads them; the queues and cursors are sections.
#[derive(Debug, Default)]
pub(crate) struct EventRegistry {
    entries: Vec<Entry>,
    by_type: HashMap<TypeId, EventId, BuildHasherDefault<TypeIdHasher>>,
}

#[derive(Debug)]
struct Entry {
    type_id: TypeId,
    section: SectionId,
    queue: fn(&mut Sections, SectionId) -> Option<&mut dyn AnyQueue>,
    readers: Vec<Reader>,
}

/// A parameter that reads events: it holds back what it has not passed.
#[derive(Debug)]
pub(crate) struct Reader {
    pub(crate) event: EventId,
    pub(crate) cursor: SectionId,
    pub(crate) schedule: u32,
    /// The index of its system.
    pub(crate) system: usize,
    /// Gone with its schedule.
    pub(crate) lives: Weak<()>,
    pub(crate) enabled: bool,
}

impl Reader {
    fn holds_back(&self) -> bool {
        self.enabled && self.lives.strong_count() > 0
    }
}

impl EventRegistry {
    /// Has the types that another registry has, which begins like this one or is the beginning of it. Readers of those that
    /// stay are kept. `id_of` tells the id that a section of the other world has here.
    pub(crate) fn become_like(&mut self, other: &Self, id_of: impl Fn(SectionId) -> SectionId) {
        let alike = self.entries.iter().zip(&other.entries).take_while(|(ours, theirs)| ours.type_id == theirs.type_id);
        let alike = alike.count();
        for gone in self.entries.drain(alike..) {
            self.by_type.remove(&gone.type_id);
        }
        for theirs in &other.entries[alike..] {
            self.by_type.insert(theirs.type_id, EventId(self.entries.len() as u32));
            self.entries.push(Entry {
                type_id: theirs.type_id,
                section: id_of(theirs.section),
                queue: theirs.queue,
                readers: Vec::new(),
            });
        }
    }

    pub(crate) fn id_of(&self, type_id: TypeId) -> Option<EventId> {
        self.by_type.get(&type_id).copied()
    }

    /// The section of a type's queue.
    pub(crate) fn section_of<E: Event>(&self) -> Result<SectionId, EventError> {
        let id = self.id_of(TypeId::of::<E>());
        id.map(|id| self.section(id)).ok_or(EventError::NotAdded { event: type_name::<E>() })
    }

    pub(crate) fn section(&self, id: EventId) -> SectionId {
        self.entries[id.0 as usize].section
    }

    /// Gives a type its queue.
    ///
    /// # Errors
    ///
    /// [`EventError::AlreadyAdded`] if it has one.
    pub(crate) fn add<E: Event>(&mut self, sections: &mut Sections) -> Result<SectionId, EventError> {
        let (type_id, event) = (TypeId::of::<E>(), type_name::<E>());
        if self.by_type.contains_key(&type_id) {
            return Err(EventError::AlreadyAdded { event });
        }
        let section = sections.ensure::<Queue<E>>(SectionKey::Events(event, type_id));
        self.by_type.insert(type_id, EventId(self.entries.len() as u32));
        self.entries.push(Entry { type_id, section, queue: queue_of::<E>, readers: Vec::new() });
        Ok(section)
    }

    /// Replaces the readers of a schedule.
    pub(crate) fn set_readers(&mut self, schedule: u32, readers: Vec<Reader>) {
        for entry in &mut self.entries {
            entry.readers.retain(|reader| reader.schedule != schedule && reader.lives.strong_count() > 0);
        }
        for reader in readers {
            self.entries[reader.event.0 as usize].readers.push(reader);
        }
    }

    /// Begins a tick of a schedule: notes which of its readers are enabled, and drops what every reader has passed.
    pub(crate) fn begin(&mut self, sections: &mut Sections, schedule: u32, is_enabled: impl Fn(usize) -> bool) {
        for entry in &mut self.entries {
            for reader in entry.readers.iter_mut().filter(|reader| reader.schedule == schedule) {
                reader.enabled = is_enabled(reader.system);
            }
            let passed = entry.passed(sections);
            if let Some(queue) = entry.queue(sections) {
                queue.release(passed);
            }
        }
    }

    /// Makes what waits for this kind of commit visible; drops what was kept for long enough, and returns how many of those
    /// some reader had not passed.
    pub(crate) fn commit(&self, sections: &mut Sections, scope: EventScope) -> u64 {
        let commit = |entry: &Entry| {
            let passed = entry.passed(sections);
            entry.queue(sections).map_or(0, |queue| queue.commit(scope, passed))
        };
        self.entries.iter().map(commit).sum()
    }

    /// Drops what does not live on behind the end of a phase.
    pub(crate) fn end_phase(&self, sections: &mut Sections) {
        for entry in &self.entries {
            if let Some(queue) = entry.queue(sections) {
                queue.end_phase();
            }
        }
    }

    /// Drops what waits for its commit.
    pub(crate) fn forget_waiting(&self, sections: &mut Sections) {
        for entry in &self.entries {
            if let Some(queue) = entry.queue(sections) {
                queue.forget_waiting();
            }
        }
    }
}

impl Entry {
    /// The queue, unless it is idle: then nothing would become of it, and what is known of it stays known.
    fn queue<'s>(&self, sections: &'s mut Sections) -> Option<&'s mut dyn AnyQueue> {
        (self.queue)(sections, self.section)
    }

    /// The first event that some reader has not passed; `None` if nobody holds anything back.
    fn passed(&self, sections: &mut Sections) -> Option<u64> {
        let holding = self.readers.iter().filter(|reader| reader.holds_back());
        holding.filter_map(|reader| sections.peek::<Cursor>(reader.cursor).map(|cursor| cursor.next)).min()
    }
}

fn queue_of<E: Event>(sections: &mut Sections, section: SectionId) -> Option<&mut dyn AnyQueue> {
    if sections.peek::<Queue<E>>(section).is_some_and(Queue::is_idle) {
        return None;
    }
    Some(sections.value_mut::<Queue<E>>(section).expect("set when the type was added, and never taken"))
}
