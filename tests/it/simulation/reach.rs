//! Whatever code of a user does at a wrong moment is an error that says so, not a panic of the library.

use std::sync::{Arc, Mutex};

use tickweave::machine::{MachineState, StateMask};
use tickweave::prelude::*;
use tickweave::simulation::{Execute, FlushContext, InitContext, MAX_ROLLBACK, Manager, SimulationBuilder, StepError};

use super::kit::{Ask, First, Second, everywhere, game, said};

/// Does something when it is initialised, and notes what came of it.
struct Early<F>(F, Arc<Mutex<String>>);

impl<F: Fn(&mut World) -> String + Send + Sync + 'static> Manager for Early<F> {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        *self.1.lock().unwrap() = (self.0)(context.world());
    }
}

/// What comes of something that a manager does in its `init`, between `First` and `Second`.
fn at_init(act: impl Fn(&mut World) -> String + Send + Sync + 'static) -> String {
    let said_there = Arc::new(Mutex::new(String::new()));
    let builder = Simulation::builder().manager(First::default());
    let mut sim =
        builder.opaque_manager(Early(act, Arc::clone(&said_there))).manager(Second::default()).build().unwrap();
    sim.step(()).unwrap();
    said();
    std::mem::take(&mut *said_there.lock().unwrap())
}

/// A manager that reads itself while it is initialised.
#[derive(Clone, Debug, Default, StateValue)]
struct Narcissus;

fn look(_: Mgr<Narcissus>) {}

impl Manager for Narcissus {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        let error = context.world().run_once(look).unwrap_err();
        assert_eq!(error.code(), "manager-at-work");
        let text = error.to_string();
        assert!(
            ["`look`", "Narcissus", "initialised or flushes", "use `self`"].iter().all(|word| text.contains(word)),
            "{text}"
        );
        assert_eq!(context.world().manager::<Self>().unwrap_err().code(), "manager-at-work");
        let mut schedule = crate::serial();
        schedule.add(look);
        assert_eq!(schedule.run(context.world()).unwrap_err().code(), "manager-at-work");
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        let error = context.world().manager::<Self>().unwrap_err();
        assert!(error.code() == "manager-at-work" && error.to_string().contains("Narcissus"), "{error}");
    }
}

#[test]
fn a_manager_that_is_at_work_is_read_by_nobody_and_the_error_says_so() {
    let build = || game().manager(Narcissus).setup(|world| _ = world.run_once(look).unwrap());
    everywhere(build, |sim| {
        sim.step(()).unwrap();
        sim.world_mut().run_once(look).unwrap();
        said()
    });
}

#[test]
fn a_schedule_that_reads_a_manager_and_runs_while_that_one_is_initialised_fails_with_its_name() {
    struct Borrower(Arc<Mutex<Schedule>>);
    impl Manager for Borrower {
        fn init(&mut self, context: &mut InitContext<'_, Self>) {
            let mut schedule = self.0.lock().unwrap();
            schedule.add(|_: Mgr<Lender>| {});
            schedule.build(context.world()).unwrap();
        }
    }
    struct Lender(Arc<Mutex<Schedule>>);
    impl Manager for Lender {
        fn init(&mut self, context: &mut InitContext<'_, Self>) {
            let error = self.0.lock().unwrap().run(context.world()).unwrap_err();
            assert!(error.to_string().contains("Lender` is out of the world while it is initialised"), "{error}");
            context.world().clear_torn();
        }
    }
    let shared = Arc::new(Mutex::new(crate::serial()));
    let builder = Simulation::builder().opaque_manager(Borrower(Arc::clone(&shared))).opaque_manager(Lender(shared));
    assert!(builder.build().is_ok());
}

#[test]
fn other_managers_are_read_while_one_is_initialised_and_strangers_are_missing() {
    #[derive(Clone, StateValue)]
    struct Stranger;
    impl Manager for Stranger {}
    let others = |world: &mut World| {
        world
            .run_once(|first: Mgr<First>, second: Mgr<Second>| assert!(first.flushes == 0 && second.asks.is_empty()))
            .unwrap();
        world.run_once(|_: Mgr<Stranger>| {}).unwrap_err().code().to_owned()
    };
    assert_eq!(at_init(others), "manager-missing");
}

#[test]
fn a_typed_command_is_refused_where_nobody_delivers_it() {
    let submit = |world: &mut World| {
        let report = world.run_once(|mut commands: Commands| commands.submit(Ask(1))).unwrap();
        format!("{} {}", report.applied, report.refusals[0].reason.code())
    };
    assert_eq!(at_init(submit), "0 command-unknown");
    let mut sim = game().build().unwrap();
    assert_eq!(submit(sim.world_mut()), "0 command-unknown");
}

/// Tries to run, restore and load in the middle of a commit.
#[derive(Clone, StateValue, Command)]
struct Meddle;

impl Execute for Meddle {
    fn execute(self, world: &mut World, _: &mut Lane) {
        let other = World::new();
        let (kept, bytes) = (other.snapshot().unwrap(), other.save().unwrap());
        assert_eq!(world.run_once(|| {}).unwrap_err().code(), "schedule-inside-tick");
        assert_eq!(crate::serial().run(world).unwrap_err().code(), "schedule-inside-tick");
        assert_eq!(world.restore(&kept).unwrap_err().code(), "restore-inside-tick");
        assert_eq!(world.load(&bytes).unwrap_err().code(), "load-inside-tick");
        // Another simulation may do all of this.
        let mut inner = Simulation::builder().rollback(1).build().unwrap();
        inner.run_headless(2, |_| ()).unwrap();
        inner.rollback_to(1).unwrap();
    }
}

#[test]
fn in_the_middle_of_a_commit_the_world_runs_restores_and_loads_nothing() {
    everywhere(
        || game().executing::<Meddle>(),
        |sim| {
            sim.submit(Meddle).unwrap();
            assert_eq!(sim.step(()).unwrap().refused, 0);
            said()
        },
    );
}

fn swap(world: &mut World) {
    *world = World::new();
}

#[test]
fn a_world_that_is_replaced_while_the_simulation_is_built_is_an_error_that_names_who_did_it() {
    #[derive(Clone, StateValue)]
    struct Swapper;
    impl Manager for Swapper {
        fn init(&mut self, context: &mut InitContext<'_, Self>) {
            swap(context.world());
        }
    }
    let refused = |builder: SimulationBuilder, name: &str| {
        let error = builder.build().unwrap_err();
        assert_eq!(error.code(), "build-world-replaced");
        assert!(error.to_string().contains(name), "{error}");
    };
    refused(game().manager(Swapper), "Swapper");
    refused(game().setup(swap), "`setup`");
    said();
}

/// Puts other state in the place of the world's when it is initialised.
#[derive(Clone, StateValue)]
enum Loader {
    Idle,
    Load(Vec<u8>),
    Restore,
}

/// A save of a simulation that is not built yet.
fn bytes_of_idle() -> Vec<u8> {
    let bytes = Arc::new(Mutex::new(Vec::new()));
    let to = Arc::clone(&bytes);
    let save = move |world: &mut World| *to.lock().unwrap() = world.save().unwrap();
    Simulation::builder().manager(Loader::Idle).setup(save).build().unwrap();
    bytes.lock().unwrap().clone()
}

impl Manager for Loader {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        match self {
            Self::Idle => {}
            Self::Load(bytes) => context.world().load(bytes).unwrap(),
            Self::Restore => {
                let twin = Simulation::builder().manager(Self::Idle).build().unwrap();
                context.world().restore(&twin.world().snapshot().unwrap()).unwrap();
            }
        }
    }
}

#[test]
fn state_that_a_manager_loads_in_its_own_init_would_be_lost_and_is_an_error_that_names_it() {
    for loader in [Loader::Load(bytes_of_idle()), Loader::Restore] {
        let error = Simulation::builder().manager(loader).build().unwrap_err();
        assert_eq!(error.code(), "build-loaded-in-init");
        let text = error.to_string();
        assert!(["Loader", "`init`", "is built"].iter().all(|word| text.contains(word)), "{text}");
    }
    let bytes = bytes_of_idle();
    let fill = move |world: &mut World| world.load(&bytes).unwrap();
    assert!(Simulation::builder().manager(Loader::Idle).setup(fill).build().is_ok());
}

#[test]
fn while_a_manager_is_initialised_its_world_is_neither_kept_nor_saved_since_it_would_lack_that_one() {
    let keep = |world: &mut World| {
        let (kept, saved) = (world.snapshot().unwrap_err(), world.save().unwrap_err());
        for text in [kept.to_string(), saved.to_string()] {
            assert!(["Early", "initialised", "setup"].iter().all(|word| text.contains(word)), "{text}");
        }
        let wolf = world.spawn(());
        world.save_entities([wolf]).unwrap();
        world.despawn(wolf).unwrap();
        format!("{} {}", kept.code(), saved.code())
    };
    assert_eq!(at_init(keep), "snapshot-manager-at-work save-manager-at-work");
}

#[test]
fn a_manager_that_a_snapshot_held_before_it_was_taken_anew_is_missing_not_at_work() {
    let sim = game().build().unwrap();
    let mut snapshot = sim.world().snapshot().unwrap();
    assert!(snapshot.world().manager::<First>().is_ok());
    World::new().snapshot_into(&mut snapshot).unwrap();
    assert_eq!(snapshot.world().manager::<First>().unwrap_err().code(), "manager-missing");
    said();
}

/// Replaces the world when it executes.
#[derive(Clone, StateValue, Command)]
struct Usurp;

impl Execute for Usurp {
    fn execute(self, world: &mut World, commands: &mut Lane) {
        commands.spawn(());
        swap(world);
    }
}

#[test]
fn a_world_that_is_replaced_within_a_step_fails_the_tick_and_every_verb_says_what_is_wrong_from_then_on() {
    let swaps = |mut commands: Commands| commands.queue(swap);
    let by_command: fn(&mut Simulation) = |sim| sim.submit(Usurp).unwrap();
    let by_closure: fn(&mut Simulation) = |sim| assert!(sim.set_enabled("swaps", true));
    for arm in [by_command, by_closure] {
        for executor in [Executor::Serial, Executor::Parallel, Executor::Virtual { workers: 3, seed: 1 }] {
            let mut sim = game()
                .executing::<Usurp>()
                .rollback(2)
                .executor(executor)
                .phase("Main", |main| {
                    main.pass("all").system(swaps.named("swaps").disabled());
                })
                .build()
                .unwrap();
            arm(&mut sim);
            assert_eq!(sim.step(()).unwrap_err().code(), "world-replaced");
            homeless(&mut sim);
        }
    }
}

#[test]
fn a_world_that_the_host_replaced_is_refused_by_every_verb() {
    let mut sim = game().rollback(2).build().unwrap();
    swap(sim.world_mut());
    homeless(&mut sim);
}

fn homeless(sim: &mut Simulation) {
    let code = |outcome: Result<(), StepError>| outcome.unwrap_err().code();
    let state = World::new().snapshot().unwrap();
    assert_eq!(sim.restore(&state).unwrap_err().code(), "schedule-other-world");
    assert_eq!(sim.rollback_to(0).unwrap_err().code(), "schedule-other-world");
    assert_eq!(sim.load(&[]).unwrap_err().code(), "schedule-other-world");
    assert_eq!(code(sim.step(()).map(|_| ())), "schedule-other-world");
    assert_eq!(code(sim.submit(Ask(1))), "schedule-other-world");
    assert_eq!(code(sim.submit_at(9, Ask(1))), "schedule-other-world");
    assert_eq!(code(sim.reset()), "schedule-other-world");
    assert!(!sim.has_manager::<First>());
    assert_eq!(sim.manager_mut::<First>().unwrap_err().code(), "manager-missing");
    said();
}

#[test]
fn more_ticks_than_can_be_kept_are_refused() {
    for ticks in [MAX_ROLLBACK + 1, usize::MAX] {
        let error = game().rollback(ticks).build().unwrap_err();
        assert!(error.code() == "rollback-limit" && error.to_string().contains("MAX_ROLLBACK"), "{error}");
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Mode {
    Run,
}

impl MachineState for Mode {
    type Transition = bool;
}

#[test]
fn a_machine_that_is_taken_out_closes_its_passes_and_the_next_step_is_refused_before_anything_runs() {
    fn take(tick: Tick, mut commands: Commands) {
        if tick.0 == 2 {
            commands.queue(|world| _ = world.remove_resource::<StateMachine<Mode>>());
        }
    }
    let build = || {
        game().resource(StateMachine::new(Mode::Run)).phase("Main", |main| {
            main.pass("take").system(take);
            main.pass("play")
                .system(|mut commands: Commands| commands.submit(Ask(5)))
                .run_in(StateMask::of([Mode::Run]));
        })
    };
    everywhere(build, |sim| {
        sim.step(()).unwrap();
        assert!(said().contains("ask 5"));
        sim.step(()).unwrap();
        assert!(!said().contains("ask 5"), "its pass was closed");
        let before = sim.state_hash().unwrap();
        let error = sim.step(()).unwrap_err();
        assert_eq!((error.code(), sim.tick(), sim.state_hash().unwrap()), ("pass-state-missing", 2, before));
        assert!(error.to_string().contains("Main/play") && error.to_string().contains("Mode"), "{error}");
        sim.world_mut().insert_resource(StateMachine::new(Mode::Run));
        sim.step(()).unwrap();
        assert!(said().contains("ask 5"));
    });
}

#[test]
fn state_of_a_simulation_with_other_managers_or_of_none_is_refused_and_the_simulation_goes_on() {
    let mut sim = game().build().unwrap();
    sim.step(()).unwrap();
    let before = sim.state_hash().unwrap();
    let fewer = Simulation::builder().manager(First::default()).build().unwrap();
    let more = game().manager(Narcissus).build().unwrap();
    for other in [&World::new(), fewer.world(), more.world()] {
        let (kept, bytes) = (other.snapshot().unwrap(), other.save().unwrap());
        let error = sim.restore(&kept).unwrap_err();
        assert_eq!(error.code(), "restore-registration");
        assert_eq!(sim.world_mut().restore(&kept).unwrap_err().to_string(), error.to_string());
        assert!(sim.world_mut().load(&bytes).unwrap_err().code().starts_with("load-"));
        assert_eq!(sim.state_hash().unwrap(), before);
    }
    sim.step(()).unwrap();
    assert_eq!(sim.manager::<First>().unwrap().flushes, 8);
    said();
}

#[test]
fn a_world_without_a_simulation_shows_the_state_of_one() {
    let mut sim = game().build().unwrap();
    sim.step(()).unwrap();
    let mut world = World::new();
    world.restore(&sim.world().snapshot().unwrap()).unwrap();
    assert_eq!((world.state_hash(), world.manager::<First>().unwrap().flushes), (sim.state_hash(), 4));
    said();
}

#[test]
fn a_world_that_showed_the_state_of_a_simulation_takes_any_other_as_before() {
    let mut sim = game().build().unwrap();
    sim.step(()).unwrap();
    let (shown, saved) = (sim.world().snapshot().unwrap(), sim.world().save().unwrap());
    let smaller = Simulation::builder().manager(First::default()).build().unwrap().world().snapshot().unwrap();
    let mut world = World::new();
    let (before, bytes) = (world.snapshot().unwrap(), world.save().unwrap());
    for _ in 0..2 {
        world.restore(&shown).unwrap();
        assert_eq!(world.state_hash(), sim.state_hash());
        world.restore(&before).unwrap();
        assert_eq!(world.manager::<First>().unwrap_err().code(), "manager-missing");
        world.restore(&smaller).unwrap();
        assert_eq!(world.manager::<First>().unwrap().flushes, 0);
        world.restore(&before).unwrap();
        assert_eq!(world.state_hash(), before.world().state_hash());
    }
    world.restore(&shown).unwrap();
    world.load(&saved).unwrap();
    assert_eq!(world.state_hash(), sim.state_hash());
    world.restore(&before).unwrap();
    let mut plain = Simulation::builder().build().unwrap();
    world.restore(&plain.world().snapshot().unwrap()).unwrap();
    world.load(&bytes).unwrap();
    assert_eq!(world.manager::<First>().unwrap_err().code(), "manager-missing");
    let error = plain.restore(&world.snapshot().unwrap()).unwrap_err();
    assert_eq!(error.code(), "restore-without-value");
    assert!(error.to_string().contains("order of commands"), "{error}");
    plain.step(()).unwrap();
    said();
}
