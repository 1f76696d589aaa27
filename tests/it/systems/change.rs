//! What counts as a change, and who sees it.

use super::kit::{A, B, Log, T, small_world};
use tickweave::prelude::*;

/// Says the values of the rows that a filter lets pass.
fn looker<F: tickweave::query::QueryFilter + 'static>(
    log: &Log,
    name: &'static str,
) -> impl FnMut(Query<&T, F>) + Send + use<F> {
    let log = log.clone();
    move |rows: Query<&T, F>| {
        let values: Vec<String> = rows.iter().map(|t| t.0.to_string()).collect();
        log.say(format!("{name}[{}]", values.join(",")));
    }
}

/// Adds ten to the rows whose last digit is given, through `get_mut`.
fn writer(digit: i32) -> impl FnMut(Query<(Entity, &mut T)>) + Send {
    move |mut rows: Query<(Entity, &mut T)>| {
        let chosen: Vec<Entity> = rows.iter().filter(|(_, t)| t.0 % 10 == digit).map(|(e, _)| e).collect();
        for entity in chosen {
            rows.get_mut(entity).unwrap().1.0 += 10;
        }
    }
}

fn said(schedule: &mut Schedule, world: &mut World, log: &Log, ticks: usize) -> Vec<String> {
    let tick = |_| {
        schedule.run(world).unwrap();
        log.take()
    };
    (0..ticks).map(tick).collect()
}

#[test]
fn a_reader_behind_the_writer_sees_the_write_at_once_and_one_before_it_on_the_next_tick() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch([T(0), T(1), T(2)]);
    let mut schedule = crate::serial();
    schedule.add(looker::<Changed<T>>(&log, "before"));
    schedule.add(writer(1).run_if(|tick: Tick| tick.0 == 2));
    schedule.add(looker::<Changed<T>>(&log, "behind"));
    let expected = ["before[0,1,2] behind[0,1,2]", "before[] behind[11]", "before[11] behind[]", "before[] behind[]"];
    assert_eq!(said(&mut schedule, &mut world, &log, 4), expected);
}

#[test]
fn a_system_does_not_see_its_own_writes_again() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch([T(0), T(1)]);
    let own = log.clone();
    let mut schedule = crate::serial();
    schedule.add(move |mut rows: Query<&mut T, Changed<T>>| {
        own.say(rows.count().to_string());
        rows.for_each(|t| t.0 += 1);
    });
    assert_eq!(said(&mut schedule, &mut world, &log, 3), ["2", "0", "0"]);
    let row = world.query::<Entity, ()>().into_iter().next().unwrap();
    world.get_mut::<T>(row).unwrap().0 = 7;
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["1", "0"]);
}

#[test]
fn mut_terms_mark_what_they_enter_and_write_marks_at_the_first_write() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch([T(0), T(1), T(2)]);
    let mut schedule = crate::serial();
    let entering = |mut rows: Query<&mut T>| rows.for_each(|_| ());
    let writing = |mut rows: Query<Write<T>>| {
        rows.for_each(|mut t| {
            if t.0 == 1 {
                t.0 = 11
            }
        })
    };
    let reading = |rows: Query<&mut T>| assert!(rows.iter().count() > 0);
    schedule.add(entering.run_if(|tick: Tick| tick.0 == 2));
    schedule.add(writing.run_if(|tick: Tick| tick.0 == 3));
    schedule.add(reading.run_if(|tick: Tick| tick.0 == 4));
    schedule.add(each(|t: &mut T| t.0 += 0).run_if(|tick: Tick| tick.0 == 5));
    schedule.add(each(|t: Write<T>| assert!(t.0 >= 0)).run_if(|tick: Tick| tick.0 == 6));
    schedule.add(looker::<Changed<T>>(&log, ""));
    let expected = ["[0,1,2]", "[0,1,2]", "[11]", "[]", "[0,11,2]", "[]"];
    assert_eq!(said(&mut schedule, &mut world, &log, 6), expected);
}

#[test]
fn a_mut_slice_marks_the_rows_of_its_batch() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch((0..10).map(T));
    let mut schedule = crate::serial();
    schedule.add(chunk(|t: &mut [T], a: Option<&[A]>| assert!(!t.is_empty() && a.is_none())).every(2));
    schedule.add(chunk(|t: &[T]| assert!(!t.is_empty())));
    schedule.add(looker::<Changed<T>>(&log, ""));
    let all = "[0,1,2,3,4,5,6,7,8,9]";
    assert_eq!(said(&mut schedule, &mut world, &log, 4), [all, all, "[]", all]);
}

#[test]
fn a_mut_term_marks_only_rows_that_its_filter_lets_pass() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch([T(0), T(1)]);
    world.spawn((T(2), A(0)));
    let mut schedule = crate::serial();
    schedule.add(each(|t: &mut T| t.0 += 10).filter::<With<A>>().run_if(|tick: Tick| tick.0 > 1));
    schedule.add(looker::<Changed<T>>(&log, ""));
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["[0,1,2]", "[12]"]);
}

#[test]
fn added_tells_inserts_and_replacements_but_no_writes() {
    let log = Log::default();
    let mut world = small_world();
    let row = world.spawn(T(0));
    let bare = world.spawn(A(0));
    let mut schedule = crate::serial();
    schedule.add(looker::<Added<T>>(&log, "added"));
    schedule.add(looker::<Changed<T>>(&log, "changed"));
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["added[0] changed[0]", "added[] changed[]"]);
    world.get_mut::<T>(row).unwrap().0 = 1;
    assert_eq!(said(&mut schedule, &mut world, &log, 1), ["added[] changed[1]"]);
    world.insert(bare, T(2)).unwrap();
    assert_eq!(said(&mut schedule, &mut world, &log, 1), ["added[2] changed[2]"]);
    world.insert(row, T(3)).unwrap();
    assert_eq!(said(&mut schedule, &mut world, &log, 1), ["added[3] changed[3]"]);
}

#[test]
fn a_move_to_another_archetype_is_no_change_of_a_row() {
    let log = Log::default();
    let mut world = small_world();
    let row = world.spawn((T(0), A(0)));
    let mut schedule = crate::serial();
    schedule.add(looker::<Changed<T>>(&log, "row"));
    schedule.add(looker::<ChunkChanged<T>>(&log, "chunk"));
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["row[0] chunk[0]", "row[] chunk[]"]);
    world.insert(row, B(0)).unwrap();
    assert_eq!(said(&mut schedule, &mut world, &log, 1), ["row[] chunk[0]"], "the chunk that it came to is new");
}

#[test]
fn chunk_changed_tells_whole_chunks_and_is_free_for_every_component() {
    let log = Log::default();
    let mut world = small_world();
    let rows = world.spawn_batch((0..20).map(A));
    let mut schedule = crate::serial();
    let said_rows = log.clone();
    schedule.add(move |rows: Query<&A, ChunkChanged<A>>| said_rows.say(rows.count().to_string()));
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["20", "0"]);
    world.get_mut::<A>(rows[9]).unwrap().0 = 0;
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["8", "0"], "the second of three chunks");
    world.get_mut::<A>(rows[19]).unwrap().0 = 0;
    world.get_mut::<A>(rows[0]).unwrap().0 = 0;
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["12", "0"], "the first, and the last of four rows");
}

#[test]
fn a_chunk_is_marked_by_who_enters_it_to_write_also_where_no_row_passes() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch([T(0), T(1)]);
    let mut schedule = crate::serial();
    schedule.add(|mut rows: Query<&mut T, Changed<T>>| rows.for_each(|t| t.0 += 10));
    schedule.add(looker::<Changed<T>>(&log, "row"));
    schedule.add(looker::<ChunkChanged<T>>(&log, "chunk"));
    let expected = ["row[10,11] chunk[10,11]", "row[] chunk[10,11]"];
    assert_eq!(said(&mut schedule, &mut world, &log, 2), expected);
}

#[test]
fn a_row_that_fills_a_gap_changes_the_two_chunks_and_is_itself_unchanged() {
    let log = Log::default();
    let mut world = small_world();
    let rows = world.spawn_batch((0..20).map(T));
    let mut schedule = crate::serial();
    schedule.add(looker::<Changed<T>>(&log, "row"));
    schedule.add(looker::<ChunkChanged<T>>(&log, "chunk"));
    said(&mut schedule, &mut world, &log, 1);
    world.despawn(rows[0]).unwrap();
    let expected = ["row[] chunk[19,1,2,3,4,5,6,7,16,17,18]", "row[] chunk[]"];
    assert_eq!(said(&mut schedule, &mut world, &log, 2), expected, "the first of three chunks, and the last");
}

#[test]
fn what_commands_write_is_dated_by_the_barrier_so_that_the_recorder_sees_it_next_time() {
    let log = Log::default();
    let mut world = small_world();
    let row = world.spawn(T(0));
    let recorder = log.clone();
    let mut schedule = crate::serial();
    schedule.add(looker::<Changed<T>>(&log, "before"));
    schedule.add(move |tick: Tick, changed: Query<&T, Changed<T>>, mut commands: Commands| {
        recorder.say(format!("recorder[{}]", changed.count()));
        if tick.0 == 2 {
            commands.insert(row, T(5));
        }
    });
    schedule.barrier();
    schedule.add(looker::<Changed<T>>(&log, "behind"));
    let expected = [
        "before[0] recorder[1] behind[0]",
        "before[] recorder[0] behind[5]",
        "before[5] recorder[1] behind[]",
        "before[] recorder[0] behind[]",
    ];
    assert_eq!(said(&mut schedule, &mut world, &log, 4), expected);
}

#[test]
fn a_slow_or_switched_off_reader_sees_everything_since_its_own_last_run() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn_batch([T(0), T(1), T(2)]);
    let mut schedule = crate::serial();
    schedule.add(writer(0).run_if(|tick: Tick| tick.0 == 4));
    schedule.add(writer(1).run_if(|tick: Tick| tick.0 == 5));
    schedule.add(looker::<Changed<T>>(&log, "slow").every(3));
    let off = schedule.add(looker::<Changed<T>>(&log, "off"));
    assert_eq!(said(&mut schedule, &mut world, &log, 3), ["off[0,1,2]", "off[]", "slow[0,1,2] off[]"]);
    schedule.set_enabled(off, false);
    assert_eq!(said(&mut schedule, &mut world, &log, 2), ["", ""]);
    schedule.set_enabled(off, true);
    assert_eq!(said(&mut schedule, &mut world, &log, 1), ["slow[10,11] off[10,11]"]);
}

#[test]
fn a_skipped_run_of_a_condition_is_no_run() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn(T(0));
    let mut schedule = crate::serial();
    schedule.add(looker::<Changed<T>>(&log, "").run_if(|tick: Tick| tick.0 > 2));
    assert_eq!(said(&mut schedule, &mut world, &log, 4), ["", "", "[0]", "[]"]);
}

#[test]
fn an_exclusive_system_is_a_reader_with_a_last_run_of_its_own() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn(T(0));
    let own = log.clone();
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World| {
        own.say(world.query::<&T, Changed<T>>().count().to_string());
        world.query_mut::<&mut T, ()>().for_each(|t| t.0 += 1);
    });
    schedule.add(looker::<Changed<T>>(&log, ""));
    assert_eq!(said(&mut schedule, &mut world, &log, 3), ["1 [1]", "0 [2]", "0 [3]"]);
    assert_eq!(world.query::<&T, Changed<T>>().count(), 1, "for the host every change is new");
}
