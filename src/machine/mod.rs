//! State machines: which of a few states something is in, and by which rules it changes.
//!
//! A [`StateMachine`] is the value: the current state, the requests that wait, counters. It is a state value and a resource, so
//! hashes, snapshots and saves hold it. [`Rules`] are the constant beside it: which transition leads where, and what is called
//! on the way. Functions are no state, so they stand in the rules and never in the value. A [`StateMask`] names several
//! states at once.

mod mask;
mod rules;
mod state;

pub use mask::StateMask;
pub use rules::{Change, Rule, RuleError, Rules};

use core::fmt::Debug;
use std::collections::VecDeque;

use tickweave_derive::Resource;

use crate::value::{Data, StateValue};

/// The states of a machine: an enum without fields, of at most 64 variants, which is Data.
///
/// ```
/// use tickweave::machine::MachineState;
/// use tickweave::prelude::*;
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
/// #[repr(u8)]
/// enum Game { Build, Run, Pause }
///
/// #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
/// #[repr(u8)]
/// enum Switch { Start, Pause, Resume }
///
/// impl MachineState for Game {
///     type Transition = Switch;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no state of a machine",
    label = "not a `MachineState`",
    note = "for an enum without fields: `#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)] #[repr(u8)]`, and an `impl MachineState` that names the type of its transitions"
)]
pub trait MachineState: Data + StateValue + Eq + Debug {
    /// What a request names beside the state in which it is made.
    type Transition: StateValue + Copy + Eq + Debug;
}

/// One of a few states, and the requests to change it.
///
/// [`request`](Self::request) asks for a change and names the state that it expects; [`apply`](Self::apply) answers what was
/// asked, in that order, by rules. For each request: the **rule** is looked up, its **guard** asked, then the listeners
/// `exit`, `transition` and `enter` are called, then the new state is **stored**. So every listener of a machine that lies in
/// the world still reads the old state there; both are in the [`Change`] that it gets.
///
/// ```
/// use tickweave::machine::{Change, MachineState, Rule, Rules};
/// use tickweave::prelude::*;
/// # #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
/// # #[repr(u8)]
/// # enum Game { Build, Run, Pause }
/// # #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
/// # #[repr(u8)]
/// # enum Switch { Start, Pause, Resume }
/// # impl MachineState for Game { type Transition = Switch; }
///
/// struct Yard { belts: u32, log: String }
///
/// fn has_belts(yard: &Yard, _: Change<Game>) -> bool {
///     yard.belts > 0
/// }
/// fn enter(yard: &mut Yard, change: Change<Game>) {
///     yard.log += &format!("{:?} ", change.to);
/// }
/// const TABLE: [Rule<Game, Yard>; 3] = [
///     Rule::new(Game::Build, Switch::Start, Game::Run).guard(has_belts),
///     Rule::new(Game::Run, Switch::Pause, Game::Pause),
///     Rule::new(Game::Pause, Switch::Resume, Game::Run),
/// ];
/// const RULES: Rules<'static, Game, Yard> = Rules::new(&TABLE).on_enter(enter);
///
/// let mut game = StateMachine::new(Game::Build);
/// let mut yard = Yard { belts: 0, log: String::new() };
/// game.request(Game::Build, Switch::Start);
/// assert_eq!(game.apply(&RULES, &mut yard), 0);
/// assert_eq!((game.current(), game.refusals().guarded), (Game::Build, 1));
///
/// yard.belts = 3;
/// game.request(Game::Build, Switch::Start);
/// game.request(Game::Run, Switch::Pause);
/// game.request(Game::Run, Switch::Pause); // by then the game pauses
/// assert_eq!(game.apply(&RULES, &mut yard), 2);
/// assert_eq!((yard.log.as_str(), game.current(), game.refusals().wrong_state), ("Run Pause ", Game::Pause, 1));
/// ```
///
/// # Determinism
///
/// Requests are answered in the order in which they were made, each against the state that the one before left.
#[derive(Debug, PartialEq, Eq, StateValue, Resource)]
pub struct StateMachine<S: MachineState> {
    current: S,
    waiting: VecDeque<Request<S>>,
    changes: u64,
    refusals: Refusals,
}

/// Somebody wants to go from `from` by a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, StateValue)]
struct Request<S: MachineState> {
    from: S,
    transition: S::Transition,
}

/// How many requests were refused, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, StateValue)]
#[non_exhaustive]
pub struct Refusals {
    /// The machine was in another state than the request expected.
    pub wrong_state: u64,
    /// No rule has the transition in that state.
    pub no_rule: u64,
    /// There are rules, but no guard let the request pass.
    pub guarded: u64,
}

impl<S: MachineState> StateMachine<S> {
    /// A machine in its first state.
    #[must_use]
    pub fn new(first: S) -> Self {
        Self { current: first, waiting: VecDeque::new(), changes: 0, refusals: Refusals::default() }
    }

    /// The state.
    #[must_use]
    pub fn current(&self) -> S {
        self.current
    }

    /// Whether the state is one of these.
    #[must_use]
    pub fn is_in(&self, states: StateMask<S>) -> bool {
        states.contains(self.current)
    }

    /// Asks for a transition out of `from`. It waits until [`apply`](Self::apply).
    pub fn request(&mut self, from: S, transition: S::Transition) {
        self.waiting.push_back(Request { from, transition });
    }

    /// How many requests wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.waiting.len()
    }

    /// How many changes there have been.
    #[must_use]
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many requests were refused.
    #[must_use]
    pub fn refusals(&self) -> Refusals {
        self.refusals
    }

    /// Answers all requests that wait; how many changed the state.
    ///
    /// A request for another state than the current one, one that no rule knows and one that no guard lets pass change
    /// nothing and are counted. Listeners can't ask this very machine for more: it is borrowed as long as they run.
    ///
    /// # Panics
    ///
    /// If a guard or a listener does. The state is as before that request, which is gone; those behind it wait.
    pub fn apply<C>(&mut self, rules: &Rules<'_, S, C>, context: &mut C) -> u64 {
        let before = self.changes;
        while let Some(request) = self.waiting.pop_front() {
            if let Some(change) = self.decide(request, rules, context) {
                self.go(change, rules, context);
            }
        }
        self.changes - before
    }

    /// As [`apply`](Self::apply) while `outer` is in one of the states that host this machine. In any other this one is frozen:
    /// nothing is answered, and requests wait.
    ///
    /// ```
    /// # use tickweave::machine::{MachineState, Rule, Rules};
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
    /// # #[repr(u8)]
    /// # enum Game { Run, Pause }
    /// # impl MachineState for Game { type Transition = u8; }
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
    /// # #[repr(u8)]
    /// # enum Round { Open, Over }
    /// # impl MachineState for Round { type Transition = u8; }
    /// const END: u8 = 0;
    /// const TABLE: [Rule<Round, ()>; 1] = [Rule::new(Round::Open, END, Round::Over)];
    /// const RULES: Rules<'static, Round, ()> = Rules::new(&TABLE);
    ///
    /// let hosts = StateMask::of([Game::Run]);
    /// let mut round = StateMachine::new(Round::Open);
    /// round.request(Round::Open, END);
    /// assert_eq!(round.apply_within(&StateMachine::new(Game::Pause), hosts, &RULES, &mut ()), 0);
    /// assert_eq!((round.current(), round.waiting()), (Round::Open, 1));
    /// assert_eq!(round.apply_within(&StateMachine::new(Game::Run), hosts, &RULES, &mut ()), 1);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`apply`](Self::apply).
    pub fn apply_within<O: MachineState, C>(
        &mut self,
        outer: &StateMachine<O>,
        hosts: StateMask<O>,
        rules: &Rules<'_, S, C>,
        context: &mut C,
    ) -> u64 {
        if outer.is_in(hosts) { self.apply(rules, context) } else { 0 }
    }

    /// Where the request leads; counted if it leads nowhere.
    fn decide<C>(&mut self, request: Request<S>, rules: &Rules<'_, S, C>, context: &C) -> Option<Change<S>> {
        let Request { from, transition } = request;
        if from != self.current {
            self.refusals.wrong_state += 1;
            return None;
        }
        let change = rules.of(from, transition).find_map(|rule| rule.passes(context));
        if change.is_none() {
            let is_known = rules.of(from, transition).next().is_some();
            let count = if is_known { &mut self.refusals.guarded } else { &mut self.refusals.no_rule };
            *count += 1;
        }
        change
    }

    fn go<C>(&mut self, change: Change<S>, rules: &Rules<'_, S, C>, context: &mut C) {
        rules.tell(change, context);
        self.current = change.to;
        self.changes += 1;
    }
}

#[cfg(test)]
mod tests;
