//! A machine as a state value.

use std::collections::VecDeque;

use super::{MachineState, StateMachine};
use crate::entity::{EntityMapper, MapEntities};
use crate::value::{DecodeError, Sink, Source, StateValue};

impl<S: MachineState> Clone for StateMachine<S> {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), ..*self }
    }

    /// Uses the memory of the machine that is overwritten again, so that snapshots allocate nothing.
    fn clone_from(&mut self, source: &Self) {
        self.waiting.clone_from(&source.waiting);
        (self.current, self.changes, self.refusals) = (source.current, source.changes, source.refusals);
    }
}

/// Transitions may name entities; states are enums and name none.
impl<S: MachineState> MapEntities for StateMachine<S> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.waiting.iter_mut().for_each(|request| request.transition.map_entities(mapper));
    }
}

impl<S: MachineState> StateValue for StateMachine<S> {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.current.encode(sink);
        self.waiting.encode(sink);
        (self.changes, self.refusals).encode(sink);
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let current = S::decode(source)?;
        let waiting = VecDeque::decode(source)?;
        let (changes, refusals) = StateValue::decode(source)?;
        Ok(Self { current, waiting, changes, refusals })
    }
}
