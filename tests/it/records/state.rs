//! Budgets, rails and records are no state: whatever is on, the bits are the same.

use crate::simulation::kit::{Ask, game, said};
use crate::systems::kit::{A, B};
use fixed::types::I16F16;
use tickweave::prelude::*;
use tickweave::system::SystemConfig;

#[derive(Clone, Copy)]
struct Watch {
    budgets: Option<I16F16>,
    churn_budget: u32,
    records: bool,
    window: u32,
}

const QUIET: Watch = Watch { budgets: None, churn_budget: 0, records: false, window: 60 };

impl Watch {
    fn over(self, system: SystemConfig) -> SystemConfig {
        match self.budgets {
            Some(budget) => system.budget_ms(budget),
            None => system,
        }
    }

    /// State after each of some ticks in which entities come, change and go, the plan's hash, and how many records there are.
    fn play(self, executor: Executor) -> (Vec<u64>, u64, usize) {
        let builder = World::builder().entity_capacity(64).churn_budget(self.churn_budget).seed(7);
        let mut world = builder.chunk_rows(8).batch_rows(2).with_component::<B>().build().unwrap();
        world.records_mut().set_enabled(self.records);
        world.records_mut().set_window(self.window);
        world.spawn_batch((0..8).map(A));
        let mut schedule = Schedule::new();
        schedule.set_executor(executor);
        schedule.add(self.over(each(|a: &mut A| a.0 += 1).named("grow")));
        schedule.add(self.over(breed.named("breed")));
        schedule.add(self.over(end.named("end")));
        let hash = |_| {
            schedule.run(&mut world).unwrap();
            world.state_hash().unwrap().get()
        };
        let hashes = (0..40).map(hash).collect();
        (hashes, schedule.plan().unwrap().hash(), world.records().iter().count())
    }
}

/// The same through a simulation: with managers, and commands that they refuse.
impl Watch {
    fn play_simulation(self, executor: Executor) -> (Vec<u64>, u64, usize) {
        let mut sim = game()
            .seed(7)
            .world(|world| world.entity_capacity(64).churn_budget(self.churn_budget).chunk_rows(8).batch_rows(2))
            .component::<A>()
            .component::<B>()
            .setup(|world| drop(world.spawn_batch((0..8).map(A))))
            .executor(executor)
            .rollback(2)
            .phase("Main", |main| {
                main.pass("grow").system(self.over(each(|a: &mut A| a.0 += 1).named("grow")));
                main.pass("change").system(self.over(breed.named("breed"))).system(self.over(end.named("end")));
                main.pass("ask").system(self.over(ask.named("ask")));
            })
            .build()
            .unwrap();
        sim.world_mut().records_mut().set_enabled(self.records);
        sim.world_mut().records_mut().set_window(self.window);
        let mut hashes = Vec::new();
        for _ in 0..24 {
            sim.step(()).unwrap();
            hashes.push(sim.state_hash().unwrap().get());
        }
        said();
        (hashes, sim.schedule().plan().unwrap().hash(), sim.world().records().iter().count())
    }
}

/// One that is taken and one that is refused.
fn ask(mut commands: Commands) {
    commands.submit(Ask(1));
    commands.submit(Ask(100));
}

fn breed(parents: Query<(Entity, &A)>, mut commands: Commands, mut rng: Rng) {
    for (parent, a) in &parents {
        if rng.chance(1, 4) {
            commands.spawn((A(0), B(a.0)));
            commands.insert(parent, B(1));
        }
    }
}

/// Ends the old ones, twice, so that commands are refused.
fn end(old: Query<(Entity, &A)>, mut commands: Commands) {
    for (entity, _) in old.iter().filter(|(_, a)| a.0 > 6) {
        commands.despawn(entity);
        commands.despawn(entity);
    }
}

/// What of it is played: by a schedule, or by a simulation.
type Play = fn(Watch, Executor) -> (Vec<u64>, u64, usize);

#[test]
fn budgets_rails_and_records_on_or_off_change_no_hash_and_no_plan() {
    quiet_or_loud(Watch::play);
}

#[test]
fn nor_do_they_through_a_simulation() {
    quiet_or_loud(Watch::play_simulation);
}

fn quiet_or_loud(play: Play) {
    let (hashes, plan, records) = play(QUIET, Executor::Serial);
    assert_eq!(records, 0);
    let smallest = Some(I16F16::from_bits(1));
    let watches = [
        Watch { budgets: smallest, ..QUIET },
        Watch { records: true, ..QUIET },
        Watch { budgets: smallest, churn_budget: 1, records: true, window: 0 },
        Watch { budgets: Some(I16F16::MAX), churn_budget: 256, records: true, window: 60 },
    ];
    for watch in watches {
        for executor in [Executor::Serial, Executor::Parallel, Executor::Virtual { workers: 3, seed: 5 }] {
            let played = play(watch, executor);
            assert_eq!((&played.0, played.1), (&hashes, plan), "{executor:?}");
            assert_eq!(played.2 > 0, watch.records);
        }
    }
}

/// The records of some ticks but those of budgets, which come from a clock.
fn records_of(executor: Executor) -> Vec<String> {
    let mut world = World::builder().entity_capacity(16).churn_budget(3).seed(7).with_component::<B>().build().unwrap();
    world.records_mut().set_window(4);
    world.spawn_batch((0..4).map(A));
    let mut schedule = Schedule::new();
    schedule.set_executor(executor);
    schedule.add(each(|a: &mut A| a.0 += 1));
    schedule.add(breed.named("breed"));
    schedule.add(end.named("end"));
    (0..16).for_each(|_| schedule.run(&mut world).unwrap());
    world.records().iter().map(ToString::to_string).collect()
}

#[test]
fn records_that_come_from_no_clock_are_the_same_with_every_executor() {
    let serial = records_of(Executor::Serial);
    assert!(serial.iter().any(|line| line.contains("command/refused")), "{serial:#?}");
    for executor in [Executor::Parallel, Executor::Virtual { workers: 2, seed: 1 }] {
        assert_eq!(records_of(executor), serial);
    }
}

#[test]
fn records_are_kept_over_a_restore_and_go_into_no_snapshot() {
    let mut world = World::builder().entity_capacity(4).build().unwrap();
    let snapshot = world.snapshot().unwrap();
    world.spawn(());
    crate::serial().run(&mut world).unwrap();
    assert_eq!((world.records().iter().count(), snapshot.world().records().iter().count()), (1, 0));
    world.restore(&snapshot).unwrap();
    assert_eq!((world.tick(), world.records().iter().count()), (0, 1));
}

#[test]
fn going_back_in_time_opens_no_window_anew() {
    let mut world = World::builder().churn_budget(1).with_component::<A>().with_component::<B>().build().unwrap();
    let snapshot = world.snapshot().unwrap();
    let mut schedule = crate::serial();
    schedule.add(|world: &mut World| _ = world.spawn((A(0), B(0))));
    for _ in 0..10 {
        schedule.run(&mut world).unwrap();
        world.restore(&snapshot).unwrap();
    }
    let churn = world.records().iter().filter(|record| record.name() == "world/churn").count();
    assert_eq!(churn, 1);
}
