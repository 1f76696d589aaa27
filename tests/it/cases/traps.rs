//! Traps of soundness: removing paths, threads, code of the user that panics, sizes, handles that are equal.

use super::*;

/// A way to lose one of the values of an entity.
type Loss = fn(&mut World, Entity, &Count);

const LOSSES: [(&str, Loss); 12] = [
    ("despawn", |world, entity, _| world.despawn(entity).unwrap()),
    ("remove", |world, entity, _| world.remove::<Held>(entity).unwrap()),
    ("remove of several", |world, entity, _| world.remove::<(Enemy, Held, Number)>(entity).unwrap()),
    ("take", |world, entity, _| drop(world.take::<Held>(entity).unwrap())),
    ("entity_mut", |world, entity, _| {
        world.entity_mut(entity).unwrap().remove::<Held>();
    }),
    ("despawn by entity_mut", |world, entity, _| world.entity_mut(entity).unwrap().despawn()),
    ("clear", |world, _, _| world.clear()),
    ("insert over it", |world, entity, count| world.insert(entity, count.held()).unwrap()),
    ("insert over it with a move", |world, entity, count| world.insert(entity, (Watched(1), count.held())).unwrap()),
    ("write over it", |world, entity, count| *world.get_mut::<Held>(entity).unwrap() = count.held()),
    ("recorded despawn", |world, entity, _| {
        let mut buffer = CommandBuffer::new();
        buffer.despawn(entity);
        buffer.apply(world);
    }),
    ("recorded insert and remove", |world, entity, count| {
        let mut buffer = CommandBuffer::new();
        buffer.insert(entity, (Parent(entity), count.held()));
        buffer.remove::<(Held, Number)>(entity);
        buffer.apply(world);
    }),
];

/// Entities around the one that loses its value.
fn neighbours(world: &mut World, count: &Count) -> Vec<Entity> {
    world.spawn_batch((0..6).map(|number| (count.held(), Number(number), Enemy)))
}

#[test]
fn trap7_every_removing_path_drops_the_value_once() {
    for (name, lose) in LOSSES {
        for at in 0..6 {
            let (mut world, count) = (tiny(), Count::default());
            let entities = neighbours(&mut world, &count);
            lose(&mut world, entities[at], &count);
            let alive = world.query::<&Held, ()>().count();
            assert_eq!(count.alive(), alive, "{name} of row {at}");
            assert_whole(&mut world);
            drop(world);
            assert_eq!(count.alive(), 0, "{name} of row {at}");
        }
    }
}

#[test]
fn trap9_a_destructor_that_panics_finds_the_world_whole_and_nothing_is_dropped_twice_or_kept() {
    for (name, lose) in LOSSES {
        let (mut world, count) = (tiny(), Count::default());
        let entities = neighbours(&mut world, &count);
        world.get_mut::<Held>(entities[2]).unwrap().panics = true;
        assert_panics("a destructor that panics", || lose(&mut world, entities[2], &count));
        let alive = world.query::<&Held, ()>().count();
        assert_eq!(count.alive(), alive, "{name}");
        assert!(world.query::<&Held, ()>().into_iter().all(|held| !held.panics), "{name}: it is gone");
        assert_whole(&mut world);
        drop(world);
        assert_eq!(count.alive(), 0, "{name}");
    }
}

#[test]
fn trap8_worlds_and_buffers_go_to_other_threads() {
    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}
    is_send::<World>();
    is_sync::<World>();
    is_send::<CommandBuffer>();
    is_send::<Schedule>();
    let count = Count::default();
    let mut world = tiny();
    world.spawn_batch((0..5).map(|number| (count.held(), Number(number))));
    let sum = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..3)
            .map(|_| {
                scope.spawn(|| world.query::<&Number, With<Held>>().into_iter().map(|number| number.0).sum::<u32>())
            })
            .collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).sum::<u32>()
    });
    assert_eq!(sum, 30);
    std::thread::spawn(move || drop(world)).join().unwrap();
    assert_eq!(count.alive(), 0);
}

/// No bytes, a wide place and a destructor.
#[derive(Component)]
#[component(opaque)]
#[repr(align(4096))]
struct Nothing;

impl Drop for Nothing {
    fn drop(&mut self) {
        assert_eq!(core::ptr::from_mut(self).addr() % 4096, 0, "also nothing has its place");
        NOTHINGS.set(NOTHINGS.get() + 1);
    }
}

thread_local! {
    static NOTHINGS: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

#[test]
fn trap14_values_without_bytes_of_any_alignment_are_stored_and_dropped_once() {
    NOTHINGS.set(0);
    let mut world = tiny();
    let entities: Vec<Entity> = (0..11).map(|number| world.spawn((Number(number), Nothing))).collect();
    for nothing in world.query::<&Nothing, ()>() {
        assert_eq!(core::ptr::from_ref(nothing).addr() % 4096, 0);
    }
    world.despawn(entities[3]).unwrap();
    world.remove::<Nothing>(entities[4]).unwrap();
    drop(world.take::<Nothing>(entities[5]).unwrap());
    world.insert(entities[6], Nothing).unwrap();
    world.insert(entities[7], Enemy).unwrap();
    assert_eq!(NOTHINGS.get(), 4);
    drop(world);
    assert_eq!(NOTHINGS.get(), 12);
}

/// More than an address space holds in rows.
#[derive(Component)]
#[component(opaque)]
struct Huge(#[expect(dead_code, reason = "only its size counts")] [u8; 1 << 52]);

#[test]
fn trap14_a_type_too_large_for_a_chunk_is_refused_before_memory_is_asked_for() {
    let mut world = World::new();
    world.spawn(Number(1));
    assert_unchanged(&mut world, |world| {
        let error = world.register_component::<Huge>().unwrap_err();
        assert_eq!(error.code(), "component-too-large");
        assert!(error.to_string().contains("Huge") && error.to_string().contains("chunk_rows"), "{error}");
    });
    let bytes = world.reserved_bytes();
    World::builder().chunk_rows(1).batch_rows(1).with_component::<Huge>().build().expect("one row could be thought of");
    assert_eq!(world.reserved_bytes(), bytes);
}

#[test]
fn trap15_equal_entities_are_never_lent_twice() {
    let mut world = tiny();
    let [a, b, c] = [1, 2, 3].map(|number| world.spawn((Number(number), Watched(number))));
    for entities in [[a, a, b], [a, b, a], [b, a, a], [a, a, a]] {
        assert_unchanged(&mut world, |world| {
            assert_eq!(world.get_many_mut::<Number, 3>(entities).unwrap_err().code(), "entity-aliased");
            let mut query = world.query_mut::<(&mut Watched, Write<Number>), ()>();
            assert_eq!(query.get_many_mut(entities).err().unwrap().code(), "entity-aliased");
        });
    }
    let rows = world.get_many_mut::<Number, 3>([c, a, b]).unwrap();
    let [first, ..] = rows;
    first.0 = 9;
    assert_eq!(world.get::<Number>(c), Ok(&Number(9)));
    assert_eq!(world.get_many_mut::<Number, 0>([]).unwrap().len(), 0);
}

#[test]
fn trap2_a_query_never_enters_for_writing_what_its_filter_leaves_out() {
    let mut world = World::builder().chunk_rows(4).batch_rows(2).with_hidden_component::<Parent>().build().unwrap();
    let plain = world.spawn(Watched(1));
    let enemy = world.spawn((Watched(2), Enemy));
    let hidden = world.spawn((Watched(3), Parent(plain)));
    assert_unchanged(&mut world, |world| {
        let mut query = world.query_mut::<&mut Watched, Without<Enemy>>();
        for left_out in [enemy, hidden] {
            assert_eq!(query.get_mut(left_out).unwrap_err().code(), "query-mismatch");
        }
        let mut query = world.query_mut::<(&mut Watched, Option<&mut Parent>), (With<Enemy>, Without<Parent>)>();
        assert_eq!(query.get_mut(plain).err().unwrap().code(), "query-mismatch");
        assert_eq!(query.get_many_mut([enemy, plain]).err().unwrap().code(), "query-mismatch");
        assert_eq!(query.get_many_mut([enemy, enemy]).err().unwrap().code(), "entity-aliased");
    });
}

#[test]
fn trap2_a_look_for_one_column_enters_no_chunk_without_it() {
    let mut world = tiny();
    let watched = world.spawn(Watched(1));
    let lacking = [world.spawn(Enemy), world.spawn(()), world.spawn((Number(1), Enemy))];
    let gone = world.spawn(Watched(2));
    world.despawn(gone).unwrap();
    assert_unchanged(&mut world, |world| {
        let mut query = world.query_mut::<(Has<Enemy>, &mut Watched), ()>();
        for entity in lacking {
            assert_eq!(query.get_mut(entity).err().unwrap().code(), "query-mismatch");
        }
        assert_eq!(query.get_mut(gone).err().unwrap().code(), "no-such-entity");
        assert_eq!(world.query_mut::<&mut Parent, ()>().get_mut(watched).err().unwrap().code(), "query-mismatch");
    });
    let mut query = world.query_mut::<(Has<Enemy>, &mut Watched), ()>();
    query.get_mut(watched).unwrap().1.0 = 5;
    assert_eq!(query.get(watched).unwrap(), (false, &Watched(5)));
}

#[test]
fn trap2_a_row_that_did_not_change_is_not_entered_by_a_system_that_asks_for_it() {
    let mut world = tiny();
    let [still, moved] = [world.spawn(Watched(1)), world.spawn((Watched(2), Enemy))];
    let mut schedule = crate::serial();
    schedule.add(move |mut changed: Query<&mut Watched, Changed<Watched>>| {
        if changed.contains(still) {
            return;
        }
        assert_eq!(changed.get_mut(still).unwrap_err().code(), "query-mismatch");
        assert_eq!(changed.get_many_mut([moved, still]).unwrap_err().code(), "query-mismatch");
    });
    schedule.run(&mut world).unwrap();
    world.get_mut::<Watched>(moved).unwrap().0 = 3;
    let before = world.dump();
    schedule.run(&mut world).unwrap();
    let difference = world.dump().diff(&before).expect("at least the tick");
    assert!(difference.lines.iter().all(|(path, ..)| !path.starts_with("archetype")), "{difference}");
}

#[test]
fn trap15_a_query_that_names_a_component_twice_to_write_it_is_refused_by_name() {
    let mut world = tiny();
    world.spawn((Number(1), Watched(1)));
    assert_panics("cases::Number", || world.query_mut::<(&mut Number, &Number), ()>().count());
    assert_panics("cases::Number", || world.query_mut::<(Write<Number>, (Entity, Option<&mut Number>)), ()>().count());
    assert_panics("cases::Number", || PreparedQuery::<(&Number, &mut Number)>::new().query_mut(&mut world).count());
    assert_eq!(world.query_mut::<(&Number, &Number, &mut Watched), With<Number>>().count(), 1);
}
