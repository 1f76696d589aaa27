//! Components and worlds that the benchmarks share.

#![allow(dead_code, missing_docs, unreachable_pub, reason = "each benchmark uses a part of this")]

pub mod ratio;

use bytemuck::{Pod, Zeroable};
use tickweave::prelude::*;

#[derive(Component, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Position {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

#[derive(Component, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct Velocity {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub struct Matrix(pub [f32; 16]);

#[derive(Component, Clone, Copy)]
#[repr(C)]
pub struct Rotation(pub [f32; 3]);

/// A component type for each number.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub struct Numbered<const N: usize>(pub f32);

pub const VELOCITY: Velocity = Velocity { x: 1.0, y: 0.5, z: 0.25 };

pub fn body() -> (Matrix, Position, Rotation, Velocity) {
    (Matrix([1.0; 16]), Position::default(), Rotation([0.0; 3]), VELOCITY)
}

/// A world of entities that move.
pub fn movers(count: usize) -> World {
    let mut world = World::new();
    world.spawn_batch((0..count).map(|_| (Position::default(), VELOCITY)));
    world
}

pub fn integrate(position: &mut Position, velocity: &Velocity) {
    position.x += velocity.x;
    position.y += velocity.y;
    position.z += velocity.z;
}

/// The same over slices of floats.
pub fn integrate_flat(positions: &mut [Position], velocities: &[Velocity]) {
    let velocities: &[f32] = bytemuck::cast_slice(velocities);
    for (position, velocity) in bytemuck::cast_slice_mut::<_, f32>(positions).iter_mut().zip(velocities) {
        *position += velocity;
    }
}

/// A schedule of 200 systems, each of which adds 1 to a component of its own on one entity, and their world.
pub fn tiny_systems() -> (World, Schedule) {
    fn add_one<const N: usize>(value: &mut Numbered<N>) {
        value.0 += 1.0;
    }
    macro_rules! add_hundred {
        ($world:ident, $schedule:ident, $hundred:literal: $($ten:literal)*) => {
            $(add_hundred!(@ten $world, $schedule, $hundred * 100 + $ten * 10, 0 1 2 3 4 5 6 7 8 9);)*
        };
        (@ten $world:ident, $schedule:ident, $base:expr, $($one:literal)*) => {$(
            $world.spawn(Numbered::<{ $base + $one }>(0.0));
            $schedule.add(each(add_one::<{ $base + $one }>));
        )*};
    }
    let (mut world, mut schedule) = (World::new(), Schedule::new());
    add_hundred!(world, schedule, 0: 0 1 2 3 4 5 6 7 8 9);
    add_hundred!(world, schedule, 1: 0 1 2 3 4 5 6 7 8 9);
    (world, schedule)
}

/// Numbers below `limit` in an order that is random and always the same (an additive generator, MMIX constants by Knuth).
pub fn shuffled(limit: usize) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..limit).collect();
    let mut state = 42u64;
    for last in (1..limit).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        numbers.swap(last, (state >> 33) as usize % (last + 1));
    }
    numbers
}
