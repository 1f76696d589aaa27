//! Hands on rayon's threads: the only file that names rayon.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::crew::Crew;
use super::pool::{MAX_THREADS, Pool, PoolError};

impl Pool {
    /// A given rayon pool, whose threads are borrowed as in [`current`](Self::current).
    #[must_use]
    pub fn given(pool: Arc<ThreadPool>) -> Self {
        Self::of(Source::Given(pool))
    }
}

/// Where hands come from.
#[derive(Debug)]
pub(super) enum Source {
    /// A pool whose threads are ours: each is a hand for as long as the pool lives, and sleeps between ticks.
    Own {
        /// `None` for a pool of the caller alone.
        #[expect(dead_code, reason = "its threads run while it lives")]
        pool: Option<ThreadPool>,
        threads: u32,
    },
    /// A pool that others use too: a hand is a job that leaves when there is nothing to do.
    Given(Arc<ThreadPool>),
    /// The pool of whoever runs a tick.
    Current,
}

impl Source {
    pub(super) fn own(threads: u32, crew: &Arc<Crew>) -> Result<Self, PoolError> {
        if threads == 1 {
            return Ok(Self::Own { pool: None, threads });
        }
        let builder = ThreadPoolBuilder::new().num_threads(threads as usize - 1);
        let named = builder.thread_name(|index| format!("tickweave-{}", index + 1));
        let pool = named.build().map_err(|error| PoolError::NotStarted(error.to_string()))?;
        let crew = Arc::clone(crew);
        // One job for each thread, and on it: no thread can come to run two.
        pool.spawn_broadcast(move |context| crew.serve(context.index() as u32 + 1, false));
        Ok(Self::Own { pool: Some(pool), threads })
    }

    pub(super) const fn current() -> Self {
        Self::Current
    }

    pub(super) fn threads(&self) -> u32 {
        let threads = match self {
            Self::Own { threads, .. } => return *threads,
            Self::Given(pool) => pool.current_num_threads(),
            Self::Current => rayon::current_num_threads(),
        };
        threads.min(MAX_THREADS as usize) as u32
    }

    /// Calls hands to the door. Nobody waits for them: the caller does what they are too late for.
    pub(super) fn summon(&self, crew: &Arc<Crew>) {
        if let Self::Own { .. } = self {
            return crew.wake();
        }
        for number in (1..self.threads()).filter(|&number| crew.take_number(number)) {
            let crew = Arc::clone(crew);
            let hand = move || {
                crew.serve(number, true);
                crew.give_number(number);
            };
            match self {
                Self::Given(pool) => pool.spawn(hand),
                _ => rayon::spawn(hand),
            }
        }
    }
}
