//! The loop around a simulation: what pausing, single steps and catching up do to the trace, and that time decides nothing else.

use std::time::Duration;

use tickweave::clock::ManualClock;
use tickweave::prelude::*;
use tickweave::simulation::{DEFAULT_CATCH_UP, Due, FixedStep, SimulationBuilder, Ticker};

use super::kit::{Ask, everywhere, game, said};

/// Asks in every tick with its number, and in every third one for something three ticks later.
fn ask(tick: Tick, mut commands: Commands) {
    let number = tick.0 as u32;
    commands.submit(Ask(number));
    if number % 3 == 0 {
        commands.submit_after(3, Ask(number + 50));
    }
}

fn build() -> SimulationBuilder {
    game().tick_rate(10).phase("Main", |main| {
        main.pass("all").system(ask);
    })
}

/// A loop by hand: a ticker, and the clock that it looks at.
struct Loop {
    clock: ManualClock,
    ticker: Ticker,
}

impl Loop {
    fn of(sim: &Simulation) -> Self {
        let clock = ManualClock::new();
        Self { ticker: Ticker::new(sim.tick_rate(), clock.clock()), clock }
    }

    /// Lets time pass and runs what is due; tells what was asked meanwhile.
    fn frame(&mut self, sim: &mut Simulation, milliseconds: u64) -> (Due, String) {
        self.clock.advance(Duration::from_millis(milliseconds));
        let due = sim.run_due(&mut self.ticker, |_| ()).unwrap();
        let words = said();
        let asks = words.split(" | ").filter_map(|word| word.strip_prefix("ask "));
        (due, asks.collect::<Vec<_>>().join(" "))
    }
}

const fn due(steps: u32, dropped: u64) -> Due {
    Due { steps, dropped }
}

#[test]
fn while_the_loop_is_paused_nothing_runs_but_single_steps_and_delayed_commands_wait() {
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        assert_eq!(loop_.frame(sim, 350), (due(3, 0), "1 2 3".to_owned()));
        loop_.ticker.pause();
        let paused = sim.state_hash().unwrap();
        assert_eq!(loop_.frame(sim, 10_000), (due(0, 0), String::new()));
        assert_eq!(sim.state_hash().unwrap(), paused);
        loop_.ticker.step_once();
        loop_.ticker.step_once();
        assert_eq!(loop_.frame(sim, 10_000), (due(2, 0), "4 5".to_owned()));
        loop_.ticker.resume();
        // Half of a tick had passed before the pause, and what was asked for in tick 3 comes in tick 6.
        assert_eq!(loop_.frame(sim, 50), (due(1, 0), "53 6".to_owned()));
        sim.tick()
    });
}

#[test]
fn time_stands_still_while_the_loop_is_paused_whether_or_not_anybody_asks_meanwhile() {
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        loop_.frame(sim, 50);
        loop_.clock.advance(Duration::from_millis(30));
        loop_.ticker.pause();
        loop_.clock.advance(Duration::from_secs(10));
        loop_.ticker.resume();
        assert_eq!(loop_.frame(sim, 19), (due(0, 0), String::new()), "nobody asked, and no second of the pause counts");
        assert_eq!(loop_.frame(sim, 1), (due(1, 0), "1".to_owned()), "what passed before the pause counts");
        loop_.clock.advance(Duration::from_millis(70));
        loop_.ticker.pause();
        assert_eq!(loop_.frame(sim, 10_000), (due(0, 0), String::new()));
        loop_.ticker.resume();
        assert_eq!(loop_.frame(sim, 30), (due(1, 0), "2".to_owned()), "also where somebody asked meanwhile");
        sim.tick()
    });
}

#[test]
fn a_loop_that_is_late_runs_a_few_ticks_without_a_gap_and_drops_the_rest() {
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        let caught_up = "1 2 3 4 5 53 6 7 8".to_owned();
        assert_eq!(loop_.frame(sim, 2_050), (due(DEFAULT_CATCH_UP, 12), caught_up));
        assert_eq!(loop_.ticker.pace().dropped(), 12);
        assert_eq!(loop_.frame(sim, 50), (due(1, 0), "56 9".to_owned()));
        assert_eq!(loop_.frame(sim, 0), (due(0, 0), String::new()));
        sim.tick()
    });
}

#[test]
fn how_many_ticks_are_caught_up_at_once_is_a_choice_that_changes_no_tick() {
    let traces = [1, 3, 8, 100].map(|most| {
        let (trace, _) = everywhere(build, |sim| {
            let clock = ManualClock::new();
            let pace = FixedStep::new(sim.tick_rate()).catch_up(most);
            let mut loop_ = Loop { ticker: Ticker::with_pace(pace, clock.clock()), clock };
            let mut asks = Vec::new();
            while sim.tick() < 9 {
                asks.push(loop_.frame(sim, 300).1);
            }
            let asks = asks.join(" ");
            asks.split_once(" 9").unwrap().0.to_owned()
        });
        trace
    });
    assert!(traces.iter().all(|trace| trace == "1 2 3 4 5 53 6 7 8 56"), "{traces:?}");
}

#[test]
fn the_trace_is_the_same_however_time_is_cut_into_frames() {
    let run = |frames: &[u64]| {
        let (end, trace) = everywhere(build, |sim| {
            let clock = ManualClock::new();
            let mut ticker = Ticker::new(sim.tick_rate(), clock.clock());
            for &milliseconds in frames {
                clock.advance(Duration::from_millis(milliseconds));
                sim.run_due(&mut ticker, |_| ()).unwrap();
            }
            (sim.tick(), sim.state_hash().unwrap())
        });
        (end, trace)
    };
    let one = run(&[700]);
    assert_eq!(one.0.0, 7);
    assert_eq!(run(&[100; 7]), one);
    assert_eq!(run(&[0, 99, 1, 250, 0, 0, 350]), one);
}

#[test]
fn dropped_ticks_are_told_by_a_record_that_is_limited_in_rate() {
    let mut sim = build().build().unwrap();
    sim.world_mut().records_mut().set_window(20);
    let mut loop_ = Loop::of(&sim);
    loop_.frame(&mut sim, 100);
    assert_eq!(sim.world().records().iter().count(), 0, "nothing was dropped");
    (0..3).for_each(|_| drop(loop_.frame(&mut sim, 1_000)));
    let told: Vec<String> = sim.world_mut().records_mut().drain().map(|record| record.to_string()).collect();
    assert!(told[0].starts_with("warn loop/ticks-dropped in tick 1: dropped=2, steps=8, dropped_ever=2: "), "{told:?}");
    assert!(told[1].contains("records/suppressed") && told[1].contains("suppressed=2"), "{told:?}");
    assert_eq!((told.len(), loop_.ticker.pace().dropped()), (2, 6));
}

#[test]
fn an_error_ends_what_is_due_and_ticks_before_it_are_done() {
    fn fail(tick: Tick) -> Result<(), &'static str> {
        if tick.0 == 3 { Err("enough") } else { Ok(()) }
    }
    let build = || {
        build().rollback(8).phase("Main", |main| {
            main.pass("fail").system(fail);
        })
    };
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        loop_.clock.advance(Duration::from_millis(500));
        assert_eq!(sim.run_due(&mut loop_.ticker, |_| ()).unwrap_err().code(), "system-error");
        assert_eq!(loop_.frame(sim, 0).0, due(0, 0));
        sim.rollback_to(2).unwrap();
        sim.tick()
    });
}

#[test]
fn what_passes_while_the_loop_is_paused_is_gone_also_if_nobody_looks_meanwhile() {
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        loop_.frame(sim, 150);
        loop_.ticker.pause();
        loop_.clock.advance(Duration::from_secs(10));
        loop_.ticker.resume();
        assert!(!loop_.ticker.is_paused());
        assert_eq!(loop_.frame(sim, 0), (due(0, 0), String::new()));
        assert_eq!(sim.world().records().iter().count(), 0, "nothing was dropped");
        assert_eq!(loop_.frame(sim, 50), (due(1, 0), "2".to_owned()), "half of it had passed before");
        sim.tick()
    });
}

#[test]
fn what_passed_before_a_pause_waits_for_its_end_and_is_not_lost() {
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        loop_.clock.advance(Duration::from_millis(290));
        for _ in 0..2 {
            loop_.ticker.pause();
            loop_.clock.advance(Duration::from_secs(1));
        }
        assert!(loop_.ticker.is_paused());
        assert_eq!(loop_.frame(sim, 500), (due(0, 0), String::new()));
        (0..2).for_each(|_| loop_.ticker.resume());
        assert_eq!(loop_.frame(sim, 10), (due(3, 0), "1 2 3".to_owned()));
        sim.tick()
    });
}

#[test]
fn single_steps_of_a_loop_that_runs_come_on_top_of_those_that_it_catches_up() {
    everywhere(build, |sim| {
        let mut loop_ = Loop::of(sim);
        loop_.ticker.step_once();
        assert_eq!(loop_.frame(sim, 2_000).0, due(DEFAULT_CATCH_UP + 1, 12));
        loop_.ticker.step_once();
        assert_eq!(loop_.frame(sim, 50), (due(1, 0), "10".to_owned()), "no time has to pass for it");
        assert_eq!(loop_.frame(sim, 50).0, due(1, 0));
        sim.tick()
    });
}
