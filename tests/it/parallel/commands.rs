//! Commands from parallel loops: they take effect in the order of the program, whoever recorded them.

use tickweave::prelude::*;

use super::kit::{every_way_gives_the_same_bits, tiny_chunks};

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Parent(Entity);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Handle(u64);

fn spawned(count: u32) -> World {
    let mut world = tiny_chunks().with_component::<Parent>().with_component::<Handle>().build().unwrap();
    world.spawn_batch((0..count).map(Number));
    world
}

#[test]
fn commands_around_and_inside_of_loops_keep_the_order_of_the_program() {
    fn program(mut numbers: Query<(Entity, &Number)>, mut commands: Commands) {
        let first = commands.spawn(Number(1_000)).id();
        numbers.par_for_each_with(&mut commands, |(entity, number), lane| match number.0 % 5 {
            0 => lane.despawn(entity),
            1 => {
                let child = lane.spawn(Number(number.0 + 100)).id();
                lane.insert(child, Parent(first));
                lane.spawn(Parent(child));
            }
            2 => lane.insert(entity, Parent(entity)),
            _ => {}
        });
        let between = commands.spawn(Parent(first)).id();
        numbers.par_for_each_with(&mut commands, |(_, number), lane| {
            if number.0 % 3 == 0 {
                lane.spawn(Parent(between));
            }
        });
        commands.spawn((Number(2_000), Parent(between)));
    }
    every_way_gives_the_same_bits(4, || {
        let mut schedule = Schedule::new();
        schedule.add(program);
        schedule.add(program.named("once more"));
        (spawned(50), schedule)
    });
}

#[test]
fn commands_of_systems_over_rows_and_batches_keep_the_order_of_the_rows() {
    fn breed(entity: Entity, number: &Number, mut commands: Commands) {
        if number.0 % 4 == 1 {
            let child = commands.spawn(Number(number.0 * 7 % 31)).id();
            commands.insert(child, Parent(entity));
        }
        if number.0 % 4 == 2 {
            commands.despawn(entity);
        }
    }
    fn mark(entities: &[Entity], numbers: &[Number], mut commands: Commands) {
        let sum = numbers.iter().map(|number| number.0).sum::<u32>();
        if sum % 3 == 0 {
            commands.spawn((Number(sum), Parent(entities[0])));
        }
    }
    every_way_gives_the_same_bits(4, || {
        let mut schedule = Schedule::new();
        schedule.add(each(breed));
        schedule.add(chunk(mark));
        (spawned(60), schedule)
    });
}

#[test]
fn the_bits_of_pending_handles_are_the_same_for_every_executor() {
    every_way_gives_the_same_bits(3, || {
        let mut schedule = Schedule::new();
        schedule.add(|mut numbers: Query<&Number>, mut commands: Commands| {
            let before = commands.spawn(()).id().to_bits();
            commands.spawn(Handle(before));
            numbers.par_for_each_with(&mut commands, |number, lane| {
                let bits = lane.spawn(Number(number.0)).id().to_bits();
                lane.spawn(Handle(bits));
            });
            let after = commands.spawn(()).id().to_bits();
            commands.spawn(Handle(after));
        });
        schedule.add(each(|_: &Number, mut commands: Commands| {
            let bits = commands.spawn(()).id().to_bits();
            commands.spawn(Handle(bits));
        }));
        (spawned(20), schedule)
    });
}

#[test]
fn a_loop_in_a_loop_records_where_its_row_stands() {
    every_way_gives_the_same_bits(2, || {
        let mut schedule = Schedule::new();
        schedule.add(|mut numbers: Query<&mut Number>, parents: Query<(Entity, &Parent)>, mut commands: Commands| {
            numbers.par_for_each_with(&mut commands, |number, lane| {
                number.0 += 1;
                for (entity, _) in &parents {
                    lane.spawn((Number(number.0), Parent(entity)));
                }
            });
        });
        let mut world = spawned(12);
        let wolf = world.spawn(());
        world.spawn_batch([Parent(wolf), Parent(wolf), Parent(wolf)]);
        (world, schedule)
    });
}

#[test]
fn a_row_that_clears_its_lane_drops_the_commands_of_its_batch_whoever_claimed_it() {
    fn of_rows(number: &Number, mut commands: Commands) {
        commands.spawn(Number(number.0 + 100));
        if number.0 % 5 == 0 {
            commands.clear();
        }
        if commands.is_empty() {
            commands.spawn(Handle(number.0.into()));
        }
    }
    fn of_a_loop(mut numbers: Query<&Number>, mut commands: Commands) {
        commands.spawn(Number(1_000));
        numbers.par_for_each_with(&mut commands, of_loop_row);
        commands.spawn(Number(2_000));
    }
    fn of_loop_row(number: &Number, lane: &mut Lane) {
        if lane.is_empty() {
            lane.spawn(Handle(number.0.into()));
        }
        lane.spawn(Number(number.0 + 100));
        if number.0 % 7 == 0 {
            lane.clear();
            let bits = lane.spawn(()).id().to_bits();
            lane.spawn(Handle(bits));
        }
    }
    every_way_gives_the_same_bits(3, || {
        let mut schedule = Schedule::new();
        schedule.add(each(of_rows));
        schedule.add(of_a_loop);
        (spawned(20), schedule)
    });
}

#[test]
fn what_was_recorded_outside_of_a_batch_outlives_a_clear_in_it() {
    let mut schedule = Schedule::new();
    schedule.add(|mut numbers: Query<&Number>, mut commands: Commands| {
        commands.spawn(Handle(0));
        numbers.par_for_each_with(&mut commands, |number, lane| {
            lane.spawn(Handle(number.0.into()));
            if number.0 == 4 {
                lane.clear();
            }
        });
        commands.spawn(Handle(100));
    });
    let mut world = spawned(6);
    schedule.run(&mut world).unwrap();
    let handles: Vec<u64> = world.query::<&Handle, ()>().into_iter().map(|handle| handle.0).collect();
    assert_eq!(handles, [0, 0, 1, 2, 3, 5, 100]);
}
