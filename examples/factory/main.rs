//! A factory: belts that carry a million items between miners, machines and chests. It is built in the first ticks, then runs,
//! and pauses now and then for an inspection.
//!
//! `cargo run --release --example factory` runs it for 300 ticks; `-- --help` shows what else there is. The last line on
//! standard output is always a report of the form
//! `tick=300 population=1012345 state_hash=0x0123456789abcdef executor=serial threads=1`, where the population is that of the
//! belts. It is the same for any number of threads.

mod belt;
mod census;
mod cli;
mod factory;
mod foreman;
mod hall;
mod inserter;
mod item;
mod ledger;
mod line;
mod machine;
mod operator;
mod report;
mod stopwatch;
#[cfg(test)]
mod tests;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

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
    Build(#[from] tickweave::simulation::BuildError),
    #[error("{0}")]
    Step(#[from] tickweave::simulation::StepError),
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
    let mut factory = Factory::new(options.order(), |builder| options.threads.runs(builder))?;
    let every = options.ticks.div_ceil(LINES).max(1);
    let mut stopwatch = Stopwatch::default();
    for tick in 1..=options.ticks {
        let stepped = stopwatch.time(|| factory.step());
        stepped?;
        stopwatch.book(factory.hall());
        if tick % every == 0 {
            progress(tick, &factory, &mut stopwatch, out)?;
        }
    }
    if options.ticks > 0 {
        writeln!(out, "{stopwatch}")?;
    }
    writeln!(out, "{}", report(options, &factory)?)?;
    Ok(())
}

fn progress(tick: u64, factory: &Factory, stopwatch: &mut Stopwatch, out: &mut impl Write) -> io::Result<()> {
    let (hall, census, ledger) = (format!("{:?}", factory.hall()), factory.census(), factory.ledger());
    writeln!(out, "tick {tick:>6}  {hall:<5}  {census}  {ledger}  {:.3} ms per tick", stopwatch.lap())
}

fn report(options: &Options, factory: &Factory) -> Result<Report, Failure> {
    Ok(Report {
        tick: options.ticks,
        population: factory.population(),
        state_hash: factory.state_hash()?.get(),
        executor: options.threads,
    })
}
