//! The programs do what they are meant to do: each thing that can happen happens in a share of them.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::bed::{FIRST_SEED, for_each_seed};
use super::draw::draw;
use super::kit::Sight;
use super::play::play;
use super::ways::Way;

const PROGRAMS: u64 = 500;

/// What was seen in how many programs, and how many systems conflict.
struct Coverage {
    seen: Vec<AtomicU64>,
    systems: AtomicUsize,
    conflicting: AtomicUsize,
    ticks: AtomicUsize,
}

fn cover() -> Coverage {
    let seen = Sight::ALL.iter().map(|_| AtomicU64::new(0)).collect();
    let zero = || AtomicUsize::new(0);
    let coverage = Coverage { seen, systems: zero(), conflicting: zero(), ticks: zero() };
    for_each_seed(FIRST_SEED..FIRST_SEED + PROGRAMS, |seed| {
        let story = play(&draw(seed), Way::Serial);
        for (sight, _) in Sight::ALL.iter().filter(|(sight, _)| story.kit.has_seen(*sight)) {
            coverage.seen[*sight as usize].fetch_add(1, Ordering::Relaxed);
        }
        coverage.systems.fetch_add(story.systems, Ordering::Relaxed);
        coverage.conflicting.fetch_add(story.conflicting, Ordering::Relaxed);
        coverage.ticks.fetch_add(story.moments.len(), Ordering::Relaxed);
    });
    coverage
}

#[test]
fn each_thing_happens_in_its_share_of_the_programs_and_most_systems_conflict() {
    let Coverage { seen, systems, conflicting, ticks } = cover();
    let mut table = String::new();
    let mut rare = Vec::new();
    for (sight, share) in Sight::ALL {
        let programs = seen[*sight as usize].load(Ordering::Relaxed);
        table += &format!("{sight:?}: {programs} of {PROGRAMS} programs\n");
        if programs * 1000 < u64::from(*share) * PROGRAMS {
            rare.push(format!("{sight:?}"));
        }
    }
    let (systems, conflicting, ticks) = (systems.into_inner(), conflicting.into_inner(), ticks.into_inner());
    table += &format!("{conflicting} of {systems} systems conflict with another; {ticks} ticks\n");
    assert!(rare.is_empty(), "too rare: {}\n{table}", rare.join(", "));
    assert!(conflicting * 100 >= systems * 60, "too few conflicts\n{table}");
    assert!(ticks as u64 >= PROGRAMS * 7 / 2, "too few ticks\n{table}");
}

#[test]
fn a_seed_always_draws_the_same_program_and_no_two_draw_the_same() {
    let programs: Mutex<BTreeSet<String>> = Mutex::default();
    for_each_seed(0..200, |seed| {
        let program = draw(seed);
        assert_eq!(program, draw(seed));
        assert!(programs.lock().expect("no thread panicked").insert(program.to_string()), "seed {seed}");
    });
}
