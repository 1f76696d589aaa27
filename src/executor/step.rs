#![expect(unsafe_code, reason = "runs systems under the access that the plan grants")]

use core::any::Any;

use super::error::Cause;
use crate::command::{Escaped, LaneKey, OwnLane};
use crate::fault::{Fault, planted};
use crate::jobs::Team;
use crate::profile::{Label, Parent, Zone};
use crate::query::RunStamps;
use crate::schedule::{Entry, Gate, Needs};
use crate::storage::{SectionId, stamp};
use crate::system::{Context, System, SystemError, SystemId};
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
pub(super) struct LastRuns(*mut u64);

impl LastRuns {
    /// The entries of a schedule with so many systems, taken anew for each segment.
    ///
    /// # Panics
    ///
    /// If there are fewer.
    pub(super) fn of(world: &mut World, tick: Tick<'_>, systems: usize) -> Self {
        let stamps = world.sections_mut().value_mut::<Vec<u64>>(tick.last_runs);
        let stamps = stamps.expect("made when the schedule was bound");
        assert!(systems <= stamps.len(), "the section has an entry for each system of the schedule");
        Self(stamps.as_mut_ptr())
    }

    /// Notes when a system runs; returns when it last ran.
    ///
    /// # Safety
    ///
    /// The entries were taken of the world that runs, for this segment and the schedule of the system, and nobody else uses
    /// the system's entry.
    #[inline(always)]
    unsafe fn note(self, id: SystemId, now: u64) -> u64 {
        // SAFETY: the entry is one of the vector's, which was seen to have one for each system of the schedule, and stays where
        // it is by this function's contract.
        unsafe { self.0.add(id.index()).replace(now) }
    }
}

/// A system, at its position in the plan, and what it takes to run it.
pub(super) struct Node<'e> {
    pub(super) id: SystemId,
    pub(super) position: u32,
    pub(super) system: &'e mut dyn System,
    pub(super) needs: &'e Needs,
    pub(super) lane: &'e mut OwnLane,
    pub(super) label: &'e Label,
    /// Taken of the world for the segment that the system is in.
    pub(super) last_runs: LastRuns,
}

/// A system with what decides whether it runs.
pub(super) struct Gated<'e> {
    pub(super) node: Node<'e>,
    pub(super) gate: &'e Gate,
    pub(super) entry: &'e mut Entry,
}

/// What a schedule has of each of its systems, by index.
pub(super) struct Arrays<'n> {
    pub(super) gates: &'n [Gate],
    pub(super) needs: &'n [Needs],
    pub(super) systems: &'n mut [Box<dyn System>],
    pub(super) entries: &'n mut [Entry],
    pub(super) lanes: &'n mut [OwnLane],
    pub(super) labels: &'n [Label],
}

impl Arrays<'_> {
    /// So that one look at an index is enough for all of them.
    #[inline(always)]
    pub(super) fn of_one_length(self) -> Self {
        let all = self.gates.len();
        Self {
            gates: self.gates,
            needs: &self.needs[..all],
            systems: &mut self.systems[..all],
            entries: &mut self.entries[..all],
            lanes: &mut self.lanes[..all],
            labels: &self.labels[..all],
        }
    }

    #[inline(always)]
    pub(super) fn gated(&mut self, id: SystemId, position: u32, last_runs: LastRuns) -> Gated<'_> {
        let index = id.index();
        let (system, lane) = (&mut *self.systems[index], &mut self.lanes[index]);
        let (needs, label) = (&self.needs[index], &self.labels[index]);
        let node = Node { id, position, system, needs, lane, label, last_runs };
        Gated { node, gate: &self.gates[index], entry: &mut self.entries[index] }
    }
}

/// What systems of a segment are given while nothing but one of them after the other uses the world.
pub(super) struct Alone<'w>(Context<'w>);

impl Tick<'_> {
    /// For systems that run one after the other, on a world that nobody else uses meanwhile.
    pub(super) fn alone<'w>(&self, world: &'w mut World) -> Alone<'w> {
        Alone(self.context(WorldCell::new(world), None))
    }

    /// What a system is given, but for what is its own: its lane and its stamps.
    pub(super) const fn context<'c>(&self, cell: WorldCell<'c>, team: Option<Team<'c>>) -> Context<'c> {
        let (stamps, lane) = (RunStamps { now: 0, last: 0 }, core::ptr::null_mut::<OwnLane>());
        Context { cell, stamps, tick: self.number, lane, host: self.host, team }
    }

    /// Runs a plain system while nothing else uses the world.
    ///
    /// # Panics
    ///
    /// If it is not plain.
    #[inline(always)]
    pub(super) fn run_plain_alone(&self, Alone(context): &mut Alone<'_>, gated: Gated<'_>) -> Result<(), SystemError> {
        assert!(gated.gate.plain, "others are run by `run_alone`");
        // SAFETY: the context is of a world that is borrowed mutably, so that nobody else uses it; the caller's schedule was
        // bound to it, and its registry has not changed since. The gate was looked at.
        unsafe { self.run_plain(context, gated.node) }
    }

    /// Runs a system, if it is due, while nothing else uses the world; what it records goes to its lane.
    #[inline(never)]
    pub(super) fn run_alone(&self, Alone(context): &mut Alone<'_>, mut gated: Gated<'_>) -> Result<(), Cause> {
        let outcome = if gated.gate.exclusive {
            self.run_exclusive(context, &mut gated)
        } else {
            // SAFETY: as for a plain one.
            unsafe { self.run_gated(context, &mut gated) }
        };
        // The next system of the segment may be a plain one, which has none.
        context.lane = core::ptr::null_mut::<OwnLane>();
        outcome
    }

    /// The same for a system that takes the world itself. The context is one of [`Alone`].
    #[inline(never)]
    fn run_exclusive(&self, context: &mut Context<'_>, gated: &mut Gated<'_>) -> Result<(), Cause> {
        // SAFETY: as for `run_alone`.
        unsafe { self.run_gated(context, gated) }?;
        // SAFETY: the context is of a world that is borrowed mutably, and the system, with its grant, is gone.
        let world = unsafe { context.cell.world_mut() };
        self.check_world(world)?;
        if gated.node.lane.take_handed_out() {
            return refuse_escaped(gated.entry.escapes.find_in(world, context.stamps.now));
        }
        Ok(())
    }

    /// Whoever holds `&mut World` can put another world in its place: bound systems would misread that one's columns.
    pub(super) fn check_world(&self, world: &World) -> Result<(), Cause> {
        if world.id() == self.world { Ok(()) } else { Err(Cause::WorldReplaced) }
    }

    /// Runs a system, if it is due.
    ///
    /// # Safety
    ///
    /// The system is bound to the context's world as it is now, nothing that conflicts with it runs meanwhile, and the node's
    /// last runs were taken of that world for this segment. A system that takes what the host lends runs on the host's thread.
    pub(super) unsafe fn run(&self, context: &mut Context<'_>, mut gated: Gated<'_>) -> Result<(), Cause> {
        if gated.gate.plain {
            // SAFETY: the contract is passed on.
            return unsafe { self.run_plain(context, gated.node) }.map_err(Cause::Error);
        }
        // SAFETY: the contract is passed on.
        unsafe { self.run_gated(context, &mut gated) }
    }

    /// Runs a system that is due on every tick and records nothing.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), and its gate is plain: it declared no commands, for which it would need a lane, and does not
    /// take the world itself. The context has no lane.
    #[inline(always)]
    unsafe fn run_plain(&self, context: &mut Context<'_>, node: Node<'_>) -> Result<(), SystemError> {
        let _zone = Zone::system(node.label, self.zone);
        debug_assert!(context.lane.is_null(), "the lane of the system before was left in the context");
        // SAFETY: what the system touches is granted to it alone, by this function's contract, and the last runs are those
        // of the segment.
        unsafe {
            let _grant = context.cell.grant(&node.needs.access);
            node.enter(context);
            node.system.run(context)
        }
    }

    /// Runs a system, if it is due and its conditions hold, and looks at what it left.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run).
    #[inline(never)]
    unsafe fn run_gated(&self, context: &mut Context<'_>, gated: &mut Gated<'_>) -> Result<(), Cause> {
        let Gated { node, gate, entry } = gated;
        if !gate.enabled || !gate.rate.is_due(self.number) {
            return Ok(());
        }
        let _zone = Zone::system(node.label, self.zone);
        if gate.records_commands {
            node.lane.reset(LaneKey::new(self.number, node.position, 0), node.position);
        }
        context.lane = node.lane;
        let cell = context.cell;
        // SAFETY: what the system and its conditions touch is granted to it alone, by this function's contract; a `&mut
        // World` is made for an exclusive system only, after its grant and its conditions' borrows are gone. The lane is
        // the system's alone, and what the host lends is used on its thread, by one system after the other.
        unsafe {
            if gate.conditional {
                check_resources(cell, node.needs)?;
            }
            let grant = cell.grant(&node.needs.access);
            if gate.conditional && !entry.conditions.iter_mut().all(|condition| condition.holds(*context)) {
                return Ok(());
            }
            node.enter(context);
            if gate.exclusive {
                // The system takes the world itself, so that nothing may refer into it meanwhile.
                drop(grant);
                cell.world_mut().set_stamps(context.stamps);
                return node.system.run(context).map_err(Cause::Error);
            }
            node.system.run(context).map_err(Cause::Error)?;
            if gate.records_commands && node.lane.take_handed_out() && !planted(Fault::EscapeUnchecked) {
                refuse_escaped(node.needs.escapes.find(cell, context.stamps.now))?;
            }
            Ok(())
        }
    }
}

impl Node<'_> {
    /// Notes that the system runs now, and tells it so, and when it last ran.
    ///
    /// # Safety
    ///
    /// As for [`LastRuns::note`].
    #[inline(always)]
    unsafe fn enter(&self, context: &mut Context<'_>) {
        let now = stamp::at(context.tick, self.position + u32::from(planted(Fault::StampLate)));
        // SAFETY: the contract is passed on.
        let last = unsafe { self.last_runs.note(self.id, now) };
        context.stamps = RunStamps { now, last: if planted(Fault::LastRunForgotten) { 0 } else { last } };
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

/// What a look for pending handles outside of commands found.
pub(crate) fn refuse_escaped(found: Option<Escaped>) -> Result<(), Cause> {
    found.map_or(Ok(()), |Escaped { holder, owner }| Err(Cause::PendingEscaped { holder, owner }))
}
