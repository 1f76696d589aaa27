//! Passing over rows: struct by struct, as flat slices, over many small archetypes.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod common;

use common::{Numbered, Position, Velocity, integrate, integrate_flat, movers};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use tickweave::prelude::*;

fn iterate(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("move entities");
    for count in [10_000, 1_000_000] {
        group.throughput(Throughput::Elements(count as u64));
        group.bench_with_input(BenchmarkId::new("each", count), &count, |bencher, &count| {
            let (mut world, mut schedule) = (movers(count), Schedule::new());
            schedule.add(each(integrate));
            bencher.iter(|| schedule.run(&mut world).unwrap());
        });
        group.bench_with_input(BenchmarkId::new("chunk, flat", count), &count, |bencher, &count| {
            let (mut world, mut schedule) = (movers(count), Schedule::new());
            schedule.add(chunk(integrate_flat));
            bencher.iter(|| schedule.run(&mut world).unwrap());
        });
        group.bench_with_input(BenchmarkId::new("query", count), &count, |bencher, &count| {
            let mut world = movers(count);
            bencher.iter(|| {
                for (position, velocity) in world.query_mut::<(&mut Position, &Velocity), ()>() {
                    integrate(position, velocity);
                }
            });
        });
    }
    group.finish();
}

fn fragmented(criterion: &mut Criterion) {
    let mut world = World::new();
    macro_rules! archetypes {
        ($($number:literal)*) => {
            $(world.spawn_batch((0..20).map(|_| (Numbered::<{ 100 + $number }>(1.0), Numbered::<0>(1.0))));)*
        };
    }
    archetypes!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25);
    let mut group = criterion.benchmark_group("double 520 values in 26 archetypes");
    group.bench_function("query", |bencher| {
        let mut query = PreparedQuery::<&mut Numbered<0>>::new();
        bencher.iter(|| query.query_mut(&mut world).for_each(|value| value.0 *= 2.0));
    });
    group.finish();
}

criterion_group!(benches, iterate, fragmented);
criterion_main!(benches);
