//! Conway's Game of Life with an entity for every live cell.
//!
//! `cargo run --release --example life` lets a soup of over 300,000 cells live; `-- --help` shows what else there is. The
//! last line on standard output is always a report of the form
//! `generation=500 population=123456 state_hash=0x0123456789abcdef executor=serial threads=1`.

mod cell;
mod cli;
mod pattern;
mod plane;
mod progress;
mod report;
mod simulation;
mod soup;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use cli::{Cli, Options, Start};
use pattern::PatternError;
use progress::Progress;
use report::Report;
use simulation::Life;
use tickweave::prelude::Pool;

/// What can go wrong once the command line is understood.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Pattern(#[from] PatternError),
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    #[error("{0}")]
    Run(#[from] tickweave::executor::RunError),
    #[error("{0}")]
    Pool(#[from] tickweave::jobs::PoolError),
    #[error("{0}")]
    Hash(#[from] tickweave::state::Unhashable),
}

fn main() -> ExitCode {
    let options = Cli::parse().options().unwrap_or_else(|wrong| refuse(&wrong));
    match run(&options, &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::from(exit_code(&failure))
        }
    }
}

/// Ends the program as the parser of the command line does: a message, the usage, exit code 2.
fn refuse(wrong: &cli::UsageError) -> ! {
    Cli::command().error(ErrorKind::ValueValidation, wrong).exit()
}

fn exit_code(failure: &Failure) -> u8 {
    match failure {
        Failure::Pattern(_) => 2,
        Failure::Output(_) | Failure::Run(_) | Failure::Pool(_) | Failure::Hash(_) => 1,
    }
}

fn run(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    let mut life = Life::new(first_cells(&options.start)?);
    if let cli::Executor::Parallel(threads) = options.executor {
        life.run_on(Pool::new(threads.get())?);
    }
    let mut progress = Progress::new(options.generations, options.every);
    progress.show(0, &life, out)?;
    for generation in 1..=options.generations {
        life.step()?;
        progress.show(generation, &life, out)?;
    }
    progress.finish();
    writeln!(out, "{}", report(options, &life)?)?;
    Ok(())
}

fn first_cells(start: &Start) -> Result<Vec<cell::Cell>, PatternError> {
    match start {
        Start::Pattern(name_or_path) => pattern::load(name_or_path),
        Start::Soup(soup) => Ok(soup.cells()),
    }
}

fn report(options: &Options, life: &Life) -> Result<Report, Failure> {
    Ok(Report {
        generation: options.generations,
        population: life.population(),
        state_hash: life.state_hash()?.get(),
        executor: options.executor,
    })
}
