//! Reading components by entity, in random order.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod common;

use std::hint::black_box;

use common::{Position, movers, shuffled};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tickweave::prelude::*;

const COUNT: usize = 100_000;

fn access(criterion: &mut Criterion) {
    let world = movers(COUNT);
    let entities: Vec<Entity> = world.query::<Entity, ()>().into_iter().collect();
    let reads: Vec<Entity> = shuffled(COUNT).into_iter().map(|index| entities[index]).collect();
    let mut group = criterion.benchmark_group("read 100,000 positions in random order");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("World::get", |bencher| {
        let read = |&entity: &Entity| world.get::<Position>(entity).map_or(0.0, |value| value.x);
        bencher.iter(|| black_box(reads.iter().map(read).sum::<f32>()));
    });
    group.bench_function("Query::get", |bencher| {
        let query = world.query::<&Position, ()>();
        let read = |&entity: &Entity| query.get(entity).map_or(0.0, |value| value.x);
        bencher.iter(|| black_box(reads.iter().map(read).sum::<f32>()));
    });
    group.finish();
}

criterion_group!(benches, access);
criterion_main!(benches);
