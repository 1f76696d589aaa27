//! Two threads against one, and against rayon by hand, in the same run.
//!
//! `cargo bench --bench parallel`. Each figure is a ratio to the first line of its block. The machine needs two cores that
//! nobody else uses: on a busy one no number of threads is worth anything. Names behind `--` choose blocks:
//! `cargo bench --bench parallel -- node tiny`.

mod common;
mod floor;

use std::cell::RefCell;
use std::hint::black_box;

use common::ratio::{Candidate, mark};
use common::{Matrix, Position, VELOCITY, Velocity, integrate, movers, tiny_systems};
use rayon::prelude::*;
use tickweave::prelude::*;

/// A world and its schedule, run by either executor: the same memory for both.
struct Program(RefCell<(World, Schedule)>);

impl Program {
    fn new((world, mut schedule): (World, Schedule)) -> Self {
        schedule.set_pool(Pool::new(2).unwrap());
        Self(RefCell::new((world, schedule)))
    }

    fn run(&self, executor: Executor) {
        let (world, schedule) = &mut *self.0.borrow_mut();
        schedule.set_executor(executor);
        schedule.run(world).unwrap();
    }

    /// Both executors, the serial one first.
    fn pair(&self) -> Vec<Candidate<'_>> {
        vec![
            Candidate::new("serial executor", || self.run(Executor::Serial)),
            Candidate::new("parallel executor, 2 threads", || self.run(Executor::Parallel)),
        ]
    }
}

/// Inverts a matrix of 4 by 4 a hundred times, by Gauss and Jordan.
fn invert_often(matrix: &mut [f32; 16]) {
    for _ in 0..100 {
        *matrix = invert(black_box(matrix));
    }
}

fn invert(matrix: &[f32; 16]) -> [f32; 16] {
    let mut left = *matrix;
    let mut right = [0.0; 16];
    (0..4).for_each(|at| right[at * 5] = 1.0);
    for pivot in 0..4 {
        let scale = 1.0 / left[pivot * 5];
        for column in 0..4 {
            left[pivot * 4 + column] *= scale;
            right[pivot * 4 + column] *= scale;
        }
        for row in (0..4).filter(|&row| row != pivot) {
            let factor = left[row * 4 + pivot];
            for column in 0..4 {
                left[row * 4 + column] -= factor * left[pivot * 4 + column];
                right[row * 4 + column] -= factor * right[pivot * 4 + column];
            }
        }
    }
    right
}

fn matrix() -> [f32; 16] {
    let mut matrix = [0.1; 16];
    (0..4).for_each(|at| matrix[at * 5] = 2.0);
    matrix
}

fn heavy_compute(threads: &rayon::ThreadPool) {
    let (raw, split) = (RefCell::new(vec![matrix(); 1_000]), RefCell::new(vec![matrix(); 1_000]));
    let mut world = World::new();
    world.spawn_batch((0..1_000).map(|_| Matrix(matrix())));
    let mut schedule = Schedule::new();
    schedule.add(each(|matrix: &mut Matrix| invert_often(&mut matrix.0)));
    let program = Program::new((world, schedule));
    let mut candidates = vec![
        Candidate::new("raw: loop over a vector", || raw.borrow_mut().iter_mut().for_each(invert_often)),
        Candidate::new("raw: rayon over a vector, 2 threads", || {
            let split = &mut *split.borrow_mut();
            threads.install(|| split.par_iter_mut().for_each(invert_often));
        }),
    ];
    candidates.extend(program.pair());
    mark("heavy_compute: 1,000 entities, 100 inversions of a 4 by 4 matrix each, per entity", 1_000, candidates);
}

fn simple_iteration(threads: &rayon::ThreadPool) {
    const COUNT: usize = 1_000_000;
    let vectors = || RefCell::new((vec![Position::default(); COUNT], vec![VELOCITY; COUNT]));
    let walk = |positions: &mut [Position], velocities: &[Velocity]| {
        positions.iter_mut().zip(velocities).for_each(|(position, velocity)| integrate(position, velocity));
    };
    let (one, two) = (vectors(), vectors());
    let mut schedule = Schedule::new();
    schedule.add(each(integrate));
    let program = Program::new((movers(COUNT), schedule));
    let mut candidates = vec![
        Candidate::new("raw: rayon, a half for each of 2 threads", || {
            let (positions, velocities) = &mut *two.borrow_mut();
            let (left, right) = positions.split_at_mut(COUNT / 2);
            threads.install(|| {
                rayon::join(|| walk(left, &velocities[..COUNT / 2]), || walk(right, &velocities[COUNT / 2..]))
            });
        }),
        Candidate::new("raw: loop over two vectors", || {
            let (positions, velocities) = &mut *one.borrow_mut();
            walk(positions, velocities);
        }),
    ];
    candidates.extend(program.pair());
    mark("move 1,000,000 entities, per entity, against rayon by hand", COUNT, candidates);
}

fn tiny() {
    let program = Program::new(tiny_systems());
    mark("a tick of 200 tiny systems, per tick", 1, program.pair());
}

/// Systems each of which waits for the one before it.
fn chain() {
    let mut world = World::new();
    world.spawn(Position::default());
    let mut schedule = Schedule::new();
    for _ in 0..100 {
        schedule.add(each(|position: &mut Position| position.x += 1.0));
    }
    mark("a tick of a chain of 100 tiny systems, per tick", 1, Program::new((world, schedule)).pair());
}

/// One system that takes about 15 microseconds on one thread, and the same rows by hand on two.
fn one_node() {
    fn body(position: &mut Position, velocity: &Velocity) {
        for _ in 0..8 {
            integrate(black_box(position), velocity);
        }
    }
    let mut schedule = Schedule::new();
    schedule.add(each(body));
    let program = Program::new((movers(2_500), schedule));
    let by_hand = floor::handover::Handover::new(2_500, |positions, velocities| {
        positions.iter_mut().zip(velocities).for_each(|(position, velocity)| body(position, velocity));
    });
    let mut candidates = program.pair();
    candidates.push(Candidate::new("floor: two threads by hand, a half each", || by_hand.run()));
    mark("a running tick with one node of some 15 microseconds, per tick", 1, candidates);
}

fn nothing() {
    mark("a tick without a system, per tick", 1, Program::new((World::new(), Schedule::new())).pair());
    let mut schedule = Schedule::new();
    schedule.set_max_systems(6_000);
    for _ in 0..6_000 {
        schedule.add(|| {});
    }
    mark("a tick of 6,000 systems that do nothing, per tick", 1, Program::new((World::new(), schedule)).pair());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let threads = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let blocks: [(&str, &dyn Fn()); 6] = [
        ("heavy", &|| heavy_compute(&threads)),
        ("iterate", &|| simple_iteration(&threads)),
        ("tiny", &tiny),
        ("chain", &chain),
        ("node", &one_node),
        ("nothing", &nothing),
    ];
    let wanted = |name: &str| arguments.is_empty() || arguments.iter().any(|argument| argument == name);
    blocks.iter().filter(|(name, _)| wanted(name)).for_each(|(_, run)| run());
}
