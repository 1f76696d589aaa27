mod recorder;
mod records;
mod ticks;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::thread;

use tracing::{Dispatch, Level, dispatcher, info_span};

use crate::profile::{Label, Parent, Zone, frame, plot_entities};
use recorder::{Recorder, Step};

/// Two subscribers that nobody tells anything. While a process has one only, `tracing` lets the thread that comes to a call site
/// first decide whether it is of interest to anybody: a test without a subscriber would switch it off for those with one.
static OTHERS: LazyLock<[Dispatch; 2]> = LazyLock::new(|| [(); 2].map(|()| Dispatch::new(Recorder::new(Level::ERROR))));

/// Runs `work` under a recorder of everything up to `level`.
fn record(level: Level, work: impl FnOnce(&Dispatch)) -> Recorder {
    LazyLock::force(&OTHERS);
    let recorder = Recorder::new(level);
    let dispatch = Dispatch::new(recorder.clone());
    dispatcher::with_default(&dispatch, || work(&dispatch));
    recorder
}

/// Runs `help` on a thread of its own, under the same subscriber.
fn on_another_thread(dispatch: &Dispatch, help: impl FnOnce() + Send) {
    thread::scope(|scope| {
        scope.spawn(|| dispatcher::with_default(dispatch, help));
    });
}

/// A tick as two threads would run it: `move_all` here, with a loop in which the other helps, while that ran `bite`.
fn tick(dispatch: &Dispatch, labels: &[Label; 2]) {
    let [move_all, bite] = labels;
    let _tick = Zone::tick(7);
    let in_tick = Parent::current();
    on_another_thread(dispatch, || drop(Zone::system(bite, &in_tick)));
    {
        let _system = Zone::system(move_all, &in_tick);
        let in_loop = Parent::current();
        drop(Zone::batches(move_all, &in_loop));
        on_another_thread(dispatch, || drop(Zone::batches(move_all, &in_loop)));
    }
    drop(Zone::barrier(0, &in_tick));
    plot_entities(3);
    frame(7);
}

fn labels() -> [Label; 2] {
    ["move_all", "bite"].map(Label::new)
}

#[test]
fn the_spans_of_a_tick_are_a_tree_that_threads_do_not_change() {
    let recorder = record(Level::TRACE, |dispatch| tick(dispatch, &labels()));
    assert_eq!(
        recorder.tree(),
        [
            "tick{number=7}",
            "tick{number=7} / system{name=bite}",
            "tick{number=7} / system{name=move_all}",
            "tick{number=7} / system{name=move_all} / batches{name=move_all}",
            "tick{number=7} / system{name=move_all} / batches{name=move_all}",
            "tick{number=7} / barrier{segment=0}",
        ]
    );
}

#[test]
fn spans_end_in_reverse_order_on_the_thread_that_entered_them() {
    let recorder = record(Level::TRACE, |dispatch| (0..3).for_each(|_| tick(dispatch, &labels())));
    recorder.assert_nested();
    assert_eq!(recorder.threads(), 7, "the test's own, and two helpers in each tick");
}

#[test]
fn every_span_and_event_is_told_apart_by_kind_and_not_by_system_or_tick() {
    let recorder = record(Level::TRACE, |dispatch| (0..3).for_each(|_| tick(dispatch, &labels())));
    assert_eq!(recorder.kinds(), ["barrier", "batches", "entities", "frame", "system", "tick"]);
}

#[test]
fn the_end_of_a_tick_and_the_number_of_entities_are_events() {
    let recorder = record(Level::TRACE, |dispatch| tick(dispatch, &labels()));
    assert_eq!(recorder.events(), ["entities{entities=3}", "frame{tracy.frame_mark=true, tick=7}"]);
}

#[test]
fn a_tick_belongs_to_the_span_that_its_caller_is_in_and_a_loop_to_the_one_of_the_system() {
    let recorder = record(Level::TRACE, |_| {
        let _frame = info_span!("render").entered();
        let _tick = Zone::tick(1);
        let _system = Zone::system(&labels()[0], &Parent::current());
        let _own = info_span!("search").entered();
        drop(Zone::batches(&labels()[0], &Parent::current()));
    });
    let last = "render{} / tick{number=1} / system{name=move_all} / search{} / batches{name=move_all}";
    assert_eq!(recorder.tree().last().map(String::as_str), Some(last));
}

#[test]
fn a_parent_is_what_was_told_and_not_what_the_thread_happens_to_be_in() {
    let recorder = record(Level::TRACE, |dispatch| {
        let _tick = Zone::tick(1);
        let parent = Parent::current();
        on_another_thread(dispatch, || {
            let _foreign = info_span!("foreign").entered();
            drop(Zone::system(&labels()[0], &parent));
        });
    });
    assert_eq!(recorder.tree(), ["tick{number=1}", "foreign{}", "tick{number=1} / system{name=move_all}"]);
    recorder.assert_nested();
}

#[test]
fn a_parent_may_be_told_after_its_zone_ended() {
    let recorder = record(Level::TRACE, |_| {
        let tick = Zone::tick(1);
        let parent = Parent::current();
        drop(tick);
        drop(Zone::barrier(0, &parent));
    });
    assert_eq!(recorder.tree().last().map(String::as_str), Some("tick{number=1} / barrier{segment=0}"));
    assert_eq!(recorder.open_spans(), 0);
}

#[test]
fn a_subscriber_of_debug_records_sees_no_batches_and_no_events() {
    let recorder = record(Level::DEBUG, |dispatch| tick(dispatch, &labels()));
    assert_eq!(recorder.kinds(), ["barrier", "system", "tick"]);
    recorder.assert_nested();
}

#[test]
fn a_panic_ends_the_spans_that_it_leaves() {
    let recorder = record(Level::TRACE, |_| {
        let failed = catch_unwind(AssertUnwindSafe(|| {
            let _tick = Zone::tick(1);
            let _system = Zone::system(&labels()[0], &Parent::current());
            panic!("a system that fails");
        }));
        assert!(failed.is_err());
    });
    recorder.assert_nested();
    assert_eq!(recorder.open_spans(), 0);
}

#[test]
#[should_panic(expected = "left in another order")]
fn the_recorder_finds_spans_that_end_in_another_order() {
    let recorder = Recorder::new(Level::TRACE);
    for step in [Step::Enter(1), Step::Enter(2), Step::Exit(1), Step::Exit(2)] {
        recorder.note(step);
    }
    recorder.assert_nested();
}

#[test]
fn without_a_subscriber_there_is_nothing_to_be_in() {
    dispatcher::with_default(&Dispatch::none(), || {
        let _tick = Zone::tick(1);
        assert!(Parent::current().0.0.is_none());
    });
}
