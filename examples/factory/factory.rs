//! The factory as a whole: what there is, and the passes of a tick.
//!
//! First the hall is built, and requests to change it are answered. While it runs, what moves is decided; then four systems go
//! over all items, next to those of arms and machines. Items that arrived are told of as events, in the order of the rows, so
//! that behind the commit point inserters serve belts in one order, whatever the number of threads.

use tickweave::prelude::*;
use tickweave::simulation::{
    BuildError, Commit, MAIN, POST, PRE, PhaseBuilder, SimulationBuilder, StepError, StepReport,
};
use tickweave::state::{StateHash, Unhashable};

use crate::belt::{self, Arrived, LayBelts, Layout, OnBelt, Spot, Traffic};
use crate::census::{self, Census};
use crate::foreman::Foreman;
use crate::hall::{self, Hall, Turn};
use crate::inserter::{self, Arm, Loader, Unloader};
use crate::item::{self, Heat, Kind};
use crate::ledger::Ledger;
use crate::line;
use crate::machine::{self, Machine, Miner, Stock};
use crate::operator::Throttle;

/// What a factory is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    pub(crate) seed: u64,
    /// Items that the belts carry at least. As they lose some to broken machines, they begin with more.
    pub(crate) items: u32,
}

/// A factory, from the empty hall on.
pub(crate) struct Factory {
    sim: Simulation,
}

impl Factory {
    /// An empty hall, in which the next tick begins to build; `with` says who runs it.
    pub(crate) fn new(
        order: Order,
        with: impl FnOnce(SimulationBuilder) -> SimulationBuilder,
    ) -> Result<Self, BuildError> {
        let builder = Simulation::builder()
            .seed(order.seed)
            .input::<Throttle>()
            .resource(StateMachine::new(Hall::Build))
            .resource(Layout::default())
            .resource(Traffic::default())
            .resource(Census::default())
            .event::<Arrived>()
            .manager(Foreman::new(order.items + order.items / 32))
            .manager(Ledger::default())
            .executing::<LayBelts>()
            .executing::<Turn>()
            .phase(PRE, build)
            .phase(MAIN, run)
            .phase(POST, oversee);
        Ok(Self { sim: with(components(builder)).build()? })
    }

    /// Goes on by one tick.
    pub(crate) fn step(&mut self) -> Result<StepReport, StepError> {
        self.sim.step(&Throttle::at(self.sim.tick() + 1))
    }

    /// How many items the belts carry.
    pub(crate) fn population(&self) -> usize {
        self.sim.world().query::<&OnBelt, ()>().count()
    }

    /// What the hall was up to in the last tick.
    pub(crate) fn hall(&self) -> Hall {
        self.sim.world().resource::<StateMachine<Hall>>().map_or(Hall::Build, StateMachine::current)
    }

    /// What was counted last.
    pub(crate) fn census(&self) -> Census {
        self.sim.world().resource().copied().unwrap_or_default()
    }

    /// Items that inserters took off the belts.
    pub(crate) fn ledger(&self) -> Ledger {
        self.sim.manager().cloned().unwrap_or_default()
    }

    /// The hash of all state.
    pub(crate) fn state_hash(&self) -> Result<StateHash, Unhashable> {
        self.sim.state_hash()
    }

    /// What the tests look at.
    #[cfg(test)]
    pub(crate) const fn sim(&mut self) -> &mut Simulation {
        &mut self.sim
    }
}

fn components(builder: SimulationBuilder) -> SimulationBuilder {
    let items = builder.component::<OnBelt>().component::<Spot>().component::<Heat>().component::<Kind>();
    let arms = items.component::<Arm>().component::<Loader>().component::<Unloader>();
    arms.component::<Stock>().component::<Machine>().component::<Miner>()
}

/// Lines are put on the map, until the hall may run.
fn build(phase: &mut PhaseBuilder) {
    phase.pass("build").system(line::survey.named("survey")).run_in(StateMask::of([Hall::Build]));
    phase.pass("hall").system(hall::turn);
}

/// The belts, and what stands around them, each at its rate. Nobody flushes between moving and serving, so that no arm is spawned
/// whose belt is not there yet.
fn run(phase: &mut PhaseBuilder) {
    let (run, pause) = (StateMask::of([Hall::Run]), StateMask::of([Hall::Pause]));
    let moves = phase.pass("move").run_in(run).commit(Commit::EVENTS);
    moves.system(belt::run_belts).system(each(belt::advance)).system(each(item::cool)).system(each(belt::locate));
    moves.system(each(belt::arrive)).system(each(inserter::swing)).system(each(machine::craft));
    moves.system(each(machine::mine).filter::<With<Miner>>().every(2));
    moves.system(each(machine::wear).named("wear").every(8).offset(3));
    phase.pass("serve").run_in(run).system(inserter::unload).system(inserter::load);
    phase.pass("mend").run_in(pause).system(each(machine::mend));
}

/// What is looked after, at times.
fn oversee(phase: &mut PhaseBuilder) {
    phase.pass("inspect").run_in(StateMask::of([Hall::Run])).system(hall::inspect.every(hall::INSPECTION_EVERY));
    phase.pass("count").system(census::count.every(10));
}
