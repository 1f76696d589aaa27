//! A small game under the SyncTest session of the crate `ggrs`: each frame goes back, is run again, and must come out alike.
//!
//! `cargo run --release --example rollback` plays 1,000 frames, and rolls seven of them back in each. A mismatch ends the
//! program with an error. The last line on standard output is a report of the form
//! `frames=1000 check_distance=7 entities=301 state_hash=0x0123456789abcdef executor=serial threads=1 save_ns=1 load_ns=1
//! advance_ns=1` on one line: up to `executor` it is the same for `--threads serial` and for any number, the costs are
//! medians of each request of a kind.

mod game;
mod session;
#[cfg(test)]
mod tests;

use std::num::NonZeroU32;
use std::time::Duration;

use clap::Parser;
use tickweave::prelude::*;

use game::Score;
use session::{Costs, Match};

/// Two ships and some hundred rocks, in a session that rolls every frame back.
#[derive(Clone, Copy, Debug, Parser)]
#[command(name = "rollback")]
struct Cli {
    /// Frames to play
    #[arg(long, value_name = "N", default_value_t = 1000)]
    frames: u32,

    /// Frames that each frame goes back
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..=60))]
    check_distance: u8,

    /// Where all random numbers come from
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,

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

/// Plays all frames; an error if one of them came out another way the second time.
fn play(cli: Cli) -> Result<Match, Box<dyn std::error::Error>> {
    let mut game = Match::new(cli.seed, cli.check_distance.into())?;
    match cli.threads {
        Threads::Serial => game.run_on(Executor::Serial, None),
        Threads::Pool(threads) => game.run_on(Executor::Parallel, Some(Pool::new(threads.get())?)),
    }
    for _ in 0..cli.frames {
        game.play_frame()?;
    }
    Ok(game)
}

/// What any number of threads says alike.
fn told(cli: Cli, game: &Match) -> Result<String, Box<dyn std::error::Error>> {
    let (frames, distance, entities) = (cli.frames, cli.check_distance, game.world.len());
    let hash = game.world.state_hash()?.get();
    Ok(format!("frames={frames} check_distance={distance} entities={entities} state_hash={hash:#018x}"))
}

fn costs(Costs { save, load, advance }: &Costs) -> String {
    let [save, load, advance] = [save, load, advance].map(|times| median(times).as_nanos());
    format!("save_ns={save} load_ns={load} advance_ns={advance}")
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let cli = Cli::parse();
    let game = play(cli)?;
    let Score([left, right]) = game.score()?;
    println!("the players hit {left} and {right} rocks; {} frames were run", game.costs.advance.len());
    let (executor, threads) = match cli.threads {
        Threads::Serial => ("serial", 1),
        Threads::Pool(threads) => ("parallel", threads.get()),
    };
    println!("{} executor={executor} threads={threads} {}", told(cli, &game)?, costs(&game.costs));
    Ok(())
}
