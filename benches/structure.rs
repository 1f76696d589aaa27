//! Changing structure: components that come and go, and the merge of commands.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod common;

use common::{Numbered, Position, VELOCITY, movers};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tickweave::prelude::*;

fn add_remove(criterion: &mut Criterion) {
    const COUNT: usize = 10_000;
    let mut world = World::new();
    let entities = world.spawn_batch((0..COUNT).map(|_| Numbered::<0>(0.0)));
    let mut group = criterion.benchmark_group("add a component to 10,000 entities, then remove it");
    group.throughput(Throughput::Elements(COUNT as u64));
    group.bench_function("insert, remove", |bencher| {
        bencher.iter(|| {
            for &entity in &entities {
                world.insert(entity, Numbered::<1>(0.0)).unwrap();
            }
            for &entity in &entities {
                world.remove::<Numbered<1>>(entity).unwrap();
            }
        });
    });
    group.finish();
}

fn replace_every_tenth(rows: Query<(Entity, &Position)>, mut commands: Commands) {
    for (index, (entity, _)) in rows.iter().enumerate() {
        if index % 10 == 0 {
            commands.despawn(entity);
            commands.spawn((Position::default(), VELOCITY));
        }
    }
}

fn merge(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("despawn and spawn 10,000 of 100,000 entities");
    group.throughput(Throughput::Elements(20_000));
    group.bench_function("system and merge", |bencher| {
        let (mut world, mut schedule) = (movers(100_000), Schedule::new());
        schedule.add(replace_every_tenth);
        bencher.iter(|| schedule.run(&mut world).unwrap());
    });
    group.bench_function("merge alone", |bencher| {
        let mut world = movers(100_000);
        let record = || {
            let mut buffer = CommandBuffer::new();
            for _ in 0..10_000 {
                buffer.spawn((Position::default(), VELOCITY));
            }
            buffer
        };
        bencher.iter_batched(record, |mut buffer| buffer.apply(&mut world), BatchSize::LargeInput);
        world.clear();
    });
    group.finish();
}

criterion_group!(benches, add_remove, merge);
criterion_main!(benches);
