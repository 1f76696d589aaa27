//! Work that two threads share, half and half.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, park};
use std::time::{Duration, Instant};

use crate::common::{Position, VELOCITY, Velocity};

/// How long the helper looks for work before it parks itself.
const PATIENCE: Duration = Duration::from_micros(100);

/// What is done for rows.
type Body = fn(&mut [Position], &[Velocity]);

/// A caller and a helper that spins: each has always the same half of the rows, which stays in its core's cache.
pub(crate) struct Handover {
    shared: Arc<Shared>,
    helper: Option<JoinHandle<()>>,
}

struct Shared {
    halves: [Mutex<(Vec<Position>, Vec<Velocity>)>; 2],
    body: Body,
    asked: AtomicU64,
    answered: AtomicU64,
    parked: AtomicBool,
    over: AtomicBool,
}

impl Handover {
    pub(crate) fn new(rows: usize, body: Body) -> Self {
        let half =
            |range: Range<usize>| Mutex::new((vec![Position::default(); range.len()], vec![VELOCITY; range.len()]));
        let halves = [half(0..rows / 2), half(rows / 2..rows)];
        let (asked, answered) = (AtomicU64::new(0), AtomicU64::new(0));
        let (parked, over) = (AtomicBool::new(false), AtomicBool::new(false));
        let shared = Arc::new(Shared { halves, body, asked, answered, parked, over });
        let helping = Arc::clone(&shared);
        Self { shared, helper: Some(std::thread::spawn(move || helping.help())) }
    }

    /// Does the body for both halves, on two threads.
    pub(crate) fn run(&self) {
        let shared = &*self.shared;
        let asked = shared.asked.load(Ordering::Relaxed) + 1;
        shared.asked.store(asked, Ordering::Release);
        shared.work(0);
        while shared.answered.load(Ordering::Acquire) != asked {
            if shared.parked.load(Ordering::Relaxed) {
                self.helper.iter().for_each(|helper| helper.thread().unpark());
            }
            std::hint::spin_loop();
        }
    }
}

impl Shared {
    fn work(&self, half: usize) {
        let (positions, velocities) = &mut *self.halves[half].lock().unwrap();
        (self.body)(positions, velocities);
    }

    fn help(&self) {
        let mut answered = 0;
        let mut since = now();
        while !self.over.load(Ordering::Relaxed) {
            let asked = self.asked.load(Ordering::Acquire);
            if asked != answered {
                self.work(1);
                answered = asked;
                self.answered.store(answered, Ordering::Release);
                since = now();
            } else if since.elapsed() > PATIENCE {
                self.parked.store(true, Ordering::Relaxed);
                park();
                self.parked.store(false, Ordering::Relaxed);
                since = now();
            }
            std::hint::spin_loop();
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn now() -> Instant {
    Instant::now()
}

impl Drop for Handover {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        if let Some(helper) = self.helper.take() {
            helper.thread().unpark();
            let _ = helper.join();
        }
    }
}
