//! Loops that hands share: each row once, and reductions that depend on the rows alone.

use std::sync::atomic::{AtomicU32, Ordering};

use tickweave::prelude::*;

use super::kit::{every_way_gives_the_same_bits, tiny_chunks, ways};

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Number(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Mass(f32);

#[derive(Component)]
struct Odd;

#[derive(Component)]
struct Never;

#[derive(Clone, StateValue, Resource)]
struct Found {
    text: String,
    sum: u32,
    least: u32,
}

#[derive(Resource)]
#[resource(host)]
struct Visits(Vec<AtomicU32>);

/// `count` numbers in three archetypes, one of which is empty at last.
fn numbers(count: u32, chunk_rows: u32, batch_rows: u32) -> World {
    let mut world = World::builder().chunk_rows(chunk_rows).batch_rows(batch_rows).build().unwrap();
    let gone = world.spawn((Number(0), Never));
    for number in 0..count {
        if number % 2 == 0 {
            world.spawn((Number(number), Mass(1.0 / (number + 1) as f32)));
        } else {
            world.spawn((Number(number), Mass(1.0 / (number + 1) as f32), Odd));
        }
    }
    world.despawn(gone).unwrap();
    world
}

#[test]
fn every_row_is_visited_once_whatever_the_rows_of_a_batch() {
    for count in [0, 1, 2, 63, 64, 65, 10_003] {
        for (chunk_rows, batch_rows) in [(1, 1), (64, 1), (64, 64), (1024, 128), (65_536, 65_536)] {
            for way in ways().into_iter().step_by(9) {
                let mut world = numbers(count, chunk_rows, batch_rows);
                world.insert_resource(Visits((0..count).map(|_| AtomicU32::new(0)).collect()));
                let mut schedule = Schedule::new();
                schedule.add(each(|number: &Number, visits: Res<Visits>| {
                    visits.0[number.0 as usize].fetch_add(1, Ordering::Relaxed);
                }));
                schedule.add(|mut numbers: Query<&Number>, visits: Res<Visits>| {
                    let visits = &visits.0;
                    numbers.par_for_each(|number| {
                        visits[number.0 as usize].fetch_add(1, Ordering::Relaxed);
                    });
                });
                way.prepare(&mut schedule);
                schedule.run(&mut world).unwrap();
                let visits = world.resource::<Visits>().unwrap();
                let wrong = visits.0.iter().position(|visits| visits.load(Ordering::Relaxed) != 2);
                assert_eq!(wrong, None, "{count} rows, {chunk_rows} by {batch_rows}, {way:?}");
            }
        }
    }
}

#[test]
fn a_batch_of_no_rows_is_refused() {
    let refused = World::builder().batch_rows(0).build().unwrap_err();
    assert!(refused.to_string().contains("batch"), "{refused}");
}

#[test]
fn a_fold_keeps_the_order_of_the_rows_though_its_operation_does_not_commute() {
    every_way_gives_the_same_bits(1, || {
        let mut world = tiny_chunks().build().unwrap();
        world.spawn_batch((0..100).map(Number));
        let mut schedule = Schedule::new();
        world.insert_resource(Found { text: String::new(), sum: 0, least: 0 });
        schedule.add(|numbers: Query<&Number>, mut found: ResMut<Found>| {
            let add = |text: String, number: &Number| format!("{text}{},", number.0);
            found.text = numbers.par_fold(String::new, add, |a, b| a + &b);
            found.sum = numbers.par_sum(|number| number.0);
            found.least = numbers.par_min(|number| number.0 ^ 21).unwrap();
            let in_order: String = (0..100).map(|number| format!("{number},")).collect();
            assert_eq!(found.text, in_order);
            assert_eq!((found.sum, found.least), (99 * 50, 0));
            assert_eq!(numbers.par_collect(|number| number.0), (0..100).collect::<Vec<_>>());
        });
        (world, schedule)
    });
}

#[test]
fn a_sum_of_floats_has_the_same_bits_on_any_number_of_hands() {
    every_way_gives_the_same_bits(1, || {
        let mut world = numbers(1_000, 64, 4);
        world.insert_resource(Found { text: String::new(), sum: 0, least: 0 });
        let mut schedule = Schedule::new();
        schedule.add(|masses: Query<&Mass>, mut found: ResMut<Found>| {
            found.sum = masses.par_sum(|mass| mass.0).to_bits();
            found.least = masses.par_fold(|| 0.0, |sum, mass| sum + mass.0, |a, b| a + b).to_bits();
        });
        (world, schedule)
    });
}

#[test]
fn reductions_over_no_row_are_those_of_nothing() {
    let world = World::new();
    let numbers = world.query::<&Number, ()>();
    assert_eq!((numbers.par_sum(|number| number.0), numbers.par_max(|number| number.0)), (0, None));
    assert_eq!(numbers.par_fold(|| 'x', |_, _| 'y', |_, _| 'z'), 'x');
    assert!(numbers.par_collect(|number| number.0).is_empty());
}

#[test]
fn the_first_of_equal_rows_is_the_least_and_the_greatest() {
    #[derive(Debug, PartialEq, Eq)]
    struct Same(u32);
    impl PartialOrd for Same {
        fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Same {
        fn cmp(&self, _: &Self) -> core::cmp::Ordering {
            core::cmp::Ordering::Equal
        }
    }
    let mut world = tiny_chunks().build().unwrap();
    world.spawn_batch((5..50).map(Number));
    let numbers = world.query::<&Number, ()>();
    let best =
        (numbers.par_min(|number| Same(number.0)).unwrap().0, numbers.par_max(|number| Same(number.0)).unwrap().0);
    assert_eq!(best, (5, 5));
}

#[test]
fn the_panic_of_the_lowest_batch_wins() {
    for way in ways() {
        let mut world = numbers(200, 16, 2);
        let mut schedule = Schedule::new();
        schedule.add(|mut numbers: Query<&Number>| {
            numbers.par_for_each(|number| assert!(number.0 % 50 != 40, "number {}", number.0));
        });
        way.prepare(&mut schedule);
        let failed = schedule.run(&mut world).unwrap_err().to_string();
        assert!(failed.contains("number 40"), "{failed}, {way:?}");
    }
}

#[test]
fn a_loop_inside_of_a_loop_runs_each_row_for_each_row() {
    every_way_gives_the_same_bits(2, || {
        let mut world = numbers(20, 4, 2);
        world.spawn_batch((0..7).map(|number| Mass(number as f32)));
        let mut schedule = Schedule::new();
        schedule.add(|mut numbers: Query<&mut Number>, masses: Query<&Mass>| {
            numbers.par_for_each(|number| number.0 += masses.par_sum(|mass| mass.0) as u32);
        });
        (world, schedule)
    });
}

#[test]
fn a_filter_on_stamps_sees_a_chunk_as_it_was_before_the_system() {
    use tickweave::query::{Changed, ChunkChanged, Or};

    #[derive(Component, Clone, Copy)]
    #[component(track)]
    #[repr(C)]
    struct Seen(u32);

    every_way_gives_the_same_bits(3, || {
        let mut world = tiny_chunks().build().unwrap();
        world.spawn_batch((0..40).map(|number| (Number(number), Seen(0))));
        let mut schedule = Schedule::new();
        schedule.add(|mut seen: Query<(&Number, &mut Seen)>, tick: Tick| {
            for (_, mut_seen) in seen.iter_mut().filter(|(number, _)| number.0 as u64 == tick.0) {
                mut_seen.0 += 1;
            }
        });
        schedule.add(each(|number: &mut Number| number.0 += 100).filter::<Or<(ChunkChanged<Number>, Changed<Seen>)>>());
        (world, schedule)
    });
}
