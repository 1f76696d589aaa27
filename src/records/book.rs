use std::collections::VecDeque;

use super::catalogue::{MAX_FIELDS, RecordKind};
use super::record::{Record, Subject};
use crate::profile::{self, Told};

/// Ticks for which one record of a name is told, by default: a second at 60 ticks a second.
pub const RECORD_WINDOW: u32 = 60;

/// Records that a world keeps for its host; older ones make way and are counted.
pub const RECORDS_KEPT: usize = 64;

/// The records of a world, the last [`RECORDS_KEPT`] of them.
///
/// The first record of a name is always told. Those that follow within a window of ticks are held back and counted; at the
/// end of the window a `records/suppressed` tells how many. Ticks are counted as they are run: a world that goes back to an
/// earlier tick opens no window anew.
///
/// # Determinism
///
/// Records are no state: no hash, no snapshot and no save has them, and what is on, off, kept or read changes no result.
/// Those of budgets and of dropped ticks come from a clock; the others are the same in each run and with each executor.
#[derive(Debug)]
pub struct Records {
    kept: VecDeque<Record>,
    lost: u64,
    windows: [Window; RecordKind::COUNT],
    window: u32,
    /// Ticks that were run.
    turn: u64,
    /// The turn at which something that was held back is to be told.
    due: u64,
    enabled: bool,
}

/// What became of the records of one name.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// The turn from which on the next one is told.
    ends: u64,
    suppressed: u64,
}

impl Records {
    pub(crate) const fn new() -> Self {
        Self {
            kept: VecDeque::new(),
            lost: 0,
            windows: [Window { ends: 0, suppressed: 0 }; RecordKind::COUNT],
            window: RECORD_WINDOW,
            turn: 0,
            due: u64::MAX,
            enabled: true,
        }
    }

    /// The records that are kept, the oldest first.
    pub fn iter(&self) -> impl Iterator<Item = &Record> + '_ {
        self.kept.iter()
    }

    /// Takes the records that are kept, the oldest first.
    pub fn drain(&mut self) -> impl Iterator<Item = Record> + '_ {
        self.kept.drain(..)
    }

    /// How many made way for newer ones before anybody took them.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }

    /// How many of a name are held back in the current window.
    #[must_use]
    pub const fn suppressed(&self, kind: RecordKind) -> u64 {
        self.windows[kind as usize].suppressed
    }

    /// Whether anything is told. On by default.
    pub fn set_enabled(&mut self, enabled: bool) {
        self.enabled = enabled;
    }

    /// For how many ticks one record of a name is told; with 0 all are. Windows that are open end when they would have.
    pub fn set_window(&mut self, ticks: u32) {
        self.window = ticks;
    }

    /// Tells now how many of each name are held back: for a host that stops.
    pub fn flush(&mut self, tick: u64) {
        self.tell_suppressed(tick, u64::MAX);
    }

    /// Tells a record, unless one of its name was told in this window. `fill` gives its subject and its values, in the order
    /// of the kind's fields.
    pub(crate) fn tell<const N: usize>(
        &mut self,
        kind: RecordKind,
        tick: u64,
        fill: impl FnOnce() -> (Subject, [u64; N]),
    ) {
        const { assert!(N <= MAX_FIELDS, "a record has room for so many values") };
        if !self.enabled {
            return;
        }
        if self.turn < self.windows[kind as usize].ends {
            self.hold_back(kind);
            return;
        }
        let (about, given) = fill();
        debug_assert_eq!(N, kind.fields().len(), "one value for each field");
        self.windows[kind as usize].ends = self.turn + u64::from(self.window);
        let mut values = [0; MAX_FIELDS];
        values[..N].copy_from_slice(&given);
        self.keep(Record { kind, tick, about, values });
    }

    fn hold_back(&mut self, kind: RecordKind) {
        let window = &mut self.windows[kind as usize];
        window.suppressed += 1;
        self.due = self.due.min(window.ends);
    }

    /// Ends a tick, when everything of it was told.
    #[inline]
    pub(crate) fn end_tick(&mut self, tick: u64) {
        self.turn += 1;
        if self.turn >= self.due {
            self.tell_suppressed(tick, self.turn);
        }
    }

    /// Tells what was held back in windows that end by `turn`; where nothing is told, once something is again.
    #[cold]
    fn tell_suppressed(&mut self, tick: u64, turn: u64) {
        if !self.enabled {
            return;
        }
        self.due = u64::MAX;
        for &kind in RecordKind::ALL {
            let Window { ends, suppressed } = self.windows[kind as usize];
            if suppressed > 0 && ends <= turn {
                self.windows[kind as usize].suppressed = 0;
                let values = [suppressed, u64::from(self.window), 0, 0];
                self.keep(Record { kind: RecordKind::Suppressed, tick, about: Subject::Static(kind.name()), values });
            } else if suppressed > 0 {
                self.due = self.due.min(ends);
            }
        }
    }

    fn keep(&mut self, record: Record) {
        profile::record(&Told {
            severity: record.severity(),
            name: record.name(),
            tick: record.tick,
            about: record.about(),
            what: record.kind.what(),
            why: record.kind.why(),
            fix: record.kind.fix(),
            value: &|field| record.value(field),
        });
        self.kept.reserve_exact(RECORDS_KEPT - self.kept.len());
        if self.kept.len() == RECORDS_KEPT {
            self.kept.pop_front();
            self.lost += 1;
        }
        self.kept.push_back(record);
    }
}
