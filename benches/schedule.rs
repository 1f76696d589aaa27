//! What a schedule costs: 200 tiny systems.

#![allow(missing_docs, reason = "criterion's macros make public items")]

mod common;

use common::tiny_systems;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn tiny(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("200 tiny systems");
    group.throughput(Throughput::Elements(200));
    group.bench_function("serial", |bencher| {
        let (mut world, mut schedule) = tiny_systems();
        bencher.iter(|| schedule.run(&mut world).unwrap());
    });
    group.finish();
}

criterion_group!(benches, tiny);
criterion_main!(benches);
