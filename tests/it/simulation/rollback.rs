//! The way back: reset, rollback, and several simulations beside one another.

use std::sync::{Arc, Mutex};

use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, Manager, SimulationBuilder};

use super::kit::{Ask, First, Health, Second, everywhere, game, look, record, said};

fn busy() -> SimulationBuilder {
    game().seed(7).rollback(8).phase("Main", |main| {
        main.pass("record").system(record);
        main.pass("age").system(each(|health: &mut Health| health.0 += 1));
    })
}

fn run(sim: &mut Simulation, ticks: u32) -> String {
    (0..ticks).for_each(|_| {
        sim.step(()).unwrap();
    });
    said();
    format!("{}", sim.state_hash().unwrap())
}

#[test]
fn reset_goes_back_to_what_was_built_with_an_equal_hash_and_the_same_future() {
    everywhere(busy, |sim| {
        let built = sim.state_hash().unwrap();
        let there = run(sim, 5);
        sim.manager_mut::<Second>().unwrap().asks.push(3);
        sim.submit_at(50, Ask(1)).unwrap();
        sim.reset().unwrap();
        assert_eq!(said(), "reset first | reset second | clear store");
        assert_eq!((sim.state_hash().unwrap(), sim.tick()), (built, 0));
        assert_eq!(run(sim, 5), there);
    });
}

#[test]
fn reset_goes_back_to_what_setups_left_and_managers_without_state_reset_themselves() {
    struct Opaque(u32);
    impl Manager for Opaque {
        fn flush(&mut self, _: &mut FlushContext<'_>) {
            self.0 += 1;
        }
        fn reset(&mut self) {
            self.0 = 0;
        }
    }
    let mut sim = Simulation::builder()
        .component::<Health>()
        .opaque_manager(Opaque(0))
        .setup(|world| {
            world.spawn(Health(3));
        })
        .build()
        .unwrap();
    sim.step(()).unwrap();
    assert_eq!(sim.manager::<Opaque>().unwrap().0, 4);
    sim.world_mut().spawn(Health(4));
    sim.reset().unwrap();
    assert_eq!((sim.manager::<Opaque>().unwrap().0, sim.world().len()), (0, 1));
}

#[test]
fn a_rollback_brings_managers_back_and_the_same_inputs_lead_to_the_same_state() {
    everywhere(busy, |sim| {
        run(sim, 4);
        let flushes = sim.manager::<First>().unwrap().flushes;
        let there = run(sim, 3);
        sim.rollback_to(4).unwrap();
        assert_eq!((sim.tick(), sim.manager::<First>().unwrap().flushes), (4, flushes));
        assert_eq!(run(sim, 3), there);
    });
}

#[test]
fn so_many_steps_can_be_undone_as_rollback_says_and_no_more() {
    let mut sim = game().rollback(2).build().unwrap();
    run(&mut sim, 5);
    let error = sim.rollback_to(2).unwrap_err();
    assert_eq!(error.code(), "rollback-not-kept");
    assert!(error.to_string().contains("from tick 3 to tick 5"), "{error}");
    sim.rollback_to(3).unwrap();
    assert_eq!(sim.tick(), 3);
    assert!(sim.snapshot_of(5).is_some() && sim.snapshot_of(2).is_none());
    assert_eq!(game().build().unwrap().rollback_to(0).unwrap_err().code(), "rollback-off");
}

/// Puts the state of another simulation in the place of a simulation's.
type Take = fn(&mut Simulation, &Simulation);

#[test]
fn state_that_comes_from_elsewhere_has_a_past_of_its_own_and_is_the_first_that_is_kept_of_it() {
    const WAYS: [Take; 3] = [
        |sim, other| sim.restore(&other.world().snapshot().unwrap()).unwrap(),
        |sim, other| sim.world_mut().restore(&other.world().snapshot().unwrap()).unwrap(),
        |sim, other| sim.world_mut().load(&other.world().save().unwrap()).unwrap(),
    ];
    for (take, ticks) in WAYS.into_iter().flat_map(|take| [(take, 2), (take, 4), (take, 20)]) {
        everywhere(busy, |sim| {
            sim.world_mut().spawn(Health(99));
            run(sim, 5);
            let mut other = busy().build().unwrap();
            run(&mut other, ticks);
            take(sim, &other);
            let (there, at) = (sim.state_hash().unwrap(), u64::from(ticks));
            assert_eq!(there, other.state_hash().unwrap());
            assert!((0..=5).all(|tick| tick == at || sim.snapshot_of(tick).is_none()), "those of the past before");
            let future = run(sim, 2);
            assert_eq!(sim.rollback_to(at - 1).unwrap_err().code(), "rollback-not-kept");
            sim.rollback_to(at).unwrap();
            assert_eq!(sim.state_hash().unwrap(), there);
            assert_eq!(run(sim, 2), future);
            assert_eq!(run(&mut other, 2), future);

            take(sim, &other);
            assert_eq!(sim.rollback_to(at).unwrap_err().code(), "rollback-not-kept");
            sim.rollback_to(at + 2).unwrap();
            assert_eq!(sim.state_hash().unwrap(), other.state_hash().unwrap());
            said();
        });
    }
}

#[test]
fn simulations_on_one_thread_do_not_meet() {
    let (mut one, mut other) = (busy().build().unwrap(), busy().build().unwrap());
    let alone = run(&mut busy().build().unwrap(), 6);
    for _ in 0..6 {
        run(&mut one, 1);
        run(&mut other, 1);
    }
    assert_eq!(format!("{}", one.state_hash().unwrap()), alone);
    assert_eq!(format!("{}", other.state_hash().unwrap()), alone);
    let kept = one.snapshot_of(3).unwrap();
    other.restore(kept).unwrap();
    assert_eq!(run(&mut other, 3), alone, "a snapshot of one is the past of the other");
}

#[test]
fn a_simulation_may_run_inside_of_a_system_of_another() {
    #[derive(Clone, Default, StateValue, Resource)]
    struct Inner(u64);
    fn nest(mut inner: ResMut<Inner>) -> Result<(), tickweave::simulation::StepError> {
        let mut sim = busy().build().unwrap();
        sim.run_headless(2, |_| ())?;
        inner.0 = sim.tick();
        Ok(())
    }
    let mut sim = Simulation::builder()
        .resource(Inner(0))
        .phase("Main", |main| {
            main.pass("all").system(nest);
        })
        .build()
        .unwrap();
    sim.step(()).unwrap();
    assert_eq!(sim.world().resource::<Inner>().unwrap().0, 2);
    said();
}

#[test]
fn what_happens_after_a_reset_is_what_happened_the_first_time() {
    fn later(tick: Tick, mut commands: Commands) {
        commands.submit_after(2, Ask(tick.0 as u32 + 10));
        commands.submit(Ask(100 + tick.0 as u32));
    }
    fn trace(sim: &mut Simulation) -> (String, [u64; 4]) {
        said();
        let refused = [(); 4].map(|()| sim.step(()).unwrap().refused);
        (said(), refused)
    }
    let build = || {
        busy().phase("Main", |main| {
            main.pass("later").system(later).system(look("two"));
        })
    };
    everywhere(build, |sim| {
        let first = trace(sim);
        assert!(first.0.contains("ask 11") && first.0.contains("told [") && first.1 == [1; 4], "{first:?}");
        sim.submit(Ask(77)).unwrap();
        sim.submit_at(sim.tick() + 1, Ask(78)).unwrap();
        sim.reset().unwrap();
        assert_eq!(trace(sim), first);
    });
}

#[test]
fn what_the_host_enables_is_taken_back_by_a_reset_and_left_by_a_rollback() {
    let build = || {
        game().rollback(4).phase("Main", |main| {
            let eat = |mut healths: Query<&mut Health>| healths.iter_mut().for_each(|health| health.0 += 1);
            let starve = |mut healths: Query<&mut Health>| healths.iter_mut().for_each(|health| health.0 += 100);
            main.pass("live").system(eat.named("eat")).system(starve.named("starve").disabled());
        })
    };
    everywhere(
        || build().setup(|world| _ = world.spawn(Health(0))),
        |sim| {
            let health = |sim: &Simulation| sim.world().query::<&Health, ()>().single().unwrap().0;
            sim.step(()).unwrap();
            assert!(sim.set_enabled("eat", false) && sim.set_enabled("starve", true));
            sim.step(()).unwrap();
            assert_eq!(health(sim), 101);
            sim.rollback_to(1).unwrap();
            sim.step(()).unwrap();
            assert_eq!(health(sim), 101, "a rollback leaves it");
            sim.reset().unwrap();
            sim.step(()).unwrap();
            assert_eq!(health(sim), 1, "a reset takes it back");
            said()
        },
    );
}

#[derive(Clone, StateValue, Resource)]
struct Left(u32);

#[derive(Clone, StateValue, Resource)]
struct Right(u32);

#[test]
fn a_reset_that_is_refused_leaves_the_simulation_as_it_was_and_says_why() {
    let early = Arc::new(Mutex::new(None));
    let to = Arc::clone(&early);
    let keep = move |world: &mut World| *to.lock().unwrap() = Some(world.snapshot().unwrap());
    let insert = |world: &mut World| _ = world.insert_resource(Left(1));
    let mut sim = game().rollback(2).setup(keep).setup(insert).build().unwrap();
    let early = early.lock().unwrap().take().unwrap();
    sim.restore(&early).unwrap();
    sim.world_mut().insert_resource(Right(1));
    sim.manager_mut::<First>().unwrap().taken.push(1);
    said();
    let before = sim.state_hash();
    let error = sim.reset().unwrap_err();
    assert_eq!(error.code(), "restore-registration");
    assert!(error.to_string().contains("Left") && error.to_string().contains("Right"), "{error}");
    assert_eq!((sim.state_hash(), sim.world().torn(), said().as_str()), (before, None, ""));
    sim.restore(&early).unwrap();
    sim.reset().unwrap();
    assert_eq!(sim.world().resource::<Left>().unwrap().0, 1);
    said();
}

#[test]
fn what_the_host_submitted_after_a_tick_is_gone_when_that_tick_is_rolled_back_to() {
    everywhere(
        || game().rollback(4),
        |sim| {
            sim.step(()).unwrap();
            sim.submit_at(3, Ask(1)).unwrap();
            sim.step(()).unwrap();
            sim.submit(Ask(2)).unwrap();
            said();
            sim.step(()).unwrap();
            let first = said();
            assert!(first.contains("ask 1") && first.contains("ask 2"), "{first}");
            sim.rollback_to(2).unwrap();
            sim.step(()).unwrap();
            let second = said();
            assert!(second.contains("ask 1") && !second.contains("ask 2"), "{second}");
            sim.rollback_to(2).unwrap();
            sim.submit(Ask(2)).unwrap();
            sim.step(()).unwrap();
            assert_eq!(said(), first);
        },
    );
}

#[test]
fn a_setup_that_leaves_the_world_torn_is_an_error_of_the_build() {
    let tear = |world: &mut World| {
        let mut schedule = crate::serial();
        schedule.add(|| -> Result<(), String> { Err("no".into()) });
        schedule.run(world).unwrap_err();
    };
    for ticks in [0, 2] {
        let error = game().rollback(ticks).setup(tear).build().unwrap_err();
        assert_eq!(error.code(), "snapshot-torn");
    }
    said();
}
