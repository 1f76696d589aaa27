//! A tick that fails: what ran, what did not, what was dropped, and what is told.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use crate::systems::kit::{A, B, Census, Counted, Log, Tag, failed, failure, small_world, spawn, values};
use tickweave::executor::Cause;
use tickweave::prelude::*;
use tickweave::system::SystemConfig;

/// A world that knows counted values and in which an entity is gone.
fn world() -> (World, Entity) {
    let mut world = small_world();
    world.register_component::<Counted>().unwrap();
    let gone = world.spawn(Tag);
    world.despawn(gone).unwrap();
    (world, gone)
}

/// Runs systems before and behind one that fails on tick 2, in its own segment and in others, and checks everything that
/// holds for whatever failure.
#[track_caller]
fn fails_as_promised(fails: impl FnOnce(&Log, &Census) -> SystemConfig, code: &str, told: &str) {
    let (log, census) = (Log::default(), Census::default());
    let (mut world, _) = world();
    let mut schedule = crate::serial();
    schedule.add(log.spawner("published"));
    schedule.barrier();
    schedule.add(log.spawner("before"));
    schedule.add(fails(&log, &census).named("fails"));
    schedule.add(log.spawner("same"));
    schedule.barrier();
    schedule.add(log.spawner("behind"));
    schedule.run(&mut world).unwrap();
    let (living, entities) = (census.living(), world.len());
    log.take();

    let error = schedule.run(&mut world).unwrap_err();
    let text = error.to_string();
    let failure = failure(Err(error));
    assert_eq!((failure.tick, failure.position, failure.system.as_str()), (2, 4, "fails"));
    assert_eq!(failure.cause.code(), code);
    for part in ["tick 2", "`fails`", "step 4", told] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert_eq!(log.take(), "published before fails");
    assert_eq!(world.len(), entities + 1, "only what a barrier had published stays");
    assert_eq!(census.living(), living, "its commands were dropped, once");
    assert_eq!(world.torn(), Some(text.as_str()));
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "world-torn");
    assert_eq!((log.take().as_str(), world.tick()), ("", 2));

    world.clear_torn();
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "published before fails same behind");
    assert_eq!(world.len() - entities, 1 + entities, "the next run is a whole one");
}

/// A system that says its name, records the spawn of a counted value, and fails on tick 2.
fn recording<Out: tickweave::system::SystemOutput + 'static>(
    log: &Log,
    census: &Census,
    outcome: fn(bool) -> Out,
) -> SystemConfig {
    let (log, census) = (log.clone(), census.clone());
    let system = move |tick: Tick, mut commands: Commands| {
        log.say("fails");
        commands.spawn((A(1), census.born()));
        outcome(tick.0 == 2)
    };
    system.into_config()
}

#[test]
fn a_panic_fails_the_tick() {
    let panics = |now: bool| assert!(!now, "out of arrows");
    fails_as_promised(|log, census| recording(log, census, panics), "system-panic", "out of arrows");
}

#[test]
fn a_panic_with_a_made_up_message_or_none_fails_the_tick() {
    let formatted = |now: bool| assert!(!now, "{} arrows", 7);
    fails_as_promised(|log, census| recording(log, census, formatted), "system-panic", "7 arrows");
    let odd = |now: bool| {
        if now {
            std::panic::panic_any(7_u8)
        }
    };
    fails_as_promised(|log, census| recording(log, census, odd), "system-panic", "a panic without a message");
}

#[test]
fn an_error_fails_the_tick() {
    let refuses = |now: bool| if now { Err("no path") } else { Ok(()) };
    fails_as_promised(|log, census| recording(log, census, refuses), "system-error", "no path");
}

#[test]
fn an_undeclared_access_fails_the_tick() {
    let script = |log: &Log, census: &Census| {
        let (log, census) = (log.clone(), census.clone());
        let body = move |world: &mut DynamicWorld<'_>| {
            log.say("fails");
            let value = census.born();
            world.commands()?.spawn((A(1), value));
            if world.tick() == 2 {
                let _ = world.query::<&B, ()>();
            }
            Ok::<(), SystemError>(())
        };
        DynamicSystem::new("script", body).records_commands().into_config()
    };
    fails_as_promised(script, "system-error", "did not declare");
}

#[test]
fn an_escaped_handle_fails_the_tick() {
    let leaks = |log: &Log, census: &Census| {
        let (log, census) = (log.clone(), census.clone());
        let system = move |tick: Tick, mut last: Local<Option<Entity>>, mut commands: Commands| {
            log.say("fails");
            let pending = commands.spawn((A(1), census.born())).id();
            *last = (tick.0 == 2).then_some(pending);
        };
        system.into_config()
    };
    fails_as_promised(leaks, "pending-escaped", "pending entity");
}

#[test]
fn the_first_failure_in_schedule_order_is_the_one_that_is_told() {
    let log = Log::default();
    let (mut world, _) = world();
    let mut schedule = crate::serial();
    schedule.add((|| Err::<(), _>("second")).named("second").after("first"));
    schedule.add(log.system("runs"));
    schedule.add((|| Err::<(), _>("first")).named("first"));
    assert_eq!(failed(schedule.run(&mut world)), ("first".into(), 2, "system-error"));
    assert_eq!(log.take(), "runs");
}

#[test]
fn a_command_that_panics_leaves_what_came_before_it_and_drops_the_rest() {
    let (log, census) = (Log::default(), Census::default());
    let (mut world, _) = world();
    let mut schedule = crate::serial();
    let spawns = |name: &'static str, n: i32, panics: bool| {
        let census = census.clone();
        let system = move |mut commands: Commands| {
            commands.spawn((A(n), census.born()));
            if panics {
                commands.queue(|_| panic!("bad command"));
            }
            commands.spawn((A(n + 1), census.born()));
        };
        system.named(name)
    };
    schedule.add(spawns("one", 10, false));
    schedule.add(spawns("two", 20, true));
    schedule.add(spawns("three", 30, false));
    schedule.add(|_: &mut World| {});
    schedule.add(log.system("behind"));
    let failure = failure(schedule.run(&mut world));
    assert_eq!((failure.system.as_str(), failure.position, failure.cause.code()), ("two", 2, "command-panic"));
    assert!(failure.to_string().contains("bad command"));
    assert_eq!(values::<A>(&world), [A(10), A(11), A(20)]);
    assert_eq!((census.living(), world.len(), log.take().as_str()), (3, 3, ""));
    world.clear_torn();
    let next = world.spawn(A(0));
    assert_eq!(next.slot(), 5, "ids reserved for spawns that were dropped are free again, the last one first");
    drop(world);
    assert_eq!(census.living(), 0);
}

/// A component whose destructor panics while its fuse burns.
#[derive(Component)]
#[component(opaque)]
struct Bomb(Arc<AtomicBool>, Arc<AtomicI32>);

impl Drop for Bomb {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::Relaxed);
        assert!(!self.0.load(Ordering::Relaxed), "boom");
    }
}

#[test]
fn a_destructor_that_panics_while_lanes_are_dropped_changes_nothing_of_the_failure() {
    let (mut world, _) = world();
    world.register_component::<Bomb>().unwrap();
    let (burns, drops, census) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicI32::new(0)), Census::default());
    let (fuse, count, born) = (Arc::clone(&burns), Arc::clone(&drops), census.clone());
    let mut schedule = crate::serial();
    let bomber = move |mut commands: Commands| {
        commands.spawn(born.born());
        commands.spawn(Bomb(Arc::clone(&fuse), Arc::clone(&count)));
        commands.spawn(born.born());
    };
    schedule.add(bomber.named("bomber"));
    let other = census.clone();
    schedule.add((move |mut commands: Commands| spawn(&mut commands, other.born())).named("other"));
    let fails = schedule.add((|| Err::<(), _>("the cause")).named("fails"));
    let outcome = failure(schedule.run(&mut world));
    assert_eq!((outcome.system.as_str(), outcome.position), ("fails", 3));
    assert!(outcome.to_string().contains("the cause"));
    assert_eq!((drops.load(Ordering::Relaxed), census.living(), world.len()), (1, 0, 0));
    assert!(world.torn().is_some_and(|reason| reason.contains("the cause")));
    burns.store(false, Ordering::Relaxed);
    world.clear_torn();
    schedule.set_enabled(fails, false);
    schedule.run(&mut world).unwrap();
    assert_eq!((census.living(), world.len()), (3, 4));
}

#[test]
fn a_destructor_that_panics_in_a_merge_fails_the_tick_at_the_system_whose_command_it_was() {
    let (mut world, _) = world();
    let (fuse, drops) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI32::new(0)));
    let holder = world.spawn(Bomb(Arc::clone(&fuse), Arc::clone(&drops)));
    let mut schedule = crate::serial();
    schedule.add((|mut commands: Commands| spawn(&mut commands, A(1))).named("spawns"));
    schedule.add((move |mut commands: Commands| commands.despawn(holder)).named("ends"));
    schedule.add((|mut commands: Commands| spawn(&mut commands, A(2))).named("late"));
    fuse.store(true, Ordering::Relaxed);
    assert_eq!(failed(schedule.run(&mut world)), ("ends".into(), 2, "command-panic"));
    assert_eq!((drops.load(Ordering::Relaxed), values::<A>(&world), world.contains(holder)), (1, vec![A(1)], false));
}

#[test]
fn a_strict_schedule_fails_at_the_first_command_without_effect() {
    let log = Log::default();
    let (mut world, gone) = world();
    let mut schedule = crate::serial();
    schedule.set_strict(true);
    schedule.add(log.spawner("fine"));
    let late = move |mut commands: Commands| {
        commands.spawn(A(1));
        commands.insert(gone, B(1));
        commands.spawn(A(2));
    };
    schedule.add(late.named("late"));
    schedule.add((move |mut commands: Commands| commands.despawn(gone)).named("later"));
    schedule.barrier();
    schedule.add(log.system("behind"));
    let failure = failure(schedule.run(&mut world));
    assert_eq!((failure.system.as_str(), failure.position, failure.cause.code()), ("late", 2, "command-refused"));
    assert!(failure.to_string().contains("`insert`") && failure.to_string().contains("strict"), "{failure}");
    assert_eq!((log.take().as_str(), world.len()), ("fine", 3), "the merge itself was finished");
    assert_eq!(schedule.report().refused, 2);
    world.clear_torn();
    schedule.set_strict(false);
    schedule.run(&mut world).unwrap();
    assert_eq!((log.take().as_str(), schedule.report().refused), ("fine behind", 2));
}

#[test]
fn a_failed_tick_counts_and_what_was_written_before_the_failure_stays() {
    let (mut world, _) = world();
    world.spawn_batch([A(0), A(0)]);
    let mut schedule = crate::serial();
    schedule.add(each(|a: &mut A| a.0 += 1));
    schedule.add(|tick: Tick| if tick.0 == 1 { Err("once") } else { Ok(()) });
    schedule.add(each(|a: &mut A| a.0 += 10));
    schedule.run(&mut world).unwrap_err();
    assert_eq!((world.tick(), values::<A>(&world)), (1, vec![A(1), A(1)]));
    world.clear_torn();
    schedule.run(&mut world).unwrap();
    assert_eq!((world.tick(), values::<A>(&world)), (2, vec![A(12), A(12)]));
}

#[test]
fn a_torn_world_still_answers_and_its_state_differs_from_a_whole_one() {
    let (mut world, _) = world();
    let mut schedule = crate::serial();
    schedule.add((|| Err::<(), _>("no")).named("fails"));
    schedule.run(&mut world).unwrap_err();
    let torn = world.state_hash().unwrap();
    world.spawn(A(1));
    assert_eq!(values::<A>(&world), [A(1)]);
    let entity = world.query::<Entity, ()>().single().unwrap();
    world.despawn(entity).unwrap();
    assert_eq!(world.run_once(|| {}).unwrap().applied, 0);
    world.clear_torn();
    assert_ne!(world.state_hash().unwrap(), torn);
}

#[test]
fn errors_of_a_tick_are_values_that_can_be_sent_and_looked_into() {
    fn is_error<E: std::error::Error + Send + Sync + 'static>() {}
    is_error::<RunError>();
    is_error::<tickweave::executor::TickFailure>();
    is_error::<Cause>();
    let (mut world, _) = world();
    let mut schedule = crate::serial();
    schedule.add(|| "x7".parse::<u8>().map(|_| ()));
    match failure(schedule.run(&mut world)).cause {
        Cause::Error(error) => assert!(error.downcast_ref::<std::num::ParseIntError>().is_some()),
        other => panic!("{other}"),
    }
}

/// The payload of a panic whose own destructor panics.
struct Grenade;

impl Drop for Grenade {
    fn drop(&mut self) {
        panic!("the payload panics as well");
    }
}

#[test]
fn a_payload_whose_destructor_panics_ends_the_tick_like_any_other() {
    for queued in [false, true] {
        let mut world = World::new();
        let mut schedule = crate::serial();
        schedule.add(move |mut commands: Commands| {
            if queued {
                commands.queue(|_| std::panic::panic_any(Grenade));
            } else {
                std::panic::panic_any(Grenade);
            }
        });
        let code = failure(schedule.run(&mut world)).cause.code();
        assert_eq!(code, if queued { "command-panic" } else { "system-panic" });
        assert!(world.torn().is_some());
        world.ensure_component::<Tag>().expect("the tick is over");
    }
}

/// An error that can't be told.
#[derive(Debug)]
struct Mute;

impl std::fmt::Display for Mute {
    fn fmt(&self, _: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        panic!("no words")
    }
}

impl std::error::Error for Mute {}

#[test]
fn an_error_whose_text_panics_ends_the_tick_like_any_other_and_tears_the_world() {
    for way in crate::parallel::kit::ways() {
        let census = Census::default();
        let (mut world, _) = world();
        let mut schedule = Schedule::new();
        way.prepare(&mut schedule);
        let other = census.clone();
        schedule.add((move |mut commands: Commands| spawn(&mut commands, other.born())).named("other"));
        schedule.add((|| Err::<(), _>(Mute)).named("mute"));
        let failure = failure(schedule.run(&mut world));
        assert_eq!((failure.system.as_str(), failure.position, failure.cause.code()), ("mute", 2, "system-error"));
        let torn = world.torn().expect("a half-run world is torn");
        assert!(torn.contains("tick 1, system `mute` (step 2 of the plan): system-error"), "{torn}");
        assert_eq!((census.living(), world.len()), (0, 0));
        assert!(world.snapshot().is_err());
        assert_eq!(schedule.run(&mut world).unwrap_err().code(), "world-torn");
    }
}
