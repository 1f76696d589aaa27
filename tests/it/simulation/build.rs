//! What is found when a simulation is built, and what its plan says.

use std::time::Duration;

use fixed::types::I16F16;
use tickweave::clock::ManualClock;
use tickweave::machine::{MachineState, StateMask};
use tickweave::prelude::*;
use tickweave::simulation::{
    BuildError, Commit, CommitEnd, HandlesCommand, InitContext, Manager, PhaseBuilder, SimulationBuilder, Strictness,
    Verdict,
};

use super::kit::{Ask, First, Health, Put, Second, Store, game};

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
    refused(game().component::<Health>(), "component-duplicate", &["Health"]);
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
    refused(builder, "out-of-pass", &["`one`", "Main/early", "`two`"]);
    let by_chance = game().phase("Main", |main| {
        main.pass("early").system(one.after("between")).system((|| {}).named("between"));
        main.pass("late").system(two.before("between"));
    });
    refused(by_chance, "out-of-pass", &["`between`", "Main/early", "`two`"]);
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

/// What a step writes.
#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
#[resource(input)]
struct Wind(u32);

#[test]
fn an_input_keeps_the_value_that_was_given_with_resource_whichever_of_the_two_is_said_first() {
    let wind = |builder: SimulationBuilder| builder.build().unwrap().world().resource::<Wind>().unwrap().0;
    assert_eq!(wind(Simulation::builder().resource(Wind(7)).input::<Wind>()), 7);
    assert_eq!(wind(Simulation::builder().input::<Wind>().resource(Wind(7))), 7);
    assert_eq!(wind(Simulation::builder().input::<Wind>()), 0);
}

#[test]
fn a_resource_that_is_added_twice_is_refused_by_name_and_told_apart_from_an_input() {
    let how = ["Wind", "twice", "add it once", "`setup`"];
    refused(Simulation::builder().resource(Wind(1)).resource(Wind(2)), "resource-duplicate", &how);
    let around = Simulation::builder().resource(Wind(1)).input::<Wind>().resource(Wind(2));
    refused(around, "resource-duplicate", &how);
    refused(Simulation::builder().input::<Wind>().input::<Wind>(), "input-duplicate", &["Wind"]);
}

/// Says that it handles commands while another world stands in the place of its own.
#[derive(Clone, StateValue)]
struct Wanderer;

impl Manager for Wanderer {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        let mut home = std::mem::replace(context.world(), World::new());
        context.handles::<Ask>();
        std::mem::swap(context.world(), &mut home);
    }
}

impl HandlesCommand<Ask> for Wanderer {
    fn submit(&mut self, _: Ask) -> Verdict {
        Verdict::Accepted
    }
}

#[test]
fn what_is_registered_while_another_world_is_in_place_is_refused_although_the_own_one_comes_back() {
    refused(Simulation::builder().manager(Wanderer), "build-world-replaced", &["Wanderer"]);
}

#[derive(Clone, Default, StateValue, Resource)]
struct Seen(u32);

#[test]
fn a_simulation_measures_budgets_by_the_clock_that_it_was_given_and_no_hash_knows_of_it() {
    let build = |clock: Option<ManualClock>| {
        let by_hand = clock.clone().unwrap_or_default();
        let think = move |mut seen: ResMut<Seen>| {
            by_hand.advance(Duration::from_micros(1_600));
            seen.0 += 1;
        };
        let builder = Simulation::builder()
            .resource(Seen(0))
            .strictness(Strictness { captures: false, ..Strictness::ALL })
            .phase("Main", |main| {
                main.pass("all").system(think.named("think").budget_ms(I16F16::from_num(0.5)));
            });
        let mut sim = match &clock {
            Some(clock) => builder.clock(clock.clock()).build().unwrap(),
            None => builder.build().unwrap(),
        };
        (0..3).for_each(|_| _ = sim.step(()).unwrap());
        sim
    };
    let sim = build(Some(ManualClock::new()));
    let timing = sim.schedule().timing(sim.schedule().system_named("think").unwrap()).unwrap();
    assert_eq!((timing.runs, timing.critical, timing.p50), (3, 3, Duration::from_micros(1_600)));
    let told: Vec<_> = sim.world().records().iter().map(|record| record.name()).collect();
    assert_eq!(told[..2], ["budget/overrun", "budget/critical"]);
    let by_machine = build(None);
    assert_eq!(by_machine.state_hash().unwrap(), sim.state_hash().unwrap());
    assert_eq!(by_machine.schedule().plan().unwrap().hash(), sim.schedule().plan().unwrap().hash());
}

#[test]
fn readers_before_writers_are_reported_by_a_simulation_that_asks_for_it_and_by_no_other() {
    let findings = |report: Option<bool>| {
        let builder = game().phase("Main", |main| {
            let pass = main.pass("all");
            pass.system((|_: Query<&Health>| {}).named("reads"));
            pass.system((|_: Query<&mut Health>| {}).named("writes"));
        });
        let builder = match report {
            Some(report) => builder.report_read_before_write(report),
            None => builder,
        };
        let sim = builder.build().unwrap();
        let plan = sim.schedule().plan().unwrap();
        plan.diagnostics().iter().map(|finding| plan.describe(finding)).collect::<Vec<_>>().join("\n")
    };
    assert!(findings(Some(true)).starts_with("`reads` reads Health before `writes` writes it"));
    assert_eq!([findings(Some(false)), findings(None)], ["", ""]);
}

#[test]
fn every_duplicate_is_refused_with_a_way_to_mend_it() {
    refused(game().manager(First::default()), "manager-duplicate", &["add it once", "type of its own"]);
    refused(game().manager(Rival), "handler-duplicate", &["say it once", "type of its own"]);
    refused(Simulation::builder().input::<Wind>().input::<Wind>(), "input-duplicate", &["add it once", "`inputs`"]);
}

#[test]
fn a_snapshot_can_be_restored_in_a_setup_and_a_save_loaded_once_the_simulation_is_built() {
    let build = || {
        game().resource(Seen(0)).phase("Main", |main| {
            main.pass("all").system((|mut seen: ResMut<Seen>| seen.0 += 1).named("count"));
        })
    };
    let mut played = build().build().unwrap();
    played.submit(Ask(3)).unwrap();
    (0..4).for_each(|_| _ = played.step(()).unwrap());
    let state = |sim: &Simulation| {
        (sim.tick(), sim.world().resource::<Seen>().unwrap().0, sim.manager::<First>().unwrap().clone())
    };
    let (snapshot, bytes) = (played.world().snapshot().unwrap(), played.world().save().unwrap());
    let restored = build().setup(move |world| world.restore(&snapshot).unwrap()).build().unwrap();
    assert_eq!(state(&restored), state(&played));
    let mut loaded = build().build().unwrap();
    loaded.world_mut().load(&bytes).unwrap();
    assert_eq!((state(&loaded), loaded.state_hash().unwrap()), (state(&played), played.state_hash().unwrap()));
    for mut sim in [restored, loaded] {
        sim.step(()).unwrap();
        assert_eq!(state(&sim).1, 5);
    }
    super::kit::said();
}
