//! E9: random numbers that depend on who draws first.

use super::{Enemy, Number};
use tickweave::prelude::*;

#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
struct Rolls(Vec<u32>);

fn roll(mut rolls: ResMut<Rolls>, mut rng: Rng) {
    rolls.0.push(rng.range(1..=6));
}

fn scatter(mut rows: Query<(Entity, &mut Number), Without<Enemy>>, rng: Rng) {
    rows.par_for_each(|(entity, number)| number.0 = rng.for_entity(entity).next_u32());
}

fn rush(number: &mut Number, mut rng: Rng) {
    number.0 = rng.next_u32();
}

/// What three systems drew, with others around them.
fn drawn(others: &[usize], executor: Executor) -> (Rolls, Vec<(Entity, u32)>) {
    let mut world = World::builder().seed(9).chunk_rows(8).batch_rows(2).build().unwrap();
    world.insert_resource(Rolls::default());
    world.spawn_batch((0..30).map(Number));
    world.spawn_batch((0..30).map(|number| (Number(number), Enemy)));
    let mut schedule = Schedule::new();
    schedule.set_executor(executor);
    for place in 0..=3 {
        if others.contains(&place) {
            schedule.add((|_: Query<&Number>| {}).named(format!("looks at {place}")));
            schedule.add((|mut rng: Rng| assert_ne!(rng.next_u64(), 0)).named(format!("draws at {place}")));
        }
        match place {
            0 => _ = schedule.add(roll.named("roll")),
            1 => _ = schedule.add(scatter.named("scatter")),
            2 => _ = schedule.add(each(rush).filter::<With<Enemy>>().named("rush")),
            _ => {}
        }
    }
    for _ in 0..3 {
        schedule.run(&mut world).unwrap();
    }
    let rows = world.query::<(Entity, &Number), ()>().iter().map(|(entity, number)| (entity, number.0)).collect();
    (world.resource::<Rolls>().unwrap().clone(), rows)
}

#[test]
fn e9_another_system_shifts_no_stream_wherever_it_stands_and_whoever_runs_it() {
    let alone = drawn(&[], Executor::Serial);
    for others in [&[0][..], &[1], &[2], &[3], &[0, 1, 2, 3]] {
        assert_eq!(drawn(others, Executor::Serial), alone);
        assert_eq!(drawn(others, Executor::Parallel), alone);
        for seed in 0..8 {
            assert_eq!(drawn(others, Executor::Virtual { workers: 7, seed }), alone);
        }
    }
}
