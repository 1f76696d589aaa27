//! Entities inside of events.

use tickweave::prelude::*;

use super::kit::quiet;
use crate::parallel::kit::every_way_gives_the_same_bits;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

#[derive(Clone, Debug, PartialEq, StateValue, Event)]
struct Birth {
    child: Entity,
    parents: Vec<Option<Entity>>,
}

#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
struct Born(Vec<(u32, Entity)>);

fn world() -> World {
    let mut world = quiet();
    world.add_event::<Birth>().unwrap();
    world.insert_resource(Born::default());
    world.spawn_batch((0..30).map(Number));
    world
}

fn breed(mut numbers: Query<(Entity, &Number)>, mut commands: Commands<Birth>) {
    let first = commands.spawn(Number(500)).id();
    commands.send(Birth { child: first, parents: Vec::new() });
    numbers.par_for_each_with(&mut commands, |(entity, number), lane| {
        if number.0 % 4 == 1 {
            let child = lane.spawn(Number(1_000 + number.0)).id();
            lane.send(Birth { child, parents: vec![Some(entity), None, Some(first)] });
        }
    });
}

fn breed_by_row(number: &Number, entity: Entity, mut commands: Commands<Birth>) {
    if number.0 % 6 == 2 {
        let child = commands.spawn(Number(2_000 + number.0)).id();
        commands.send(Birth { child, parents: vec![Some(entity)] });
    }
}

fn register(mut births: EventReader<Birth>, numbers: Query<&Number>, mut born: ResMut<Born>) {
    for birth in births.read() {
        let child = numbers.get(birth.child).expect("a real entity with a row");
        assert!(birth.parents.iter().flatten().all(|&parent| numbers.get(parent).is_ok()));
        born.0.push((child.0, birth.child));
    }
}

#[test]
fn pending_handles_inside_of_events_become_real_in_the_order_of_the_program() {
    let program = || {
        let mut schedule = Schedule::new();
        schedule.add(breed);
        schedule.add(each(breed_by_row));
        schedule.barrier();
        schedule.add(register);
        (world(), schedule)
    };
    let (mut world, mut schedule) = program();
    schedule.run(&mut world).unwrap();
    let born: Vec<u32> = world.resource::<Born>().unwrap().0.iter().map(|(number, _)| *number).collect();
    let of_rows = (0..30).filter(|number| number % 4 == 1).map(|number| 1_000 + number);
    let of_each = (0..30).filter(|number| number % 6 == 2).map(|number| 2_000 + number);
    assert_eq!(born, std::iter::once(500).chain(of_rows).chain(of_each).collect::<Vec<_>>());
    every_way_gives_the_same_bits(3, program);
}

#[test]
fn an_event_with_a_handle_that_no_lane_of_the_barrier_spawned_is_refused_and_counted() {
    let mut other = CommandBuffer::new();
    let stale = other.spawn(()).id();
    let mut world = world();
    let mut schedule = Schedule::new();
    schedule.add(move |mut births: EventWriter<Birth>| births.send(Birth { child: stale, parents: Vec::new() }));
    schedule.run(&mut world).unwrap();
    let report = schedule.report();
    assert_eq!((report.applied, report.refused, report.refusals[0].command), (0, 1, "send"));
    assert_eq!(report.refusals[0].reason.code(), "pending-unknown");
    assert!(world.events::<Birth>().unwrap().is_empty());
    schedule.set_strict(true);
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "command-refused");
}

#[test]
fn the_host_and_exclusive_systems_send_real_entities_only() {
    let mut world = world();
    let mut schedule = Schedule::new();
    schedule.add(|world: &mut World, mut commands: Commands| {
        let child = commands.spawn(Number(7)).id();
        let parents = vec![None, Some(child)];
        let real = world.spawn(());
        let error = world.send_event(Birth { child: real, parents }).unwrap_err();
        assert_eq!(error.code(), "event-pending");
        assert!(error.to_string().contains("Birth"), "{error}");
        world.despawn(real).unwrap();
        commands.send(Birth { child, parents: Vec::new() });
    });
    schedule.add(register);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Born>().unwrap().0.len(), 1);
}

#[test]
fn a_despawned_entity_stays_what_it_is_inside_of_an_event() {
    let mut world = world();
    let gone = world.spawn(());
    world.despawn(gone).unwrap();
    let mut buffer = CommandBuffer::new();
    buffer.send(Birth { child: gone, parents: Vec::new() });
    assert_eq!(buffer.apply(&mut world).applied, 1);
    assert_eq!(world.events::<Birth>().unwrap().iter().next().unwrap().child, gone);
}
