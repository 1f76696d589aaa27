//! A factory: belts that carry a million items between miners, machines and chests.
//!
//! `cargo run --release --example factory` runs it for 300 ticks; `-- --help` shows what else there is. The last line on
//! standard output is always a report of the form
//! `tick=300 population=1012345 state_hash=0x0123456789abcdef executor=serial threads=1`, where the population is that of the
//! belts. It is the same for any number of threads.

mod belt;
mod census;
mod cli;
mod factory;
mod inserter;
mod item;
mod machine;
mod map;
mod report;
mod stopwatch;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use tickweave::prelude::Pool;

use cli::Options;
use factory::Factory;
use report::Report;
use stopwatch::Stopwatch;

/// Lines of progress.
const LINES: u64 = 10;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
    #[error("{0}")]
    Map(#[from] map::MapError),
    #[error("{0}")]
    Run(#[from] tickweave::executor::RunError),
    #[error("{0}")]
    Pool(#[from] tickweave::jobs::PoolError),
    #[error("{0}")]
    Hash(#[from] tickweave::state::Unhashable),
}

fn main() -> ExitCode {
    match run(&Options::parse(), &mut io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options, out: &mut impl Write) -> Result<(), Failure> {
    let mut factory = Factory::new(options.map())?;
    if let cli::Executor::Parallel(threads) = options.threads {
        factory.run_on(Pool::new(threads.get())?);
    }
    let every = options.ticks.div_ceil(LINES).max(1);
    let mut stopwatch = Stopwatch::default();
    for tick in 1..=options.ticks {
        stopwatch.time(|| factory.step())?;
        if tick % every == 0 {
            writeln!(out, "tick {tick:>8}  {}  {:.3} ms per tick", factory.census(), stopwatch.lap())?;
        }
    }
    if options.ticks > 0 {
        writeln!(out, "{:.3} ms per tick over all", stopwatch.mean())?;
    }
    writeln!(out, "{}", report(options, &factory)?)?;
    Ok(())
}

fn report(options: &Options, factory: &Factory) -> Result<Report, Failure> {
    Ok(Report {
        tick: options.ticks,
        population: factory.population(),
        state_hash: factory.state_hash()?.get(),
        executor: options.threads,
    })
}
