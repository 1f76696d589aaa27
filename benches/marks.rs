//! The first marks: ratios to hand-written loops in the same run.
//!
//! `cargo bench --bench marks` measures every candidate of a mark in turn, round after round, and prints the median of the
//! ratios of each round. These machines are shared: compare ratios of one run, never times of two. Names behind `--`
//! choose marks: `cargo bench --bench marks -- get tiny`.

mod common;
mod floor;

use std::hint::black_box;

use common::ratio::{Candidate, mark};
use common::{Numbered, Position, VELOCITY, Velocity, integrate, integrate_flat, movers, shuffled, tiny_systems};
use tickweave::prelude::*;

fn vectors(count: usize) -> (Vec<Position>, Vec<Velocity>) {
    (vec![Position::default(); count], vec![VELOCITY; count])
}

fn struct_loop(positions: &mut [Position], velocities: &[Velocity]) {
    for (position, velocity) in positions.iter_mut().zip(velocities) {
        integrate(position, velocity);
    }
}

fn serial() -> Schedule {
    let mut schedule = Schedule::new();
    schedule.set_executor(Executor::Serial);
    schedule
}

fn iterate(count: usize) {
    let (mut rows, mut flat) = (vectors(count), vectors(count));
    let (mut each_world, mut each_schedule) = (movers(count), serial());
    each_schedule.add(each(integrate));
    let (mut chunk_world, mut chunk_schedule) = (movers(count), serial());
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
    schedule.set_executor(Executor::Serial);
    let (mut store, mut walk) = floor::tiny::systems();
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
            Candidate::new("floor: walk by hand", || walk.run(black_box(&mut store)).unwrap()),
            Candidate::new("serial schedule", || schedule.run(&mut world).unwrap()),
        ],
    );
}

fn get(count: usize) {
    let order = shuffled(count);
    let values: Vec<Position> = (0..count).map(|index| Position { x: index as f32, y: 0.0, z: 0.0 }).collect();
    let (world, entities) = scattered(&values);
    let reads: Vec<Entity> = order.iter().map(|&index| entities[index]).collect();
    // Where each entity's value is: one table step, as an entity's slot is.
    let table: Vec<u32> = (0..count as u32).collect();
    let query = world.query::<&Position, ()>();
    let handles = floor::get::handles(&order);
    let (flat, chunked) = (floor::get::Flat::new(values.clone()), floor::get::Chunked::new(&values, 4));
    mark(
        &format!("read {count} positions by entity in random order, per read, against indexing through a table"),
        count,
        vec![
            Candidate::new("raw: vector through a table of positions", || {
                black_box(order.iter().map(|&index| values[table[index] as usize].x).sum::<f32>());
            }),
            Candidate::new("floor: checked handle, one vector", || {
                black_box(handles.iter().map(|&handle| flat.get(handle).map_or(0.0, |value| value.x)).sum::<f32>());
            }),
            Candidate::new("floor: checked handle, chunks by hand", || {
                black_box(handles.iter().map(|&handle| chunked.get(handle).map_or(0.0, |value| value.x)).sum::<f32>());
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

/// A world that has the values in four archetypes, and their entities.
fn scattered(values: &[Position]) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let spawn = |(index, &position): (usize, &Position)| match index % 4 {
        0 => world.spawn(position),
        1 => world.spawn((position, VELOCITY)),
        2 => world.spawn((position, Numbered::<0>(0.0))),
        _ => world.spawn((position, VELOCITY, Numbered::<0>(0.0))),
    };
    let entities = values.iter().enumerate().map(spawn).collect();
    (world, entities)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == name);
    if wanted("iterate") {
        [10_000, 1_000_000].into_iter().for_each(iterate);
    }
    if wanted("tiny") {
        tiny();
    }
    if wanted("get") {
        [10_000, 100_000, 1_000_000].into_iter().for_each(get);
    }
}
