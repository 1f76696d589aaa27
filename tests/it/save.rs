//! Saved bytes: what is loaded is what was saved, and nothing that anybody sends breaks a world.

mod entities;
mod forged;
mod kit;
mod refused;
mod round_trip;
