//! A viewer on a thread of its own: it draws from snapshots, between two of them, while the world ticks on.
//!
//! `cargo run --release --example view` runs the same ticks twice, without and with a viewer, and ends with an error unless both
//! come out alike. The last line on standard output is a report of the form
//! `ticks=600 entities=2000 state_hash=0x0123456789abcdef executor=serial threads=1 frames=1234`: how many frames were drawn
//! depends on how much time the viewer had, nothing else does.

mod meadow;
mod stage;
#[cfg(test)]
mod tests;
mod viewer;

use std::error::Error;
use std::num::NonZeroU32;
use std::thread;

use clap::Parser;
use tickweave::prelude::*;
use tickweave::state::StateHash;

use stage::{Curtain, Stage};
use viewer::Show;

/// Fireflies over a meadow, drawn in letters while they fly.
#[derive(Clone, Copy, Debug, Parser)]
#[command(name = "view")]
struct Cli {
    /// Ticks to run
    #[arg(long, value_name = "N", default_value_t = 600)]
    ticks: u32,

    /// Fireflies on the meadow
    #[arg(long, value_name = "N", default_value_t = 2000)]
    fireflies: u32,

    /// Who runs the systems: `serial`, or a pool of N threads
    #[arg(long, value_name = "serial|N", default_value = "serial", value_parser = threads)]
    threads: Threads,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Threads {
    Serial,
    Pool(NonZeroU32),
}

fn threads(text: &str) -> Result<Threads, String> {
    match text {
        "serial" => Ok(Threads::Serial),
        number => {
            number.parse().map(Threads::Pool).map_err(|_| "`serial` or a number of at least 1 is expected".into())
        }
    }
}

/// How a run came out.
#[derive(Debug, PartialEq, Eq)]
struct End {
    entities: usize,
    hash: StateHash,
}

/// Runs all ticks, and shows the world behind each to whoever looks.
fn run(cli: Cli, stage: Option<&Stage>) -> Result<End, Box<dyn Error>> {
    let (mut world, mut schedule) = (meadow::world(cli.fireflies)?, meadow::schedule());
    match cli.threads {
        Threads::Serial => schedule.set_executor(Executor::Serial),
        Threads::Pool(threads) => {
            schedule.set_executor(Executor::Parallel);
            schedule.set_pool(Pool::new(threads.get())?);
        }
    }
    for _ in 0..cli.ticks {
        stage.map_or(Ok(()), |stage| stage.show(&world))?;
        schedule.run(&mut world)?;
    }
    stage.map_or(Ok(()), |stage| stage.show(&world))?;
    Ok(End { entities: world.len(), hash: world.state_hash()? })
}

/// The same run with a viewer beside it, and what was drawn.
fn run_with_viewer(cli: Cli) -> Result<(End, Show), Box<dyn Error>> {
    let stage = Stage::default();
    thread::scope(|scope| {
        let viewer = scope.spawn(|| viewer::watch(&stage));
        let end = {
            let _curtain = Curtain(&stage);
            run(cli, Some(&stage))
        };
        let show = viewer.join().map_err(|_| "the viewer panicked")?;
        Ok((end?, show))
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let cli = Cli::parse();
    let alone = run(cli, None)?;
    let (seen, show) = run_with_viewer(cli)?;
    print!("{}", show.last);
    println!("{} fireflies on the last of {} frames", show.last.fireflies(), show.frames);
    if seen != alone {
        return Err(format!("the viewer changed the run: {seen:?}, and without it {alone:?}").into());
    }
    let (executor, threads) = match cli.threads {
        Threads::Serial => ("serial", 1),
        Threads::Pool(threads) => ("parallel", threads.get()),
    };
    let told = format!("ticks={} entities={} state_hash={}", cli.ticks, alone.entities, alone.hash);
    println!("{told} executor={executor} threads={threads} frames={}", show.frames);
    Ok(())
}
