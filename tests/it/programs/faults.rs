//! Faults that are planted in the library: a few random programs catch each. Only under `--cfg tickweave_faults`.

use std::panic::catch_unwind;

use tickweave::fault::{Fault, plant};

use super::bed::FIRST_SEED;
use super::compare::{difference_from, told};
use super::draw::draw;
use super::ways::{self, Way};
use crate::parallel::commands;

/// Programs that a fault may take to be caught.
const PROGRAMS: u64 = 64;

/// The number of the first program that shows the fault, and how it does.
fn caught(fault: Fault) -> Option<(u64, &'static str)> {
    (0..PROGRAMS).find_map(|number| {
        let seed = FIRST_SEED + number;
        let program = draw(seed);
        let oracle = told(&program, Way::Serial).expect("the oracle has no fault");
        let virtual_workers: Vec<Way> =
            ways::all(seed).into_iter().filter(|way| matches!(way, Way::Virtual { .. })).collect();
        plant(Some(fault));
        let difference = difference_from(&oracle, &program, &virtual_workers);
        plant(None);
        difference.map(|difference| (number, difference.what))
    })
}

/// Faults of kernels that programs show too.
const KERNELS: [Fault; 3] = [Fault::FailureByTime, Fault::FailureStopsLower, Fault::DriveStartsEarly];

/// The random programs look at no bits of pending handles; a test of its own does.
fn is_seen_in_pending_handles(fault: Fault) -> bool {
    plant(Some(fault));
    let seen = catch_unwind(commands::the_bits_of_pending_handles_are_the_same_for_every_executor);
    plant(None);
    seen.is_err()
}

#[test]
fn every_fault_that_is_planted_in_the_library_is_caught_by_64_programs() {
    let mut missed = Vec::new();
    for &fault in Fault::PROGRAMS.iter().chain(&KERNELS) {
        match caught(fault) {
            Some((number, what)) => println!("{fault:?}: program {number}, {what}"),
            None if fault == Fault::LanesByClaim && is_seen_in_pending_handles(fault) => {}
            None => missed.push(fault),
        }
    }
    assert!(Fault::PROGRAMS.len() >= 15, "there are {} faults", Fault::PROGRAMS.len());
    assert_eq!(missed, [], "not caught");
}
