#![expect(unsafe_code, reason = "runs systems under the access that the plan grants")]

use core::any::Any;

use super::error::Cause;
use crate::command::{EscapeScan, Lane, LaneKey};
use crate::fault::{Fault, planted};
use crate::jobs::Team;
use crate::profile::{Label, Parent, Zone};
use crate::query::RunStamps;
use crate::schedule::{Entry, Gate, Needs, escapes_anywhere};
use crate::storage::{SectionId, stamp};
use crate::system::{Context, System, SystemId};
use crate::world::{World, WorldCell};

/// What every step of a tick shares.
#[derive(Clone, Copy)]
pub(super) struct Tick<'t> {
    pub(super) number: u64,
    /// The zone of the tick, for profilers.
    pub(super) zone: &'t Parent,
    /// The world that the schedule is bound to.
    pub(super) world: u64,
    /// What the host lends to pinned systems.
    pub(super) host: Option<*mut dyn Any>,
    /// The section that keeps when each system last ran.
    pub(super) last_runs: SectionId,
}

/// When each system of a schedule last ran: the entries of the world's section, for as long as one segment runs.
///
/// Systems that are not exclusive never reach the section; an exclusive one is alone in its segment, and its entry is noted
/// before it runs. So the entries stay where they are while this is used.
#[derive(Clone, Copy)]
pub(super) struct LastRuns {
    stamps: *mut u64,
    systems: usize,
}

impl LastRuns {
    /// The entries, taken anew for each segment.
    pub(super) fn of(world: &mut World, tick: Tick<'_>) -> Self {
        let stamps = world.sections_mut().value_mut::<Vec<u64>>(tick.last_runs);
        let stamps = stamps.expect("made when the schedule was bound");
        Self { stamps: stamps.as_mut_ptr(), systems: stamps.len() }
    }

    /// Notes when a system runs; returns when it last ran.
    ///
    /// # Safety
    ///
    /// The entries were taken of the world that runs, for this segment, and nobody else uses the system's entry.
    unsafe fn note(self, id: SystemId, now: u64) -> u64 {
        assert!(id.index() < self.systems, "the section has an entry for each system of the schedule");
        // SAFETY: the entry is one of the vector's, which stays where it is by this function's contract.
        unsafe { self.stamps.add(id.index()).replace(now) }
    }
}

/// A system and what it needs, at its position in the plan.
pub(super) struct Node<'e> {
    pub(super) id: SystemId,
    pub(super) position: u32,
    pub(super) gate: Gate,
    pub(super) system: &'e mut dyn System,
    pub(super) entry: &'e mut Entry,
    pub(super) needs: &'e Needs,
    pub(super) lane: &'e mut Lane,
    pub(super) label: &'e Label,
    /// Taken of the world for the segment that the system is in.
    pub(super) last_runs: LastRuns,
}

impl Tick<'_> {
    /// Runs a system, if it is due, while nothing else uses the world; what it records goes to its lane.
    pub(super) fn run_alone(self, world: &mut World, mut node: Node<'_>) -> Result<(), Cause> {
        // SAFETY: the world is borrowed mutably, so that nobody else uses it; the caller's schedule was bound to it, and
        // its registry has not changed since.
        unsafe { self.run(WorldCell::new(world), &mut node, None) }?;
        if !node.gate.exclusive {
            return Ok(());
        }
        self.check_world(world)?;
        if node.lane.has_spawned() {
            // It may have put in resources of types that the world met for the first time.
            let scan = escapes_anywhere(world);
            // SAFETY: the world is borrowed mutably.
            return unsafe { look_for_escapes(&scan, WorldCell::new(world), stamp::at(self.number, node.position)) };
        }
        Ok(())
    }

    /// Whoever holds `&mut World` can put another world in its place: bound systems would misread that one's columns.
    pub(super) fn check_world(self, world: &World) -> Result<(), Cause> {
        if world.id() == self.world { Ok(()) } else { Err(Cause::WorldReplaced) }
    }

    /// Runs a system, if it is due.
    ///
    /// # Safety
    ///
    /// The system is bound to the cell's world as it is now, nothing that conflicts with it runs meanwhile, and the node's last
    /// runs were taken of that world for this segment. A system that takes what the host lends runs on the host's thread.
    pub(super) unsafe fn run(
        self,
        cell: WorldCell<'_>,
        node: &mut Node<'_>,
        team: Option<Team<'_>>,
    ) -> Result<(), Cause> {
        if !node.gate.enabled || !node.gate.rate.is_due(self.number) {
            return Ok(());
        }
        let _zone = Zone::system(node.label, self.zone);
        let now = stamp::at(self.number, node.position + u32::from(planted(Fault::StampLate)));
        let stamps = RunStamps { now, last: 0 };
        if node.gate.records_commands {
            node.lane.reset(LaneKey::new(self.number, node.position, 0), node.position);
        }
        let lane: *mut Lane = node.lane;
        let mut context = Context { cell, stamps, tick: self.number, lane, host: self.host, team };
        // SAFETY: what the system and its conditions touch is granted to it alone, by this function's contract; a `&mut
        // World` is made for an exclusive system only, after its grant and its conditions' borrows are gone. The lane is
        // the system's alone, and what the host lends is used on its thread, by one system after the other.
        unsafe {
            if node.gate.conditional {
                check_resources(cell, node.needs)?;
            }
            let grant = cell.grant(&node.needs.access);
            if node.gate.conditional && !node.entry.conditions.iter_mut().all(|condition| condition.holds(context)) {
                return Ok(());
            }
            context.stamps.last = node.last_runs.note(node.id, now);
            if planted(Fault::LastRunForgotten) {
                context.stamps.last = 0;
            }
            if node.gate.exclusive {
                // The system takes the world itself, so that nothing may refer into it meanwhile.
                drop(grant);
                cell.world_mut().set_stamps(context.stamps);
                return node.system.run(context).map_err(Cause::Error);
            }
            node.system.run(context).map_err(Cause::Error)?;
            if node.gate.records_commands && node.lane.has_spawned() && !planted(Fault::EscapeUnchecked) {
                look_for_escapes(&node.needs.escapes, cell, now)?;
            }
            Ok(())
        }
    }
}

/// # Safety
///
/// The caller holds the system's access.
unsafe fn check_resources(cell: WorldCell<'_>, needs: &Needs) -> Result<(), Cause> {
    for &(section, name) in &needs.resources {
        // SAFETY: the system may read the resource.
        if !unsafe { cell.sections().is_set(section) } {
            return Err(Cause::ResourceRemoved(name));
        }
    }
    Ok(())
}

/// Looks for pending handles that a system left outside of its commands, at its stamp.
///
/// # Safety
///
/// The caller holds what the scan looks at alone, and no `&mut World` made of the cell lives.
pub(super) unsafe fn look_for_escapes(scan: &EscapeScan, cell: WorldCell<'_>, now: u64) -> Result<(), Cause> {
    // SAFETY: the contract is passed on.
    match unsafe { scan.find(cell, now) } {
        Some(found) => Err(Cause::PendingEscaped { holder: found.holder, owner: found.owner }),
        None => Ok(()),
    }
}
