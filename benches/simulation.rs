//! What the third door costs where nothing happens: a tick of an empty simulation, and a commit point with nothing to publish.
//!
//! `cargo bench --bench simulation`. A commit is the difference between ticks of simulations with many passes and with one, for
//! each pass. These machines are shared: compare ratios of one run, never times of two.

mod common;

use std::time::{Duration, Instant};

use common::ratio::{Candidate, mark};
use tickweave::prelude::*;
use tickweave::simulation::{Manager, SimulationBuilder};

const PASSES: u32 = 256;
const TICKS: u32 = 256;
const ROUNDS: usize = 31;

/// A manager that has nothing to do.
#[derive(Clone, StateValue)]
struct Idle;

impl Manager for Idle {}

#[derive(Clone, StateValue, Event)]
struct Bell;

fn with_passes(passes: u32, builder: SimulationBuilder) -> Simulation {
    let builder = builder.executor(Executor::Serial).phase("Main", |main| {
        (0..passes).for_each(|number| _ = main.pass(format!("pass {number}")));
    });
    builder.build().expect("nothing to refuse")
}

fn step(sim: &mut Simulation) {
    sim.step(()).expect("nothing fails");
}

/// The median of what a commit point costs, in nanoseconds.
fn commit(builder: impl Fn() -> SimulationBuilder) -> f64 {
    let (mut many, mut one) = (with_passes(PASSES, builder()), with_passes(1, builder()));
    let mut costs: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let difference = time(&mut many).saturating_sub(time(&mut one));
            difference.as_nanos() as f64 / f64::from(TICKS * (PASSES - 1))
        })
        .collect();
    costs.sort_by(f64::total_cmp);
    costs[ROUNDS / 2]
}

fn time(sim: &mut Simulation) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    let start = Instant::now();
    (0..TICKS).for_each(|_| step(sim));
    start.elapsed()
}

fn main() {
    let mut empty = Simulation::builder().executor(Executor::Serial).build().expect("nothing to refuse");
    let mut parallel = Simulation::builder().build().expect("nothing to refuse");
    let (mut world, mut schedule) = (World::new(), Schedule::new());
    schedule.set_executor(Executor::Serial);
    mark(
        "a tick with nothing in it (marks: a simulation under 1,000 ns)",
        1,
        vec![
            Candidate::new("a schedule without systems", || schedule.run(&mut world).expect("nothing fails")),
            Candidate::new("an empty simulation, serial", || step(&mut empty)),
            Candidate::new("an empty simulation, default executor", || step(&mut parallel)),
        ],
    );
    println!("a commit of a pass with nothing recorded (mark: under 100 ns)");
    println!("  nothing registered       {:>8.1} ns", commit(Simulation::builder));
    println!("  a manager and an event   {:>8.1} ns", commit(|| Simulation::builder().manager(Idle).event::<Bell>()));
}
