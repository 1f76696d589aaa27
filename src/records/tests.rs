use std::sync::Arc;

use super::*;

/// Tells one record of a kind without values and ends the tick; returns the names that are kept.
fn tick(records: &mut Records, tick: u64, told: u64) -> Vec<&'static str> {
    for dropped in 0..told {
        records.tell(RecordKind::EventsDropped, tick, || (Subject::None, [dropped]));
    }
    records.end_tick(tick);
    records.drain().map(|record| record.name()).collect()
}

#[test]
fn the_first_of_a_name_is_told_the_rest_of_its_window_is_counted_and_told_at_its_end() {
    let mut records = Records::new();
    records.set_window(3);
    assert_eq!(tick(&mut records, 1, 2), ["event/dropped"]);
    assert_eq!(tick(&mut records, 2, 1), [] as [&str; 0]);
    assert_eq!(records.suppressed(RecordKind::EventsDropped), 2);
    records.tell(RecordKind::EventsDropped, 3, || (Subject::None, [0]));
    records.end_tick(3);
    let summary = records.drain().next().unwrap();
    assert_eq!((summary.name(), summary.about()), ("records/suppressed", Some("event/dropped")));
    assert_eq!((summary.value("suppressed"), summary.value("window"), summary.tick()), (Some(3), Some(3), 3));
    assert_eq!(tick(&mut records, 4, 1), ["event/dropped"]);
}

#[test]
fn names_are_limited_apart_from_each_other() {
    let mut records = Records::new();
    records.tell(RecordKind::EventsDropped, 1, || (Subject::None, [1]));
    records.tell(RecordKind::Churn, 1, || (Subject::None, [2, 1]));
    assert_eq!(records.iter().count(), 2);
}

#[test]
fn what_is_held_back_is_not_made_and_a_quiet_end_tells_nothing() {
    let mut records = Records::new();
    assert_eq!(tick(&mut records, 1, 1).len(), 1);
    records.tell::<1>(RecordKind::EventsDropped, 1, || unreachable!("held back"));
    records.set_enabled(false);
    records.tell::<2>(RecordKind::Churn, 1, || unreachable!("off"));
    let mut quiet = Records::new();
    (0..u64::from(2 * RECORD_WINDOW)).for_each(|at| quiet.end_tick(at));
    assert_eq!(quiet.iter().count(), 0);
}

#[test]
fn a_window_of_no_ticks_holds_nothing_back() {
    let mut records = Records::new();
    records.set_window(0);
    assert_eq!(tick(&mut records, 1, 3).len(), 3);
}

#[test]
fn a_host_that_stops_is_told_what_was_held_back() {
    let mut records = Records::new();
    records.tell(RecordKind::EventsDropped, 1, || (Subject::None, [1]));
    records.tell(RecordKind::EventsDropped, 1, || (Subject::None, [1]));
    records.flush(1);
    records.flush(1);
    assert_eq!(
        records.drain().map(|record| record.name()).collect::<Vec<_>>(),
        ["event/dropped", "records/suppressed"]
    );
}

#[test]
fn records_that_are_off_tell_nothing_of_what_was_held_back_before_they_are_on_again() {
    let mut records = Records::new();
    records.set_window(3);
    assert_eq!(tick(&mut records, 1, 3).len(), 1);
    records.set_enabled(false);
    (2..10).for_each(|number| assert!(tick(&mut records, number, 1).is_empty()));
    records.flush(10);
    assert_eq!((records.iter().count(), records.suppressed(RecordKind::EventsDropped)), (0, 2));
    records.set_enabled(true);
    assert_eq!(tick(&mut records, 10, 0), ["records/suppressed"]);
}

#[test]
fn the_oldest_make_way_and_are_counted() {
    let mut records = Records::new();
    records.set_window(0);
    let told = RECORDS_KEPT as u64 + 3;
    (0..told).for_each(|at| records.tell(RecordKind::EventsDropped, at, || (Subject::None, [at])));
    assert_eq!((records.lost(), records.iter().count()), (3, RECORDS_KEPT));
    assert_eq!(records.iter().next().map(Record::tick), Some(3));
}

#[test]
fn a_record_is_one_line_with_everything_on_it() {
    let mut records = Records::new();
    let steer: Arc<str> = "steer".into();
    records.tell(RecordKind::BudgetOverrun, 7, || (Subject::Shared(steer), [1_500, 1_000, 900, 4]));
    assert_eq!(
        records.iter().next().unwrap().to_string(),
        "warn budget/overrun in tick 7, system `steer`: took_ns=1500, budget_ns=1000, p99_ns=900, samples=4: a system took \
         longer than its budget; ticks that take longer than their share of a second fall behind; have it do less or run every \
         few ticks, or raise its budget"
    );
}

#[test]
fn each_kind_stands_at_its_own_place_with_a_name_of_its_own() {
    for (index, &kind) in RecordKind::ALL.iter().enumerate() {
        assert_eq!((kind as usize, RecordKind::named(kind.name())), (index, Some(kind)));
        assert!(kind.name().split('/').count() == 2 && kind.fields().len() <= catalogue::MAX_FIELDS, "{kind}");
    }
    assert_eq!(RecordKind::named("nowhere"), None);
}
