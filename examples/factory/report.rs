//! What the program says at the end, for people and for scripts.

use std::fmt;

use crate::cli::Executor;

/// The last line on standard output.
pub(crate) struct Report {
    pub(crate) tick: u64,
    pub(crate) population: usize,
    pub(crate) state_hash: u64,
    pub(crate) executor: Executor,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tick, population, state_hash, executor } = self;
        let (executor, threads) = match executor {
            Executor::Serial => ("serial", 1),
            Executor::Parallel(threads) => ("parallel", threads.get()),
        };
        write!(
            f,
            "tick={tick} population={population} state_hash={state_hash:#018x} executor={executor} threads={threads}"
        )
    }
}
