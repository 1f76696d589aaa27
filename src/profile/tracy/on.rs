//! Zones, frames and plots of Tracy.
//!
//! The client is built for on-demand mode: until a viewer connects, each call here looks at one flag and returns, and
//! nothing is kept. A viewer asks for the texts of a zone whenever it likes, also after the schedule is gone; so they are
//! made once for each name, and live as long as the process.

#![expect(
    unsafe_code,
    reason = "the safe half of the client names zones by literals, or allocates a name for each call"
)]

use core::ffi::CStr;
use std::collections::BTreeMap;
use std::ffi::CString;

use tracy_client::{Client, frame_name, plot_name, sys};

use crate::sync::Mutex;

/// Tracy counts the bytes of a text in 16 bits; the rest of a longer name is not shown.
const SHOWN_CHARS: usize = 1_000;

static TICK: Location = Location::new(c"tick", c"tick");
static BARRIER: Location = Location::new(c"barrier", c"barrier");
static NAMES: Mutex<BTreeMap<String, &'static Names>> = Mutex::new(BTreeMap::new());

/// What a viewer shows for a zone, and by what it groups zones: one address, one row in its statistics.
struct Location(sys::___tracy_source_location_data);

// SAFETY: nothing writes to a location or to its texts, which live as long as the process: `new` takes no others.
unsafe impl Sync for Location {}

impl Location {
    /// The kind is shown where a viewer expects a function.
    const fn new(name: &'static CStr, kind: &'static CStr) -> Self {
        let (name, function, file) = (name.as_ptr(), kind.as_ptr(), c"tickweave".as_ptr());
        Self(sys::___tracy_source_location_data { name, function, file, line: 0, color: 0 })
    }
}

/// The locations of a system.
struct Names {
    system: Location,
    batches: Location,
}

impl Names {
    fn new(system: &str) -> Self {
        let batches = format!("{} (batches)", shown(system));
        Self {
            system: Location::new(text(shown(system)), c"system"),
            batches: Location::new(text(&batches), c"batches"),
        }
    }

    /// The names of a system, the same ones whenever it is asked for.
    fn of(system: &str) -> &'static Self {
        let mut known = NAMES.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(names) = known.get(system) {
            return names;
        }
        let names: &'static Self = Box::leak(Box::new(Self::new(system)));
        known.insert(system.to_owned(), names);
        names
    }
}

fn shown(name: &str) -> &str {
    name.char_indices().nth(SHOWN_CHARS).map_or(name, |(end, _)| &name[..end])
}

fn text(text: &str) -> &'static CStr {
    let text = CString::new(text.replace('\0', "?")).expect("zeros are replaced");
    Box::leak(text.into_boxed_c_str())
}

pub(super) struct Label(&'static Names);

impl Label {
    pub(super) fn new(system: &str) -> Self {
        Self(Names::of(system))
    }
}

pub(super) struct Zone(sys::___tracy_c_zone_context);

impl Zone {
    #[inline]
    pub(super) fn tick(number: u64) -> Self {
        let zone = Self::begin(&TICK);
        // SAFETY: the client runs, since a zone began, and the zone is the one that this thread opened last.
        unsafe { sys::___tracy_emit_zone_value(zone.0, number) };
        zone
    }

    #[inline]
    pub(super) fn system(system: &Label) -> Self {
        Self::begin(&system.0.system)
    }

    #[inline]
    pub(super) fn barrier() -> Self {
        Self::begin(&BARRIER)
    }

    #[inline]
    pub(super) fn batches(system: &Label) -> Self {
        Self::begin(&system.0.batches)
    }

    #[inline]
    fn begin(location: &'static Location) -> Self {
        // Runs already, unless the program took the start of the client into its own hands.
        Client::start();
        // SAFETY: the client runs. The location and its texts, which end with a zero, live as long as the process.
        Self(unsafe { sys::___tracy_emit_zone_begin(&raw const location.0, 1) })
    }
}

impl Drop for Zone {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: the client runs, since the zone began, and nothing stops it. The zone ends once, on the thread on which it
        // began: the façade's guard, which holds it, can't be sent.
        unsafe { sys::___tracy_emit_zone_end(self.0) };
    }
}

/// A set of frames of its own: the main one is the renderer's.
#[inline]
pub(super) fn frame() {
    Client::start().secondary_frame_mark(frame_name!("tick"));
}

#[inline]
pub(super) fn plot_entities(count: usize) {
    Client::start().plot(plot_name!("entities"), count as f64);
}

#[cfg(test)]
mod tests;
