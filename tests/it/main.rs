//! The integration tests: one binary, one module for each topic.

mod compile_fail;
mod derive;
mod house;
mod limits;
mod query_row;
mod schedule;
mod seeds;
mod systems;
