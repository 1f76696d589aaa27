//! What happens when code of the user fails at a commit point.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tickweave::prelude::*;
use tickweave::simulation::{
    CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, SimulationBuilder, StepError, Verdict,
};

use super::kit::{Ask, First, Health, Store, everywhere, game, said};

/// Panics when it is told to, and at nothing else.
#[derive(Clone, Debug, Default, PartialEq, StateValue)]
struct Bomb {
    flushes: u32,
    at_flush: Option<u32>,
}

#[derive(Clone, StateValue, Command)]
struct Touch;

#[derive(Clone, StateValue, Command)]
struct Burn;

impl Execute for Burn {
    fn execute(self, _: &mut World, _: &mut Lane) {
        panic!("burnt");
    }
}

impl Manager for Bomb {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<Touch>();
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        context.spawn(Health(1));
        self.flushes += 1;
        assert!(self.at_flush != Some(self.flushes), "boom");
    }
}

impl HandlesCommand<Touch> for Bomb {
    fn submit(&mut self, _: Touch) -> Verdict {
        panic!("touched")
    }
}

fn bomb() -> SimulationBuilder {
    game().executing::<Burn>().manager(Bomb::default()).rollback(4)
}

/// What a failing step says; the rest of the world is as the failure rule wants it.
fn failure(arm: impl Fn(&mut Simulation)) -> String {
    let (text, _) = everywhere(bomb, |sim| {
        arm(sim);
        let error = sim.step(()).unwrap_err();
        assert_eq!(error.code(), "commit-panic");
        assert!(sim.world().torn().is_some() && sim.has_manager::<Bomb>());
        assert_eq!(sim.step(()).unwrap_err().code(), "world-torn");
        sim.rollback_to(0).unwrap();
        assert_eq!(sim.manager::<Bomb>().unwrap(), &Bomb::default());
        sim.step(()).unwrap();
        assert_eq!(sim.world().len(), 4);
        said();
        error.to_string()
    });
    text
}

#[test]
fn a_manager_that_panics_is_put_back_the_world_is_torn_and_the_error_names_it() {
    let text = failure(|sim| sim.manager_mut::<Bomb>().unwrap().at_flush = Some(3));
    assert!(text.contains("manager `") && text.contains("Bomb` panicked: boom") && text.contains("tick 1"), "{text}");
}

#[test]
fn a_handler_that_panics_is_named_with_the_command() {
    let text = failure(|sim| sim.submit(Touch).unwrap());
    assert!(text.contains("Bomb`, which takes `") && text.contains("Touch`, panicked: touched"), "{text}");
}

#[test]
fn a_command_that_panics_while_it_executes_is_named() {
    let text = failure(|sim| sim.submit(Burn).unwrap());
    assert!(text.contains("typed command `") && text.contains("Burn` panicked: burnt"), "{text}");
}

#[test]
fn what_was_recorded_at_a_commit_that_fails_is_dropped_and_buffers_are_cleared() {
    let (len, _) = everywhere(bomb, |sim| {
        sim.manager_mut::<Bomb>().unwrap().at_flush = Some(2);
        sim.step(()).unwrap_err();
        assert!(said().ends_with("clear store"));
        sim.world().len()
    });
    assert_eq!(len, 1, "the entity of the first flush is there, that of the second is not");
}

#[test]
fn a_system_that_fails_while_structure_waits_leaves_no_reserved_entity_behind() {
    fn spawn(mut commands: Commands) {
        commands.spawn(Health(1));
    }
    fn fail() -> Result<(), String> {
        Err("no".to_owned())
    }
    let build = || {
        game().phase("Main", |main| {
            main.pass("first").system(spawn).commit(tickweave::simulation::Commit::EVENTS);
            main.pass("second").system(fail);
        })
    };
    let (entities, _) = everywhere(build, |sim| {
        assert_eq!(sim.step(()).unwrap_err().code(), "system-error");
        said();
        sim.world_mut().clear_torn();
        let next = sim.world_mut().spawn(());
        (sim.world().len(), next.slot())
    });
    assert_eq!(entities, (1, 0));
}

#[test]
fn where_commands_are_strict_a_refusal_of_a_manager_fails_the_tick() {
    let build = || {
        game().strict_commands(true).phase("Main", |main| {
            main.pass("all").system(|mut commands: Commands| commands.submit(super::kit::Ask(100)));
        })
    };
    let (code, _) = everywhere(build, |sim| {
        let error = sim.step(()).unwrap_err();
        said();
        assert!(error.to_string().contains("First"), "{error}");
        error.code().to_owned()
    });
    assert_eq!(code, "command-refused");
}

#[test]
fn a_torn_simulation_is_reset_to_what_it_was_when_it_was_built() {
    let mut sim = bomb().build().unwrap();
    let before = sim.state_hash().unwrap();
    sim.manager_mut::<Bomb>().unwrap().at_flush = Some(1);
    sim.manager_mut::<Store>().unwrap().0.push(1);
    sim.step(()).unwrap_err();
    sim.reset().unwrap();
    assert!(sim.world().torn().is_none());
    assert_eq!((sim.state_hash().unwrap(), sim.manager::<First>().unwrap()), (before, &First::default()));
    said();
}

/// A buffer that can't be cleared.
#[derive(Clone, Default, StateValue)]
struct Fuse;

impl CustomBuffer for Fuse {
    fn flush(&mut self, _: &mut FlushContext<'_>) {}

    fn clear(&mut self) {
        panic!("the fuse is stuck");
    }
}

/// A buffer that can.
#[derive(Clone, Default, StateValue)]
struct Drawer(Vec<u32>);

impl CustomBuffer for Drawer {
    fn flush(&mut self, _: &mut FlushContext<'_>) {}

    fn clear(&mut self) {
        self.0.clear();
    }
}

#[test]
fn a_buffer_that_panics_while_it_is_cleared_keeps_no_other_from_it_and_a_reset_that_does_leaves_the_world_torn() {
    let build = || Simulation::builder().executing::<Burn>().command_buffer(Fuse).command_buffer(Drawer::default());
    everywhere(build, |sim| {
        sim.manager_mut::<Drawer>().unwrap().0.push(1);
        sim.submit(Burn).unwrap();
        assert_eq!(sim.step(()).unwrap_err().code(), "commit-panic");
        assert!(sim.manager::<Drawer>().unwrap().0.is_empty());

        sim.world_mut().clear_torn();
        assert!(catch_unwind(AssertUnwindSafe(|| sim.reset())).is_err());
        assert!(sim.world().torn().is_some_and(|reason| reason.contains("a reset was not finished")));
        assert!(sim.has_manager::<Fuse>(), "it was put back");
        assert_eq!(sim.step(()).unwrap_err().code(), "world-torn");
    });
}

/// Where a step failed, and with which code.
fn place(sim: &mut Simulation) -> (String, &'static str) {
    match sim.step(()).unwrap_err() {
        StepError::Run(RunError::Failed(failure)) => (failure.system, failure.cause.code()),
        other => panic!("the tick did not fail as a tick: {other}"),
    }
}

#[test]
fn a_failure_names_the_commit_point_that_was_at_work_of_those_at_one_barrier() {
    let build = || {
        bomb().phase("Main", |main| {
            main.pass("all").system(|| {});
        })
    };
    let places = ["phase Pre", "pass Main/all", "phase Main", "phase Post", "the tick"];
    for (number, name) in (1..).zip(places) {
        let (words, _) = everywhere(build, |sim| {
            sim.manager_mut::<Bomb>().unwrap().at_flush = Some(number);
            let place = place(sim);
            let told = sim.world().torn().unwrap().to_owned();
            said();
            assert!(told.contains(&format!("system `{}`", place.0)) && told.contains("Bomb` panicked: boom"), "{told}");
            place
        });
        assert_eq!(words, (format!("(commit of {name})"), "commit-panic"));
    }
}

#[test]
fn what_a_manager_records_and_what_a_handler_refuses_fail_at_their_commit_point() {
    /// Records a closure that panics, at its third flush.
    #[derive(Clone, Default, StateValue)]
    struct Sapper(u32);
    impl Manager for Sapper {
        fn flush(&mut self, context: &mut FlushContext<'_>) {
            self.0 += 1;
            if self.0 == 3 {
                context.queue(|_| panic!("undermined"));
            }
        }
    }
    let (sapped, _) = everywhere(|| Simulation::builder().manager(Sapper(0)), place);
    assert_eq!(sapped, ("(commit of phase Post)".to_owned(), "command-panic"));
    let (refused, _) = everywhere(
        || game().strict_commands(true),
        |sim| {
            sim.submit(super::kit::Ask(100)).unwrap();
            let place = place(sim);
            said();
            place
        },
    );
    assert_eq!(refused, ("(commit of phase Pre)".to_owned(), "command-refused"));
}

#[test]
fn typed_commands_that_were_queued_when_a_tick_failed_are_delivered_by_whoever_goes_on_with_a_torn_world() {
    let (words, _) = everywhere(bomb, |sim| {
        sim.submit(Ask(1)).unwrap();
        sim.submit(Touch).unwrap();
        sim.submit(Ask(2)).unwrap();
        sim.submit_at(5, Ask(5)).unwrap();
        assert_eq!(sim.step(()).unwrap_err().code(), "commit-panic");
        let failed = said();
        assert!(failed.contains("ask 1") && !failed.contains("ask 2"), "{failed}");
        sim.world_mut().clear_torn();
        sim.step(()).unwrap();
        let next = said();
        assert!(next.contains("ask 2") && !next.contains("ask 1") && !next.contains("ask 5"), "{next}");
        (3..=5).for_each(|_| _ = sim.step(()).unwrap());
        said()
    });
    assert!(words.contains("ask 5"), "{words}");
}
