//! Making entities: one at a time and in batches.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod common;

use common::body;
use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use tickweave::prelude::*;

const COUNT: usize = 10_000;

fn spawn(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("10,000 entities of four components");
    group.bench_function("spawn", |bencher| {
        let make = |mut world: World| {
            for _ in 0..COUNT {
                world.spawn(body());
            }
            world
        };
        bencher.iter_batched(World::new, make, BatchSize::LargeInput);
    });
    group.bench_function("spawn_batch", |bencher| {
        let make = |mut world: World| {
            world.spawn_batch((0..COUNT).map(|_| body()));
            world
        };
        bencher.iter_batched(World::new, make, BatchSize::LargeInput);
    });
    group.finish();
}

criterion_group!(benches, spawn);
criterion_main!(benches);
