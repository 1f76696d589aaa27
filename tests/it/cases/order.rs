//! E7: work that is cut off by a count, so that the order of rows decides what is done.

use super::{Enemy, Number};
use crate::parallel::kit::{every_way, every_way_gives_the_same_bits, tiny_chunks};
use tickweave::prelude::*;

/// How many rows were done in all: the place in the order of the query from which the next tick goes on.
#[derive(Clone, Default, StateValue, Resource)]
struct Done(u64);

const AT_A_TIME: usize = 7;

fn some_of_them(mut rows: Query<&mut Number>, mut done: ResMut<Done>) {
    let count = rows.count();
    for step in 0..AT_A_TIME.min(count) {
        let at = (done.0 as usize + step) % count;
        let number = rows.iter_mut().nth(at).expect("a place among them");
        number.0 = number.0.wrapping_mul(5).wrapping_add(done.0 as u32);
    }
    done.0 += AT_A_TIME as u64;
}

/// Moves rows between archetypes all the time.
fn churn(entity: Entity, number: &Number, enemy: Option<&Enemy>, mut commands: Commands) {
    match (number.0 % 8, enemy) {
        (0, _) => _ = commands.spawn(Number(number.0 / 3)),
        (1, _) => commands.despawn(entity),
        (2 | 3, None) => commands.insert(entity, Enemy),
        (4 | 5, Some(_)) => commands.remove::<Enemy>(entity),
        _ => {}
    }
}

fn program() -> (World, Schedule) {
    let mut world = tiny_chunks().build().unwrap();
    world.insert_resource(Done::default());
    world.spawn_batch((0..40).map(Number));
    let mut schedule = Schedule::new();
    schedule.add(some_of_them);
    schedule.add(each(churn));
    (world, schedule)
}

#[test]
fn e7_a_part_of_the_rows_at_a_time_is_the_same_part_whoever_runs() {
    every_way_gives_the_same_bits(12, program);
}

#[test]
fn e7_it_is_the_same_part_after_a_restore_at_any_tick() {
    for way in every_way() {
        let (mut world, mut schedule) = program();
        way.prepare(&mut schedule);
        for _ in 0..12 {
            let before = world.snapshot().unwrap();
            let mut tick = |world: &mut World| {
                schedule.run(world).unwrap();
                world.state_hash().unwrap()
            };
            let first = [tick(&mut world), tick(&mut world)];
            world.restore(&before).unwrap();
            let again = [tick(&mut world), tick(&mut world)];
            assert_eq!(again, first, "{way:?}");
            world.restore(&before).unwrap();
            tick(&mut world);
        }
    }
}
