use std::sync::Arc;

use thiserror::Error;

use super::board::Board;
use super::crew::{Crew, Job};
use super::rayon::Source;
use crate::sync::{cores, few};

/// Threads of a pool at most.
pub const MAX_THREADS: u32 = 64;

/// Hands of a crew at most: what there are places for.
pub(super) const MAX_HANDS: u32 = few(MAX_THREADS);

/// Threads on which a schedule runs; the thread that calls `run` is one of them.
///
/// A pool decides where work runs, never what comes of it. It may be cloned and shared by schedules; while one of them runs
/// a tick on it, another that is run at the same time has its caller's thread alone.
///
/// Without the feature `parallel` there is only the caller's thread, whatever is asked for.
///
/// ```
/// use tickweave::prelude::*;
///
/// let pool = Pool::new(2)?;
/// let mut schedule = Schedule::new();
/// schedule.set_executor(Executor::Parallel);
/// schedule.set_pool(pool);
/// schedule.run(&mut World::new())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pool(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    crew: Arc<Crew>,
    source: Source,
}

/// A pool can't be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PoolError {
    /// More threads than a pool can have.
    #[error("a pool of {asked} threads was asked for, but at most {MAX_THREADS} are possible (MAX_THREADS)")]
    TooManyThreads {
        /// Threads that were asked for.
        asked: u32,
    },
    /// The system refused to start a thread.
    #[error("the threads of a pool could not be started: {0}; ask for fewer, or raise the limit of the system")]
    NotStarted(String),
}

impl PoolError {
    /// A stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::TooManyThreads { .. } => "pool-threads",
            Self::NotStarted(_) => "pool-not-started",
        }
    }
}

impl Pool {
    /// A pool of its own with so many threads, the caller's included; 0 stands for as many as the machine has cores.
    ///
    /// One thread less is started, now and never again. They sleep while there is nothing to do.
    ///
    /// # Errors
    ///
    /// [`PoolError`] if that are too many, or the system refuses.
    pub fn new(threads: u32) -> Result<Self, PoolError> {
        let threads = if threads == 0 { cores().min(MAX_THREADS) } else { threads };
        if threads > MAX_THREADS {
            return Err(PoolError::TooManyThreads { asked: threads });
        }
        let crew = Arc::new(Crew::new());
        let source = Source::own(threads, &crew)?;
        Ok(Self(Arc::new(Inner { crew, source })))
    }

    /// The rayon pool of the thread that calls `run`, at each run, or rayon's global one.
    ///
    /// Its threads are borrowed: a hand that finds nothing to do for a tenth of a millisecond goes back to the pool.
    #[must_use]
    pub fn current() -> Self {
        Self::of(Source::current())
    }

    /// Hands are called from `source`, and leave when there is nothing to do.
    pub(super) fn of(source: Source) -> Self {
        Self(Arc::new(Inner { crew: Arc::new(Crew::new()), source }))
    }

    /// How many threads run a tick at most, the caller's included.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.0.source.threads()
    }

    pub(crate) fn board(&self) -> &Board {
        self.0.crew.board()
    }

    /// How many hands besides the caller would come at once.
    pub(crate) fn awake(&self) -> u32 {
        self.0.crew.awake()
    }

    /// Calls hands that left the segment before its end, if there are any.
    pub(crate) fn call_back(&self) {
        let Inner { crew, source } = &*self.0;
        crew.ring();
        if crew.awake() + 1 < source.threads() {
            source.summon(crew);
        }
    }

    /// Lends `job` to the hands of the pool while the caller works on it too, and calls hands that are not awake if `wake`
    /// says so. False if the hands are another caller's now, and nothing was run.
    pub(crate) fn lend(&self, wake: bool, job: &Job<'_>) -> bool {
        let Inner { crew, source } = &*self.0;
        let threads = source.threads();
        let summon = || {
            if wake && threads > 1 {
                source.summon(crew);
            }
        };
        crew.lend(threads, summon, job)
    }
}

impl Default for Pool {
    /// [`current`](Self::current).
    fn default() -> Self {
        Self::current()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.crew.dismiss();
    }
}
