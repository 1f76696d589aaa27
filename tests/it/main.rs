//! The integration tests: one module for each topic. Random programs are a binary of their own (`tests/programs/`).

mod adversary;
mod cases;
mod compile_fail;
mod derive;
mod events;
mod house;
mod limits;
mod model;
mod parallel;
mod query_row;
mod records;
mod save;
mod schedule;
mod seeds;
mod simulation;
mod snapshots;
mod systems;

/// A schedule whose systems run one after the other: for tests that watch them in the order in which they run.
fn serial() -> tickweave::schedule::Schedule {
    let mut schedule = tickweave::schedule::Schedule::new();
    schedule.set_executor(tickweave::schedule::Executor::Serial);
    schedule
}
