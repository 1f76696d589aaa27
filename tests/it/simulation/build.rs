//! What is found when a simulation is built, and what its plan says.

use tickweave::machine::{MachineState, StateMask};
use tickweave::prelude::*;
use tickweave::simulation::{
    BuildError, Commit, CommitEnd, HandlesCommand, InitContext, Manager, PhaseBuilder, SimulationBuilder, Verdict,
};

use super::kit::{Ask, First, Put, Second, Store, game};

#[track_caller]
fn refused(builder: SimulationBuilder, code: &str, names: &[&str]) {
    let error: BuildError = builder.build().unwrap_err();
    assert_eq!(error.code(), code);
    let text = error.to_string();
    assert!(names.iter().all(|name| text.contains(name)), "{text}");
}

#[test]
fn a_manager_or_a_buffer_that_stands_twice_is_refused() {
    refused(game().manager(First::default()), "manager-duplicate", &["First"]);
    refused(game().command_buffer(Store::default()), "manager-duplicate", &["Store"]);
}

#[derive(Clone, Default, StateValue)]
struct Rival;

impl Manager for Rival {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<Ask>();
    }
}

impl HandlesCommand<Ask> for Rival {
    fn submit(&mut self, _: Ask) -> Verdict {
        Verdict::Accepted
    }
}

#[test]
fn two_handlers_of_one_command_are_refused_and_all_three_are_named() {
    refused(game().manager(Rival), "handler-duplicate", &["Ask", "First", "Rival"]);
    refused(game().handler::<Put, Store>(), "handler-duplicate", &["Put", "Store"]);
}

#[test]
fn a_command_that_nobody_takes_is_found_when_every_manager_was_initialised() {
    #[derive(Clone, StateValue, Command)]
    struct Lost;
    refused(game().command::<Lost>(), "handler-missing", &["Lost"]);
    assert!(game().command::<Ask>().build().is_ok());
    refused(Simulation::builder().handler::<Put, Store>(), "handler-unknown", &["Put", "Store"]);
}

#[test]
fn a_manager_that_is_no_state_is_refused_by_name_where_there_is_rollback() {
    struct Opaque;
    impl Manager for Opaque {}
    refused(game().opaque_manager(Opaque).rollback(3), "manager-not-state", &["Opaque", "rollback"]);
    assert!(game().opaque_manager(Opaque).build().is_ok());
}

#[test]
fn a_pass_that_asks_for_a_state_that_is_not_there_is_refused() {
    #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
    #[repr(u8)]
    enum Mode {
        Run,
    }
    impl MachineState for Mode {
        type Transition = bool;
    }
    let builder = game().phase("Main", |main| {
        main.pass("play").run_in(StateMask::of([Mode::Run]));
    });
    refused(builder, "pass-state-missing", &["Main/play", "Mode"]);
}

#[test]
fn no_ticks_in_a_second_and_errors_of_lower_rooms_are_refused() {
    refused(game().tick_rate(0), "tick-rate-zero", &["tick_rate"]);
    refused(game().component::<super::kit::Health>(), "component-duplicate", &["Health"]);
    refused(game().event::<super::kit::Told>(), "event-duplicate", &["Told"]);
    refused(game().threads(1000), "pool-threads", &["1000"]);
}

fn one() {}
fn two() {}

#[test]
fn systems_stay_in_their_pass() {
    let builder = game().phase("Main", |main| {
        main.pass("early").system(one.after("two"));
        main.pass("late").system(two);
    });
    refused(builder, "out-of-pass", &["`one`", "Main/early"]);
    let fine = game().phase("Main", |main| {
        main.pass("early").system(one);
        main.pass("late").system(two.after("one"));
    });
    assert!(fine.build().is_ok());
}

#[test]
fn the_plan_tells_of_each_commit_point_and_counts_it_in_its_hash() {
    let build = |publishes, name: &str| {
        game()
            .phase("Main", |main| {
                main.pass(name).system(one).commit(publishes);
                main.pass("late").system(two);
            })
            .build()
            .unwrap()
    };
    let plan = |sim: &Simulation| sim.schedule().plan().unwrap().clone();
    let sim = build(Commit::EVENTS, "early");
    let points: Vec<(String, CommitEnd)> =
        plan(&sim).commits().iter().map(|point| (point.name.clone(), point.ends)).collect();
    let names = ["Pre", "Main/early", "Main/late", "Main", "Post", "tick"];
    let ends =
        [CommitEnd::Phase, CommitEnd::Pass, CommitEnd::Pass, CommitEnd::Phase, CommitEnd::Phase, CommitEnd::Tick];
    assert!(points.iter().map(|(name, end)| (name.as_str(), *end)).eq(names.into_iter().zip(ends)));
    let text = sim.schedule().explain();
    assert!(text.contains("commit of pass `Main/early` (publishes events)"), "{text}");
    assert!(text.contains("commit of tick `tick` (publishes structure, commands, managers, events)"), "{text}");
    let hash = |sim: &Simulation| plan(sim).hash();
    assert_eq!(hash(&sim), hash(&build(Commit::EVENTS, "early")));
    assert_ne!(hash(&sim), hash(&build(Commit::ALL, "early")));
    assert_ne!(hash(&sim), hash(&build(Commit::EVENTS, "soon")));
}

#[test]
fn phases_run_in_the_order_in_which_they_were_named_and_the_default_ones_stand_together() {
    let phases = |builder: SimulationBuilder| {
        let sim = builder.build().unwrap();
        let plan = sim.schedule().plan().unwrap();
        plan.commits().iter().map(|point| point.name.as_str()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(phases(game().phase("b", |_| {}).phase("a", |_| {}).phase("b", |_| {})), "b a tick");
    assert_eq!(phases(game().phase("in", |_| {}).phase("Post", |_| {})), "in Pre Main Post tick");
}

#[test]
fn the_second_manager_may_be_there_alone() {
    let sim = Simulation::builder().manager(Second::default()).build().unwrap();
    assert!(sim.has_manager::<Second>());
    super::kit::said();
}

#[test]
fn more_commit_points_than_handles_can_tell_apart_are_refused() {
    let passes = |phase: &mut PhaseBuilder| (0..1024).for_each(|pass| _ = phase.pass(pass.to_string()));
    let builder = (0..1024).fold(Simulation::builder(), |builder, phase| builder.phase(&phase.to_string(), passes));
    let error = builder.build().unwrap_err();
    assert_eq!(error.code(), "schedule-commits");
    assert!(error.to_string().contains("1049601") && error.to_string().contains("MAX_COMMITS"), "{error}");
}
