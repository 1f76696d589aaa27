//! Models of the kernels and of what is composed of them: the production code, in every order of its steps.
//!
//! Each file names its bounds, and the faults with which its models were seen to fail; `faults` plants them.

#![cfg(all(tickweave_loom, tickweave_faults))]

mod block;
mod countdown;
mod crew;
mod door;
mod drive;
mod failure;
mod faults;
mod latch;
mod ready;
mod ref_count;
mod shared;
mod slots;
mod span;
mod team;
mod tick;
