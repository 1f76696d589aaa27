//! Hives, bees and flowers: loops that several threads share and that record commands, loops inside of loops, reductions.
//!
//! `cargo run --release --example nested -- --threads 2`. The last line on standard output is a report of the form
//! `ticks=200 entities=3137 state_hash=0x0123456789abcdef executor=parallel threads=2`, and up to `executor` it is the same
//! for `--threads serial` and for any number.

#[cfg(test)]
#[path = "nested/tests.rs"]
mod tests;

use std::num::NonZeroU32;

use clap::Parser;
use tickweave::prelude::*;

/// What it costs a hive to live for a tick, to have a bee, and to send out a swarm.
const UPKEEP: f32 = 2.0;
const BEE: f32 = 4.0;
const SWARM: f32 = 60.0;
/// Ticks that a bee lives.
const LIFE: u64 = 40;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Flower {
    nectar: f32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Hive {
    honey: f32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Bee {
    home: Entity,
    age: u64,
}

/// What is known of all hives and bees.
#[derive(Clone, Default, StateValue, Resource)]
struct Census {
    honey: f32,
    richest: Option<Entity>,
    oldest: Option<u64>,
}

impl Place {
    fn is_near(self, other: &Self) -> bool {
        self.x.abs_diff(other.x) + self.y.abs_diff(other.y) < 24
    }

    /// The place beside this one on which a number falls.
    fn beside(self, number: u64) -> Self {
        let [x, y] = [[9, 2], [-2, 9], [-9, -2], [2, -9]][(number % 4) as usize];
        Self { x: self.x + x, y: self.y + y }
    }
}

/// A loop inside of a loop: hives are shared out among threads, and what is near a hive is added up where the hive is. Sums
/// of floats have the same bits on any number of threads.
fn gather(mut hives: Query<(&Place, &mut Hive)>, flowers: Query<(&Place, &Flower)>, rivals: Query<&Place, With<Hive>>) {
    hives.par_for_each(|(place, hive)| {
        let nectar = flowers.par_sum(|(at, flower)| if place.is_near(at) { flower.nectar } else { 0.0 });
        let sharers = rivals.par_sum(|at| u32::from(place.is_near(at)));
        hive.honey += nectar / sharers as f32 - UPKEEP;
    });
}

/// Commands from a loop. A swarm takes half of the bees along to a hive that is pending until the barrier.
fn breed(
    mut hives: Query<(Entity, &Place, &mut Hive)>,
    bees: Query<(Entity, &Bee)>,
    tick: Tick,
    mut commands: Commands,
) {
    hives.par_for_each_with(&mut commands, |(mother, place, hive), lane| {
        if hive.honey >= SWARM {
            hive.honey -= SWARM;
            let beside = place.beside(tick.0 + u64::from(mother.slot()));
            let daughter = lane.spawn((beside, Hive { honey: BEE })).id();
            for (bee, found) in bees.iter().filter(|(_, bee)| bee.home == mother).step_by(2) {
                lane.insert(bee, Bee { home: daughter, age: found.age });
            }
        } else if hive.honey >= BEE {
            hive.honey -= BEE;
            lane.spawn(Bee { home: mother, age: 0 });
        } else if hive.honey < 0.0 {
            lane.despawn(mother);
        }
    });
}

/// Bees die of age, and without a hive.
fn age(mut bees: Query<(Entity, &mut Bee)>, hives: Query<&Hive>, mut commands: Commands) {
    bees.par_for_each_with(&mut commands, |(entity, bee), lane| {
        bee.age += 1;
        if bee.age > LIFE || !hives.contains(bee.home) {
            lane.despawn(entity);
        }
    });
}

/// Reductions: along a tree that depends on the rows alone.
fn count(hives: Query<(Entity, &Hive)>, bees: Query<&Bee>, mut census: ResMut<Census>) {
    let richer = |best: Option<(f32, Entity)>, other: Option<(f32, Entity)>| match (best, other) {
        (Some(best), Some(other)) => Some(if other.0 > best.0 { other } else { best }),
        (best, other) => best.or(other),
    };
    let richest = hives.par_fold(|| None, |best, (entity, hive)| richer(best, Some((hive.honey, entity))), richer);
    census.honey = hives.par_sum(|(_, hive)| hive.honey);
    census.richest = richest.map(|(_, entity)| entity);
    census.oldest = bees.par_max(|bee| bee.age);
}

fn meadow() -> World {
    let mut world = World::new();
    let on_meadow = |number: i32| Place { x: number * 97 % 256, y: number * 57 % 251 };
    world.insert_resource(Census::default());
    world.spawn_batch((0..1_500).map(|n| (on_meadow(n), Flower { nectar: 0.1 * (n % 11) as f32 })));
    let hives = world.spawn_batch((0..40).map(|n| (on_meadow(n * n), Hive { honey: n as f32 })));
    world.spawn_batch((0..400).map(|n| Bee { home: hives[n % hives.len()], age: n as u64 % LIFE }));
    world
}

fn schedule(threads: Threads) -> Result<Schedule, Box<dyn std::error::Error>> {
    let mut schedule = Schedule::new();
    schedule.add(gather);
    schedule.add(breed);
    schedule.barrier();
    schedule.add(age);
    schedule.add(count);
    match threads {
        Threads::Serial => schedule.set_executor(Executor::Serial),
        Threads::Pool(threads) => {
            schedule.set_executor(Executor::Parallel);
            schedule.set_pool(Pool::new(threads.get())?);
        }
    }
    Ok(schedule)
}

/// Hives, bees and flowers on a meadow.
#[derive(Clone, Copy, Debug, Parser)]
#[command(name = "nested")]
struct Cli {
    /// Ticks to run
    #[arg(long, value_name = "N", default_value_t = 200)]
    ticks: u64,

    /// Who runs the systems: `serial`, or a pool of N threads
    #[arg(long, value_name = "serial|N", default_value = "serial", value_parser = threads)]
    threads: Threads,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    Serial,
    Pool(NonZeroU32),
}

fn threads(text: &str) -> Result<Threads, String> {
    match text {
        "serial" => Ok(Threads::Serial),
        number => {
            number.parse().map(Threads::Pool).map_err(|_| "`serial` or a number of at least 1 is expected".into())
        }
    }
}

/// Plays on a meadow; returns what there is at the end, and the report.
fn play(Cli { ticks, threads }: Cli) -> Result<(World, String), Box<dyn std::error::Error>> {
    let (mut world, mut schedule) = (meadow(), schedule(threads)?);
    for _ in 0..ticks {
        schedule.run(&mut world)?;
    }
    let (executor, threads) = match threads {
        Threads::Serial => ("serial", 1),
        Threads::Pool(threads) => ("parallel", threads.get()),
    };
    let (entities, hash) = (world.len(), world.state_hash()?.get());
    let told = format!("ticks={ticks} entities={entities} state_hash={hash:#018x}");
    Ok((world, format!("{told} executor={executor} threads={threads}")))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (world, report) = play(Cli::parse())?;
    let (hives, bees) = (world.query::<&Hive, ()>().count(), world.query::<&Bee, ()>().count());
    let Census { honey, oldest, .. } = *world.resource::<Census>()?;
    println!("{hives} hives with {honey:.1} of honey, {bees} bees, the oldest of {} ticks", oldest.unwrap_or(0));
    println!("{report}");
    Ok(())
}
