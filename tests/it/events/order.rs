//! The order of events is that of the schedule and of the program, whoever sent them.

use tickweave::prelude::*;

use super::kit::{Heard, Noise, heard, listen, quiet, run};
use crate::parallel::kit::every_way_gives_the_same_bits;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

#[derive(Component)]
struct Odd;

fn by_row(number: &Number, mut noises: EventWriter<Noise>) {
    if number.0 % 3 != 0 {
        noises.send(Noise(1_000 + number.0));
    }
}

fn by_batch(numbers: &[Number], mut noises: EventWriter<Noise>) {
    noises.send(Noise(2_000 + numbers[0].0));
    noises.send(Noise(2_000 + numbers.iter().map(|number| number.0).sum::<u32>()));
}

fn by_loop(mut numbers: Query<&Number>, mut noises: EventWriter<Noise>) {
    noises.send(Noise(3_000));
    numbers.par_for_each_with(&mut noises, |number, lane| lane.send(Noise(3_100 + number.0)));
    noises.send(Noise(3_900));
}

fn by_loop_in_loop(mut odd: Query<&Number, With<Odd>>, numbers: Query<&Number>, mut commands: Commands<Noise>) {
    odd.par_for_each_with(&mut commands, |outer, lane| {
        lane.send(Noise(4_000 + outer.0 * 10));
        for inner in numbers.iter().filter(|inner| inner.0 < 3) {
            lane.send(Noise(4_000 + outer.0 * 10 + 1 + inner.0));
        }
    });
}

fn churn(rows: Query<(Entity, &Number)>, tick: Tick, mut commands: Commands) {
    for (entity, number) in &rows {
        if (number.0 + tick.0 as u32) % 5 == 0 {
            commands.despawn(entity);
            commands.spawn((Number(number.0), Odd));
        }
    }
}

fn populated() -> World {
    let mut world = quiet();
    world.spawn_batch((0..20).map(Number));
    world.spawn_batch((20..41).map(|number| (Number(number), Odd)));
    world
}

#[test]
fn events_of_rows_batches_and_loops_stand_in_the_order_of_schedule_archetype_row_and_call() {
    let mut world = populated();
    let mut schedule = Schedule::new();
    schedule.add(by_loop.after("by_row"));
    schedule.add(chunk(by_batch).filter::<With<Odd>>());
    schedule.add(each(by_row));
    schedule.barrier();
    schedule.add(listen);
    run(&mut schedule, &mut world, 1);

    let mut expected = Vec::new();
    let rows: Vec<u32> = (20..41).collect();
    // Eight rows to a chunk, two to a batch: the last batch has one.
    for batch in rows.chunks(2) {
        expected.extend([2_000 + batch[0], 2_000 + batch.iter().sum::<u32>()]);
    }
    expected.extend((0..41).filter(|number| number % 3 != 0).map(|number| 1_000 + number));
    expected.push(3_000);
    expected.extend((0..41).map(|number| 3_100 + number));
    expected.push(3_900);
    assert_eq!(heard(&mut world), expected);
}

#[test]
fn parallel_writers_give_the_events_of_the_serial_run_at_any_number_of_threads_and_to_virtual_workers() {
    every_way_gives_the_same_bits(5, || {
        let mut schedule = Schedule::new();
        schedule.add(each(by_row));
        schedule.add(by_loop);
        schedule.add(listen.named("early"));
        schedule.add(chunk(by_batch));
        schedule.barrier();
        schedule.add(by_loop_in_loop);
        schedule.add(churn);
        schedule.add(listen.named("late"));
        (populated(), schedule)
    });
}

#[test]
fn an_event_type_makes_no_edge_between_those_that_send_and_those_that_read_it() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add((|_: EventWriter<Noise>| {}).named("one"));
    schedule.add((|_: EventReader<Noise>| {}).named("two"));
    schedule.add((|_: EventReader<Noise>| {}).named("three"));
    schedule.add((|_: Commands<Noise>| {}).named("four"));
    let plan = schedule.build(&mut world).unwrap();
    assert!(plan.edges().is_empty(), "{}", plan.explain());
    assert_eq!(plan.segments().len(), 1);
}

#[test]
fn commands_and_events_of_one_lane_take_effect_in_the_order_of_the_program() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(|mut commands: Commands<Noise>| {
        commands.send(Noise(1));
        commands.queue(|world| world.send_event(Noise(2)).unwrap());
        commands.send(Noise(3));
        commands.queue(|world| assert!(world.events::<Noise>().unwrap().is_empty(), "not committed yet"));
    });
    schedule.barrier();
    schedule.add(listen);
    run(&mut schedule, &mut world, 1);
    assert_eq!(world.resource::<Heard>().unwrap().0, [1, 2, 3]);
    assert_eq!(schedule.report().applied, 4);
}
