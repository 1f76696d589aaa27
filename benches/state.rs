//! What state as a value costs, against copies of the same bytes in the same run.
//!
//! `cargo bench --bench state` times only the part of each candidate that its name says, round after round, one candidate
//! after the other, and prints the median of each and of its ratio to the first. These machines are shared: compare ratios of
//! one run, never times of two.

#![expect(unsafe_code, reason = "a global allocator that counts")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{Position, Rotation, VELOCITY, Velocity, integrate};
use tickweave::prelude::*;
use tickweave::state::{Snapshot, SnapshotRing};

const ROUNDS: usize = 21;

/// The allocator of the system, which counts the bytes that are in use.
struct Counted;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes to the allocator of the system with the arguments that it came with.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        IN_USE.fetch_add(layout.size(), Ordering::Relaxed);
        // SAFETY: the contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// 48 bytes.
type Body = (Position, Velocity, Rotation, Extra);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Extra([f32; 3]);

fn body() -> Body {
    (Position::default(), VELOCITY, Rotation([0.0; 3]), Extra([1.0; 3]))
}

fn world(entities: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..entities).map(|_| body()));
    world
}

fn timed(work: impl FnOnce()) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    let start = Instant::now();
    work();
    start.elapsed()
}

type Candidate<'a> = (&'static str, Box<dyn FnMut() -> Duration + 'a>);

/// Prints each candidate's median time, and its ratio to the first candidate.
fn compare(title: &str, mut candidates: Vec<Candidate<'_>>) {
    candidates.iter_mut().for_each(|(_, run)| _ = [run(), run()]);
    let rounds: Vec<Vec<f64>> =
        (0..ROUNDS).map(|_| candidates.iter_mut().map(|(_, run)| run().as_secs_f64() * 1e6).collect()).collect();
    println!("{title}");
    for (index, (name, _)) in candidates.iter().enumerate() {
        let time = median(rounds.iter().map(|round| round[index]));
        let ratio = median(rounds.iter().map(|round| round[index] / round[0]));
        println!("  {name:<56} {time:>12.1} us  {ratio:>8.4}x");
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A copy of so many bytes.
fn memcpy<'a>(bytes: usize) -> Candidate<'a> {
    let (from, mut to) = (vec![1u8; bytes], vec![2u8; bytes]);
    ("memcpy of the bytes", Box::new(move || timed(|| black_box(&mut to).copy_from_slice(black_box(&from)))))
}

/// Writes one row in every chunk of a hundredth of the chunks of each column, others each time.
fn touch_a_hundredth(world: &mut World, round: &mut usize) {
    const CHUNK: usize = tickweave::world::CHUNK_ROWS as usize;
    *round += 1;
    let round = *round;
    let mut query = world.query_mut::<(
        Write<'static, Position>,
        Write<'static, Velocity>,
        Write<'static, Rotation>,
        Write<'static, Extra>,
    ), ()>();
    for (row, (mut position, mut velocity, mut rotation, mut extra)) in query.iter_mut().enumerate() {
        if row % CHUNK == 0 && (row / CHUNK + round) % 100 == 0 {
            position.x += 1.0;
            velocity.x += 1.0;
            rotation.0[0] += 1.0;
            extra.0[0] += 1.0;
        }
    }
}

fn write_all(world: &mut World) {
    world.query_mut::<(&mut Position, &mut Velocity, &mut Rotation, &mut Extra), ()>().for_each(
        |(position, velocity, rotation, extra)| {
            integrate(position, velocity);
            velocity.x += 1.0;
            rotation.0[0] += 1.0;
            extra.0[0] += 1.0;
        },
    );
}

/// Snapshots of a large world, of which little changed.
fn snapshots() {
    let bytes = 64 << 20;
    let entities = bytes / 48;
    let still = world(entities);
    still.state_hash().expect("Data");
    let mut moving = world(entities);
    let (mut changed, mut warm) = (world(entities), Snapshot::new());
    let mut ring = SnapshotRing::new(3);
    moving.state_hash().expect("Data");
    let mut round = 0;
    compare(
        "a world of 64 MiB of components",
        vec![
            memcpy(bytes),
            (
                "first snapshot, into a new one",
                Box::new(|| {
                    let mut fresh = Snapshot::new();
                    let time = timed(|| still.snapshot_into(&mut fresh).expect("Data"));
                    drop(fresh);
                    time
                }),
            ),
            (
                "a snapshot when all blocks are others than in the one overwritten",
                Box::new(|| {
                    write_all(&mut changed);
                    timed(|| changed.snapshot_into(&mut warm).expect("Data"))
                }),
            ),
            (
                "snapshot and root hash after 1 % of the blocks changed",
                Box::new(|| {
                    touch_a_hundredth(&mut moving, &mut round);
                    timed(|| {
                        ring.push(&moving).expect("Data");
                        black_box(moving.state_hash().expect("Data"));
                    })
                }),
            ),
        ],
    );
}

/// The root hash after all of a world changed.
fn hashes(bytes: usize) {
    let mut world = world(bytes / 48);
    compare(
        &format!("root hash, {} MiB changed", bytes >> 20),
        vec![
            memcpy(bytes),
            (
                "root hash",
                Box::new(|| {
                    write_all(&mut world);
                    timed(|| _ = black_box(world.state_hash().expect("Data")))
                }),
            ),
        ],
    );
}

/// What a snapshot costs whoever writes all afterwards.
fn copies(bytes: usize) {
    let (mut plain, mut kept) = (world(bytes / 48), world(bytes / 48));
    let mut ring = SnapshotRing::new(3);
    compare(
        &format!("a tick that writes all of {} MiB", bytes >> 20),
        vec![
            memcpy(bytes),
            ("without a snapshot", Box::new(|| timed(|| write_all(&mut plain)))),
            (
                "after a snapshot",
                Box::new(|| {
                    ring.push(&kept).expect("Data");
                    timed(|| write_all(&mut kept))
                }),
            ),
        ],
    );
}

/// What a world takes, and what it takes with its snapshots of the last 60 ticks, each of which changed 1 % of the blocks.
fn memory_of_a_ring() {
    const TICKS: usize = 60;
    let before = IN_USE.load(Ordering::Relaxed);
    let in_use = || (IN_USE.load(Ordering::Relaxed) - before) as f64;
    let mut world = world((64 << 20) / 48);
    world.state_hash().expect("Data");
    let alone = in_use();
    let (mut ring, mut ticks, mut round) = (SnapshotRing::new(TICKS), Schedule::new(), 0);
    for _ in 0..2 * TICKS {
        touch_a_hundredth(&mut world, &mut round);
        ticks.run(&mut world).expect("no system");
        ring.push(&world).expect("Data");
        world.state_hash().expect("Data");
    }
    assert_eq!(ring.len(), TICKS);
    println!("memory of a world of 64 MiB of components");
    println!("  alone {:>66.1} MiB", alone / f64::from(1 << 20));
    println!(
        "  with {TICKS} snapshots, 1 % of the blocks changed per tick {:>25.1} MiB  {:>8.4}x",
        in_use() / f64::from(1 << 20),
        in_use() / alone
    );
}

fn main() {
    memory_of_a_ring();
    snapshots();
    hashes(64 << 20);
    hashes(4 << 20);
    copies(64 << 20);
    copies(4 << 20);
}
