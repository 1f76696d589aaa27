use crate::clock;
use crate::sync::{AtomicU32, Ordering};

/// When a tick asks other threads for help. It decides where work runs, never what comes of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Eagerness {
    /// Where measured times say that help is worth the trouble; small ticks never leave the caller's thread.
    #[default]
    Measured,
    /// For every segment, however small: for tests.
    Always,
    /// Never: the caller's thread does everything.
    Never,
}

/// A node that takes less is not worth sharing out, nor timing each time, in nanoseconds.
const LIGHT: u32 = 1_500;
/// Nodes that are worth sharing out, together, from which on hands that are awake are let in.
const WORTH_SHARING: u64 = 2_500;
/// The same, from which on hands are woken.
const WORTH_WAKING: u64 = 150_000;
/// So much work of ticks one after the other that hands could have shared is worth waking them too.
const WORTH_WAKING_IN_SUM: u64 = 200_000;
/// Ticks further apart than this are not one after the other.
const GAP: u64 = 1_000_000;
/// A light node is timed once in so many ticks.
const ROTATION: u64 = 64;
/// How far off an estimate may be before the nodes are timed anew.
const OFF: u64 = 2;

/// What the segments of a plan cost, and what follows for who runs them.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    segments: Vec<Costs>,
    /// Work that could have been shared since hands were last called, without a gap.
    missed: u64,
    ended: u64,
    /// When the nodes of the segment that is being timed were done.
    done: Vec<u64>,
}

/// Nanoseconds that the nodes of a segment take on one thread.
#[derive(Debug)]
pub(crate) struct Costs {
    nodes: Vec<AtomicU32>,
    known: bool,
}

/// Who runs a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The caller; `timed` asks for the time of each node.
    Alone {
        /// Whether each node shall be timed.
        timed: bool,
    },
    /// The caller and hands; `wake` says whether hands that sleep are called too.
    Together {
        /// Whether hands that sleep shall be called.
        wake: bool,
    },
}

impl Pace {
    /// For segments with so many nodes each.
    pub(crate) fn new(segments: impl Iterator<Item = usize>) -> Self {
        let costs = |nodes| Costs { nodes: (0..nodes).map(|_| AtomicU32::new(0)).collect(), known: false };
        let segments: Vec<Costs> = segments.map(costs).collect();
        let most = segments.iter().map(|costs| costs.nodes.len()).max();
        Self { segments, missed: 0, ended: 0, done: Vec::with_capacity(most.unwrap_or(0)) }
    }

    pub(crate) fn costs(&self, segment: usize) -> &Costs {
        &self.segments[segment]
    }

    /// Who shall run a segment, while `awake` hands would come at once.
    pub(crate) fn choose(&mut self, segment: usize, awake: u32) -> Choice {
        let costs = &self.segments[segment];
        if !costs.known {
            return Choice::Alone { timed: true };
        }
        let worth = costs.worth_sharing();
        if worth < WORTH_SHARING {
            return Choice::Alone { timed: false };
        }
        if awake == 0 {
            self.missed += worth;
        }
        let wake = worth >= WORTH_WAKING || self.missed >= WORTH_WAKING_IN_SUM;
        if wake {
            self.missed = 0;
        }
        if wake || awake > 0 { Choice::Together { wake } } else { Choice::Alone { timed: false } }
    }

    /// A list for the times at which nodes are done.
    pub(crate) fn take_times(&mut self) -> Vec<u64> {
        core::mem::take(&mut self.done)
    }

    /// Notes when each node of a segment had run that began at `started`.
    pub(crate) fn note_nodes(&mut self, segment: usize, started: u64, mut done: Vec<u64>) {
        let mut before = started;
        for (node, now) in (0..).zip(done.drain(..)) {
            self.segments[segment].note(node, now - before);
            before = now;
        }
        self.done = done;
    }

    /// Notes how long the caller took for a segment alone, from `started` on.
    pub(crate) fn note_alone(&mut self, segment: usize, started: u64, timed: bool) {
        let now = clock::now();
        if started > self.ended + GAP {
            self.missed = 0;
        }
        self.ended = now;
        let costs = &mut self.segments[segment];
        let (took, sum) = (now - started, costs.sum());
        // A surprise has the nodes timed again.
        costs.known = timed || took <= u64::from(LIGHT) || took / OFF <= sum.max(WORTH_SHARING) && sum / OFF <= took;
    }
}

impl Costs {
    /// Whether a node is worth a team, or being timed.
    pub(crate) fn is_heavy(&self, node: u32) -> bool {
        self.nodes[node as usize].load(Ordering::Relaxed) >= LIGHT
    }

    /// Whether hands should be woken for a node alone.
    pub(crate) fn is_worth_waking(&self, node: u32) -> bool {
        u64::from(self.nodes[node as usize].load(Ordering::Relaxed)) >= WORTH_WAKING
    }

    /// Whether a node shall be timed in this tick.
    pub(crate) fn is_timed(&self, node: u32, tick: u64) -> bool {
        self.is_heavy(node) || (tick + u64::from(node)) % ROTATION == 0
    }

    /// Notes what a node took.
    pub(crate) fn note(&self, node: u32, took: u64) {
        self.nodes[node as usize].store(took.min(u32::MAX.into()) as u32, Ordering::Relaxed);
    }

    fn sum(&self) -> u64 {
        self.nodes.iter().map(|cost| u64::from(cost.load(Ordering::Relaxed))).sum()
    }

    fn worth_sharing(&self) -> u64 {
        let costs = self.nodes.iter().map(|cost| cost.load(Ordering::Relaxed));
        costs.filter(|&cost| cost >= LIGHT).map(u64::from).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pace(costs: &[u64]) -> Pace {
        let mut pace = Pace::new([costs.len()].into_iter());
        for (node, &cost) in costs.iter().enumerate() {
            pace.costs(0).note(node as u32, cost);
        }
        pace.segments[0].known = true;
        pace
    }

    #[test]
    fn what_was_never_run_is_timed_by_the_caller_first() {
        assert_eq!(Pace::new([3].into_iter()).choose(0, 1), Choice::Alone { timed: true });
    }

    #[test]
    fn many_tiny_nodes_stay_with_the_caller_even_if_hands_are_awake() {
        assert_eq!(pace(&[20; 200]).choose(0, 1), Choice::Alone { timed: false });
    }

    #[test]
    fn a_node_of_some_microseconds_is_shared_with_hands_that_are_awake_only() {
        assert_eq!(pace(&[15_000]).choose(0, 1), Choice::Together { wake: false });
        assert_eq!(pace(&[15_000]).choose(0, 0), Choice::Alone { timed: false });
    }

    #[test]
    fn hands_are_woken_for_much_work_at_once_or_in_a_row() {
        assert_eq!(pace(&[WORTH_WAKING]).choose(0, 0), Choice::Together { wake: true });
        let mut pace = pace(&[15_000]);
        let alone = (0..).take_while(|_| pace.choose(0, 0) == Choice::Alone { timed: false }).count();
        assert_eq!(alone as u64, WORTH_WAKING_IN_SUM / 15_000);
    }

    #[test]
    fn a_segment_that_takes_far_longer_than_expected_is_timed_again() {
        let mut pace = pace(&[15_000]);
        pace.note_alone(0, clock::now().saturating_sub(1), false);
        assert_eq!(pace.choose(0, 0), Choice::Alone { timed: false });
        while clock::now() < 100_000 {}
        pace.note_alone(0, clock::now() - 100_000, false);
        assert_eq!(pace.choose(0, 0), Choice::Alone { timed: true });
    }
}
