use std::borrow::Cow;

use super::{Time, Timeline, World};
use crate::query::RunStamps;
use crate::storage::{AnyValue, SectionId, Storage, stamp};

/// State that takes the place of a world's.
#[derive(Debug)]
pub(crate) struct NewState {
    pub(crate) storage: Storage,
    /// The value of each section that is state.
    pub(crate) sections: Vec<(SectionId, Option<AnyValue>)>,
    pub(crate) tick: u64,
    pub(crate) torn: bool,
    pub(crate) epoch: u64,
    /// Whether something is gone that schedules keep in the world: they bind anew, and make it again.
    pub(crate) unbind: bool,
}

impl World {
    /// Puts other state, made for this world's registries, in the place of its own.
    pub(crate) fn replace_state(&mut self, state: NewState) {
        let sections = state.sections.into_iter();
        // What was there is dropped last: a destructor is code of the user, which may panic.
        let _storage = core::mem::replace(&mut self.storage, state.storage);
        let _sections: Vec<_> = sections.map(|(id, value)| self.sections.replace(id, value)).collect();
        self.timeline = Timeline::new();
        self.components.set_epoch(state.epoch);
        if state.unbind {
            self.unbound = crate::sync::next_unique();
        }
        self.time =
            Time { ticks: state.tick, stamps: RunStamps { now: stamp::host(state.tick), last: 0 }, inside_tick: false };
        self.torn = state.torn.then_some(Cow::Borrowed("a tick had failed in it when it was saved"));
    }
}
