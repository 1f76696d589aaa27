#![expect(unsafe_code, reason = "reads what is handed to Tracy")]

use core::ffi::{CStr, c_char};
use std::process::Command;
use std::{env, fs};

use super::{Label, Names, SHOWN_CHARS, Zone, frame, plot_entities, shown};

/// Zones that are opened with nobody watching; each would take some 50 bytes if it were kept.
const UNWATCHED: u64 = 1_000_000;
const GROWTH_KIB: u64 = 1_024;

fn text_of(pointer: *const c_char) -> &'static str {
    // SAFETY: a location's text ends with a zero and lives as long as the process.
    unsafe { CStr::from_ptr(pointer) }.to_str().expect("names are UTF-8")
}

#[test]
fn a_name_has_one_place_in_the_statistics_of_a_viewer() {
    let [first, again] = ["rise", "rise"].map(|name| Label::new(name).0);
    assert!(core::ptr::eq(first, again));
    assert!(!core::ptr::eq(first, Label::new("fall").0));
}

#[test]
fn names_are_shown_without_zeros_and_not_beyond_what_tracy_takes() {
    assert_eq!(text_of(Names::of("a\0b").system.0.name), "a?b");
    assert_eq!(text_of(Names::of("a\0b").batches.0.name), "a?b (batches)");
    assert_eq!(shown(&"é".repeat(SHOWN_CHARS + 1)), "é".repeat(SHOWN_CHARS));
    assert_eq!(shown("é"), "é");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_kept_while_nobody_watches() {
    // Alone in a process of its own, since memory is counted by process.
    if !env::args().any(|argument| argument == "--exact") {
        let test = "profile::tracy::tests::nothing_is_kept_while_nobody_watches";
        let alone = Command::new(env::current_exe().expect("this test")).args([test, "--exact"]).output();
        let alone = alone.expect("this test starts");
        return assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stdout));
    }
    // The client's own threads start in the first round; what is kept shows in every one.
    let growth = (0..4).map(|_| growth_in_kib(|| (0..UNWATCHED / 4).for_each(profile_a_tick))).min();
    assert!(growth < Some(GROWTH_KIB), "{UNWATCHED} zones grew the process by {growth:?} KiB");
}

/// Four zones, a frame and a plot, with a label made anew as if the schedule were bound again.
fn profile_a_tick(number: u64) {
    let rise = Label::new("rise");
    let tick = Zone::tick(number);
    drop((Zone::system(&rise), Zone::batches(&rise), Zone::barrier(), tick));
    plot_entities(3);
    frame();
}

fn growth_in_kib(work: impl FnOnce()) -> u64 {
    let before = resident_kib();
    work();
    resident_kib().saturating_sub(before)
}

fn resident_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line on memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
