//! Instances of one function, resources that are missing, and readers of every rate: as in a schedule, so in a simulation.

use std::time::Duration;

use tickweave::clock::ManualClock;
use tickweave::prelude::*;
use tickweave::simulation::{SimulationBuilder, Strictness, Ticker};

use super::kit::{Told, everywhere, game, said, say};

fn count(mut runs: Local<u32>, mut commands: Commands) {
    *runs += 1;
    let runs = *runs;
    commands.queue(move |_| say(format!("count {runs}")));
}

fn behind(mut commands: Commands) {
    commands.queue(|_| say("behind"));
}

fn words(all: &str, wanted: &[&str]) -> String {
    let wanted = all.split(" | ").filter(|word| wanted.iter().any(|start| word.starts_with(start)));
    wanted.collect::<Vec<_>>().join(" ")
}

#[test]
fn one_function_twice_is_two_systems_and_after_its_name_means_after_both_and_switches_count_from_the_next_tick() {
    let build = || {
        game().phase("Main", |main| {
            main.pass("all").system(behind.after("count")).system(count).system(count.every(2));
        })
    };
    everywhere(build, |sim| {
        let step = |sim: &mut Simulation| {
            sim.step(()).unwrap();
            words(&said(), &["count", "behind"])
        };
        assert_eq!(step(sim), "count 1 behind");
        assert_eq!(step(sim), "count 2 count 1 behind");
        assert!(sim.set_enabled("count", false) && !sim.set_enabled("nobody", false));
        assert_eq!(step(sim), "behind");
        assert!(sim.set_enabled("count#2", false));
        assert_eq!(step(sim), "behind");
        assert!(sim.set_enabled("count", true) && sim.set_enabled("count#2", true));
        assert_eq!(step(sim), "count 3 behind");
        assert_eq!(step(sim), "count 4 count 2 behind");
    });
}

#[test]
fn two_systems_of_one_explicit_name_are_refused_when_the_simulation_is_built() {
    let twice = game().phase("Main", |main| {
        main.pass("one").system(behind.named("me"));
        main.pass("two").system(count.named("me"));
    });
    let error = twice.build().unwrap_err();
    assert!(error.code() == "duplicate-name" && error.to_string().contains("`me`"), "{error}");
}

#[derive(Clone, StateValue, Resource)]
struct Fuel(u32);

fn burn(mut fuel: ResMut<Fuel>) {
    fuel.0 -= 1;
}

fn perhaps(fuel: Option<Res<Fuel>>, mut commands: Commands) {
    let fuel = fuel.map(|fuel| fuel.0);
    commands.queue(move |_| say(format!("fuel {fuel:?}")));
}

fn take_away(world: &mut World) {
    world.remove_resource::<Fuel>();
}

/// Eight systems that may run side by side, one of which needs a resource.
fn eight(main: &mut tickweave::simulation::PhaseBuilder) {
    let pass = main.pass("all").system(perhaps);
    (0..6).for_each(|_| _ = pass.system(count));
    pass.system(burn);
}

#[test]
fn a_resource_that_one_of_many_systems_needs_is_missed_before_anything_of_the_tick_runs() {
    let strictness = Strictness { missing: false, ..Strictness::ALL };
    let build = || game().strictness(strictness).phase("Main", eight);
    everywhere(build, |sim| {
        let before = sim.state_hash().unwrap();
        let error = sim.step(()).unwrap_err();
        assert_eq!(error.code(), "resource-missing");
        assert!(error.to_string().contains("`burn`") && error.to_string().contains("Fuel"), "{error}");
        assert_eq!((said().as_str(), sim.tick(), sim.state_hash().unwrap()), ("", 0, before));

        sim.world_mut().insert_resource(Fuel(3));
        sim.step(()).unwrap();
        assert_eq!(words(&said(), &["fuel"]), "fuel Some(3)");
        sim.world_mut().remove_resource::<Fuel>();
        assert_eq!(sim.step(()).unwrap_err().code(), "resource-missing");
        assert!(sim.set_enabled("burn", false), "a system that does not run needs nothing");
        sim.step(()).unwrap();
        assert_eq!(words(&said(), &["fuel"]), "fuel None");
    });
}

#[test]
fn a_resource_that_is_taken_away_within_the_tick_fails_the_system_that_needs_it_and_nothing_behind_it_runs() {
    let build = || {
        game().resource(Fuel(3)).rollback(2).phase("Main", |main| {
            main.pass("before").system(take_away);
            eight(main);
            main.pass("behind").system(behind);
        })
    };
    everywhere(build, |sim| {
        let error = sim.step(()).unwrap_err();
        assert_eq!(error.code(), "resource-removed");
        assert!(error.to_string().contains("`burn`") && error.to_string().contains("Fuel"), "{error}");
        assert_eq!(words(&said(), &["fuel", "count", "behind"]), "", "what the pass recorded is dropped");
        sim.rollback_to(0).unwrap();
        assert!(sim.set_enabled("take_away", false));
        sim.step(()).unwrap();
        assert_eq!(words(&said(), &["fuel", "behind"]), "fuel Some(3) behind");
    });
}

/// What readers heard, each in its own list.
#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
struct Heard([Vec<u32>; 5]);

/// Two events in each tick.
fn write(tick: Tick, mut told: EventWriter<Told>) {
    told.send(Told(tick.0 as u32 * 2));
    told.send(Told(tick.0 as u32 * 2 + 1));
}

macro_rules! reader {
    ($name:literal, $list:literal, $most:expr) => {
        (|mut told: EventReader<Told>, mut heard: ResMut<Heard>| {
            for told in told.read().take($most) {
                heard.0[$list].push(told.0);
            }
        })
        .named($name)
    };
}

fn readers() -> SimulationBuilder {
    game().tick_rate(10).resource(Heard::default()).rollback(16).phase("Main", |main| {
        main.pass("early").system(reader!("early", 0, usize::MAX)).system(write.every(1));
        main.pass("middle").system(reader!("middle", 1, usize::MAX)).system(reader!("rare", 2, usize::MAX).every(3));
        main.pass("late").system(reader!("late", 3, usize::MAX)).system(reader!("leaves", 4, 1));
    })
}

#[test]
fn readers_of_every_rate_and_those_that_leave_their_loop_read_each_event_once_in_order_also_after_a_rollback() {
    let (heard, _) = everywhere(readers, |sim| {
        sim.run_headless(9, |_| ()).unwrap();
        sim.rollback_to(4).unwrap();
        sim.run_headless(5, |_| ()).unwrap();
        said();
        sim.world().resource::<Heard>().unwrap().0.clone()
    });
    let until = |end: u32| (2..=end).collect::<Vec<u32>>();
    // Nine ticks: the early one reads in the tick behind, the rare one in ticks 3, 6 and 9, and one leaves after each event.
    assert_eq!(heard, [until(17), until(19), until(19), until(19), until(10)]);
}

#[test]
fn frames_of_no_tick_or_of_many_lose_and_double_no_event() {
    let run = |frames: &[u64]| {
        let (heard, _) = everywhere(readers, |sim| {
            let clock = ManualClock::new();
            let mut ticker = Ticker::new(sim.tick_rate(), clock.clock());
            for &milliseconds in frames {
                clock.advance(Duration::from_millis(milliseconds));
                sim.run_due(&mut ticker, |_| ()).unwrap();
            }
            said();
            (sim.tick(), sim.world().resource::<Heard>().unwrap().clone())
        });
        heard
    };
    let one_by_one = run(&[100; 9]);
    assert_eq!(one_by_one.0, 9);
    assert_eq!(run(&[0, 250, 0, 50, 0, 400, 0, 199, 1]), one_by_one);
}
