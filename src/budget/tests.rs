use core::time::Duration;

use fixed::types::I16F16;

use super::*;

fn verdicts(budget: I16F16, times: &[u64]) -> Vec<Verdict> {
    let mut meter = Meter::new(budget);
    times.iter().map(|&time| meter.note(time)).collect()
}

#[test]
fn a_budget_is_kept_up_to_itself_and_critical_from_three_times_itself_on() {
    let times = [0, 1_000_000, 1_000_001, 2_999_999, 3_000_000, u64::MAX];
    use Verdict::{Critical, Kept, Over};
    assert_eq!(verdicts(I16F16::ONE, &times), [Kept, Kept, Over, Over, Critical, Critical]);
}

#[test]
fn budgets_that_are_no_whole_nanoseconds_are_exact_too() {
    // The smallest budget is 15.2587890625 ns, three of it are 45.7763671875 ns.
    use Verdict::{Critical, Kept, Over};
    assert_eq!(verdicts(I16F16::from_bits(1), &[15, 16, 45, 46]), [Kept, Over, Over, Critical]);
    assert_eq!(Meter::new(I16F16::from_bits(1)).facts(), [0, 15, 0, 0]);
    assert_eq!(verdicts(I16F16::MAX, &[32_767_999_984, 32_767_999_985]), [Kept, Over]);
}

#[test]
fn percentiles_are_nearest_ranks_of_the_last_runs() {
    let mut meter = Meter::new(I16F16::ONE);
    for time in 1..=1_000 {
        meter.note(time);
    }
    let timing = meter.timing();
    let ns = Duration::from_nanos;
    // The window has 873 to 1000.
    assert_eq!((timing.runs, timing.samples, timing.last), (1_000, TIMING_WINDOW, ns(1_000)));
    assert_eq!([timing.p50, timing.p95, timing.p99, timing.max], [936, 994, 999, 1_000].map(ns));
    assert_eq!(meter.facts(), [1_000, 1_000_000, 999, 128]);
}

#[test]
fn few_runs_and_none_have_percentiles_too() {
    let mut meter = Meter::new(I16F16::ONE);
    assert_eq!((meter.timing().samples, meter.timing().max), (0, Duration::ZERO));
    [30, 10, 20].iter().for_each(|&time| assert_eq!(meter.note(time), Verdict::Kept));
    let timing = meter.timing();
    assert_eq!([timing.p50, timing.p95, timing.max, timing.last], [20, 30, 30, 20].map(Duration::from_nanos));
}

#[test]
fn every_run_counts_whether_it_is_told_or_not() {
    let mut meter = Meter::new(I16F16::ONE);
    for time in [1, 2_000_000, 3_000_000] {
        meter.note(time);
    }
    let timing = meter.timing();
    assert_eq!((timing.runs, timing.overruns, timing.critical, timing.budget), (3, 2, 1, I16F16::ONE));
}
