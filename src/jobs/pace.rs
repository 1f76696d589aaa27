use crate::clock;
use crate::sync::{AtomicU32, LazyLock, Ordering};

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
/// The most that it takes when hands were woken in vain, time after time: a call costs, and they may have no core to come on.
const WORTH_WAKING_IN_VAIN: u64 = 32 * WORTH_WAKING_IN_SUM;
/// Ticks further apart than this are not one after the other.
const GAP: u64 = 1_000_000;
/// A light node is timed once in so many ticks.
const ROTATION: u64 = 64;
/// How many times longer than usual a segment takes when its nodes are timed anew.
const SURPRISE: u64 = 2;
/// Ticks for which the times of nodes are believed at least.
const BELIEVED: u32 = 16;

/// What the segments of a plan cost, and what follows for who runs them.
#[derive(Debug)]
pub(crate) struct Pace {
    segments: Vec<Costs>,
    /// Work that could have been shared since hands were last called, without a gap.
    missed: u64,
    /// So much of it is worth waking hands: twice as much with each call that nobody answered.
    worth_waking: u64,
    ended: u64,
    /// When the nodes of the segment that is being timed were done.
    done: Vec<u64>,
}

/// Nanoseconds that the nodes of a segment take on one thread.
#[derive(Debug)]
pub(crate) struct Costs {
    nodes: Vec<AtomicU32>,
    known: bool,
    /// What is worth sharing of it; `None` when nodes were timed since.
    worth: Option<u64>,
    /// What it takes the caller alone, most of the time; 0 before it is known.
    usual: u64,
    believed: u32,
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
        let segments: Vec<Costs> = segments.map(Costs::unknown).collect();
        let most = segments.iter().map(|costs| costs.nodes.len()).max();
        let done = Vec::with_capacity(most.unwrap_or(0));
        Self { segments, missed: 0, worth_waking: WORTH_WAKING_IN_SUM, ended: 0, done }
    }

    pub(crate) fn costs(&self, segment: usize) -> &Costs {
        &self.segments[segment]
    }

    /// Who shall run a segment, while `awake` hands would come at once.
    pub(crate) fn choose(&mut self, segment: usize, awake: u32) -> Choice {
        let costs = &mut self.segments[segment];
        if !costs.known {
            return Choice::Alone { timed: true };
        }
        let worth = costs.worth_sharing();
        if worth < WORTH_SHARING {
            return Choice::Alone { timed: false };
        }
        let wake = self.is_worth_waking(worth, awake);
        if !wake && awake == 0 {
            return Choice::Alone { timed: false };
        }
        self.segments[segment].worth = None;
        Choice::Together { wake }
    }

    /// Whether hands are worth waking for so much work, or for that of ticks one after the other.
    fn is_worth_waking(&mut self, worth: u64, awake: u32) -> bool {
        if awake > 0 {
            self.worth_waking = WORTH_WAKING_IN_SUM;
        }
        if awake > 0 || worth >= WORTH_WAKING {
            self.missed = 0;
            return worth >= WORTH_WAKING;
        }
        self.missed += worth;
        let wake = self.missed >= self.worth_waking;
        if wake {
            (self.missed, self.worth_waking) = (0, (2 * self.worth_waking).min(WORTH_WAKING_IN_VAIN));
        }
        wake
    }

    /// A list for the times at which nodes are done.
    pub(crate) fn take_times(&mut self) -> Vec<u64> {
        core::mem::take(&mut self.done)
    }

    /// Notes when each node of a segment had run that began at `started`.
    pub(crate) fn note_nodes(&mut self, segment: usize, started: u64, mut done: Vec<u64>) {
        let mut before = started;
        for (node, now) in (0..).zip(done.drain(..)) {
            self.segments[segment].note(node, (now - before).saturating_sub(*CLOCK));
            before = now;
        }
        self.done = done;
        self.segments[segment].learn();
    }

    /// Notes how long the caller took for a segment alone, from `started` on.
    pub(crate) fn note_alone(&mut self, segment: usize, started: u64) {
        let now = clock::now();
        if started > self.ended + GAP {
            self.missed = 0;
        }
        self.ended = now;
        self.segments[segment].note_whole(now - started);
    }
}

/// What reading the clock takes.
static CLOCK: LazyLock<u64> = LazyLock::new(|| {
    let times: [u64; 32] = core::array::from_fn(|_| clock::now());
    times.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(0)
});

impl Costs {
    fn unknown(nodes: usize) -> Self {
        let nodes = (0..nodes).map(|_| AtomicU32::new(0)).collect();
        Self { nodes, known: false, worth: None, usual: 0, believed: 0 }
    }

    /// Believes the times of the nodes for a while.
    fn learn(&mut self) {
        (self.known, self.worth, self.usual, self.believed) = (true, None, 0, BELIEVED);
    }

    /// Notes what the whole segment took; a surprise has its nodes timed again.
    fn note_whole(&mut self, took: u64) {
        self.believed = self.believed.saturating_sub(1);
        if self.usual == 0 {
            self.usual = took;
        } else if took > SURPRISE * self.usual + WORTH_SHARING && self.believed == 0 {
            self.known = false;
        }
        self.usual += took.min(SURPRISE * self.usual) / 8;
        self.usual -= self.usual / 9;
    }

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

    fn worth_sharing(&mut self) -> u64 {
        *self.worth.get_or_insert_with(|| {
            let costs = self.nodes.iter().map(|cost| cost.load(Ordering::Relaxed));
            costs.filter(|&cost| cost >= LIGHT).map(u64::from).sum()
        })
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
        pace.segments[0].learn();
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
    fn calls_that_nobody_answers_become_rare_until_somebody_comes() {
        let mut pace = pace(&[20_000]);
        let alone = |pace: &mut Pace| (0..).take_while(|_| pace.choose(0, 0) == Choice::Alone { timed: false }).count();
        assert_eq!([(); 3].map(|()| alone(&mut pace)), [9, 19, 39]);
        assert_eq!((0..9).map(|_| alone(&mut pace)).max(), Some(319));
        assert_eq!(pace.choose(0, 1), Choice::Together { wake: false });
        assert_eq!(alone(&mut pace), 9);
    }

    #[test]
    fn a_segment_that_takes_far_longer_than_expected_is_timed_again() {
        let mut pace = pace(&[900]);
        let mut choice_after = |took| {
            pace.segments[0].note_whole(took);
            pace.choose(0, 0)
        };
        (0..BELIEVED).for_each(|_| assert_eq!(choice_after(900), Choice::Alone { timed: false }));
        assert_eq!(choice_after(3_000), Choice::Alone { timed: false });
        assert_eq!(choice_after(100_000), Choice::Alone { timed: true });
    }
}
