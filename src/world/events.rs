#![expect(unsafe_code, reason = "the borrow of the world grants its queues of events")]

use core::any::type_name;

use super::World;
use crate::entity::{Entity, EntityMapper};
use crate::event::{Event, EventError, EventRegistry, EventScope, EventSetup, Events, Queue};

/// Events: what happened, for systems and for the host.
impl World {
    /// Adds an event type: from here on it can be sent and read.
    ///
    /// # Errors
    ///
    /// [`EventError`] if the type was added before, or inside of a tick.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Clone, StateValue, Event)]
    /// # struct Noise(u32);
    /// let mut world = World::new();
    /// assert_eq!(world.send_event(Noise(1)).unwrap_err().code(), "event-not-added");
    /// world.add_event::<Noise>()?.keep(4);
    /// assert_eq!(world.add_event::<Noise>().unwrap_err().code(), "event-duplicate");
    /// # Ok::<(), tickweave::event::EventError>(())
    /// ```
    pub fn add_event<E: Event>(&mut self) -> Result<EventSetup<'_, E>, EventError> {
        if self.time.inside_tick {
            return Err(EventError::InsideTick { event: type_name::<E>() });
        }
        self.events.add::<E>(&mut self.sections)?;
        self.queue_mut().map(EventSetup::new)
    }

    /// Sends an event. Between ticks it is visible at once, as every host edit is; inside of a tick, where an exclusive
    /// system or a queued closure sends it, at the next commit.
    ///
    /// # Errors
    ///
    /// [`EventError`] if the type was not added, or if a pending entity is inside of the event.
    pub fn send_event<E: Event>(&mut self, mut event: E) -> Result<(), EventError> {
        let mut pending = FirstPending(None);
        event.map_entities(&mut pending);
        match pending.0 {
            Some(entity) => Err(EventError::Pending { event: type_name::<E>(), entity }),
            None => self.queue_event(event),
        }
    }

    /// The events of a type that are committed and kept.
    ///
    /// # Errors
    ///
    /// [`EventError::NotAdded`] if the type was not added.
    pub fn events<E: Event>(&self) -> Result<Events<'_, E>, EventError> {
        let section = self.events.section_of::<E>()?;
        // SAFETY: the world is borrowed, so that nobody writes the section.
        let queue = unsafe { self.sections.get::<Queue<E>>(section) };
        queue.map(Events::new).ok_or(EventError::NotAdded { event: type_name::<E>() })
    }

    /// Sends an event whose entities are real.
    pub(crate) fn queue_event<E: Event>(&mut self, event: E) -> Result<(), EventError> {
        let at_once = !self.time.inside_tick;
        self.queue_mut()?.push(event, at_once);
        Ok(())
    }

    /// The queue of a type.
    pub(crate) fn queue_mut<E: Event>(&mut self) -> Result<&mut Queue<E>, EventError> {
        let section = self.events.section_of::<E>()?;
        self.sections.value_mut(section).ok_or(EventError::NotAdded { event: type_name::<E>() })
    }

    pub(crate) const fn event_registry(&self) -> &EventRegistry {
        &self.events
    }

    pub(crate) const fn event_registry_mut(&mut self) -> &mut EventRegistry {
        &mut self.events
    }

    /// Begins a tick of a schedule for its events; `is_enabled` tells of its systems by their index.
    pub(crate) fn begin_events(&mut self, schedule: u32, is_enabled: impl Fn(usize) -> bool) {
        self.events.begin(&mut self.sections, schedule, is_enabled);
    }

    /// Makes events of a scope visible that wait; returns how many left before every reader had passed them.
    pub(crate) fn commit_events(&mut self, scope: EventScope) -> u64 {
        self.events.commit(&mut self.sections, scope)
    }

    /// Drops events that do not live on behind the end of a phase.
    pub(crate) fn end_event_phase(&mut self) {
        self.events.end_phase(&mut self.sections);
    }

    /// Drops events that wait for a commit which does not come.
    pub(crate) fn forget_waiting_events(&mut self) {
        self.events.forget_waiting(&mut self.sections);
    }
}

/// Notes the first pending entity, and leaves all as they are.
struct FirstPending(Option<Entity>);

impl EntityMapper for FirstPending {
    fn map(&mut self, entity: Entity) -> Entity {
        if entity.is_pending() {
            self.0.get_or_insert(entity);
        }
        entity
    }
}
