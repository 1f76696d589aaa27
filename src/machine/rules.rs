use thiserror::Error;

use super::MachineState;
use super::mask::name_of;

/// A change of state: what guards are asked about and listeners are told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change<S: MachineState> {
    /// The state that is left.
    pub from: S,
    /// What was requested.
    pub transition: S::Transition,
    /// The state that is entered.
    pub to: S,
}

/// One way out of a state.
pub struct Rule<S: MachineState, C> {
    change: Change<S>,
    guard: Option<fn(&C, Change<S>) -> bool>,
}

impl<S: MachineState, C> Rule<S, C> {
    /// `transition` leads from `from` to `to`.
    #[must_use]
    pub const fn new(from: S, transition: S::Transition, to: S) -> Self {
        Self { change: Change { from, transition, to }, guard: None }
    }

    /// The rule holds only if the guard says so.
    #[must_use]
    pub const fn guard(self, guard: fn(&C, Change<S>) -> bool) -> Self {
        Self { guard: Some(guard), ..self }
    }

    pub(super) fn passes(&self, context: &C) -> Option<Change<S>> {
        self.guard.is_none_or(|guard| guard(context, self.change)).then_some(self.change)
    }

    fn answers(&self, from: S, transition: S::Transition) -> bool {
        (self.change.from, self.change.transition) == (from, transition)
    }
}

/// The rules of a machine and its listeners: a constant beside its value, made of plain functions.
///
/// Rules of the same state and transition are tried in the order of the table: the first whose guard lets the request pass
/// is taken. The table is borrowed, so it may be a constant, or lie on the stack of a function whose context has a lifetime.
pub struct Rules<'r, S: MachineState, C> {
    table: &'r [Rule<S, C>],
    exit: Listener<S, C>,
    transition: Listener<S, C>,
    enter: Listener<S, C>,
}

type Listener<S, C> = fn(&mut C, Change<S>);

impl<'r, S: MachineState, C> Rules<'r, S, C> {
    /// Rules without listeners.
    #[must_use]
    pub const fn new(table: &'r [Rule<S, C>]) -> Self {
        Self { table, exit: nobody, transition: nobody, enter: nobody }
    }

    /// Who is told first: `change.from` is left.
    #[must_use]
    pub const fn on_exit(self, exit: fn(&mut C, Change<S>)) -> Self {
        Self { exit, ..self }
    }

    /// Who is told second: one state is left, the next not entered.
    #[must_use]
    pub const fn on_transition(self, transition: fn(&mut C, Change<S>)) -> Self {
        Self { transition, ..self }
    }

    /// Who is told last: `change.to` is entered. It is stored afterwards.
    #[must_use]
    pub const fn on_enter(self, enter: fn(&mut C, Change<S>)) -> Self {
        Self { enter, ..self }
    }

    /// Checks that each rule can be taken.
    ///
    /// # Errors
    ///
    /// [`RuleError::Unreachable`] for the first rule behind one that always takes its requests.
    pub fn check(&self) -> Result<(), RuleError> {
        let taken = |later: usize| {
            let Change { from, transition, .. } = self.table[later].change;
            self.table[..later].iter().position(|rule| rule.guard.is_none() && rule.answers(from, transition))
        };
        match (0..self.table.len()).find_map(|later| taken(later).map(|earlier| (earlier, later))) {
            Some((earlier, later)) => {
                let state = name_of(&self.table[later].change.from);
                Err(RuleError::Unreachable { state, earlier, later })
            }
            None => Ok(()),
        }
    }

    /// The rules for a request, in the order of the table.
    pub(super) fn of(&self, from: S, transition: S::Transition) -> impl Iterator<Item = &Rule<S, C>> {
        self.table.iter().filter(move |rule| rule.answers(from, transition))
    }

    pub(super) fn tell(&self, change: Change<S>, context: &mut C) {
        (self.exit)(context, change);
        (self.transition)(context, change);
        (self.enter)(context, change);
    }
}

fn nobody<S: MachineState, C>(_: &mut C, _: Change<S>) {}

/// A table of rules makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RuleError {
    /// A rule stands behind one without a guard for the same state and transition.
    #[error(
        "rule {later} (out of state `{state}`) is never taken: rule {earlier} has the same state and transition and no \
         guard; give rule {earlier} a guard, put it last, or take one of them out"
    )]
    Unreachable {
        /// The state that both leave.
        state: &'static str,
        /// The rule that takes every request, counted from 0.
        earlier: usize,
        /// The rule that gets none.
        later: usize,
    },
}

impl RuleError {
    /// A stable code for programs: `rule-unreachable`.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unreachable { .. } => "rule-unreachable",
        }
    }
}
