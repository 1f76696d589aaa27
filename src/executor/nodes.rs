#![expect(unsafe_code, reason = "hands run systems of one schedule at the same time, as the plan allows")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::{Cause, message};
use super::step::{Arrays, Gated, LastRuns, Node, Tick};
use crate::clock;
use crate::command::OwnLane;
use crate::jobs::{Board, Costs, Graph, Hand, Interleave, Pool, Team, Work, discard};
use crate::profile::Label;
use crate::schedule::{Entry, Gate, Needs, Segment};
use crate::sync::Failure;
use crate::system::System;
use crate::world::{World, WorldCell};

impl Graph for Segment {
    fn predecessors(&self) -> &[u32] {
        self.predecessors()
    }

    fn successors(&self, node: u32) -> &[u32] {
        self.successors(node)
    }
}

/// The systems of a segment, as hands run them: each system is one hand's alone, from its start to its end.
pub(super) struct Nodes<'n> {
    tick: Tick<'n>,
    segment: &'n Segment,
    cell: WorldCell<'n>,
    last_runs: LastRuns,
    gates: &'n [Gate],
    needs: &'n [Needs],
    labels: &'n [Label],
    systems: *mut Box<dyn System>,
    entries: *mut Entry,
    lanes: *mut OwnLane,
    board: &'n Board,
    help: Help<'n>,
    failure: Failure<Cause>,
}

/// Where help comes from, and when it is asked for.
#[derive(Clone, Copy)]
pub(super) enum Help<'n> {
    /// For every node, of whoever is there.
    Always,
    /// For nodes that were measured to be heavy; hands of the pool that left are called back for very heavy ones.
    Measured(&'n Costs, &'n Pool),
}

// SAFETY: the pointers are to arrays of one element for each system of the schedule, borrowed for as long as `Nodes` lives.
// The drive gives each node to one hand, once, and lets nodes that conflict not overlap; what the host lends is touched by
// pinned nodes only, which the caller's hand runs. `Cause` crosses threads.
unsafe impl Sync for Nodes<'_> {}

impl<'n> Nodes<'n> {
    /// The nodes of a segment without exclusive systems.
    pub(super) fn new(
        tick: Tick<'n>,
        segment: &'n Segment,
        world: &'n mut World,
        arrays: Arrays<'n>,
        board: &'n Board,
        help: Help<'n>,
    ) -> Self {
        let last_runs = LastRuns::of(world, tick, arrays.gates.len());
        let Arrays { gates, needs, systems, entries, lanes, labels } = arrays;
        Self {
            tick,
            segment,
            cell: WorldCell::new(world),
            last_runs,
            gates,
            needs,
            labels,
            systems: systems.as_mut_ptr(),
            entries: entries.as_mut_ptr(),
            lanes: lanes.as_mut_ptr(),
            board,
            help,
            failure: Failure::none(),
        }
    }

    /// Position and cause of the failure that counts, when every hand has left.
    pub(super) fn outcome(&self) -> Result<(), (u32, Cause)> {
        let failed = self.failure.take();
        failed.map_or(Ok(()), |(node, cause)| Err((self.segment.first_position() + node, cause)))
    }

    fn run_node(&self, node: u32, team: Option<Team<'_>>) -> Result<(), Cause> {
        let id = self.segment.systems()[node as usize];
        let index = id.index();
        // SAFETY: the index is that of a system of the schedule, to whose arrays the pointers are; this hand alone was given
        // the node, so that nobody else refers to these elements.
        let (system, entry, lane) =
            unsafe { (&mut **self.systems.add(index), &mut *self.entries.add(index), &mut *self.lanes.add(index)) };
        let position = self.segment.first_position() + node;
        let (gate, needs, label) = (&self.gates[index], &self.needs[index], &self.labels[index]);
        let node = Node { id, position, system, needs, lane, label, last_runs: self.last_runs };
        let mut context = self.tick.context(self.cell, team);
        // SAFETY: the schedule was bound to this world; the plan has an edge between nodes that conflict, so that they don't
        // overlap; the last runs are those of this segment; pinned systems are run by the caller's hand.
        unsafe { self.tick.run(&mut context, Gated { node, gate, entry }) }
    }

    fn note(&self, node: u32, cause: Cause) {
        if let Some(lost) = self.failure.note(node, cause) {
            // It may hold an error of the user, whose destructor may panic.
            if let Err(payload) = catch_unwind(AssertUnwindSafe(|| drop(lost))) {
                discard(payload);
            }
        }
    }
}

impl Work for Nodes<'_> {
    fn is_pinned(&self, node: u32) -> bool {
        self.gates[self.segment.systems()[node as usize].index()].pinned
    }

    fn run(&self, node: u32, hand: &Hand, interleave: Option<&dyn Interleave>) {
        if !self.failure.allows(node) {
            return;
        }
        let started = self.help.starts(node, self.tick.number);
        let label = &self.labels[self.segment.systems()[node as usize].index()];
        let team = || Team::new(self.board, hand, interleave, self.help.pool(node), label);
        let team = self.help.is_wanted(node).then(team);
        let outcome = catch_unwind(AssertUnwindSafe(|| self.run_node(node, team)));
        let outcome = outcome.unwrap_or_else(|payload| Err(Cause::Panic(message(payload))));
        if let Err(cause) = outcome {
            self.note(node, cause);
        }
        if let (Some(started), Help::Measured(costs, _)) = (started, self.help) {
            let hands = if team.is_some() { self.board.present() } else { 1 };
            costs.note(node, (clock::now() - started) * u64::from(hands));
        }
    }

    fn help(&self, hand: &Hand, interleave: Option<&dyn Interleave>) -> bool {
        self.board.help(hand, interleave)
    }

    fn wants_hands(&self, node: u32) -> bool {
        self.help.pool(node).is_some()
    }

    fn call_hands(&self) {
        if let Help::Measured(_, pool) = self.help {
            pool.call_back();
        }
    }
}

impl<'n> Help<'n> {
    fn is_wanted(self, node: u32) -> bool {
        match self {
            Self::Always => true,
            Self::Measured(costs, _) => costs.is_heavy(node),
        }
    }

    /// When the node starts, if its time is taken.
    fn starts(self, node: u32, tick: u64) -> Option<u64> {
        match self {
            Self::Measured(costs, _) if costs.is_timed(node, tick) => Some(clock::now()),
            _ => None,
        }
    }

    /// Whose hands are called back for the node.
    fn pool(self, node: u32) -> Option<&'n Pool> {
        match self {
            Self::Measured(costs, pool) if costs.is_worth_waking(node) => Some(pool),
            _ => None,
        }
    }
}
