//! `Drive` over `Countdown` and `ReadyList`.
//!
//! Bounds: two hands that take turns until all is done, on graphs of three and four nodes, at most three preemptions; three
//! hands on three nodes, at most two.

use std::collections::BTreeSet;

use loom::thread::yield_now;
use tickweave::fault::Fault;
use tickweave::kernels::{Drive, DriveMemory, Failure, Graph, Hand, Interleave, Work};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::DriveStartsEarly, by: ONCE, says: "index out of bounds" },
    Caught { fault: Fault::DriveDoneEarly, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::DriveDoneUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::CountdownUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::ReadyPublishedUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::CountdownLoadsThenStores, by: ONCE, says: "exceeded maximum number of branches" },
    Caught { fault: Fault::ReadyTakenByStore, by: THREE, says: "Causality violation" },
    Caught { fault: Fault::ReadyPublishedUnordered, by: PINNED, says: "Causality violation" },
    Caught { fault: Fault::FailureByTime, by: LOWEST, says: "the lowest failure" },
];
const ONCE: &str = "drive::each_node_runs_once_after_its_predecessors_and_before_all_is_done";
const THREE: &str = "drive::each_node_runs_once_on_three_hands";
const PINNED: &str = "drive::a_pinned_node_runs_on_the_callers_thread";
const LOWEST: &str = "drive::the_lowest_failure_is_found_whichever_comes_first";

/// Who waits for whom: successors by node.
struct Waits {
    predecessors: Vec<u32>,
    successors: &'static [&'static [u32]],
}

impl Waits {
    fn new(successors: &'static [&'static [u32]]) -> Self {
        let mut predecessors = vec![0; successors.len()];
        successors.iter().copied().flatten().for_each(|&node| predecessors[node as usize] += 1);
        Self { predecessors, successors }
    }
}

impl Graph for Waits {
    fn predecessors(&self) -> &[u32] {
        &self.predecessors
    }

    fn successors(&self, node: u32) -> &[u32] {
        self.successors[node as usize]
    }
}

/// Nodes that look at what those before them wrote, and write.
struct Nodes {
    successors: &'static [&'static [u32]],
    pinned: Option<u32>,
    fail: &'static [u32],
    runs: Vec<Plain<u32>>,
    failure: Failure<u32>,
}

impl Work for Nodes {
    fn is_pinned(&self, node: u32) -> bool {
        self.pinned == Some(node)
    }

    fn run(&self, node: u32, hand: &Hand, _: Option<&dyn Interleave>) {
        assert!(!self.is_pinned(node) || hand.number() == 0, "a pinned node runs on the caller's thread");
        // As the executor does it.
        if !self.failure.allows(node) {
            return;
        }
        for (before, successors) in self.successors.iter().enumerate() {
            assert!(!successors.contains(&node) || self.runs[before].get() == 1, "after its predecessors");
        }
        let runs = &self.runs[node as usize];
        runs.set(runs.get() + 1);
        if self.fail.contains(&node) {
            self.failure.note(node, node);
        }
    }

    fn wants_hands(&self, _: u32) -> bool {
        false
    }

    fn call_hands(&self) {}

    fn help(&self, _: &Hand, _: Option<&dyn Interleave>) -> bool {
        false
    }
}

impl Nodes {
    fn new(successors: &'static [&'static [u32]]) -> Self {
        let runs = successors.iter().map(|_| Plain::new(0)).collect();
        Self { successors, pinned: None, fail: &[], runs, failure: Failure::none() }
    }

    fn assert_each_ran_once(&self) {
        assert!(self.runs.iter().all(|runs| runs.get() == 1), "each once");
    }

    /// Lets so many hands run the nodes, each until it learns that all is done, and looks at what was done, or, if it is not
    /// the caller, has found nothing to do twice. Returns who learned, and the failure.
    fn drive(self, count: u32, done: fn(&Self)) -> (Vec<bool>, Option<(u32, u32)>) {
        // Threads of a model borrow nothing, so that what they share is leaked.
        let (waits, nodes) = (Box::leak(Box::new(Waits::new(self.successors))), &*Box::leak(Box::new(self)));
        let drive = Drive::new(&*waits, nodes, Box::leak(Box::new(DriveMemory::default())));
        let learned = hands(count, move |number| {
            let mut is_done = true;
            drive.run(&Hand::new(number), |idle| {
                yield_now();
                is_done = number == 0 || idle < 2;
                is_done
            });
            if is_done {
                done(nodes);
            }
            is_done
        });
        (learned, nodes.failure.take())
    }
}

#[test]
fn each_node_runs_once_after_its_predecessors_and_before_all_is_done() {
    let learned = explore(Some(3), || Nodes::new(&[&[1, 2], &[3], &[3], &[]]).drive(2, Nodes::assert_each_ran_once));
    assert_eq!(learned, BTreeSet::from([vec![true, false], vec![true, true]].map(|learned| (learned, None))));
}

#[test]
fn each_node_runs_once_on_three_hands() {
    let learned = explore(Some(2), || Nodes::new(&[&[2], &[2], &[]]).drive(3, Nodes::assert_each_ran_once));
    assert!(learned.contains(&(vec![true; 3], None)), "all three may see the end");
}

#[test]
fn a_pinned_node_runs_on_the_callers_thread() {
    explore(Some(5), || {
        let nodes = Nodes { pinned: Some(1), ..Nodes::new(&[&[1], &[2], &[]]) };
        nodes.drive(2, Nodes::assert_each_ran_once)
    });
}

#[test]
fn the_lowest_failure_is_found_whichever_comes_first() {
    let found = explore(Some(3), || {
        let nodes = Nodes { fail: &[1, 2], ..Nodes::new(&[&[], &[], &[3], &[]]) };
        nodes.drive(2, |nodes| {
            assert_eq!([nodes.runs[0].get(), nodes.runs[1].get()], [1, 1], "nothing lower is left out");
        })
    });
    assert!(found.iter().all(|(_, failure)| *failure == Some((1, 1))), "the lowest failure");
}
