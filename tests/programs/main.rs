//! Random programs, played by every executor and compared with the oracle after every tick.
//!
//! A program is data: a world, schedules, and what the host does between ticks (`data`). It is drawn from a seed (`draw`),
//! played (`play`) in every way that there is (`ways`), and what can be seen is compared (`compare`). A program that makes
//! a difference is made smaller as long as it still does (`shrink`), and printed as code (`print`).
//!
//! | variable | what it does |
//! |---|---|
//! | `TICKWEAVE_PROGRAMS=10000` | plays so many programs instead of 500 |
//! | `TICKWEAVE_SEED=5eed00000000002a` | plays the program of this seed only |

#![cfg(feature = "parallel")]

mod bed;
mod bodies;
mod compare;
mod coverage;
mod data;
mod deeds;
mod detours;
mod dice;
mod draw;
#[cfg(tickweave_faults)]
mod faults;
mod journal;
mod kit;
mod office;
mod orders;
mod parts;
mod planted;
mod plants;
mod play;
mod print;
mod shrink;
mod tables;
mod ways;
