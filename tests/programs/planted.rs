//! The bed itself: it finds faults that are planted, makes their programs small, and says how to see them again.

use super::bed::{FIRST_SEED, lowest_difference, tell};
use super::compare::{Difference, difference_of, first_difference};
use super::plants::Plant;
use super::shrink::shrink;
use super::ways::Way;

/// Seeds within which each fault must be found.
const SEEDS: u64 = 64;

/// The difference that a fault makes, with its seed.
fn found(plant: Plant) -> (u64, Difference) {
    let found = lowest_difference(FIRST_SEED..FIRST_SEED + SEEDS, |_| vec![Way::Planted(plant)]);
    found.unwrap_or_else(|| panic!("{plant:?} was not found"))
}

/// Whether values of components differ, not only stamps.
fn is_of_values(difference: &Difference) -> bool {
    let of_value =
        |line: &str| line.contains(", entity ") && !line.contains(" added: ") && !line.contains(" changed: ");
    difference.what == "the state" && difference.text.lines().any(of_value)
}

#[test]
fn two_systems_that_change_places_are_found_and_the_program_shrinks_to_them() {
    let ways = [Way::Planted(Plant::SwapSystems)];
    let seeds = FIRST_SEED..FIRST_SEED + SEEDS;
    let first = seeds.filter_map(|seed| first_difference(seed, &ways)).find(is_of_values).expect("a difference");
    let smallest = shrink(first, |program| difference_of(program, &ways).filter(is_of_values));
    let program = &smallest.program;
    let systems: usize = program.agendas.iter().map(|agenda| agenda.plots().count()).sum();
    assert!(systems == 2 && program.rounds.len() == 1 && program.setup.len() <= 4, "{program}\n{smallest}");
}

#[test]
fn one_bit_of_one_value_is_found_at_its_tick_and_told_with_its_place() {
    let ways = [Way::Planted(Plant::FlipBit)];
    let of_seed = |seed| Some((seed, first_difference(seed, &ways).filter(is_of_values)?));
    let (seed, difference) = (FIRST_SEED..FIRST_SEED + SEEDS).find_map(of_seed).expect("a difference");
    assert_eq!(difference.tick, Some(3));
    let told = tell(seed, &difference);
    assert!(told.contains(&format!("TICKWEAVE_SEED={seed:016x}")) && told.contains("Long.0: "), "{told}");
    assert_eq!(first_difference(seed, &[difference.way]).map(|again| again.text), Some(difference.text));
}

#[test]
fn a_panic_outside_of_systems_is_a_difference_and_no_end_of_the_bed() {
    let (_, difference) = found(Plant::Panic);
    assert_eq!((difference.tick, &*difference.text), (None, "the host"));
}
