//! What a rollback of eight ticks costs, against eight plain ticks in the same run.
//!
//! `cargo bench --bench rollback` has 100,000 entities of 48 bytes. A rollback goes back eight ticks and runs them again, with the
//! hash and a snapshot of each; times are per tick. These machines are shared: compare ratios of one run, never times of two.
//! Names behind `--` choose games: `cargo bench --bench rollback -- calm`.

mod common;

use std::hint::black_box;

use common::ratio::{Candidate, mark};
use common::{Position, Rotation, VELOCITY, Velocity, integrate};
use tickweave::hash::StateHasher;
use tickweave::prelude::*;
use tickweave::state::SnapshotRing;

const ENTITIES: usize = 100_000;
/// With these five chunks of fifty are written: a tenth of the blocks.
const AWAKE: usize = 9_800;
const TICKS: u64 = 8;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Extra([f32; 3]);

#[derive(Component)]
struct Awake;

/// What a system that only looks found.
#[derive(Clone, Default, StateValue, Resource)]
struct Seen(f32);

fn body() -> (Position, Velocity, Rotation, Extra) {
    (Position::default(), VELOCITY, Rotation([0.0; 3]), Extra([1.0; 3]))
}

/// Work on one entity that takes some ten nanoseconds: a chain of roots, which no compiler can shorten.
fn ponder(mut value: f32) -> f32 {
    for _ in 0..13 {
        value = (value + 1.0).sqrt();
    }
    value
}

fn look(bodies: Query<(&Position, &Velocity)>, mut seen: ResMut<Seen>) {
    seen.0 = bodies.iter().map(|(position, velocity)| ponder(position.x * velocity.y)).sum();
}

fn wake(bodies: Query<(&mut Position, &mut Velocity, &mut Rotation, &mut Extra), With<Awake>>) {
    bodies.into_iter().for_each(|(position, velocity, rotation, extra)| live(position, velocity, rotation, extra));
}

fn live(position: &mut Position, velocity: &mut Velocity, rotation: &mut Rotation, extra: &mut Extra) {
    integrate(position, velocity);
    velocity.z = ponder(position.x);
    rotation.0[0] += velocity.y;
    extra.0[0] += rotation.0[0];
}

/// A world with what happens there in a tick, and the last ticks.
struct Game {
    world: World,
    schedule: Schedule,
    ring: SnapshotRing,
}

impl Game {
    fn new(executor: Executor, fill: impl FnOnce(&mut Schedule)) -> Self {
        let (mut world, mut schedule) = (World::new(), Schedule::new());
        world.insert_resource(Seen::default());
        world.spawn_batch((0..AWAKE).map(|_| (body(), Awake)));
        world.spawn_batch((AWAKE..ENTITIES).map(|_| body()));
        schedule.set_executor(executor);
        fill(&mut schedule);
        let mut game = Self { world, schedule, ring: SnapshotRing::new(TICKS as usize + 1) };
        game.keep();
        game.play(Self::keep);
        game
    }

    /// Runs eight ticks, with something behind each.
    fn play(&mut self, mut behind: impl FnMut(&mut Self)) {
        for _ in 0..TICKS {
            self.schedule.run(&mut self.world).expect("a tick");
            behind(self);
        }
    }

    /// The hash first: the snapshot keeps what is known of the blocks.
    fn keep(&mut self) {
        black_box(self.world.state_hash().expect("Data"));
        self.ring.push(&self.world).expect("Data");
    }

    fn roll_back(&mut self) {
        let first = self.world.tick() - TICKS;
        assert!(self.ring.restore(first, &mut self.world).expect("the same world"));
        self.play(Self::keep);
    }
}

/// The least that a rollback moves, without the library: a copy and a hash of as many bytes as a tick writes, piece by piece,
/// so that each is hashed while it is in the cache.
struct ByHand {
    state: Vec<u8>,
    ring: Vec<Vec<u8>>,
}

impl ByHand {
    const PIECE: usize = 24 << 10;

    fn new(written: usize) -> Self {
        Self { state: vec![1; written], ring: vec![vec![2; written]; TICKS as usize + 1] }
    }

    fn keep(&mut self) {
        self.ring.rotate_left(1);
        let kept = &mut self.ring[0];
        for (from, to) in self.state.chunks(Self::PIECE).zip(kept.chunks_mut(Self::PIECE)) {
            to.copy_from_slice(from);
            let mut hasher = StateHasher::new(0);
            hasher.bytes(to);
            black_box(hasher.finish());
        }
    }

    fn restore(&mut self) {
        self.state.copy_from_slice(&self.ring[0]);
    }
}

/// Plain ticks of a game that writes as many bytes, and rollbacks of the same.
fn compare(title: &str, written: usize, executor: Executor, fill: impl Fn(&mut Schedule)) {
    let [mut plain, mut floor, mut kept, mut back] = [(); 4].map(|()| Game::new(executor, &fill));
    let mut by_hand = ByHand::new(written);
    mark(
        &format!("{title}, {executor:?}: eight ticks, per tick"),
        TICKS as usize,
        vec![
            Candidate::new("plain", || plain.play(|_| {})),
            Candidate::new("floor: with copies and hashes by hand", || {
                by_hand.restore();
                floor.play(|_| by_hand.keep());
            }),
            Candidate::new("with hash and snapshot", || kept.play(Game::keep)),
            Candidate::new("rollback, with hash and snapshot", || back.roll_back()),
        ],
    );
}

fn main() {
    let chosen: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.iter().any(|chosen| chosen == name);
    for executor in [Executor::Serial, Executor::Parallel] {
        if is_chosen("calm") {
            compare(
                "calm: a millisecond of looking, a tenth of the blocks is written",
                AWAKE * 48,
                executor,
                |schedule| {
                    schedule.add(look);
                    schedule.add(wake);
                },
            );
        }
        if is_chosen("busy") {
            compare("busy: a millisecond of work that writes all", ENTITIES * 48, executor, |schedule| {
                schedule.add(each(live));
            });
        }
        if is_chosen("light") {
            compare("light: one system that rewrites a column", ENTITIES * 12, executor, |schedule| {
                schedule.add(each(integrate));
            });
        }
    }
}
