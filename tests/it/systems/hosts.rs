//! Systems on the caller's thread, and what the host lends them.

use std::cell::RefCell;
use std::rc::Rc;

use super::kit::{A, Log, failed, small_world, spawn};
use tickweave::prelude::*;

/// What only the thread of the host may touch.
#[derive(Clone, Default)]
struct Screen(Rc<RefCell<Vec<usize>>>);

fn draw(rows: Query<&A>, screen: Host<Screen>) {
    screen.0.borrow_mut().push(rows.count());
}

#[test]
fn a_system_with_a_host_value_is_pinned_and_gets_what_the_run_lends() {
    let mut world = small_world();
    world.spawn(A(0));
    let mut screen = Screen::default();
    let mut schedule = crate::serial();
    let id = schedule.add(draw);
    schedule.add(|mut commands: Commands| spawn(&mut commands, A(0)));
    schedule.run_with(&mut world, &mut screen).unwrap();
    schedule.run_with(&mut world, &mut screen).unwrap();
    assert_eq!(*screen.0.borrow(), [1, 2]);
    assert!(schedule.system(id).unwrap().pinned);
}

#[test]
fn several_systems_share_the_host_value_one_after_the_other() {
    let mut world = small_world();
    let mut count = 0_u32;
    let mut schedule = crate::serial();
    for _ in 0..3 {
        schedule.add(|mut count: Host<u32>| *count = *count * 10 + 1);
    }
    schedule.run_with(&mut world, &mut count).unwrap();
    assert_eq!(count, 111);
}

#[test]
fn a_missing_host_value_is_found_before_anything_runs() {
    let mut world = small_world();
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(log.system("before"));
    let id = schedule.add(draw.named("draw"));
    for outcome in [schedule.run(&mut world), schedule.run_with(&mut world, &mut 5_u8)] {
        let error = outcome.unwrap_err();
        assert_eq!(error.code(), "host-missing");
        let parts = ["`draw`", "Screen", "`run_with`", "`step_with`"];
        assert!(parts.iter().all(|part| error.to_string().contains(part)), "{error}");
    }
    assert_eq!((log.take().as_str(), world.tick(), world.torn()), ("", 0, None));
    schedule.set_enabled(id, false);
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "before");
}

#[expect(clippy::disallowed_methods, reason = "the thread itself is what is tested")]
fn this_thread() -> std::thread::ThreadId {
    std::thread::current().id()
}

#[test]
fn any_shape_can_be_pinned_and_runs_on_the_thread_that_called_run() {
    let mut world = small_world();
    world.spawn(A(0));
    let here = this_thread();
    let mut schedule = crate::serial();
    let ids = [
        schedule.add(each(move |_: &A| assert_eq!(this_thread(), here)).pinned()),
        schedule.add(chunk(move |_: &[A]| assert_eq!(this_thread(), here)).pinned()),
        schedule.add((move || assert_eq!(this_thread(), here)).pinned()),
        schedule.add((move |_: &mut World| assert_eq!(this_thread(), here)).pinned()),
    ];
    schedule.run(&mut world).unwrap();
    assert!(ids.iter().all(|&id| schedule.system(id).unwrap().pinned));
}

#[test]
fn a_pinned_system_that_panics_fails_the_tick_and_the_host_value_lives_on() {
    let mut world = small_world();
    let mut value = vec![1];
    let mut schedule = crate::serial();
    let body = |mut value: Host<Vec<i32>>| {
        value.push(2);
        assert!(value.is_empty(), "torn screen");
    };
    schedule.add(body.named("draw"));
    assert_eq!(failed(schedule.run_with(&mut world, &mut value)), ("draw".into(), 1, "system-panic"));
    assert_eq!(value, [1, 2]);
}
