//! What is put into a simulation from outside: snapshots, saves and inputs, and what is said where they don't fit.

use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, Manager, SimulationBuilder};

use super::kit::{Do, First, Store, Told, everywhere, game, said};

/// No state: what it counts goes on whatever is put into the world.
#[derive(Debug)]
struct Meter(u32);

impl Manager for Meter {
    fn flush(&mut self, _: &mut FlushContext<'_>) {
        self.0 += 1;
    }
}

#[test]
fn a_manager_that_is_no_state_stays_as_it_is_when_other_state_is_put_in() {
    let mut sim = Simulation::builder().opaque_manager(Meter(0)).build().unwrap();
    let (kept, bytes) = (sim.world().snapshot().unwrap(), sim.save().unwrap());
    sim.step(()).unwrap();
    let flushes = sim.manager::<Meter>().unwrap().0;
    sim.restore(&kept).unwrap();
    assert_eq!((sim.tick(), sim.manager::<Meter>().unwrap().0), (0, flushes));
    sim.step(()).unwrap();
    sim.load(&bytes).unwrap();
    assert_eq!((sim.tick(), sim.manager::<Meter>().unwrap().0), (0, 2 * flushes));
}

/// An input whose clone panics on 13.
#[derive(Debug, Default, PartialEq, StateValue, Resource)]
#[resource(input)]
struct Sour(u32);

impl Clone for Sour {
    fn clone(&self) -> Self {
        assert!(self.0 != 13, "thirteen is not cloned");
        Self(self.0)
    }
}

#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
#[resource(input)]
struct Sweet(u32);

#[test]
fn an_input_that_panics_while_it_is_taken_tears_the_world_since_others_are_there_already() {
    let build = || game().input::<Sweet>().input::<Sour>().rollback(2);
    everywhere(build, |sim| {
        sim.step((&Sweet(1), &Sour(1))).unwrap();
        let before = sim.state_hash().unwrap();
        let step = std::panic::AssertUnwindSafe(|| sim.step((&Sweet(2), &Sour(13))));
        assert!(std::panic::catch_unwind(step).is_err());
        assert!(sim.world().torn().is_some_and(|reason| reason.contains("input")), "{:?}", sim.world().torn());
        assert_eq!(sim.step(()).unwrap_err().code(), "world-torn");
        sim.rollback_to(1).unwrap();
        assert_eq!((sim.state_hash().unwrap(), sim.world().resource::<Sweet>()), (before, Ok(&Sweet(1))));
        sim.step((&Sweet(2), &Sour(2))).unwrap();
        said()
    });
}

/// What the save of one says in another, and the snapshot of the one, both ways.
fn refusals(mut one: Simulation, mut other: Simulation) -> Vec<String> {
    let mut said = Vec::new();
    for _ in 0..2 {
        said.push(one.load(&other.save().unwrap()).unwrap_err().to_string());
        said.push(one.restore(&other.world().snapshot().unwrap()).unwrap_err().to_string());
        core::mem::swap(&mut one, &mut other);
    }
    said
}

#[test]
fn what_is_missing_on_one_side_is_told_with_the_call_that_makes_it() {
    type Have = fn(SimulationBuilder) -> SimulationBuilder;
    let haves: [(Have, &str, &str); 4] = [
        (|sim| sim.manager(First::default()), "manager ", "`manager` of"),
        (|sim| sim.command_buffer(Store::default()), "command buffer ", "`command_buffer` of"),
        (|sim| sim.executing::<Do>(), "commands ", "`executing`"),
        (|sim| sim.event::<Told>().command_buffer(Store::default()), "events ", "`add_event`"),
    ];
    for (have, section, call) in haves {
        let (with, without) = (have(Simulation::builder()), Simulation::builder());
        let texts = refusals(with.build().unwrap(), without.build().unwrap());
        assert!(texts.iter().all(|text| text.contains(section) && text.contains(call)), "{texts:#?}");
    }
    let (mut world, mut sim) = (World::new(), Simulation::builder().build().unwrap());
    let text = sim.load(&world.save().unwrap()).unwrap_err().to_string();
    assert!(text.contains("order of commands") && text.contains("`Simulation::builder`"), "{text}");
    let text = world.load(&sim.save().unwrap()).unwrap_err().to_string();
    assert!(text.contains("order of commands") && text.contains("`Simulation::builder`"), "{text}");
    sim.world_mut().insert_resource(Sweet(1));
    let text = Simulation::builder().build().unwrap().load(&sim.save().unwrap()).unwrap_err().to_string();
    assert!(text.contains("Sweet") && text.contains("`insert_resource`"), "{text}");
    said();
}
