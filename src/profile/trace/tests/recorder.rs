//! A subscriber that keeps what it is told.

use core::fmt::{Debug, Write};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};
use tracing_core::span::Current;

thread_local! {
    static THREAD: u64 = {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    };
    /// The spans that this thread is in, of one recorder: a test has one, and its threads are its own.
    static INSIDE: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Enter(u64),
    Exit(u64),
}

/// A span with the number of those who hold it.
struct Kept {
    metadata: &'static Metadata<'static>,
    shown: String,
    parent: Option<u64>,
    holders: usize,
}

#[derive(Default)]
struct Book {
    spans: Vec<Kept>,
    events: Vec<(&'static Metadata<'static>, String)>,
    steps: Vec<(u64, Step)>,
}

#[derive(Clone)]
pub(super) struct Recorder {
    level: Level,
    book: Arc<Mutex<Book>>,
}

impl Recorder {
    pub(super) fn new(level: Level) -> Self {
        Self { level, book: Arc::default() }
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().expect("no test panics in the recorder")
    }

    pub(super) fn note(&self, step: Step) {
        let thread = THREAD.with(|thread| *thread);
        self.book().steps.push((thread, step));
    }

    /// Each span in the order of opening, with its parents in front.
    pub(super) fn tree(&self) -> Vec<String> {
        let book = self.book();
        (1..=book.spans.len() as u64).map(|id| way_to(&book, id)).collect()
    }

    pub(super) fn events(&self) -> Vec<String> {
        self.book().events.iter().map(|(_, shown)| shown.clone()).collect()
    }

    /// The names of the call sites, each of which must be one place in the source.
    pub(super) fn kinds(&self) -> Vec<&'static str> {
        let book = self.book();
        let sites = book.spans.iter().map(|span| span.metadata).chain(book.events.iter().map(|event| event.0));
        let sites: BTreeSet<_> = sites.map(|site| (site.name(), site.line(), site.target())).collect();
        assert!(sites.iter().all(|site| site.2.starts_with("tickweave")), "{sites:?}");
        sites.into_iter().map(|site| site.0).collect()
    }

    pub(super) fn threads(&self) -> usize {
        self.book().steps.iter().map(|step| step.0).collect::<BTreeSet<_>>().len()
    }

    pub(super) fn open_spans(&self) -> usize {
        self.book().spans.iter().filter(|span| span.holders > 0).count()
    }

    /// On each thread, the span that was entered last is left first, and none is left over.
    pub(super) fn assert_nested(&self) {
        let book = self.book();
        for thread in book.steps.iter().map(|step| step.0).collect::<BTreeSet<_>>() {
            let mut inside = Vec::new();
            for (_, step) in book.steps.iter().filter(|step| step.0 == thread) {
                match step {
                    Step::Enter(id) => inside.push(id),
                    Step::Exit(id) => assert_eq!(inside.pop(), Some(id), "left in another order: {:?}", book.steps),
                }
            }
            assert!(inside.is_empty(), "never left: {inside:?}");
        }
    }
}

fn way_to(book: &Book, id: u64) -> String {
    let span = &book.spans[id as usize - 1];
    match span.parent {
        Some(parent) => format!("{} / {}", way_to(book, parent), span.shown),
        None => span.shown.clone(),
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() <= &self.level
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let told = span.parent().map(Id::into_u64);
        let here = INSIDE.with_borrow(|inside| inside.last().copied());
        let parent = told.or(here.filter(|_| span.is_contextual()));
        let shown = shown(span.metadata(), |fields| span.record(fields));
        let mut book = self.book();
        book.spans.push(Kept { metadata: span.metadata(), shown, parent, holders: 1 });
        Id::from_u64(book.spans.len() as u64)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let shown = shown(event.metadata(), |fields| event.record(fields));
        self.book().events.push((event.metadata(), shown));
    }

    fn enter(&self, span: &Id) {
        INSIDE.with_borrow_mut(|inside| inside.push(span.into_u64()));
        self.note(Step::Enter(span.into_u64()));
    }

    fn exit(&self, span: &Id) {
        INSIDE.with_borrow_mut(|inside| inside.retain(|id| *id != span.into_u64()));
        self.note(Step::Exit(span.into_u64()));
    }

    fn clone_span(&self, id: &Id) -> Id {
        self.book().spans[id.into_u64() as usize - 1].holders += 1;
        id.clone()
    }

    fn try_close(&self, id: Id) -> bool {
        let span = &mut self.book().spans[id.into_u64() as usize - 1];
        span.holders -= 1;
        span.holders == 0
    }

    fn current_span(&self) -> Current {
        let last = INSIDE.with_borrow(|inside| inside.last().copied());
        last.map_or_else(Current::none, |id| {
            Current::new(Id::from_u64(id), self.book().spans[id as usize - 1].metadata)
        })
    }
}

/// `name{field=value, ...}`
fn shown(metadata: &Metadata<'_>, record: impl FnOnce(&mut Fields)) -> String {
    let mut fields = Fields(String::new());
    record(&mut fields);
    format!("{}{{{}}}", metadata.name(), fields.0)
}

struct Fields(String);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.record_debug(field, &format_args!("{value}"));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let comma = if self.0.is_empty() { "" } else { ", " };
        write!(self.0, "{comma}{field}={value:?}").expect("strings take everything");
    }
}
