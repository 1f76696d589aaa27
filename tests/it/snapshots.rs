//! Snapshots: what a world is at one tick, shared with it, restored from it.

mod doors;
mod opaque;
mod refusals;
mod rollback;
mod threads;
