//! Zones, frames and plots for profilers: one façade over `tracing` (feature `trace`) and Tracy (feature `tracy`).
//!
//! The only room that names either crate, and the only one that reads the two features; callers wear no `cfg`. With both
//! off every type is empty and every function does nothing, so that nothing of it is left in the binary. What is measured
//! leaves through here and never comes back: no result can depend on it.
//!
//! A zone is known by its kind, a constant (`tick`, `system`, `barrier`, `batches`), and by the [`Label`] of its system,
//! which is made once, when a schedule is bound. It ends on the thread that opened it, in the reverse order of opening: a
//! guard lives in a scope and can't be sent. Work that other threads do for a zone is told its [`Parent`].

#[cfg(all(feature = "trace", not(tickweave_loom)))]
#[path = "trace/on.rs"]
mod trace;
#[cfg(not(all(feature = "trace", not(tickweave_loom))))]
#[path = "trace/off.rs"]
mod trace;

#[cfg(all(feature = "tracy", not(tickweave_loom)))]
#[path = "tracy/on.rs"]
mod tracy;
#[cfg(not(all(feature = "tracy", not(tickweave_loom))))]
#[path = "tracy/off.rs"]
mod tracy;

use core::marker::PhantomData;

/// The name of a system as the profilers keep it.
#[cfg_attr(not(tickweave_loom), expect(unreachable_pub, reason = "the models name the system whose loop it is"))]
pub struct Label {
    trace: trace::Label,
    tracy: tracy::Label,
}

#[cfg_attr(not(tickweave_loom), expect(unreachable_pub, reason = "as above"))]
impl Label {
    /// Makes the label of a system. It allocates, so it is made when a schedule is bound and kept.
    ///
    /// Tracy asks for names whenever it likes, so that it keeps each different name until the process ends.
    pub fn new(system: &str) -> Self {
        Self { trace: trace::Label::new(system), tracy: tracy::Label::new(system) }
    }
}

impl core::fmt::Debug for Label {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Label").finish_non_exhaustive()
    }
}

/// What encloses work that is handed to other threads.
///
/// `tracing` would else take for the parent whatever its thread happens to be inside of. Tracy shows each thread by itself
/// and needs no parents.
pub(crate) struct Parent(trace::Parent);

impl Parent {
    /// The zone that this thread is in, or the span that the user opened inside of it.
    #[inline]
    pub(crate) fn current() -> Self {
        Self(trace::Parent::current())
    }
}

/// A stretch of time on one thread, from the opening until the guard is dropped.
#[must_use = "a zone ends when its guard is dropped"]
pub(crate) struct Zone {
    // What was opened last ends first: fields are dropped in this order.
    _tracy: tracy::Zone,
    _trace: trace::Zone,
    _stays_on_its_thread: PhantomData<*mut ()>,
}

impl Zone {
    /// A tick, with its number. The only zone that takes its parent from the thread: what the caller is in.
    #[inline]
    pub(crate) fn tick(number: u64) -> Self {
        Self::open(trace::Zone::tick(number), tracy::Zone::tick(number))
    }

    /// A run of a system.
    #[inline]
    pub(crate) fn system(system: &Label, parent: &Parent) -> Self {
        Self::open(trace::Zone::system(&system.trace, &parent.0), tracy::Zone::system(&system.tracy))
    }

    /// The barrier behind a segment of the plan: commands are merged.
    #[inline]
    pub(crate) fn barrier(segment: usize, parent: &Parent) -> Self {
        Self::open(trace::Zone::barrier(segment, &parent.0), tracy::Zone::barrier())
    }

    /// Batches of a system that a hand claimed.
    #[inline]
    pub(crate) fn batches(system: &Label, parent: &Parent) -> Self {
        Self::open(trace::Zone::batches(&system.trace, &parent.0), tracy::Zone::batches(&system.tracy))
    }

    #[inline]
    fn open(trace: trace::Zone, tracy: tracy::Zone) -> Self {
        Self { _tracy: tracy, _trace: trace, _stays_on_its_thread: PhantomData }
    }
}

/// How much a record matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Severity {
    /// Good to know.
    Info,
    /// Something will go wrong if it goes on.
    Warn,
    /// Something is wrong.
    Error,
}

impl core::fmt::Display for Severity {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        })
    }
}

/// A record, its parts apart.
#[cfg_attr(
    not(all(feature = "trace", not(tickweave_loom))),
    expect(dead_code, reason = "only subscribers of `tracing` are told of it")
)]
pub(crate) struct Told<'r> {
    pub(crate) severity: Severity,
    pub(crate) name: &'static str,
    pub(crate) tick: u64,
    pub(crate) about: Option<&'r str>,
    pub(crate) what: &'static str,
    pub(crate) why: &'static str,
    pub(crate) fix: &'static str,
    /// The value of a field, if the record has it.
    pub(crate) value: &'r dyn Fn(&str) -> Option<u64>,
}

/// Tells a record.
#[inline]
pub(crate) fn record(told: &Told<'_>) {
    trace::record(told);
}

/// Marks the end of a tick.
#[inline]
pub(crate) fn frame(tick: u64) {
    trace::frame(tick);
    tracy::frame();
}

/// Plots how many entities there are.
#[inline]
pub(crate) fn plot_entities(count: usize) {
    trace::plot_entities(count);
    tracy::plot_entities(count);
}

#[cfg(test)]
mod tests;
