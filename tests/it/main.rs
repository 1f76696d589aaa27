//! The integration tests: one binary, one module for each topic.

mod derive;
mod house;
