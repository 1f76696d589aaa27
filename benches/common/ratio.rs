//! Ratios of one run: every candidate is measured in turn, round after round; of each round's ratios the median is printed.
//!
//! These machines are shared: compare ratios of one run, never times of two.

use std::time::{Duration, Instant};

const ROUNDS: usize = 31;
const SAMPLE: Duration = Duration::from_millis(12);

/// Something that is timed, over and over.
pub struct Candidate<'a> {
    name: &'static str,
    run: Box<dyn FnMut() + 'a>,
    iterations: u32,
}

impl<'a> Candidate<'a> {
    pub fn new(name: &'static str, mut run: impl FnMut() + 'a) -> Self {
        let mut iterations = 1;
        // The shortest of three: others may have had the core meanwhile.
        let mut shortest = |iterations| (0..3).map(|_| time(&mut run, iterations)).min();
        while shortest(iterations) < Some(SAMPLE) {
            iterations *= 2;
        }
        Self { name, run: Box::new(run), iterations }
    }

    /// Nanoseconds of one iteration.
    fn sample(&mut self) -> f64 {
        time(&mut self.run, self.iterations).as_nanos() as f64 / f64::from(self.iterations)
    }
}

fn time(run: &mut dyn FnMut(), iterations: u32) -> Duration {
    #[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
    let start = Instant::now();
    for _ in 0..iterations {
        run();
    }
    start.elapsed()
}

/// Prints each candidate's median time per item, and its ratio to the first candidate.
pub fn mark(title: &str, per: usize, mut candidates: Vec<Candidate<'_>>) {
    let mut rounds: Vec<Vec<f64>> = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push(candidates.iter_mut().map(Candidate::sample).collect());
    }
    println!("{title}");
    for (index, candidate) in candidates.iter().enumerate() {
        let time = median(rounds.iter().map(|round| round[index] / per as f64));
        let ratio = median(rounds.iter().map(|round| round[index] / round[0]));
        println!("  {:<44} {time:>12.3} ns  {ratio:>7.3}x", candidate.name);
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
