//! Passes in states of several machines, and passes that are opened again.

use tickweave::machine::{MachineState, StateMachine, StateMask};
use tickweave::prelude::*;
use tickweave::simulation::{Commit, PhaseBuilder, SimulationBuilder};

use super::kit::{Mode, everywhere, game, look, said};

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Round {
    Open,
    Over,
}

impl MachineState for Round {
    type Transition = bool;
}

/// In which of four ticks a pass runs, while both machines take both of their states.
fn ticks_of(fill: impl Fn(&mut PhaseBuilder)) -> String {
    let build = || {
        game()
            .resource(StateMachine::new(Mode::Run))
            .resource(StateMachine::new(Round::Open))
            .phase("Main", |main| fill(main))
    };
    let (ticks, _) = everywhere(build, |sim| {
        let mut ticks = String::new();
        for (mode, round) in
            [(Mode::Run, Round::Open), (Mode::Run, Round::Over), (Mode::Pause, Round::Open), (Mode::Pause, Round::Over)]
        {
            sim.world_mut().insert_resource(StateMachine::new(mode));
            sim.world_mut().insert_resource(StateMachine::new(round));
            sim.step(()).unwrap();
            ticks += if said().contains("one: ") { "1" } else { "0" };
        }
        ticks
    });
    ticks
}

#[test]
fn a_pass_that_asks_for_states_of_several_machines_runs_only_while_each_is_in_one_of_them() {
    let (run, open) = (StateMask::of([Mode::Run]), StateMask::of([Round::Open]));
    assert_eq!(ticks_of(|main| _ = main.pass("all").system(look("one")).run_in(run).run_in(open)), "1000");
    assert_eq!(ticks_of(|main| _ = main.pass("all").system(look("one")).run_in(open).run_in(run)), "1000");
    assert_eq!(ticks_of(|main| _ = main.pass("all").system(look("one")).run_in(open)), "1010");
    let pause = StateMask::of([Mode::Pause]);
    assert_eq!(ticks_of(|main| _ = main.pass("all").system(look("one")).run_in(run).run_in(pause)), "0000");
}

#[test]
fn a_pass_that_is_opened_again_by_name_keeps_what_was_said_of_it_before() {
    let (run, open) = (StateMask::of([Mode::Run]), StateMask::of([Round::Open]));
    let again = |main: &mut PhaseBuilder| {
        main.pass("all").run_in(run).commit(Commit::EVENTS);
        main.pass("all").system(look("one")).run_in(open);
    };
    assert_eq!(ticks_of(again), "1000");
    let builder = || game().resource(StateMachine::new(Mode::Run)).resource(StateMachine::new(Round::Open));
    let publishes = |builder: SimulationBuilder| {
        let sim = builder.build().unwrap();
        let points = sim.schedule().plan().unwrap().commits().iter();
        points.filter(|point| point.name == "Main/all").map(|point| point.publishes).collect::<Vec<_>>()
    };
    let phase_again = builder().phase("Main", again).phase("Main", |main| _ = main.pass("all").system(look("two")));
    assert_eq!(publishes(phase_again), [Commit::EVENTS]);
    let anew = builder().phase("Main", again).phase("Main", |main| _ = main.pass("all").commit(Commit::NONE));
    assert_eq!(publishes(anew), [Commit::NONE]);
}

#[test]
fn each_machine_of_a_pass_that_is_missing_is_named_and_one_that_comes_back_is_found_again() {
    #[derive(Clone, StateValue, Resource)]
    struct Late;
    let build = || {
        game().resource(StateMachine::new(Mode::Run)).resource(StateMachine::new(Round::Open)).phase("Main", |main| {
            main.pass("all")
                .system(look("one"))
                .run_in(StateMask::of([Mode::Run]))
                .run_in(StateMask::of([Round::Open]));
        })
    };
    let ((), trace) = everywhere(build, |sim| {
        let round = sim.world_mut().remove_resource::<StateMachine<Round>>().unwrap();
        let error = sim.step(()).unwrap_err();
        assert_eq!(error.code(), "pass-state-missing");
        assert!(error.to_string().contains("Main/all") && error.to_string().contains("Round"), "{error}");
        sim.world_mut().insert_resource(Late);
        sim.world_mut().insert_resource(round);
        sim.step(()).unwrap();
    });
    assert!(trace.contains("one: 0 entities"), "{trace}");
    let lacks = game().resource(StateMachine::new(Mode::Run)).phase("Main", |main| {
        main.pass("all").run_in(StateMask::of([Mode::Run])).run_in(StateMask::of([Round::Open]));
    });
    let error = lacks.build().unwrap_err();
    assert!(error.code() == "pass-state-missing" && error.to_string().contains("Round"), "{error}");
}
