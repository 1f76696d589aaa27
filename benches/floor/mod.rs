//! Floors: the least that the library must do for a mark, written by hand in plain Rust without the library.
//!
//! A floor keeps the checks and the indirections that the contract asks for and drops everything else, so that the distance
//! from it, not from a bare loop, says what can still be gained.

#![allow(dead_code, reason = "each benchmark uses a part of this")]

pub(crate) mod get;
pub(crate) mod handover;
pub(crate) mod tiny;
