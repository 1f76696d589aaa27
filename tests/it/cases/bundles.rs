//! C10, C11: bundles of nothing, of the same type twice, and of as many members as there may be.

use tickweave::component::Bundle;
use tickweave::world::StructureError;

use super::*;

#[derive(Bundle)]
struct Twice {
    number: Number,
    rest: (Enemy, (Number,)),
}

#[track_caller]
fn assert_duplicate<T>(result: Result<T, StructureError>) {
    let error = result.err().expect("a bundle with a component twice is refused");
    assert_eq!(error.code(), "bundle-duplicate");
    assert!(error.to_string().contains("cases::Number"), "it names the type: {error}");
}

#[test]
fn c10_a_component_twice_in_a_bundle_is_refused_by_name_and_changes_nothing() {
    let mut world = tiny();
    let entity = world.spawn(Watched(1));
    let twice = || Twice { number: Number(1), rest: (Enemy, (Number(2),)) };
    assert_unchanged(&mut world, |world| {
        assert_duplicate(world.try_spawn((Number(1), Number(2))));
        assert_duplicate(world.try_spawn(((Number(1), Enemy), (Watched(1), (Number(2),)))));
        assert_duplicate(world.try_spawn(twice()));
        assert_duplicate(world.try_spawn_batch([(Number(1), Number(2))]));
        assert_duplicate(world.insert(entity, (Number(1), (Number(2),))));
        world.remove::<(Number, Number)>(entity).unwrap();
    });
    assert_panics("twice", || world.spawn((Number(1), Number(2))));
    assert_whole(&mut world);
}

#[test]
fn c10_a_component_twice_in_a_recorded_bundle_is_refused_and_counted() {
    let count = Count::default();
    let mut world = tiny();
    let entity = world.spawn((Watched(1), count.held()));
    let mut buffer = CommandBuffer::new();
    buffer.spawn((Number(1), count.held(), Number(2))).insert(Enemy);
    buffer.insert(entity, (Number(1), Number(2)));
    buffer.remove::<(Held, Held)>(entity);
    let report = buffer.apply(&mut world);
    let codes: Vec<&str> = report.refusals.iter().map(|refusal| refusal.reason.code()).collect();
    assert_eq!(codes, ["bundle-duplicate", "no-such-entity", "bundle-duplicate"]);
    assert_eq!((report.applied, world.len(), count.alive()), (1, 1, 0), "to remove twice is to remove once");
    assert_whole(&mut world);
}

#[test]
fn c10_a_batch_of_empty_bundles_makes_entities_and_an_empty_batch_nothing() {
    let mut world = tiny();
    assert_unchanged(&mut world, |world| {
        assert_eq!(world.spawn_batch(Vec::<(Number, Enemy)>::new()), []);
        assert_eq!(world.spawn_batch(Vec::<()>::new()), []);
    });
    let batch = world.spawn_batch([(); 11]);
    assert_eq!((batch.len(), world.len()), (11, 11));
    assert_eq!(world.query::<Entity, ()>().into_iter().collect::<Vec<_>>(), batch);
    let nested = world.spawn_batch([((), ((),)); 3]);
    assert_eq!(world.archetypes().len(), 1, "nothing in nothing is nothing");
    assert!(nested.iter().all(|&entity| world.archetype_of(entity).unwrap().id().get() == 0));
}

/// What a reader sees that runs after each change of the host.
#[test]
fn c10_a_value_that_is_replaced_counts_as_added_and_as_changed() {
    let mut world = tiny();
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let shared = seen.clone();
    let mut schedule = crate::serial();
    schedule.add(move |added: Query<&Watched, Added<Watched>>, changed: Query<&Watched, Changed<Watched>>| {
        shared.lock().unwrap().push((added.count(), changed.count()));
    });
    let mut buffer = CommandBuffer::new();
    world.ensure_component::<Number>().unwrap();
    let entity = world.spawn(Watched(1));
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    world.insert(entity, Watched(2)).unwrap();
    schedule.run(&mut world).unwrap();
    world.get_mut::<Watched>(entity).unwrap().0 = 3;
    schedule.run(&mut world).unwrap();
    buffer.insert(entity, (Number(1), Watched(4)));
    buffer.apply(&mut world);
    schedule.run(&mut world).unwrap();
    world.remove::<Number>(entity).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(*seen.lock().unwrap(), [(1, 1), (0, 0), (1, 1), (0, 1), (1, 1), (0, 0)]);
}

macro_rules! parts {
    ($($name:ident)*) => {$(
        #[derive(Component, Clone, Copy, Debug, PartialEq)]
        #[repr(C)]
        struct $name(u16);
    )*};
}

parts!(P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12 P13 P14 P15 P16 P17 P18);

type Sixteen = (P1, P2, P3, P4, P5, P6, P7, P8, P9, P10, P11, P12, P13, P14, P15, P16);

fn sixteen() -> Sixteen {
    let first = (P1(1), P2(2), P3(3), P4(4), P5(5), P6(6), P7(7), P8(8));
    let (a, b, c, d, e, f, g, h) = first;
    (a, b, c, d, e, f, g, h, P9(9), P10(10), P11(11), P12(12), P13(13), P14(14), P15(15), P16(16))
}

#[test]
fn c11_sixteen_members_work_and_more_by_nesting() {
    let mut world = tiny();
    let small = world.spawn(sixteen());
    let large = world.spawn((sixteen(), (P17(17), P18(18))));
    assert_eq!(world.archetype_of(large).unwrap().components().count(), 18);
    type All<'w> = (
        &'w P1,
        &'w P2,
        &'w P3,
        &'w P4,
        &'w P5,
        &'w P6,
        &'w P7,
        &'w P8,
        &'w P9,
        &'w P10,
        &'w P11,
        &'w P12,
        &'w P13,
        &'w P14,
        &'w P15,
        &'w P16,
    );
    assert_eq!(world.query::<All<'_>, ()>().count(), 2);
    let query = world.query::<(All<'_>, (&P17, Entity)), (Without<Number>, With<P18>)>();
    let (all, (last, entity)) = query.single().unwrap();
    assert_eq!((all.0.0, all.15.0, last.0, entity), (1, 16, 17, large));
    world.remove::<Sixteen>(large).unwrap();
    assert_eq!(world.archetype_of(large).unwrap().components().count(), 2);
    world.remove::<(Sixteen, (P17, P18))>(small).unwrap();
    assert_eq!(world.archetype_of(small).unwrap().id().get(), 0);
}
