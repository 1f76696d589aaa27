//! The one clock. Measured time decides where work runs, never what comes of it.

use std::time::Instant;

use crate::sync::LazyLock;

/// Nanoseconds since the clock was first read.
pub(crate) fn now() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed().as_nanos() as u64
}

#[cfg(test)]
mod tests {
    #[test]
    fn time_does_not_run_backwards() {
        let before = super::now();
        assert!(super::now() >= before);
    }
}
