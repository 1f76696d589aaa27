//! Systems of every kind have a place in a pass: each runs once in a tick, what it records is applied once, and those that take the
//! world see what was recorded before them.

use tickweave::prelude::*;
use tickweave::simulation::{Commit, FlushContext, InitContext, Manager, PhaseBuilder, SimulationBuilder, Strictness};
use tickweave::system::SystemConfig;

use super::kit::{Health, everywhere, game, said, say};

fn spawn(mut commands: Commands) {
    commands.spawn(Health(1));
}

fn idle() {}

fn see(world: &mut World) {
    say(format!("sees {}", world.len()));
}

fn chain() -> SimulationBuilder {
    game().phase("Main", |main| {
        main.pass("first")
            .system(spawn.named("spawn"))
            .system(idle.named("idle").after("spawn"))
            .system(see.named("see").after("idle"))
            .system(spawn.named("spawn more").after("see"))
            .system(see.named("see more"))
            .system(idle.named("idle between"))
            .system(see.named("see last"))
            .system(spawn.named("spawn last"))
            .commit(Commit::NONE);
        main.pass("second").system(see.named("see in the next pass"));
    })
}

/// What exclusive systems saw, in order.
fn seen(words: &str) -> String {
    words.split(" | ").filter_map(|word| word.strip_prefix("sees ")).collect::<Vec<_>>().join(" ")
}

#[test]
fn an_exclusive_system_sees_what_every_system_before_it_recorded_whatever_stands_between_them() {
    let (seen, _) = everywhere(chain, |sim| {
        sim.step(()).unwrap();
        seen(&said())
    });
    assert_eq!(seen, "1 2 2 3");
}

#[test]
fn barriers_are_as_many_and_at_the_same_places_each_time_that_a_simulation_is_built_and_whatever_is_switched_off_and_on()
 {
    let mut sim = chain().build().unwrap();
    let text = sim.schedule().explain().to_string();
    assert_eq!(chain().build().unwrap().schedule().explain().to_string(), text);
    let barriers = sim.schedule().plan().unwrap().barriers().len();
    assert!(text.contains("exclusive") && barriers == 9, "{barriers} barriers: {text}");
    for enabled in [false, true] {
        assert!(sim.set_enabled("see", enabled) && sim.set_enabled("idle between", enabled));
        sim.step(()).unwrap();
    }
    let plan = sim.schedule().plan().unwrap();
    assert_eq!((plan.barriers().len(), sim.schedule().explain().to_string()), (barriers, text));
    said();
}

/// A system of a kind that says its name: an ordinary one by a command of its own.
fn of_kind(kind: usize, name: String) -> SystemConfig {
    let say_it = name.clone();
    match kind {
        0 => (move |mut commands: Commands| {
            let name = say_it.clone();
            commands.queue(move |_| say(name));
        })
        .named(name),
        1 => (move |_: &mut World| say(say_it.clone())).named(name),
        _ => (move || say(say_it.clone())).named(name).pinned(),
    }
}

const KINDS: usize = 3;
const PLACES: u32 = 4;

/// One pass for each sequence of four systems of the three kinds; returns the names of all.
fn fill(main: &mut PhaseBuilder) -> Vec<String> {
    let mut names = Vec::new();
    for sequence in 0..KINDS.pow(PLACES) {
        let pass = main.pass(format!("{sequence}"));
        for place in 0..PLACES {
            let name = format!("run {sequence}.{place}");
            names.push(name.clone());
            pass.system(of_kind(sequence / KINDS.pow(place) % KINDS, name));
        }
    }
    names
}

#[test]
fn in_every_sequence_of_ordinary_exclusive_and_pinned_systems_each_runs_once_in_a_tick() {
    let strictness = Strictness { captures: false, ..Strictness::ALL };
    let build = || Simulation::builder().max_systems(400).strictness(strictness).phase("Main", |main| drop(fill(main)));
    let (ran, _) = everywhere(build, |sim| {
        let ticks = [(); 2].map(|()| {
            sim.step(()).unwrap();
            let mut ran: Vec<String> = said().split(" | ").map(str::to_owned).collect();
            ran.sort();
            ran
        });
        assert_eq!(ticks[0], ticks[1]);
        ticks[0].clone()
    });
    let mut names = Vec::new();
    let _ = Simulation::builder().phase("Main", |main| names = fill(main));
    names.sort();
    assert_eq!((ran.len(), ran), (324, names));
}

/// Has a system run once when it is initialised.
#[derive(Clone, StateValue)]
struct Starter;

impl Manager for Starter {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        let report = context.world().run_once(|mut commands: Commands| {
            commands.spawn(Health(10));
        });
        assert_eq!(report.unwrap().applied, 1);
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        if context.tick() == 1 && context.world().query::<&Health, ()>().iter().all(|health| health.0 != 20) {
            context.spawn(Health(20));
        }
    }
}

#[derive(Clone, Default, StateValue, Resource)]
struct Inner(u32);

/// A schedule of its own, on a world of its own, whose last system records.
fn nest(mut inner: ResMut<Inner>) -> Result<(), RunError> {
    let (mut world, mut schedule) = (World::builder().with_component::<Health>().build().unwrap(), Schedule::new());
    schedule.add(spawn.named("early"));
    schedule.add(idle);
    schedule.add(spawn.named("last"));
    schedule.run(&mut world)?;
    inner.0 += world.len() as u32;
    Ok(())
}

macro_rules! spawning {
    ($health:literal) => {
        (|mut commands: Commands| _ = commands.spawn(Health($health)).id()).named(concat!("spawn ", $health))
    };
}

#[test]
fn commands_of_systems_of_every_kind_and_at_every_place_are_applied_once() {
    let build = || {
        game()
            .manager(Starter)
            .resource(Inner::default())
            .setup(|world| {
                world.run_once(spawning!(11)).unwrap();
            })
            .phase("Pre", |pre| {
                pre.pass("first").system(spawning!(12));
            })
            .phase("Main", |main| {
                let exclusive = |_: &mut World, mut commands: Commands| _ = commands.spawn(Health(13)).id();
                main.pass("all").system(exclusive.named("exclusive")).system(spawning!(14).pinned()).system(nest);
                main.pass("pinned alone").system(spawning!(15).pinned());
                main.pass("exclusive last").system(exclusive.named("again"));
            })
            .phase("Post", |post| {
                post.pass("last").system(idle).system(spawning!(16));
            })
    };
    let (healths, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        sim.world_mut().run_once(spawning!(17)).unwrap();
        said();
        assert_eq!(sim.world().resource::<Inner>().unwrap().0, 2);
        let mut healths: Vec<u32> = sim.world().query::<&Health, ()>().iter().map(|health| health.0).collect();
        healths.sort_unstable();
        healths
    });
    assert_eq!(healths, [10, 11, 12, 13, 13, 14, 15, 16, 17, 20]);
}
