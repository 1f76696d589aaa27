//! A segment as the executor runs it: `Crew` lends, `Drive` hands out nodes, and a node shares a loop on the `Board`.
//!
//! Bounds: the caller and a hand that leaves when it has found nothing to do twice; three nodes, of which the first runs a
//! loop of two units; at most three preemptions.

use loom::thread::{ThreadId, current, yield_now};
use tickweave::fault::Fault;
use tickweave::kernels::{Board, Crew, Drive, DriveMemory, Graph, Hand, Interleave, Label, Team, Work, run_units};
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::DoorClosedWithoutWaiting, by: TICK, says: "Causality violation" },
    Caught { fault: Fault::CountdownUnordered, by: TICK, says: "Causality violation" },
    Caught { fault: Fault::ReadyPublishedUnordered, by: TICK, says: "Causality violation" },
    Caught { fault: Fault::DoorLeftUnordered, by: TICK, says: "Causality violation" },
    Caught { fault: Fault::SpanLoadsThenStores, by: TICK, says: "Causality violation" },
];
const TICK: &str = "tick::a_segment_is_run_by_whoever_comes_and_the_caller_sees_all_of_it";

/// Nodes 0 and 1 may run at a time; node 2 waits for both.
struct Fork;

impl Graph for Fork {
    fn predecessors(&self) -> &[u32] {
        &[0, 0, 2]
    }

    fn successors(&self, node: u32) -> &[u32] {
        if node < 2 { &[2] } else { &[] }
    }
}

/// Node 0 writes two values in a loop, node 1 one; node 2 reads them all.
struct Nodes<'n> {
    board: &'n Board,
    label: Label,
    values: [Plain<u32>; 3],
    sum: Plain<u32>,
    caller: ThreadId,
    /// Whether the hand ran a node, or a unit of node 0.
    helped: [Plain<bool>; 5],
}

impl<'n> Nodes<'n> {
    fn new(board: &'n Board) -> Self {
        let (values, helped) = ([(); 3].map(|()| Plain::new(0)), [(); 5].map(|()| Plain::new(false)));
        Self { board, label: Label::new("a system"), values, sum: Plain::new(0), caller: current().id(), helped }
    }

    fn note(&self, part: u32) {
        self.helped[part as usize].set(current().id() != self.caller);
    }

    fn share(&self, hand: &Hand) {
        let team = Team::new(self.board, hand, None, None, &self.label);
        let outcome = run_units(Some(team), 2, &|claim| {
            while let Some(unit) = claim.next() {
                let value = &self.values[unit as usize];
                value.set(value.get() + 1 + unit);
                self.note(3 + unit);
            }
            Ok(())
        });
        assert!(outcome.is_ok());
    }
}

impl Work for Nodes<'_> {
    fn is_pinned(&self, _: u32) -> bool {
        false
    }

    fn run(&self, node: u32, hand: &Hand, _: Option<&dyn Interleave>) {
        self.note(node);
        match node {
            0 => self.share(hand),
            1 => self.values[2].set(4),
            _ => self.sum.set(self.sum.get() + self.values.iter().map(Plain::get).sum::<u32>()),
        }
    }

    fn wants_hands(&self, _: u32) -> bool {
        false
    }

    fn call_hands(&self) {}

    fn help(&self, hand: &Hand, interleave: Option<&dyn Interleave>) -> bool {
        self.board.help(hand, interleave)
    }
}

#[test]
fn a_segment_is_run_by_whoever_comes_and_the_caller_sees_all_of_it() {
    let ran = explore(Some(3), || {
        let crew = Crew::new();
        let ran = hands(2, move |number| match number {
            0 => Some(lend(&crew)),
            _ => {
                crew.serve(1, true);
                None
            }
        });
        ran.into_iter().next().flatten()
    });
    let helps = Some([false, true, false, true, false]);
    assert!(ran.contains(&helps), "the hand runs node 1 and then a unit for the caller");
    let is_helped = Some([true, false, true, false, true]);
    assert!(ran.contains(&is_helped), "the caller runs node 1 and then a unit for the hand");
}

/// Runs a segment, and returns which parts the hand ran.
fn lend(crew: &Crew) -> [bool; 5] {
    let nodes = Nodes::new(crew.board());
    let mut memory = DriveMemory::default();
    let drive = Drive::new(&Fork, &nodes, &mut memory);
    let job = |hand: &Hand| {
        drive.run(hand, |idle| {
            yield_now();
            hand.number() == 0 || idle < 2
        });
    };
    assert!(crew.lend(2, || {}, &job));
    assert_eq!(nodes.sum.get(), 7);
    nodes.helped.each_ref().map(Plain::get)
}
