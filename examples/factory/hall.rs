//! What the hall is up to: it is built, it runs, and it pauses now and then for maintenance.
//!
//! Requests come as typed commands, from systems, managers and the host, and wait in the machine. They are answered at one
//! place of the tick, behind the pass that builds and in front of all others that ask for the state: those see the same one.

use tickweave::machine::{Change, MachineState, Rule, Rules};
use tickweave::prelude::*;
use tickweave::simulation::Execute;

use crate::foreman::Foreman;

/// Ticks from one inspection to the next.
pub(crate) const INSPECTION_EVERY: u32 = 100;

/// Ticks after which an inspection ends: all but the first of them are paused.
pub(crate) const INSPECTION_TICKS: u64 = 5;

/// What the hall is up to.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Hall {
    /// Lines are put on the map, and nothing moves.
    Build,
    /// Belts move, and machines work.
    Run,
    /// Machines are mended, and nothing else is done.
    Pause,
}

/// What leads from one to the next.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Switch {
    Start,
    Pause,
    Resume,
}

impl MachineState for Hall {
    type Transition = Switch;
}

/// What the rules look at: how many items are missing on the belts.
const TABLE: [Rule<Hall, u32>; 3] = [
    Rule::new(Hall::Build, Switch::Start, Hall::Run).guard(is_full),
    Rule::new(Hall::Run, Switch::Pause, Hall::Pause),
    Rule::new(Hall::Pause, Switch::Resume, Hall::Run),
];
const RULES: Rules<'static, Hall, u32> = Rules::new(&TABLE);

fn is_full(missing: &u32, _: Change<Hall>) -> bool {
    *missing == 0
}

/// Asks for a change of the hall.
#[derive(Clone, StateValue, Command)]
pub(crate) struct Turn {
    from: Hall,
    by: Switch,
}

impl Turn {
    pub(crate) const START: Self = Self { from: Hall::Build, by: Switch::Start };
    pub(crate) const PAUSE: Self = Self { from: Hall::Run, by: Switch::Pause };
    pub(crate) const RESUME: Self = Self { from: Hall::Pause, by: Switch::Resume };
}

impl Execute for Turn {
    fn execute(self, world: &mut World, _: &mut Lane) {
        if let Ok(hall) = world.resource_mut::<StateMachine<Hall>>() {
            hall.request(self.from, self.by);
        }
    }
}

/// Answers what was asked for.
pub(crate) fn turn(mut hall: ResMut<StateMachine<Hall>>, foreman: Mgr<Foreman>) {
    hall.apply(&RULES, &mut foreman.missing());
}

/// Begins an inspection, and has it end.
pub(crate) fn inspect(mut commands: Commands) {
    commands.submit(Turn::PAUSE);
    commands.submit_after(INSPECTION_TICKS, Turn::RESUME);
}
