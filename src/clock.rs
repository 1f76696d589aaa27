//! The one clock. Measured time decides where work runs, never what comes of it.

/// Nanoseconds since the clock was first read.
#[cfg(not(tickweave_loom))]
pub(crate) fn now() -> u64 {
    use std::time::Instant;

    use crate::sync::LazyLock;

    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

/// Nanoseconds of a model: each thread has a time of its own, which its looks at the clock alone move on, so that waiting
/// is bounded and the same choices give the same run.
#[cfg(tickweave_loom)]
pub(crate) fn now() -> u64 {
    use core::cell::Cell;

    crate::sync::thread_local!(static NOW: Cell<u64> = Cell::new(0));
    NOW.with(|now| now.replace(now.get() + 60_000))
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    #[test]
    fn time_does_not_run_backwards() {
        let before = super::now();
        assert!(super::now() >= before);
    }
}
