//! The integration tests: one binary, one module for each topic.

mod adversary;
mod cases;
mod compile_fail;
mod derive;
mod house;
mod limits;
mod model;
mod parallel;
#[cfg(feature = "parallel")]
mod programs;
mod query_row;
mod schedule;
mod seeds;
mod systems;

/// A schedule whose systems run one after the other: for tests that watch them in the order in which they run.
fn serial() -> tickweave::schedule::Schedule {
    let mut schedule = tickweave::schedule::Schedule::new();
    schedule.set_executor(tickweave::schedule::Executor::Serial);
    schedule
}
