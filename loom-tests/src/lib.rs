//! What models are made of. `docs/loom.md` of the library says what is modelled and how to add a model; `scripts/loom` runs
//! them. In an ordinary build this crate is empty.

#![cfg(all(tickweave_loom, tickweave_faults))]

mod caught;
mod plain;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use loom::model::Builder;
use loom::thread::{JoinHandle, spawn};
use tickweave::fault::plant;

pub use caught::{Caught, assert_caught};
pub use plain::Plain;

/// Runs a model in every order in which its threads can take their steps: in all of them, or in those with at most so many
/// preemptions. Without them a thread goes on until it waits, yields or ends.
///
/// `LOOM_MAX_PREEMPTIONS` takes the place of the bound, to look further now and then.
///
/// # Panics
///
/// If the model does, or its threads race for plain memory, or all of them wait.
pub fn explore(preemptions: Option<usize>, model: impl Fn() + Send + Sync + 'static) {
    plant(caught::asked_for());
    let runs = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&runs);
    let mut builder = Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(preemptions);
    builder.check(move || {
        count.fetch_add(1, Ordering::Relaxed);
        model();
    });
    println!("{} interleavings", runs.load(Ordering::Relaxed));
}

/// Lets so many threads work at a time, number 0 being the caller's own, and returns what came of it by number.
///
/// # Panics
///
/// If the work does.
pub fn hands<R: 'static>(count: u32, work: impl Fn(u32) -> R + 'static) -> Vec<R> {
    let work = Arc::new(work);
    let others: Vec<JoinHandle<R>> = (1..count)
        .map(|number| {
            let work = Arc::clone(&work);
            spawn(move || work(number))
        })
        .collect();
    let own = work(0);
    let others = others.into_iter().map(|other| other.join().expect("a panic ends the model where it happens"));
    core::iter::once(own).chain(others).collect()
}
