//! An archetype entity-component world and a multithreaded scheduler for games and simulations with very many entities.
//!
//! **The promise:** same registrations and same inputs give the same bits, every tick, at any number of threads: entity ids,
//! order of rows, values, everything that decides the future. Rollback, lockstep, replay and desync hunting follow from that
//! promise, so they belong to the library and not to the homework of its users.
//!
//! **Not covered:** std's transcendental functions (`sin`, `exp`, `powf`), `powi`, `mul_add`, `min` and `max` of zeros with
//! different signs, the payloads of NaNs, statics, what closures capture, interior mutability in components, resources and
//! locals, clocks, input and output. Iteration of a `HashMap` has no order that can be promised. Big-endian targets do not
//! compile.
//!
//! The serial executor is the oracle: the parallel one, and virtual workers that are unkind on purpose, are tested against it
//! on random programs, after every tick.
//!
//! ```
//! use tickweave::prelude::*;
//!
//! #[derive(Component, Clone, Copy, Debug, PartialEq)]
//! #[repr(C)]
//! struct Position { x: f32, y: f32 }
//!
//! #[derive(Component, Clone, Copy)]
//! #[repr(C)]
//! struct Velocity { x: f32, y: f32 }
//!
//! #[derive(Component)]
//! struct Enemy; // a tag: one bit, no bytes
//!
//! fn integrate(position: &mut Position, velocity: &Velocity) {
//!     position.x += velocity.x;
//!     position.y += velocity.y;
//! }
//!
//! fn leave(enemies: Query<(Entity, &Position), With<Enemy>>, mut commands: Commands) {
//!     for (enemy, position) in &enemies {
//!         if position.x > 2.5 {
//!             commands.despawn(enemy);
//!         }
//!     }
//! }
//!
//! let play = |ticks| -> Result<_, Box<dyn std::error::Error>> {
//!     let mut world = World::new();
//!     world.spawn((Position { x: 0.0, y: 0.0 }, Velocity { x: 1.0, y: 0.5 }, Enemy));
//!     world.spawn((Position { x: 0.0, y: 9.0 }, Velocity { x: 1.0, y: 0.0 }));
//!     let mut schedule = Schedule::new();
//!     schedule.add(each(integrate));
//!     schedule.add(leave);
//!     for _ in 0..ticks {
//!         schedule.run(&mut world)?;
//!     }
//!     Ok((world.len(), world.state_hash()?))
//! };
//! assert_eq!(play(2)?.0, 2);
//! assert_eq!(play(3)?.0, 1);
//! assert_eq!(play(3)?.1, play(3)?.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Three doors
//!
//! 1. [`World`](world::World) alone: spawn, despawn, insert, remove, get, query, resources. No scheduler, no setup.
//! 2. [`Schedule`](schedule::Schedule) and a world: plain functions as systems, `schedule.run(&mut world)`. What a system
//!    touches follows from its parameters; the plan says why each edge is there.
//! 3. [`Simulation`](simulation::Simulation): fixed steps, inputs, phases with commit points, managers with typed commands, and
//!    the way back to an earlier tick.
//!
//! # Features
//!
//! | feature | what it does |
//! |---|---|
//! | `parallel` (default) | gives ticks threads, from rayon, and makes [`Executor::Parallel`](schedule::Executor) the default |
//! | `deterministic-serial` | makes the serial executor the default; the parallel one can still be set at run time if `parallel` is on too, and without it no thread pool is in the build |
//! | `trace` | spans of ticks, systems, barriers and batches for any subscriber of `tracing` |
//! | `tracy` | the same as zones of the Tracy profiler; builds C++ |
//!
//! With neither of the first two, ticks run on the caller's thread. The results are the same bits in all builds.
//!
//! # Pages
//!
//! In `docs/`, with programs that are tested: `determinism.md` (every order rule on one page), `components.md`, `systems.md`,
//! `commands.md`, `events.md`, `simulation.md` (phases, commit points, managers, the loop), `changes.md` (what counts as a change, and who sees it), `state.md` (snapshots, hashes,
//! rollback), `save.md` (worlds and levels as bytes, and what is refused), `random.md` (streams of random numbers),
//! `pools.md` (objects that are used again), `machines.md` (states, and the rules by which they change),
//! `threads.md` (pools, and what a system may do on them), `budgets.md` (how long systems may take), `records.md` (what is told
//! besides errors, by name),
//! `testing.md` (what holds the promise, and how to test a game), `loom.md` (models of what threads share), `profiling.md`,
//! `performance.md`, `limits.md` (named constants and what happens beyond them), `unsafe.md`, `house.md` (where each thing
//! lives), `glossary.md`.

extern crate self as tickweave;

pub mod access;
pub mod budget;
pub mod clock;
pub mod command;
pub mod component;
pub mod entity;
pub mod event;
pub mod executor;
#[cfg(not(tickweave_faults))]
mod fault;
#[cfg(tickweave_faults)]
#[doc(hidden)]
pub mod fault;
mod graph;
pub mod hash;
pub mod jobs;
#[doc(hidden)]
pub mod layout;
pub mod machine;
pub mod pool;
pub mod prelude;
mod profile;
pub mod query;
pub mod records;
pub mod rng;
pub mod save;
pub mod schedule;
pub mod simulation;
pub mod state;
mod storage;
mod sync;
pub mod system;
mod tuples;
pub mod value;
pub mod world;

/// Resources: values of which a world has one.
pub mod resource {
    pub use tickweave_derive::Resource;

    pub use crate::storage::resources::{InputResource, MutableResource, Resource, ResourceClass, ResourceDescriptor};
}

/// What the models of `loom-tests/` explore.
#[cfg(tickweave_loom)]
#[doc(hidden)]
pub mod kernels {
    pub use crate::jobs::kernels::*;
    pub use crate::profile::Label;
    pub use crate::storage::kernels::*;
    pub use crate::sync::{Countdown, Door, Failure, Latch, ReadyList, RefCount, RefCounts, Slots, Span};
}

#[cfg(target_endian = "big")]
compile_error!("tickweave keeps state as little-endian bytes; big-endian targets are not supported");

/// The programs of the pages outside of the source.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../README.md")]
    mod readme {}
    #[doc = include_str!("../docs/determinism.md")]
    mod determinism {}
    #[doc = include_str!("../docs/components.md")]
    mod components {}
    #[doc = include_str!("../docs/systems.md")]
    mod systems {}
    #[doc = include_str!("../docs/commands.md")]
    mod commands {}
    #[doc = include_str!("../docs/events.md")]
    mod events {}
    #[doc = include_str!("../docs/threads.md")]
    mod threads {}
    #[doc = include_str!("../docs/testing.md")]
    mod testing {}
    #[doc = include_str!("../docs/random.md")]
    mod random {}
    #[doc = include_str!("../docs/state.md")]
    mod state {}
    #[doc = include_str!("../docs/changes.md")]
    mod changes {}
    #[doc = include_str!("../docs/save.md")]
    mod save {}
    #[doc = include_str!("../docs/pools.md")]
    mod pools {}
    #[doc = include_str!("../docs/machines.md")]
    mod machines {}
    #[doc = include_str!("../docs/budgets.md")]
    mod budgets {}
    #[doc = include_str!("../docs/records.md")]
    mod records {}
    #[doc = include_str!("../docs/simulation.md")]
    mod simulation {}
}
