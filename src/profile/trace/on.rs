//! Spans and events of `tracing`, for whatever subscriber the program installs.
//!
//! Names, levels and fields are constants of the call site; the name of the system is the value of a field. Where nobody
//! subscribes, each call is one comparison.

use super::{Severity, Told};
use tracing::span::EnteredSpan;
use tracing::{Level, Span, debug_span, event, trace_span};

/// What filters of subscribers call the library.
const TARGET: &str = "tickweave";

pub(super) struct Label(Box<str>);

impl Label {
    pub(super) fn new(system: &str) -> Self {
        Self(system.into())
    }
}

/// Keeps the span open for the subscriber for as long as somebody may name it.
pub(super) struct Parent(Span);

impl Parent {
    pub(super) fn current() -> Self {
        Self(Span::current())
    }
}

pub(super) struct Zone {
    _entered: EnteredSpan,
}

impl Zone {
    #[inline]
    pub(super) fn tick(number: u64) -> Self {
        Self::enter(debug_span!(target: TARGET, "tick", number))
    }

    #[inline]
    pub(super) fn system(system: &Label, parent: &Parent) -> Self {
        Self::enter(debug_span!(target: TARGET, parent: &parent.0, "system", name = &*system.0))
    }

    #[inline]
    pub(super) fn barrier(segment: usize, parent: &Parent) -> Self {
        Self::enter(debug_span!(target: TARGET, parent: &parent.0, "barrier", segment))
    }

    #[inline]
    pub(super) fn batches(system: &Label, parent: &Parent) -> Self {
        Self::enter(trace_span!(target: TARGET, parent: &parent.0, "batches", name = &*system.0))
    }

    #[inline]
    fn enter(span: Span) -> Self {
        Self { _entered: span.entered() }
    }
}

/// What filters of subscribers call the records.
const RECORDS: &str = "tickweave::records";

/// One event for all records of a level: the values that a record lacks are left out.
macro_rules! tell {
    ($level:ident, $told:ident: $($field:ident)*) => {
        event!(
            name: "record",
            target: RECORDS,
            Level::$level,
            record = $told.name,
            tick = $told.tick,
            about = $told.about,
            $($field = ($told.value)(stringify!($field)),)*
            what = $told.what,
            why = $told.why,
            fix = $told.fix,
        )
    };
    ($level:ident, $told:ident) => {
        tell!($level, $told: took_ns budget_ns p99_ns samples entities capacity changes budget new archetypes refused
            applied dropped steps dropped_ever suppressed window)
    };
}

pub(super) fn record(told: &Told<'_>) {
    match told.severity {
        Severity::Info => tell!(INFO, told),
        Severity::Warn => tell!(WARN, told),
        Severity::Error => tell!(ERROR, told),
    }
}

/// `tracy.frame_mark` is what the layer of the crate `tracing-tracy` looks for.
#[inline]
pub(super) fn frame(tick: u64) {
    event!(name: "frame", target: TARGET, Level::TRACE, tracy.frame_mark = true, tick);
}

#[inline]
pub(super) fn plot_entities(count: usize) {
    event!(name: "entities", target: TARGET, Level::TRACE, entities = count);
}

#[cfg(test)]
mod tests;
