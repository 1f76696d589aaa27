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
