//! The programs do what they are meant to do: each thing that can happen happens in a share of them.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::bed::{FIRST_SEED, for_each_seed};
use super::detours::{Back, Detour, FURTHEST};
use super::draw::draw;
use super::kit::Sight;
use super::play::{Story, play};
use super::ways::{self, Way};

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
    assert!(ticks as u64 >= PROGRAMS * 10 / 3, "too few ticks\n{table}");
}

/// One way of the program of a seed that takes detours: by number of the kind of executor, and the way.
fn detouring(seed: u64) -> (usize, Way) {
    let kind = (seed % 3) as usize;
    let fits = |way: &Way| match way {
        Way::Detours { .. } => kind == 0,
        Way::Virtual { .. } => kind == 1,
        Way::Threads { pauses, .. } => kind == 2 && pauses.is_some(),
        Way::Serial | Way::Planted(_) => false,
    };
    (kind, ways::all(seed).into_iter().find(fits).expect("each kind is among the ways"))
}

/// Whether detours were taken of each distance, as they are where nothing fails half-way.
fn goes_every_distance(story: &Story) -> bool {
    let distances: BTreeSet<u32> = story.detours.iter().map(|detour| detour.distance).collect();
    distances.is_superset(&(1..=FURTHEST).collect())
}

/// One of the ways that take detours for each program: of all of them the whole run plays.
#[test]
fn detours_of_each_distance_come_back_in_each_way_under_each_kind_of_executor() {
    let zero = || AtomicUsize::new(0);
    let by_distance: Vec<Vec<AtomicUsize>> =
        Back::ALL.iter().map(|_| (0..=FURTHEST).map(|_| zero()).collect()).collect();
    let by_kind: Vec<Vec<AtomicUsize>> = Back::ALL.iter().map(|_| (0..3).map(|_| zero()).collect()).collect();
    let (full, rollbacks) = (zero(), zero());
    for_each_seed(FIRST_SEED..FIRST_SEED + PROGRAMS, |seed| {
        let (kind, way) = detouring(seed);
        let story = play(&draw(seed), way);
        for Detour { distance, back, .. } in &story.detours {
            by_distance[*back as usize][*distance as usize].fetch_add(1, Ordering::Relaxed);
            by_kind[*back as usize][kind].fetch_add(1, Ordering::Relaxed);
        }
        full.fetch_add(usize::from(goes_every_distance(&story)), Ordering::Relaxed);
        rollbacks.fetch_add(usize::from(story.kit.has_seen(Sight::Rollback)), Ordering::Relaxed);
    });
    let table = format!("{:?} by ticks, from 0: {by_distance:?}, by executor: {by_kind:?}", Back::ALL);
    let few = |all: &[Vec<AtomicUsize>], skipped: usize, least: usize| {
        all.iter().any(|counts| counts[skipped..].iter().any(|count| count.load(Ordering::Relaxed) < least))
    };
    assert!(!few(&by_distance, 1, 4) && !few(&by_kind, 0, 3), "too few detours: {table}");
    let (full, programs) = (full.into_inner(), PROGRAMS as usize / 3);
    assert!(full * 3 > programs, "{full} of {programs} programs take detours of every distance: {table}");
    let rollbacks = rollbacks.into_inner();
    assert!(rollbacks >= 10, "{rollbacks} programs roll a simulation back: {table}");
    println!("{table}, {full} programs with every distance, {rollbacks} that roll back");
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
