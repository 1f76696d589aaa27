//! Spans and events of `tracing`, for whatever subscriber the program installs.
//!
//! Names, levels and fields are constants of the call site; the name of the system is the value of a field. Where nobody
//! subscribes, each call is one comparison.

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
