use super::board::Interleave;
use super::crew::Hand;
use crate::fault::{Fault, planted};
use crate::sync::{AtomicU32, Countdown, Ordering, ReadyList, unless};

/// The nodes of a segment, numbered in schedule order: who waits for whom.
pub trait Graph: Sync {
    /// For each node how many others must finish first.
    fn predecessors(&self) -> &[u32];

    /// The nodes that wait for one.
    fn successors(&self, node: u32) -> &[u32];
}

/// What the nodes do.
pub trait Work: Sync {
    /// Whether a node runs on the caller's thread only.
    fn is_pinned(&self, node: u32) -> bool;

    /// Runs a node to its end, unless a lower one has failed.
    fn run(&self, node: u32, hand: &Hand, interleave: Option<&dyn Interleave>);

    /// Whether a node is worth calling hands for that have left.
    fn wants_hands(&self, node: u32) -> bool;

    /// Calls hands that have left.
    fn call_hands(&self);

    /// Helps another hand; false if nobody needs help.
    fn help(&self, hand: &Hand, interleave: Option<&dyn Interleave>) -> bool;
}

/// Countdowns and lists, kept from tick to tick.
#[derive(Debug, Default)]
pub struct DriveMemory {
    countdowns: Vec<Countdown>,
    ready: ReadyList,
    pinned: ReadyList,
}

/// What a hand did with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It ran something.
    Worked,
    /// There is nothing to run now.
    Idle,
    /// Every node has finished.
    Done,
}

/// Runs the nodes of a segment: every hand calls [`turn`](Self::turn) until everything is done.
pub struct Drive<'d, G, W> {
    graph: &'d G,
    work: &'d W,
    memory: &'d DriveMemory,
    finished: AtomicU32,
}

impl<'d, G: Graph, W: Work> Drive<'d, G, W> {
    /// A segment of which nothing has run.
    pub fn new(graph: &'d G, work: &'d W, memory: &'d mut DriveMemory) -> Self {
        let predecessors = graph.predecessors();
        memory.countdowns.clear();
        memory.countdowns.extend(predecessors.iter().map(|&count| Countdown::new(count)));
        let nodes = predecessors.len() as u32;
        let first = (0..nodes).filter(|&node| predecessors[node as usize] == 0);
        memory.ready.reset(nodes, first.clone().filter(|&node| !work.is_pinned(node)));
        memory.pinned.reset(nodes, first.filter(|&node| work.is_pinned(node)));
        Self { graph, work, memory, finished: AtomicU32::new(0) }
    }

    /// One step of a hand: a node, or help with another hand's loop.
    pub fn turn(&self, hand: &Hand, interleave: Option<&dyn Interleave>) -> Turn {
        if let Some(node) = self.next(hand) {
            self.work.run(node, hand, interleave);
            self.finish(node);
            return Turn::Worked;
        }
        if self.work.help(hand, interleave) {
            return Turn::Worked;
        }
        if self.is_done() { Turn::Done } else { Turn::Idle }
    }

    fn is_done(&self) -> bool {
        let finished = self.finished.load(Ordering::Acquire) + u32::from(planted(Fault::DriveDoneEarly));
        finished as usize >= self.graph.predecessors().len()
    }

    /// Takes turns until everything is done, or `wait` (told how often there was nothing to run) gives up.
    pub fn run(&self, hand: &Hand, mut wait: impl FnMut(u32) -> bool) {
        let mut idle = 0;
        loop {
            match self.turn(hand, None) {
                Turn::Worked => idle = 0,
                Turn::Done => return,
                Turn::Idle => idle += 1,
            }
            if idle > 0 && !wait(idle) {
                return;
            }
        }
    }

    fn next(&self, hand: &Hand) -> Option<u32> {
        let pinned = if hand.number() == 0 { self.memory.pinned.take() } else { None };
        pinned.or_else(|| self.memory.ready.take())
    }

    fn finish(&self, node: u32) {
        let mut worthy = 0;
        for &successor in self.graph.successors(node) {
            if self.memory.countdowns[successor as usize].down() || planted(Fault::DriveStartsEarly) {
                self.push(successor);
                worthy += u32::from(self.work.wants_hands(successor));
            }
        }
        // One of them is for this hand.
        if worthy > 1 {
            self.work.call_hands();
        }
        self.finished.fetch_add(1, unless(Fault::DriveDoneUnordered, Ordering::Release));
    }

    fn push(&self, node: u32) {
        let list = if self.work.is_pinned(node) { &self.memory.pinned } else { &self.memory.ready };
        list.push(node);
    }
}
