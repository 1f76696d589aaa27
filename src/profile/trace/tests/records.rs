use tracing::Level;

use super::record;
use crate::records::{RecordKind, Records, Severity, Subject};

/// What a recorder of `level` is told of one record of a kind, whose values are 1, 2 and so on.
fn told(level: Level, kind: RecordKind) -> Vec<String> {
    let recorder = record(level, |_| {
        let (mut records, subject) = (Records::new(), Subject::Static("subject"));
        match kind.fields().len() {
            1 => records.tell(kind, 9, || (subject, [1])),
            2 => records.tell(kind, 9, || (subject, [1, 2])),
            3 => records.tell(kind, 9, || (subject, [1, 2, 3])),
            4 => records.tell(kind, 9, || (subject, [1, 2, 3, 4])),
            other => panic!("`{kind}` has {other} values"),
        }
    });
    recorder.events()
}

#[test]
fn each_record_is_an_event_with_all_its_values() {
    for &kind in RecordKind::ALL {
        let events = told(Level::INFO, kind);
        assert_eq!(events.len(), 1, "{kind}: {events:?}");
        let values = (1..).zip(kind.fields()).map(|(value, field)| format!(", {field}={value}"));
        let values: String = values.collect();
        for part in [format!("record={kind}, tick=9, about=subject"), format!("what={}", kind.what()), values] {
            assert!(events[0].contains(&part), "{kind}: {part} is not in {events:?}");
        }
    }
}

#[test]
fn subscribers_filter_by_the_severity() {
    for &kind in RecordKind::ALL {
        assert_eq!(told(Level::ERROR, kind).len(), usize::from(kind.severity() == Severity::Error));
        assert_eq!(told(Level::WARN, kind).len(), usize::from(kind.severity() >= Severity::Warn));
    }
}
