//! C4, C5: every value is dropped exactly once.

use super::*;

#[test]
fn c4_an_iterator_that_panics_in_a_batch_leaves_the_world_as_it_was_and_leaks_nothing() {
    let (mut world, count) = (tiny(), Count::default());
    world.spawn((count.held(), Number(0)));
    assert_unchanged(&mut world, |world| {
        let bundles = (0..9).map(|number| {
            assert!(number < 6, "an iterator that panics");
            (count.held(), Number(number), Enemy)
        });
        assert_panics("an iterator that panics", || world.spawn_batch(bundles));
    });
    assert_eq!(count.alive(), 1);
    assert_whole(&mut world);
}

#[test]
fn c4_a_batch_that_does_not_fit_is_dropped_and_nothing_changes() {
    let count = Count::default();
    let mut world = World::builder().entity_capacity(4).build().unwrap();
    world.spawn(Number(0));
    assert_unchanged(&mut world, |world| {
        let batch = (0..4).map(|number| (count.held(), Number(number)));
        assert_eq!(world.try_spawn_batch(batch).unwrap_err().code(), "entity-capacity");
    });
    assert_eq!(count.alive(), 0);
    assert_eq!(world.spawn_batch((0..3).map(|_| count.held())).len(), 3);
    assert_unchanged(&mut world, |world| {
        assert_eq!(world.try_spawn((count.held(), Enemy)).unwrap_err().code(), "entity-capacity");
    });
    assert_eq!(count.alive(), 3);
}

#[test]
fn c4_a_bundle_that_needs_more_types_than_there_is_room_for_is_dropped_and_registers_none() {
    let count = Count::default();
    let mut world = World::builder().max_components(2).build().unwrap();
    let entity = world.spawn(Number(0));
    assert_unchanged(&mut world, |world| {
        let spawned = world.try_spawn((count.held(), Number(1), Enemy));
        assert_eq!(spawned.unwrap_err().code(), "component-limit");
        assert_eq!(world.insert(entity, (count.held(), Enemy)).unwrap_err().code(), "component-limit");
        let batch = world.try_spawn_batch([(count.held(), Enemy)]);
        assert_eq!(batch.unwrap_err().code(), "component-limit");
    });
    assert_eq!((count.alive(), world.component_count()), (0, 1));
}

#[test]
fn c4_a_buffer_that_is_dropped_or_cleared_drops_what_it_recorded() {
    let count = Count::default();
    let mut world = tiny();
    let entity = world.spawn(count.held());
    let record = |buffer: &mut CommandBuffer| {
        let inside = count.clone();
        buffer.spawn((count.held(), Number(1))).insert(count.held()).queue(move |_| drop(inside));
        buffer.insert(entity, (Enemy, count.held()));
        buffer.despawn(entity);
        let inside = count.clone();
        buffer.queue(move |_| drop(inside));
    };
    let mut buffer = CommandBuffer::new();
    record(&mut buffer);
    assert_eq!(count.alive(), 6);
    buffer.clear();
    assert_eq!(count.alive(), 1);
    assert!(buffer.is_empty());
    record(&mut buffer);
    drop(buffer);
    assert_eq!(count.alive(), 1);
    assert!(world.contains(entity));
}

#[test]
fn c4_a_default_that_panics_leaves_the_world_as_it_was() {
    #[derive(Component, Clone, Copy)]
    #[repr(C)]
    struct Never(u8);
    impl Default for Never {
        fn default() -> Self {
            panic!("a default that panics")
        }
    }
    let mut world = tiny();
    world.spawn(Number(1));
    assert_unchanged(&mut world, |world| {
        assert_panics("a default that panics", || world.spawn_default::<(Never,)>());
    });
}

#[test]
fn c5_values_are_dropped_by_a_deferred_despawn_and_by_the_end_of_the_world() {
    let count = Count::default();
    let mut world = tiny();
    world.spawn_batch((0..50).map(|number| (count.held(), Number(number))));
    world.spawn_batch((50..60).map(|number| (Number(number), Enemy, count.held())));
    let mut buffer = CommandBuffer::new();
    for (entity, number) in world.query::<(Entity, &Number), With<Held>>() {
        if number.0 % 2 == 0 {
            buffer.despawn(entity);
        }
    }
    assert_eq!(count.alive(), 60, "nothing happens before the buffer is applied");
    assert_eq!(buffer.apply(&mut world).applied, 30);
    assert_eq!(count.alive(), 30);
    let mut schedule = crate::serial();
    schedule.add(|rows: Query<(Entity, &Number)>, mut commands: Commands| {
        rows.iter().filter(|row| row.1.0 % 3 == 0).for_each(|(entity, _)| commands.despawn(entity));
    });
    schedule.run(&mut world).unwrap();
    assert_eq!(count.alive(), 20);
    drop(world);
    assert_eq!(count.alive(), 0);
}

#[test]
fn c5_a_destructor_that_panics_at_the_end_of_the_world_keeps_no_other_value_alive() {
    let count = Count::default();
    let mut world = tiny();
    for number in 0..30 {
        let held = if number == 3 { count.fused() } else { count.held() };
        match number % 3 {
            0 => world.spawn((held, Number(number))),
            1 => world.spawn((held, Enemy)),
            _ => world.spawn(held),
        };
    }
    assert_eq!(count.alive(), 30);
    assert_panics("a destructor that panics", || drop(world));
    assert_eq!(count.alive(), 0);
}
