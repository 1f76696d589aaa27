//! Random numbers on many hands.

use super::kit::{every_way_gives_the_same_bits, tiny_chunks};
use crate::systems::kit::{A, B, spawn};
use tickweave::prelude::*;

fn wander(a: &mut A, mut rng: Rng) {
    a.0 += rng.range(-3..=3);
}

fn split(a: &A, mut rng: Rng, mut commands: Commands) {
    if rng.chance(1, 16) {
        spawn(&mut commands, (A(a.0), B(rng.range(0..100))));
    }
}

fn cull(mut rows: Query<(Entity, &A)>, mut commands: Commands, rng: Rng) {
    rows.par_for_each_with(&mut commands, |(entity, _), lane| {
        if rng.for_entity(entity).chance(1, 20) {
            lane.despawn(entity);
        }
    });
}

fn jolt(mut rows: Query<&mut B>, mut rng: Rng) {
    let jolt: i32 = rng.range(0..10);
    rows.par_for_each(|b| b.0 ^= jolt);
}

fn sow(mut commands: Commands, mut rng: Rng) {
    let mut seeds = [1, 2, 3, 4];
    rng.shuffle(&mut seeds);
    let kept = rng.range(0..=seeds.len());
    seeds[..kept].iter().for_each(|&seed| spawn(&mut commands, A(seed)));
}

#[test]
fn streams_of_systems_and_of_rows_are_the_same_for_any_number_of_hands() {
    every_way_gives_the_same_bits(8, || {
        let mut world = tiny_chunks().seed(0x5eed).build().unwrap();
        world.spawn_batch((0..40).map(A));
        world.spawn_batch((0..40).map(|number| (A(number), B(number))));
        let mut schedule = Schedule::new();
        schedule.add(each(wander).named("wander"));
        schedule.add(jolt.named("jolt"));
        schedule.add(each(split).named("split"));
        schedule.add(cull.named("cull").every(2));
        schedule.add(sow.named("sow"));
        (world, schedule)
    });
}
