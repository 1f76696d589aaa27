//! Plays many programs, and tells what went wrong in a way that can be played again.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use super::compare::{Difference, difference_of, first_difference};
use super::shrink::shrink;
use super::ways::{self, Way};

/// Programs that are played without a word.
const PROGRAMS: u64 = 500;

/// The seed of the first program.
pub(crate) const FIRST_SEED: u64 = 0x5eed_0000_0000_0000;

/// The seeds that the environment asks for, or the usual ones.
pub(crate) fn seeds() -> Range<u64> {
    if let Ok(text) = std::env::var("TICKWEAVE_SEED") {
        let seed = u64::from_str_radix(text.trim_start_matches("0x"), 16);
        let seed = seed.expect("TICKWEAVE_SEED is a number of sixteen hexadecimal digits");
        return seed..seed + 1;
    }
    let programs = std::env::var("TICKWEAVE_PROGRAMS")
        .map_or(PROGRAMS, |text| text.parse().expect("TICKWEAVE_PROGRAMS is a number"));
    FIRST_SEED..FIRST_SEED + programs
}

/// Milliseconds from one look at the threads to the next.
const GLANCE: u64 = 20;

/// Looks without any program coming to its end after which the bed gives up: somebody waits for ever.
const PATIENCE: u32 = 12_000;

/// What a thread plays.
struct Player {
    seed: AtomicU64,
    /// How many programs came to their end.
    done: AtomicU64,
    left: AtomicBool,
}

/// Notes that a thread has left, also when it panics.
struct Leave<'p>(&'p Player);

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.0.left.store(true, Ordering::Relaxed);
    }
}

/// Calls `each` with every seed, on as many threads as there are cores.
pub(crate) fn for_each_seed(seeds: Range<u64>, each: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(seeds.start);
    let player = || Player { seed: AtomicU64::new(0), done: AtomicU64::new(0), left: AtomicBool::new(false) };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let players: Vec<Player> = (0..threads).map(|_| player()).collect();
    std::thread::scope(|scope| {
        for player in &players {
            scope.spawn(|| {
                let leave = Leave(player);
                while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < seeds.end) {
                    leave.0.seed.store(seed, Ordering::Relaxed);
                    each(seed);
                    leave.0.done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        scope.spawn(|| watch(&players));
    });
}

/// Ends the process, and says which programs are being played, if none of them comes to its end for a long time.
fn watch(players: &[Player]) {
    let (mut last, mut idle) = (0, 0);
    while !players.iter().all(|player| player.left.load(Ordering::Relaxed)) {
        std::thread::sleep(Duration::from_millis(GLANCE));
        let done = players.iter().map(|player| player.done.load(Ordering::Relaxed)).sum();
        idle = if done == last { idle + 1 } else { 0 };
        last = done;
        if idle > PATIENCE {
            let seeds = players.iter().map(|player| format!("{:016x}", player.seed.load(Ordering::Relaxed)));
            eprintln!("no program comes to its end: TICKWEAVE_SEED={}", seeds.collect::<Vec<_>>().join(" or "));
            std::process::abort();
        }
    }
}

/// The difference of the lowest seed that has one, with its seed.
pub(crate) fn lowest_difference(seeds: Range<u64>, ways: impl Fn(u64) -> Vec<Way> + Sync) -> Option<(u64, Difference)> {
    let lowest: Mutex<Option<(u64, Difference)>> = Mutex::new(None);
    for_each_seed(seeds, |seed| {
        if lowest.lock().expect("no thread panicked").as_ref().is_some_and(|(found, _)| *found < seed) {
            return;
        }
        if let Some(difference) = first_difference(seed, &ways(seed)) {
            let mut lowest = lowest.lock().expect("no thread panicked");
            if lowest.as_ref().is_none_or(|(found, _)| seed < *found) {
                *lowest = Some((seed, difference));
            }
        }
    });
    lowest.into_inner().expect("no thread panicked")
}

/// How to play the program again, the smallest program that still makes a difference, and that difference.
pub(crate) fn tell(seed: u64, difference: &Difference) -> String {
    let again = difference.way.again();
    let smallest = shrink(difference.clone(), |program| difference_of(program, &again));
    format!(
        "executors differ; to see it again: TICKWEAVE_SEED={seed:016x} cargo test --test programs\n\
         the first difference: {difference}\n\
         the smallest program found that makes one:\n{}\n{smallest}",
        smallest.program,
    )
}

#[test]
fn every_executor_gives_the_same_bits() {
    if let Some((seed, difference)) = lowest_difference(seeds(), ways::all) {
        panic!("{}", tell(seed, &difference));
    }
}
