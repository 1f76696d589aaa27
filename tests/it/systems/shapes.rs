//! Functions over rows, over batches, over queries.

use std::sync::{Arc, Mutex};

use super::kit::{A, B, C, Log, Other, Score, T, Tag, failed, small_world, values};
use tickweave::prelude::*;
use tickweave::system::Shape;

#[expect(clippy::too_many_arguments, reason = "takes a parameter of every kind")]
fn every_row_parameter(
    a: &A,
    b: &mut B,
    mut c: Write<C>,
    tracked: Option<&T>,
    link: Option<&mut super::kit::Link>,
    entity: Entity,
    score: Res<Score>,
    tick: Tick,
    mut commands: Commands,
) -> Result<(), String> {
    b.0 += a.0 * score.0 + tick.0 as i32;
    if tracked.is_some_and(|tracked| tracked.0 > 0) {
        c.0 += 1;
    }
    if let Some(link) = link {
        link.0 = entity;
    }
    commands.insert(entity, Tag);
    Ok(())
}

#[test]
fn each_takes_every_row_parameter_and_is_called_once_for_each_row() {
    let mut world = small_world();
    world.insert_resource(Score(10));
    let plain = world.spawn_batch((0..11).map(|n| (A(n), B(0), C(0))));
    let linked = world.spawn((A(1), B(0), C(0), T(1), super::kit::Link(plain[0])));
    world.spawn((A(1), C(0)));
    let mut schedule = crate::serial();
    let id = schedule.add(each(every_row_parameter));
    schedule.run(&mut world).unwrap();

    let expected: Vec<B> = (0..11).chain([1]).map(|n| B(n * 10 + 1)).collect();
    assert_eq!(values::<B>(&world), expected);
    assert_eq!(world.get::<C>(linked).unwrap(), &C(1));
    assert_eq!(world.query::<&C, ()>().into_iter().map(|c| c.0).sum::<i32>(), 1);
    assert_eq!(world.get::<super::kit::Link>(linked).unwrap().0, linked);
    assert_eq!(world.query::<Entity, With<Tag>>().count(), 12);
    let spec = schedule.system(id).unwrap();
    assert_eq!((spec.shape, spec.records_commands, spec.name.as_str()), (Shape::Each, true, "every_row_parameter"));
}

fn add_one(a: &mut A) {
    a.0 += 1;
}

#[test]
fn each_visits_only_rows_that_its_filter_lets_pass() {
    let mut world = small_world();
    let both = world.spawn((A(0), Tag, T(0)));
    let plain = world.spawn((A(0), T(0)));
    let neither = world.spawn(A(0));
    let mut schedule = crate::serial();
    schedule.add(each(add_one).filter::<With<Tag>>());
    schedule.add(each(add_one).filter::<Without<T>>());
    schedule.add(each(add_one).filter::<(With<T>, Changed<T>)>());
    schedule.run(&mut world).unwrap();
    assert_eq!([both, plain, neither].map(|e| world.get::<A>(e).unwrap().0), [2, 1, 1]);
    world.get_mut::<T>(plain).unwrap().0 = 5;
    schedule.run(&mut world).unwrap();
    assert_eq!([both, plain, neither].map(|e| world.get::<A>(e).unwrap().0), [3, 2, 2], "one row of two was changed");
}

#[test]
fn an_error_of_a_row_ends_the_system_there_and_no_later_row_is_visited() {
    let mut world = small_world();
    world.spawn_batch((0..20).map(A));
    let mut schedule = crate::serial();
    schedule.add(each(|a: &mut A| {
        if a.0 == 13 {
            return Err("thirteen");
        }
        a.0 = -1;
        Ok(())
    }));
    let error = schedule.run(&mut world).unwrap_err();
    assert!(error.to_string().contains("thirteen"), "{error}");
    assert_eq!(values::<A>(&world).iter().filter(|a| a.0 == -1).count(), 13);
    assert_eq!(values::<A>(&world)[14], A(14));
}

/// The lengths of the slices that a chunk system is given.
fn slice_lengths(rows: i32) -> Vec<usize> {
    let mut world = small_world();
    world.spawn_batch((0..rows).map(A));
    let lengths = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&lengths);
    let mut schedule = crate::serial();
    schedule.add(chunk(move |a: &mut [A], entities: &[Entity]| {
        assert_eq!(a.len(), entities.len());
        a.iter_mut().for_each(|a| a.0 += 100);
        seen.lock().unwrap().push(a.len());
    }));
    schedule.run(&mut world).unwrap();
    assert_eq!(values::<A>(&world), (100..100 + rows).map(A).collect::<Vec<_>>(), "each row once");
    lengths.lock().unwrap().clone()
}

#[test]
fn slices_are_one_batch_long_but_for_the_last_of_a_chunk() {
    assert!(slice_lengths(0).is_empty());
    assert_eq!(slice_lengths(1), [1]);
    assert_eq!(slice_lengths(4), [4]);
    assert_eq!(slice_lengths(5), [4, 1]);
    assert_eq!(slice_lengths(8), [4, 4]);
    assert_eq!(slice_lengths(19), [4, 4, 4, 4, 3]);
}

#[test]
fn chunk_takes_every_batch_parameter() {
    let mut world = small_world();
    world.insert_resource(Score(3));
    world.spawn_batch((0..5).map(|n| (A(n), B(0))));
    let with_c = world.spawn((A(7), B(0), C(0), T(1)));
    let mut schedule = crate::serial();
    let body = |a: &[A],
                b: &mut [B],
                entities: &[Entity],
                t: Option<&[T]>,
                c: Option<&mut [C]>,
                score: Res<Score>,
                tick: Tick,
                mut commands: Commands| {
        for (a, b) in a.iter().zip(&mut *b) {
            b.0 = a.0 * score.0 + tick.0 as i32;
        }
        if let (Some(t), Some(c)) = (t, c) {
            t.iter().zip(c).for_each(|(t, c)| c.0 += t.0);
        }
        commands.insert(entities[0], Tag);
    };
    let id = schedule.add(chunk(body));
    schedule.run(&mut world).unwrap();
    assert_eq!(schedule.system(id).unwrap().shape, Shape::Chunk);
    let mut seen: Vec<i32> = values::<B>(&world).iter().map(|b| b.0).collect();
    seen.sort_unstable();
    assert_eq!(seen, [1, 4, 7, 10, 13, 22]);
    assert_eq!(world.get::<C>(with_c).unwrap(), &C(1));
    assert_eq!(world.query::<Entity, With<Tag>>().count(), 3, "three batches: 4 + 1 rows, and 1 row");
}

#[test]
fn chunk_visits_only_chunks_that_its_filter_lets_pass() {
    let mut world = small_world();
    world.spawn_batch((0..10).map(|n| (A(n), B(0))));
    world.spawn((A(0), Tag));
    let rows = Arc::new(Mutex::new(0));
    let (tagged, changed) = (Arc::clone(&rows), Arc::clone(&rows));
    let mut schedule = crate::serial();
    schedule.add(chunk(move |a: &[A]| *tagged.lock().unwrap() += 1000 * a.len()).filter::<With<Tag>>());
    schedule.add(chunk(move |a: &[A]| *changed.lock().unwrap() += a.len()).filter::<(Without<Tag>, ChunkChanged<B>)>());
    schedule.run(&mut world).unwrap();
    assert_eq!(std::mem::take(&mut *rows.lock().unwrap()), 1010);
    let last = world.query::<Entity, With<B>>().into_iter().last().unwrap();
    world.get_mut::<B>(last).unwrap().0 = 1;
    schedule.run(&mut world).unwrap();
    assert_eq!(*rows.lock().unwrap(), 1002, "one tagged row; the last chunk of two rows was written");
}

#[test]
fn an_error_of_a_batch_ends_the_system_there() {
    let mut world = small_world();
    world.spawn_batch((0..12).map(A));
    let mut schedule = crate::serial();
    schedule.add(
        chunk(|a: &mut [A]| {
            if a[0].0 == 4 {
                return Err("four");
            }
            a[0].0 = -1;
            Ok(())
        })
        .named("stops"),
    );
    assert_eq!(failed(schedule.run(&mut world)), ("stops".into(), 1, "system-error"));
    assert_eq!(values::<A>(&world).iter().filter(|a| a.0 == -1).count(), 1);
}

macro_rules! parameters {
    ($($name:ident)*) => {
        |$($name: Tick,)* mut score: ResMut<Score>| score.0 += 0 $(+ $name.0 as i32)*
    };
}

#[test]
fn a_query_function_has_up_to_sixteen_parameters() {
    let mut world = small_world();
    world.insert_resource(Score(0));
    let log = Log::default();
    let none = log.clone();
    let mut schedule = crate::serial();
    schedule.add(move || none.say("none"));
    schedule.add(parameters!());
    schedule.add(parameters!(a));
    schedule.add(parameters!(a b));
    schedule.add(parameters!(a b c));
    schedule.add(parameters!(a b c d));
    schedule.add(parameters!(a b c d e));
    schedule.add(parameters!(a b c d e f));
    schedule.add(parameters!(a b c d e f g));
    schedule.add(parameters!(a b c d e f g h));
    schedule.add(parameters!(a b c d e f g h i));
    schedule.add(parameters!(a b c d e f g h i j));
    schedule.add(parameters!(a b c d e f g h i j k));
    schedule.add(parameters!(a b c d e f g h i j k l));
    schedule.add(parameters!(a b c d e f g h i j k l m));
    schedule.add(parameters!(a b c d e f g h i j k l m n));
    schedule.add(parameters!(a b c d e f g h i j k l m n o));
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Score>().unwrap().0, (0..16).sum::<i32>());
    assert_eq!(log.take(), "none");
}

#[test]
fn tuples_of_parameters_are_parameters() {
    let mut world = small_world();
    world.insert_resource(Score(2));
    world.insert_resource(Other(0));
    world.spawn_batch([A(1), A(2)]);
    fn nested((rows, (score, tick)): (Query<&A>, (Res<Score>, Tick)), mut other: ResMut<Other>) {
        other.0 = rows.iter().map(|a| a.0).sum::<i32>() * score.0 + tick.0 as i32;
    }
    let mut schedule = crate::serial();
    let id = schedule.add(nested);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Other>().unwrap(), &Other(7));
    assert_eq!(schedule.system(id).unwrap().shape, Shape::Query);
}

#[test]
fn a_query_parameter_reaches_single_rows_and_all_rows() {
    let mut world = small_world();
    let first = world.spawn((A(1), Tag));
    world.spawn_batch((2..30).map(A));
    let system = move |mut rows: Query<(Entity, &mut A), Without<Tag>>, tagged: Query<&A, With<Tag>>| {
        let one = tagged.get(first).map_err(|error| error.to_string())?.0;
        assert!(rows.get(first).is_err(), "the filter leaves it out");
        for (_, a) in &mut rows {
            a.0 += one;
        }
        Ok::<(), String>(())
    };
    let mut schedule = crate::serial();
    schedule.add(system);
    schedule.run(&mut world).unwrap();
    assert_eq!(values::<A>(&world), [1].into_iter().chain(3..31).map(A).collect::<Vec<_>>());
}

#[test]
fn a_query_sees_archetypes_that_were_made_after_it_was_bound() {
    let mut world = small_world();
    let log = Log::default();
    let said = log.clone();
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| {
        commands.spawn((A(0), B(0)));
    });
    schedule.barrier();
    schedule.add(move |rows: Query<&A>| said.say(rows.count().to_string()));
    schedule.run(&mut world).unwrap();
    world.spawn((A(0), C(0)));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "1 3");
}
