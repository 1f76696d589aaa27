//! Named query rows: what `derive(QueryRow)` generates, seen from a user's crate.

use std::marker::PhantomData;

use tickweave::prelude::*;
use tickweave::query::{QueryData, ReadOnlyQueryData};

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Position(f32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Velocity(f32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct Health(u32);

#[derive(Component)]
struct Enemy;

#[derive(QueryRow)]
struct Mover<'w> {
    position: &'w mut Position,
    velocity: &'w Velocity,
    entity: Entity,
    health: Option<&'w Health>,
}

#[derive(QueryRow)]
struct Sighting<'w> {
    position: &'w Position,
    #[query_row(term = "Has<Enemy>")]
    hostile: bool,
}

fn world_of_two() -> (World, Entity, Entity) {
    let mut world = World::new();
    let wolf = world.spawn((Position(1.0), Velocity(0.5), Enemy));
    let sheep = world.spawn((Position(4.0), Velocity(-1.0), Health(3)));
    world.spawn(Velocity(9.0));
    (world, wolf, sheep)
}

#[test]
fn a_row_is_fetched_as_the_tuple_of_its_fields() {
    let (mut world, wolf, sheep) = world_of_two();
    let mut seen = Vec::new();
    for mover in world.query_mut::<Mover, ()>() {
        mover.position.0 += mover.velocity.0;
        seen.push((mover.entity, mover.health.copied()));
    }
    assert_eq!(seen, [(wolf, None), (sheep, Some(Health(3)))]);
    assert_eq!(world.get::<Position>(wolf).unwrap(), &Position(1.5));
    assert_eq!(world.get::<Position>(sheep).unwrap(), &Position(3.0));
}

#[test]
fn a_row_is_a_parameter_of_a_system_and_goes_with_filters() {
    fn stop(mut movers: Query<Mover, Without<Enemy>>) {
        for mover in &mut movers {
            mover.position.0 = 0.0;
        }
    }
    fn look(sightings: Query<Sighting>, mut peaceful: Local<u32>) -> Result<(), String> {
        *peaceful = sightings.iter().filter(|seen| !seen.hostile).count() as u32;
        if *peaceful == 1 { Ok(()) } else { Err(format!("{} peaceful", *peaceful)) }
    }
    let (mut world, wolf, sheep) = world_of_two();
    let mut schedule = crate::serial();
    schedule.add(stop);
    schedule.add(look);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.get::<Position>(wolf).unwrap(), &Position(1.0));
    assert_eq!(world.get::<Position>(sheep).unwrap(), &Position(0.0));
}

#[test]
fn a_row_that_only_reads_yields_itself_in_shared_iteration() {
    let (world, wolf, sheep) = world_of_two();
    let sightings = world.query::<Sighting, ()>();
    let seen: Vec<(f32, bool)> = (&sightings).into_iter().map(|seen| (seen.position.0, seen.hostile)).collect();
    assert_eq!(seen, [(1.0, true), (4.0, false)]);
    assert!(sightings.get(wolf).unwrap().hostile && !sightings.get(sheep).unwrap().hostile);
}

#[test]
fn a_row_that_writes_yields_the_tuple_of_its_terms_in_shared_iteration() {
    let (mut world, wolf, _) = world_of_two();
    let movers = world.query_mut::<Mover, ()>();
    let (position, velocity, entity, health) = movers.get(wolf).unwrap();
    assert_eq!((position, velocity, entity, health), (&Position(1.0), &Velocity(0.5), wolf, None));
    assert_eq!(movers.iter().map(|(position, ..)| position.0).sum::<f32>(), 5.0);
}

#[test]
fn rows_of_different_entities_can_be_held_at_the_same_time() {
    let (mut world, wolf, sheep) = world_of_two();
    let mut movers = world.query_mut::<Mover, ()>();
    let [first, second] = movers.get_many_mut([wolf, sheep]).unwrap();
    core::mem::swap(first.position, second.position);
    assert_eq!(world.get::<Position>(wolf).unwrap(), &Position(4.0));
}

#[test]
fn rows_nest_and_take_tuples_and_write_terms() {
    #[derive(QueryRow)]
    #[query_row(writes)]
    struct Outer<'w> {
        mover: Mover<'w>,
    }
    #[derive(QueryRow)]
    struct Pair<'w>((&'w Position, &'w Velocity), Write<'w, Health>);

    let (mut world, _, sheep) = world_of_two();
    assert_eq!(world.query_mut::<Outer, ()>().into_iter().filter(|outer| outer.mover.entity == sheep).count(), 1);
    for Pair((position, velocity), mut health) in world.query_mut::<Pair, ()>() {
        health.0 += (position.0 + velocity.0) as u32;
    }
    assert_eq!(world.get::<Health>(sheep).unwrap(), &Health(6));
}

#[test]
fn rows_may_be_generic_and_may_borrow_nothing() {
    #[derive(QueryRow)]
    struct Of<'w, T: Component, const N: usize> {
        value: &'w T,
        marker: PhantomData<[u8; N]>,
    }
    #[derive(QueryRow)]
    struct Alive(Entity);
    #[derive(QueryRow)]
    struct Anything;

    let (world, wolf, sheep) = world_of_two();
    assert_eq!(world.query::<Of<Health, 3>, ()>().single().unwrap().value, &Health(3));
    let moving: Vec<Entity> = world.query::<Alive, With<Position>>().into_iter().map(|alive| alive.0).collect();
    assert_eq!(moving, [wolf, sheep]);
    assert_eq!(world.query::<Anything, ()>().into_iter().map(|Anything| 1).sum::<u32>(), 3);
}

#[test]
#[should_panic(expected = "twice, at least once to write it")]
fn a_row_that_names_a_component_twice_to_write_it_is_refused() {
    #[derive(QueryRow)]
    struct Twice<'w> {
        mover: &'w mut Position,
        again: Option<&'w Position>,
    }
    let mut world = World::builder().with_component::<Position>().build().unwrap();
    world.query_mut::<Twice, ()>().for_each(|twice| assert!(twice.again.is_none_or(|again| again == twice.mover)));
}

#[test]
fn only_rows_without_a_term_that_writes_are_read_only() {
    fn read_only<D: ReadOnlyQueryData>() -> &'static str {
        std::any::type_name::<D>()
    }
    assert!(read_only::<Sighting<'static>>().contains("Sighting"));
    let of_writer = read_only::<<Mover<'static> as QueryData>::ReadOnly>();
    assert!(of_writer.starts_with('(') && !of_writer.contains("mut"), "{of_writer}");
}

/// A row that every entity with a row has.
#[derive(QueryRow)]
struct Anyone<'w> {
    entity: Entity,
    health: Option<&'w Health>,
}

#[test]
fn an_entity_whose_row_is_yet_to_appear_is_in_no_row() {
    let mut world = World::new();
    world.ensure_component::<Position>().unwrap();
    let mut buffer = CommandBuffer::new();
    buffer.queue(|world| {
        let reserved = Entity::from_bits(1 << 32).unwrap();
        assert!(world.contains(reserved));
        let told = [
            world.query::<Sighting, ()>().get(reserved).map(|_| ()).unwrap_err(),
            world.query::<Anyone, ()>().get(reserved).map(|_| ()).unwrap_err(),
            world.query::<(Option<&Position>, Anyone), ()>().get(reserved).map(|_| ()).unwrap_err(),
            world.query::<&Position, ()>().get(reserved).map(|_| ()).unwrap_err(),
            world.query_mut::<&mut Position, ()>().get_mut(reserved).map(|_| ()).unwrap_err(),
        ];
        assert_eq!(told.map(|error| error.code()), ["no-such-entity"; 5]);
    });
    let pending = buffer.spawn((Position(2.0), Health(1))).id();
    assert!(pending.is_pending());
    let report = buffer.apply(&mut world);
    assert_eq!((report.applied, report.refused), (2, 0));
    let anyone = world.query::<Anyone, ()>();
    let row = anyone.single().unwrap();
    assert_eq!((row.entity.slot(), row.health), (0, Some(&Health(1))));
}
