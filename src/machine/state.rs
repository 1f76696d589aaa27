//! Copies of a machine.

use super::{MachineState, StateMachine};

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
