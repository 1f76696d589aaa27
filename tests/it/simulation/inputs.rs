//! Inputs, and the loop around a simulation.

use std::time::Duration;

use tickweave::clock::ManualClock;
use tickweave::prelude::*;
use tickweave::simulation::{Inputs, Ticker};

use super::kit::everywhere;

#[derive(Clone, Default, StateValue, Resource)]
#[resource(input)]
struct Wind(i32);

#[derive(Clone, StateValue)]
struct Stick(i32);

#[derive(Clone, Default, StateValue, Resource)]
struct Sum(Vec<i32>);

fn add(wind: Res<Wind>, sticks: Res<Inputs<Stick>>, mut sum: ResMut<Sum>) {
    sum.0.push(wind.0 + sticks.iter().map(|stick| stick.0).sum::<i32>());
}

fn simulation() -> tickweave::simulation::SimulationBuilder {
    Simulation::builder().input::<Wind>().inputs::<Stick>().resource(Sum::default()).phase("Main", |main| {
        main.pass("all").system(add);
    })
}

#[test]
fn inputs_are_values_slices_or_tuples_and_what_a_step_is_not_given_stays() {
    let (sums, _) = everywhere(simulation, |sim| {
        sim.step(()).unwrap();
        sim.step(&Wind(3)).unwrap();
        sim.step(&[Stick(10), Stick(20)][..]).unwrap();
        sim.step((&Wind(1), &[Stick(5)][..])).unwrap();
        sim.step(()).unwrap();
        sim.world().resource::<Sum>().unwrap().0.clone()
    });
    assert_eq!(sums, [0, 3, 33, 6, 6]);
}

#[test]
fn inputs_are_state() {
    let hash = |wind| {
        let mut sim = simulation().build().unwrap();
        sim.step(&Wind(wind)).unwrap();
        sim.state_hash().unwrap()
    };
    assert_eq!(hash(1), hash(1));
    assert_ne!(hash(1), hash(2));
}

#[test]
fn an_input_that_the_simulation_does_not_know_is_refused_before_anything_is_written() {
    #[derive(Clone, Default, StateValue, Resource)]
    #[resource(input)]
    struct Rain(i32);
    let mut sim = simulation().build().unwrap();
    let error = sim.step((&Wind(9), &Rain(1))).unwrap_err();
    assert_eq!((error.code(), sim.tick()), ("input-unknown", 0));
    assert_eq!(sim.world().resource::<Wind>().unwrap().0, 0);
    assert_eq!(simulation().input::<Wind>().build().unwrap_err().code(), "input-duplicate");
}

#[test]
fn a_step_that_is_refused_before_anything_runs_writes_no_input() {
    let mut sim = simulation().build().unwrap();
    sim.world_mut().remove_resource::<Sum>();
    let before = sim.state_hash().unwrap();
    assert_eq!(sim.step(&Wind(9)).unwrap_err().code(), "resource-missing");
    assert_eq!((sim.tick(), sim.state_hash().unwrap()), (0, before));
}

#[test]
fn headless_runs_are_bounded_and_are_told_the_tick() {
    let mut sim = simulation().build().unwrap();
    let winds: Vec<Wind> = (0..=5).map(Wind).collect();
    sim.run_headless(5, |tick| &winds[tick as usize]).unwrap();
    assert_eq!((sim.tick(), sim.world().resource::<Sum>().unwrap().0.as_slice()), (5, &[1, 2, 3, 4, 5][..]));
}

#[test]
fn a_loop_pauses_steps_by_hand_catches_up_and_tells_what_it_dropped() {
    let mut sim = simulation().tick_rate(10).build().unwrap();
    let clock = ManualClock::new();
    let mut ticker = Ticker::new(sim.tick_rate(), clock.clock());
    let mut frame = |ticker: &mut Ticker, milliseconds: u64| {
        clock.advance(Duration::from_millis(milliseconds));
        let due = ticker.due();
        (0..due.steps).for_each(|_| {
            sim.step(()).unwrap();
        });
        (sim.tick(), due.dropped)
    };
    assert_eq!(frame(&mut ticker, 250), (2, 0));
    ticker.pause();
    assert_eq!(frame(&mut ticker, 1000), (2, 0));
    ticker.step_once();
    assert_eq!(frame(&mut ticker, 1000), (3, 0));
    ticker.resume();
    assert_eq!(frame(&mut ticker, 50), (4, 0));
    assert_eq!(frame(&mut ticker, 2000), (12, 12));
    assert_eq!(ticker.pace().dropped(), 12);
}

#[test]
fn inputs_of_players_are_given_as_slice_array_or_vec_by_value_or_reference() {
    let sum = |step: fn(&mut Simulation)| {
        let mut sim = simulation().build().unwrap();
        step(&mut sim);
        sim.world().resource::<Sum>().unwrap().0.clone()
    };
    let steps: [fn(&mut Simulation); 5] = [
        |sim| _ = sim.step(&[Stick(3), Stick(4)][..]).unwrap(),
        |sim| _ = sim.step([Stick(3), Stick(4)]).unwrap(),
        |sim| _ = sim.step(&[Stick(3), Stick(4)]).unwrap(),
        |sim| _ = sim.step(vec![Stick(3), Stick(4)]).unwrap(),
        |sim| {
            let mut pads = vec![Stick(3)];
            pads.push(Stick(4));
            sim.step(&pads).unwrap();
            assert_eq!(pads.len(), 2, "they are lent");
        },
    ];
    assert!(steps.into_iter().all(|step| sum(step) == [7]));
    assert_eq!(sum(|sim| sim.run_headless(2, |tick| [Stick(tick as i32), Stick(10)]).unwrap()), [11, 12]);
}

#[test]
fn a_command_of_the_host_is_submitted_for_a_number_of_ticks_later() {
    use super::kit::{Ask, game, said};
    let when = |ticks| {
        let mut sim = game().build().unwrap();
        sim.run_headless(3, |_| ()).unwrap();
        sim.submit_after(ticks, Ask(7)).unwrap();
        said();
        (4..20).find(|_| {
            sim.step(()).unwrap();
            said().contains("ask 7")
        })
    };
    assert_eq!([0, 1, 2, 5].map(when), [Some(4), Some(4), Some(5), Some(8)]);
    assert_eq!(when(u64::MAX), None);
}
