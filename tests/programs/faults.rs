//! Faults that are planted in the library: a few random programs catch each. Only under `--cfg tickweave_faults`.

use tickweave::fault::{Fault, plant};

use super::bed::FIRST_SEED;
use super::compare::{difference_from, told};
use super::draw::draw;
use super::ways::{self, Way};

/// Programs that a fault may take to be caught.
const PROGRAMS: u64 = 64;

/// The number of the first program that shows the fault, and how it does.
fn caught(fault: Fault) -> Option<(u64, &'static str)> {
    (0..PROGRAMS).find_map(|number| {
        let seed = FIRST_SEED + number;
        let program = draw(seed);
        let oracle = told(&program, Way::Serial).expect("the oracle has no fault");
        let on_one_thread = |way: &Way| matches!(way, Way::Detours { .. } | Way::Virtual { .. });
        let ways: Vec<Way> = ways::all(seed).into_iter().filter(on_one_thread).collect();
        plant(Some(fault));
        let difference = difference_from(&oracle, &program, &ways);
        plant(None);
        difference.map(|difference| (number, difference.what))
    })
}

/// Faults of kernels that programs show too.
const KERNELS: [Fault; 3] = [Fault::FailureByTime, Fault::FailureStopsLower, Fault::DriveStartsEarly];

#[test]
fn every_fault_that_is_planted_in_the_library_is_caught_by_64_programs() {
    let mut missed = Vec::new();
    for &fault in Fault::PROGRAMS.iter().chain(&KERNELS) {
        match caught(fault) {
            Some((number, what)) => println!("{fault:?}: program {number}, {what}"),
            None => missed.push(fault),
        }
    }
    assert_eq!(missed, [], "not caught");
}
