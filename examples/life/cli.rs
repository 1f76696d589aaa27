//! The command line.

#[cfg(test)]
mod tests;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Parser;

use crate::pattern::builtin;
use crate::soup::{MAX_AREA, Soup};

/// Generations that a soup or a pattern from a file runs unless told otherwise.
const GENERATIONS: u64 = 500;
/// Progress lines that are printed unless told otherwise.
const LINES: u64 = 10;

/// Conway's Game of Life on an unbounded plane; every live cell is an entity.
#[derive(Debug, Parser)]
#[command(name = "life")]
pub(crate) struct Cli {
    /// An RLE or Life 1.05 file, or r-pentomino, acorn, die-hard, gun [default: a soup of over 300,000 live cells]
    #[arg(long, value_name = "FILE|NAME", conflicts_with = "soup")]
    pattern: Option<PathBuf>,

    /// A random rectangle in which three of eight cells live
    #[arg(long, num_args = 3, value_names = ["W", "H", "SEED"])]
    soup: Option<Vec<u64>>,

    /// Generations to run [default: 500, or what a pattern known by name deserves]
    #[arg(long, value_name = "N")]
    generations: Option<u64>,

    /// Print a line every N generations [default: ten lines in all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    every: Option<u64>,

    /// Who runs the systems: `serial`, or a pool of N threads
    #[arg(long, value_name = "serial|N", default_value = "serial")]
    threads: Executor,
}

/// What the program shall do: a command line that makes sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) start: Start,
    pub(crate) generations: u64,
    pub(crate) every: u64,
    pub(crate) executor: Executor,
}

/// Where the first cells come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// A built-in pattern by name, or a file.
    Pattern(PathBuf),
    Soup(Soup),
}

/// Who runs the systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executor {
    Serial,
    Parallel(NonZeroU32),
}

/// Why a command line cannot be obeyed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum UsageError {
    #[error("`serial` or a number of threads of at least 1 is expected")]
    Threads,
    #[error(
        "a soup of {width} by {height} cells cannot be made: both sides must be at least 1 and their product at most {MAX_AREA}"
    )]
    SoupSize { width: u64, height: u64 },
}

impl Cli {
    /// Checks what the parser alone cannot check, and fills in what is not given.
    pub(crate) fn options(self) -> Result<Options, UsageError> {
        let known = self.pattern.as_deref().and_then(|path| path.to_str()).and_then(builtin::find);
        let generations = self.generations.or(known.map(|known| known.generations)).unwrap_or(GENERATIONS);
        let every = self.every.unwrap_or(generations.div_ceil(LINES).max(1));
        let start = match (self.pattern, self.soup) {
            (Some(path), _) => Start::Pattern(path),
            (None, Some(numbers)) => Start::Soup(soup(&numbers)?),
            (None, None) => Start::Soup(Soup::DEFAULT),
        };
        Ok(Options { start, generations, every, executor: self.threads })
    }
}

impl FromStr for Executor {
    type Err = UsageError;

    fn from_str(text: &str) -> Result<Self, UsageError> {
        match text {
            "serial" => Ok(Self::Serial),
            number => number.parse().map(Self::Parallel).map_err(|_| UsageError::Threads),
        }
    }
}

/// A soup of the numbers behind `--soup`, of which the parser grants three.
fn soup(numbers: &[u64]) -> Result<Soup, UsageError> {
    let (width, height, seed) = (numbers[0], numbers[1], numbers[2]);
    let side = |length: u64| u32::try_from(length).ok().filter(|&length| length > 0);
    match (side(width), side(height), width.checked_mul(height)) {
        (Some(width), Some(height), Some(..=MAX_AREA)) => Ok(Soup { width, height, seed }),
        _ => Err(UsageError::SoupSize { width, height }),
    }
}
