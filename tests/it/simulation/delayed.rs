//! Typed commands that are due in a later tick.

use tickweave::prelude::*;

use super::kit::{Ask, Beg, everywhere, game, said};

fn asks(words: &str) -> String {
    words.split(" | ").filter(|word| word.starts_with("ask") || word.starts_with("beg")).collect::<Vec<_>>().join(" ")
}

fn delay(tick: Tick, mut commands: Commands) {
    let number = tick.0 as u32;
    if number == 1 {
        commands.submit_after(2, Ask(13));
        commands.submit_at(5, Beg(15));
        commands.submit_at(3, Beg(23));
        commands.submit_after(0, Ask(11));
        commands.submit_at(1, Ask(21));
    }
    commands.submit(Ask(number));
}

fn simulation() -> tickweave::simulation::SimulationBuilder {
    game().rollback(8).phase("Main", |main| {
        main.pass("all").system(delay);
    })
}

#[test]
fn delayed_commands_are_delivered_in_their_tick_in_the_order_recorded_before_those_that_were_not_delayed() {
    let (ticks, _) = everywhere(simulation, |sim| {
        let ticks: Vec<String> = (0..6)
            .map(|_| {
                sim.step(()).unwrap();
                asks(&said())
            })
            .collect();
        ticks
    });
    assert_eq!(ticks, ["ask 11 ask 21 ask 1", "ask 2", "ask 13 beg 23 ask 3", "ask 4", "beg 15 ask 5", "ask 6"]);
}

#[test]
fn a_delayed_command_of_a_tick_is_delivered_at_its_first_commit() {
    let (words, _) = everywhere(game, |sim| {
        sim.submit_at(2, Ask(4)).unwrap();
        sim.submit_at(0, Ask(3)).unwrap();
        sim.step(()).unwrap();
        let first = said();
        sim.step(()).unwrap();
        (first, said())
    });
    assert!(words.0.starts_with("ask 3 | flush store") && !words.0.contains("ask 4"), "{words:?}");
    assert!(words.1.starts_with("ask 4 | flush store"), "{words:?}");
}

#[test]
fn delayed_commands_are_state_a_rollback_and_a_load_bring_them_back() {
    let run = |sim: &mut Simulation, ticks: u32| {
        (0..ticks).for_each(|_| {
            sim.step(()).unwrap();
        });
        (asks(&said()), sim.state_hash().unwrap())
    };
    everywhere(simulation, |sim| {
        run(sim, 2);
        let bytes = sim.world().save().unwrap();
        let there = run(sim, 4);
        sim.rollback_to(2).unwrap();
        assert_eq!(run(sim, 4), there);

        let mut loaded = simulation().build().unwrap();
        loaded.world_mut().load(&bytes).unwrap();
        said();
        assert_eq!(run(&mut loaded, 4), there);
    });
}

#[test]
fn two_simulations_that_differ_in_what_is_delayed_differ_in_their_hash() {
    let hash = |tick| {
        let mut sim = game().build().unwrap();
        sim.submit_at(tick, Ask(1)).unwrap();
        sim.state_hash().unwrap()
    };
    assert_eq!(hash(5), hash(5));
    assert_ne!(hash(5), hash(6));
}
