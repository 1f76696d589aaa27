//! What the program says on the way: a line now and then, and a bar for those who watch.

use std::io::{self, IsTerminal, Write};

use indicatif::{ProgressBar, ProgressStyle};

use crate::simulation::Life;

const BAR: &str = "{wide_bar} generation {pos} of {len}, {per_sec}, {eta} left";
/// Columns for the largest population so far.
const WIDTH: usize = 40;

/// Prints progress while a game runs.
pub(crate) struct Progress {
    every: u64,
    largest: usize,
    /// Hidden unless standard error is a terminal.
    bar: ProgressBar,
}

impl Progress {
    /// Progress of a game of so many generations, with a line for each `every` of them.
    pub(crate) fn new(generations: u64, every: u64) -> Self {
        let bar = if io::stderr().is_terminal() { ProgressBar::new(generations) } else { ProgressBar::hidden() };
        let style = ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar());
        Self { every, largest: 0, bar: bar.with_style(style) }
    }

    /// Says how the game stands, if it is time to.
    pub(crate) fn show(&mut self, generation: u64, life: &Life, out: &mut impl Write) -> io::Result<()> {
        self.bar.set_position(generation);
        if generation % self.every != 0 {
            return Ok(());
        }
        let population = life.population();
        self.largest = self.largest.max(population);
        let marks = "#".repeat((population * WIDTH).div_ceil(self.largest.max(1)));
        self.bar.suspend(|| writeln!(out, "generation {generation:>8}  population {population:>9}  {marks}"))
    }

    /// Takes the bar away.
    pub(crate) fn finish(self) {
        self.bar.finish_and_clear();
    }
}
