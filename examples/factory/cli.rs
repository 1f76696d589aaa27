//! The command line.

use std::num::NonZeroU32;
use std::str::FromStr;

use clap::Parser;
use tickweave::prelude::Executor as Runs;
use tickweave::simulation::SimulationBuilder;

use crate::factory::Order;

/// Items that a factory may be asked for.
const MAX_ITEMS: i64 = 1 << 24;

/// Belts that carry items between miners, machines and chests.
#[derive(Clone, Debug, Parser)]
#[command(name = "factory")]
pub(crate) struct Options {
    /// Ticks to run
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) ticks: u64,

    /// Who runs the systems: `serial`, or a pool of N threads
    #[arg(long, value_name = "serial|N", default_value = "serial")]
    pub(crate) threads: Executor,

    /// What the map and all that happens by chance follow from
    #[arg(long, value_name = "N", default_value_t = 42)]
    pub(crate) seed: u64,

    /// Items that the belts carry at least
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u32).range(1..=MAX_ITEMS))]
    pub(crate) items: u32,
}

impl Options {
    /// The factory that is asked for.
    pub(crate) const fn order(&self) -> Order {
        Order { seed: self.seed, items: self.items }
    }
}

/// Who runs the systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executor {
    Serial,
    Parallel(NonZeroU32),
}

impl Executor {
    /// Has a simulation run so.
    pub(crate) fn runs(self, builder: SimulationBuilder) -> SimulationBuilder {
        match self {
            Self::Serial => builder.executor(Runs::Serial),
            Self::Parallel(threads) => builder.executor(Runs::Parallel).threads(threads.get()),
        }
    }
}

/// Why a word is no number of threads.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`serial` or a number of threads of at least 1 is expected")]
pub(crate) struct NoExecutor;

impl FromStr for Executor {
    type Err = NoExecutor;

    fn from_str(text: &str) -> Result<Self, NoExecutor> {
        match text {
            "serial" => Ok(Self::Serial),
            number => number.parse().map(Self::Parallel).map_err(|_| NoExecutor),
        }
    }
}
