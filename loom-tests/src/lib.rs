//! What models are made of. `docs/loom.md` of the library says what is modelled and how to add a model; `scripts/loom` runs
//! them. In an ordinary build this crate is empty.

#![cfg(all(tickweave_loom, tickweave_faults))]

mod caught;
mod plain;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use loom::model::Builder;
use loom::thread::{JoinHandle, spawn};

pub use caught::{Caught, check};
pub use plain::Plain;

/// Runs a model in the orders in which its threads can take their steps, and returns all that came of it.
///
/// Without a bound in every order; with one in those where at most so many threads are stopped in the middle of their
/// work: else a thread goes on until it waits, yields or ends. A model that yields needs a bound, be it a large one:
/// without one loom looks at too few orders of it. `LOOM_MAX_PREEMPTIONS` takes the place of the bound.
///
/// # Panics
///
/// If the model does, or its threads race for plain memory, or all of them wait.
pub fn explore<R: Ord + Send + 'static>(
    preemptions: Option<usize>,
    model: impl Fn() -> R + Send + Sync + 'static,
) -> BTreeSet<R> {
    caught::end_with_the_first_panic();
    caught::plant_what_is_asked_for();
    let seen = Arc::new(Mutex::new((0_u64, BTreeSet::new())));
    let told = Arc::clone(&seen);
    let mut builder = Builder::new();
    builder.preemption_bound = builder.preemption_bound.or(preemptions);
    builder.check(move || {
        let outcome = model();
        let mut seen = told.lock().expect("a panic ends the model");
        seen.0 += 1;
        seen.1.insert(outcome);
    });
    let (orders, outcomes) = core::mem::take(&mut *seen.lock().expect("as above"));
    println!("{orders} orders");
    outcomes
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
