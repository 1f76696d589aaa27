//! Programs and inputs that nobody thought of: what a user of the safe API may do, and what must still hold then.

mod bits;
mod callers;
mod limits;
mod looks;
mod reentry;
mod systems;
mod types;
mod worlds;
