use super::lane::{Change, Lane};
use super::merge::Merge;
use super::refusal::RefusalReason;
use crate::event::Event;

impl Lane {
    /// Sends an event: it joins the queue of its type when the lane is merged, in the order of the recording, and is visible
    /// to readers from the next commit on.
    ///
    /// Pending entities inside of it become real, as in a value that is inserted. An event whose type the world does not
    /// have is refused; a system that says what it sends, with [`EventWriter`](crate::system::EventWriter), learns of it
    /// before anything runs.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component)]
    /// # struct Wolf;
    /// #[derive(Clone, StateValue, Event)]
    /// struct Birth(Entity);
    ///
    /// let mut world = World::new();
    /// world.add_event::<Birth>()?;
    /// let mut buffer = CommandBuffer::new();
    /// let pup = buffer.spawn(Wolf).id();
    /// buffer.send(Birth(pup));
    /// buffer.apply(&mut world);
    /// let births = world.events::<Birth>()?;
    /// assert!(births.iter().all(|birth| world.has::<Wolf>(birth.0)));
    /// assert_eq!(births.len(), 1);
    /// # Ok::<(), tickweave::event::EventError>(())
    /// ```
    pub fn send<E: Event>(&mut self, event: E) {
        self.push(SendEvent(event));
    }
}

struct SendEvent<E>(E);

impl<E: Event> Change for SendEvent<E> {
    const NAME: &'static str = "send";
    const IS_STRUCTURE: bool = false;

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let event = merge.map_value(self.0)?;
        Ok(merge.world().queue_event(event)?)
    }
}
