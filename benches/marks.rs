//! The first marks: ratios to hand-written loops in the same run.
//!
//! `cargo bench --bench marks` measures every candidate of a mark in turn, round after round, and prints the median of the
//! ratios of each round. These machines are shared: compare ratios of one run, never times of two.

mod common;

use std::hint::black_box;
use std::time::{Duration, Instant};

use common::{Numbered, Position, VELOCITY, Velocity, integrate, integrate_flat, movers, shuffled, tiny_systems};
use tickweave::prelude::*;

const ROUNDS: usize = 31;
const SAMPLE: Duration = Duration::from_millis(12);

/// Something that is timed, over and over.
struct Candidate<'a> {
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    iterations: u32,
}

impl<'a> Candidate<'a> {
    fn new(name: &'static str, mut run: impl FnMut() + 'a) -> Self {
        let mut iterations = 1;
        while time(&mut run, iterations) < SAMPLE {
            iterations *= 2;
        }
        Self { name, run: Box::new(run), iterations }
    }

    /// Nanoseconds of one iteration.
    fn sample(&mut self) -> f64 {
        time(&mut self.run, self.iterations).as_nanos() as f64 / f64::from(self.iterations)
    }
}

fn time(run: &mut dyn FnMut(), iterations: u32) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    let start = Instant::now();
    for _ in 0..iterations {
        run();
    }
    start.elapsed()
}

/// Prints each candidate's median time per item, and its ratio to the first candidate.
fn mark(title: &str, per: usize, mut candidates: Vec<Candidate<'_>>) {
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push(candidates.iter_mut().map(Candidate::sample).collect());
    }
    println!("{title}");
    for (index, candidate) in candidates.iter().enumerate() {
        let time = median(rounds.iter().map(|round| round[index] / per as f64));
        let ratio = median(rounds.iter().map(|round| round[index] / round[0]));
        println!("  {:<40} {time:>10.3} ns  {ratio:>7.3}x", candidate.name);
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn vectors(count: usize) -> (Vec<Position>, Vec<Velocity>) {
    (vec![Position::default(); count], vec![VELOCITY; count])
}

fn struct_loop(positions: &mut [Position], velocities: &[Velocity]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        integrate(position, velocity);
    }
}

fn iterate(count: usize) {
    let (mut rows, mut flat) = (vectors(count), vectors(count));
    let (mut each_world, mut each_schedule) = (movers(count), Schedule::new());
    each_schedule.add(each(integrate));
    let (mut chunk_world, mut chunk_schedule) = (movers(count), Schedule::new());
    chunk_schedule.add(chunk(integrate_flat));
    let mut query_world = movers(count);
    mark(
        &format!("move {count} entities, per entity, against the struct loop over two vectors"),
        count,
        vec![
            Candidate::new("raw: struct loop over two vectors", || {
                struct_loop(black_box(&mut rows.0), black_box(&rows.1));
            }),
            Candidate::new("each-system", || each_schedule.run(&mut each_world).unwrap()),
            Candidate::new("query, for_each", || {
                let mut query = query_world.query_mut::<(&mut Position, &Velocity), ()>();
                query.for_each(|(position, velocity)| integrate(position, velocity));
            }),
        ],
    );
    mark(
        &format!("move {count} entities, per entity, against the flat loop over two vectors"),
        count,
        vec![
            Candidate::new("raw: flat loop over two vectors", || {
                integrate_flat(black_box(&mut flat.0), black_box(&flat.1));
            }),
            Candidate::new("chunk-system, flat", || chunk_schedule.run(&mut chunk_world).unwrap()),
        ],
    );
}

fn tiny() {
    let (mut world, mut schedule) = tiny_systems();
    let mut values = [0.0f32; 200];
    type Closure = Box<dyn FnMut(&mut [f32; 200])>;
    let add_one = |index: usize| -> Closure { Box::new(move |values| values[index] += 1.0) };
    let mut closures: Vec<_> = (0..200).map(add_one).collect();
    mark(
        "200 tiny systems, per system, against boxed closures",
        200,
        vec![
            Candidate::new("raw: boxed closures", || {
                closures.iter_mut().for_each(|closure| closure(black_box(&mut values)));
            }),
            Candidate::new("serial schedule", || schedule.run(&mut world).unwrap()),
        ],
    );
}

fn get() {
    const COUNT: usize = 100_000;
    let mut world = World::new();
    let mut entities = Vec::new();
    let position = |index: usize| Position { x: index as f32, y: 0.0, z: 0.0 };
    for index in 0..COUNT {
        entities.push(match index % 4 {
            0 => world.spawn(position(index)),
            1 => world.spawn((position(index), VELOCITY)),
            2 => world.spawn((position(index), Numbered::<0>(0.0))),
            _ => world.spawn((position(index), VELOCITY, Numbered::<0>(0.0))),
        });
    }
    let order = shuffled(COUNT);
    let reads: Vec<Entity> = order.iter().map(|&index| entities[index]).collect();
    let values: Vec<Position> = (0..COUNT).map(position).collect();
    // Where each entity's value is: one table step, as an entity's slot is.
    let table: Vec<u32> = (0..COUNT as u32).collect();
    let query = world.query::<&Position, ()>();
    mark(
        "read 100,000 positions by entity in random order, per read, against indexing through a table",
        COUNT,
        vec![
            Candidate::new("raw: vector through a table of positions", || {
                black_box(order.iter().map(|&index| values[table[index] as usize].x).sum::<f32>());
            }),
            Candidate::new("Query::get", || {
                black_box(reads.iter().map(|&entity| query.get(entity).map_or(0.0, |value| value.x)).sum::<f32>());
            }),
            Candidate::new("World::get", || {
                let read = |&entity| world.get::<Position>(entity).map_or(0.0, |value| value.x);
                black_box(reads.iter().map(read).sum::<f32>());
            }),
        ],
    );
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    iterate(10_000);
    iterate(1_000_000);
    tiny();
    get();
}
