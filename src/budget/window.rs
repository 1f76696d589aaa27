/// Runs of a system over which its times are summed up: the last so many, two seconds of a system that runs 60 times a second.
pub const TIMING_WINDOW: usize = 128;

/// The last times of a system, in nanoseconds.
#[derive(Debug)]
pub(super) struct Window {
    times: [u64; TIMING_WINDOW],
    /// Times that were ever noted.
    noted: u64,
}

impl Window {
    pub(super) const fn new() -> Self {
        Self { times: [0; TIMING_WINDOW], noted: 0 }
    }

    pub(super) fn note(&mut self, time: u64) {
        self.times[(self.noted % TIMING_WINDOW as u64) as usize] = time;
        self.noted += 1;
    }

    pub(super) const fn noted(&self) -> u64 {
        self.noted
    }

    /// How many times there are, at most [`TIMING_WINDOW`].
    pub(super) fn len(&self) -> usize {
        self.noted.min(TIMING_WINDOW as u64) as usize
    }

    pub(super) fn last(&self) -> Option<u64> {
        let last = self.noted.checked_sub(1)?;
        Some(self.times[(last % TIMING_WINDOW as u64) as usize])
    }

    /// The times, ascending; what lies behind [`len`](Self::len) of them means nothing.
    pub(super) fn sorted(&self) -> [u64; TIMING_WINDOW] {
        let mut sorted = self.times;
        sorted[..self.len()].sort_unstable();
        sorted
    }
}

/// The smallest of ascending times that so many of a hundred are not above: the nearest rank. 0 if there are none.
pub(super) fn percentile(sorted: &[u64], percent: usize) -> u64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    rank.checked_sub(1).map_or(0, |index| sorted[index])
}
