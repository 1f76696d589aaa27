//! `Drive` over `Countdown` and `ReadyList`.
//! Bounds: two hands that take turns until all is done, on graphs of three and four nodes; at most two preemptions.

use std::sync::Arc;

use loom::thread::yield_now;
use tickweave::fault::Fault;
use tickweave::kernels::{Drive, DriveMemory, Failure, Graph, Hand, Interleave, Work};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::DriveStartsEarly, by: ONCE, says: "x" },
    Caught { fault: Fault::DriveDoneEarly, by: ONCE, says: "x" },
    Caught { fault: Fault::DriveDoneUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::CountdownUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::ReadyPublishedUnordered, by: ONCE, says: "Causality violation" },
    Caught { fault: Fault::FailureByTime, by: FAILURE, says: "x" },
    Caught { fault: Fault::FailureStopsLower, by: FAILURE, says: "x" },
];
const ONCE: &str = "drive::each_node_runs_once_after_its_predecessors_and_before_all_is_done";
const FAILURE: &str = "drive::the_lowest_failure_is_found_whichever_comes_first";

/// Who waits for whom: successors by node.
struct Waits {
    predecessors: Vec<u32>,
    successors: Vec<Vec<u32>>,
}

impl Waits {
    fn new(successors: &[&[u32]]) -> Self {
        let mut predecessors = vec![0; successors.len()];
        successors.iter().copied().flatten().for_each(|&node| predecessors[node as usize] += 1);
        Self { predecessors, successors: successors.iter().map(|list| list.to_vec()).collect() }
    }

    fn waits_for(&self, node: u32) -> impl Iterator<Item = usize> {
        let lists = self.successors.iter().enumerate();
        lists.filter(move |(_, list)| list.contains(&node)).map(|(before, _)| before)
    }
}

impl Graph for Waits {
    fn predecessors(&self) -> &[u32] {
        &self.predecessors
    }

    fn successors(&self, node: u32) -> &[u32] {
        &self.successors[node as usize]
    }
}

/// Nodes that look for what those before them wrote, and write.
struct Nodes {
    waits: Arc<Waits>,
    pinned: Option<u32>,
    fail: Vec<u32>,
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
        self.waits.waits_for(node).for_each(|before| assert_eq!(self.runs[before].get(), 1, "after its predecessors"));
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

/// Lets two hands run the nodes; each that learns that all is done looks at all of them.
fn drive(successors: &[&[u32]], pinned: Option<u32>, fail: &[u32], done: fn(&Nodes)) {
    let waits = Arc::new(Waits::new(successors));
    let runs = successors.iter().map(|_| Plain::new(0)).collect();
    let nodes = Nodes { waits: Arc::clone(&waits), pinned, fail: fail.to_vec(), runs, failure: Failure::none() };
    // Threads of a model borrow nothing, so that what they share is leaked.
    let (nodes, waits): (&Nodes, &Waits) = (Box::leak(Box::new(nodes)), Box::leak(Box::new(waits)));
    let drive = Drive::new(waits, nodes, Box::leak(Box::new(DriveMemory::default())));
    hands(2, move |number| {
        let hand = Hand::new(number);
        drive.run(&hand, |_| {
            yield_now();
            true
        });
        done(nodes);
    });
}

#[test]
fn each_node_runs_once_after_its_predecessors_and_before_all_is_done() {
    explore(Some(2), || {
        drive(&[&[1, 2], &[3], &[3], &[]], None, &[], |nodes| {
            assert!(nodes.runs.iter().all(|runs| runs.get() == 1), "each once");
        });
    });
}

#[test]
fn a_pinned_node_runs_on_the_callers_thread() {
    explore(Some(2), || {
        drive(&[&[1], &[2], &[]], Some(1), &[], |nodes| {
            assert!(nodes.runs.iter().all(|runs| runs.get() == 1), "each once");
        });
    });
}

#[test]
fn the_lowest_failure_is_found_whichever_comes_first() {
    explore(Some(2), || {
        drive(&[&[], &[], &[3], &[]], None, &[1, 2], |nodes| {
            assert_eq!([nodes.runs[0].get(), nodes.runs[1].get()], [1, 1], "nothing lower is left out");
            assert_eq!(nodes.runs[3].get(), 0, "nothing starts behind a failure");
        });
    });
}
