//! Plays a program one way and writes down what can be seen after every tick.

mod detour;
mod history;
mod stage;

use tickweave::command::CommandReport;
use tickweave::executor::Cause;
use tickweave::prelude::*;
use tickweave::schedule::{Reason, Segment};
use tickweave::state::Dump;
use tickweave::system::SystemId;

use super::bodies::{self, Pad};
use super::data::{Edit, Program, Round};
use super::deeds;
use super::detours::Detour;
use super::kit::{self, Kit, Sight};
use super::orders::Clerk;
use super::parts::{Part, Sealed, Stick};
use super::tables::table_of;
use super::ways::Way;
use history::Meeting;
use stage::{Stage, bare_world, stages};

/// What was seen after a tick.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Ok, or which system failed where and why.
    pub(crate) outcome: String,
    pub(crate) report: CommandReport,
    /// The hash of the plan.
    pub(crate) plan: Option<u64>,
    /// What the world holds, and what pinned systems told, unless a system failed half-way: of what would have run behind it, some may have run.
    pub(crate) state: Option<State>,
}

/// What a world holds.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) hash: Result<u64, &'static str>,
    pub(crate) dump: Dump,
    /// Values that neither the hash nor the dump shows.
    pub(crate) sealed: Vec<u64>,
    /// Counted values: born, living.
    pub(crate) census: (i64, i64),
    /// What pinned systems told the host.
    pub(crate) told: Vec<u64>,
}

/// What one way of playing a program came to.
#[derive(Debug)]
pub(crate) struct Story {
    pub(crate) moments: Vec<Moment>,
    /// Counted values that outlived the world.
    pub(crate) leaked: i64,
    pub(crate) kit: Kit,
    /// Systems of all plans, and how many of them conflict with another.
    pub(crate) systems: usize,
    pub(crate) conflicting: usize,
    /// The detours that were taken, as far as they led.
    pub(crate) detours: Vec<Detour>,
}

struct Player<'p> {
    program: &'p Program,
    way: Way,
    kit: Kit,
    pad: Pad,
    world: World,
    stages: Vec<Stage>,
    /// What a fresh world must meet to be like this one.
    history: Vec<Meeting<'p>>,
    detours: Vec<Detour>,
}

/// Plays a program.
pub(crate) fn play(program: &Program, way: Way) -> Story {
    let (program, kit) = (&*way.arrange(program), Kit::new(way.pauses()));
    kit::enter_host(&kit);
    let mut player = Player::new(program, kit, way);
    let mut moments = Vec::new();
    for (tick, round) in program.rounds.iter().enumerate() {
        if let Some(detour) = way.detour(tick) {
            player.take(detour, tick);
        }
        moments.push(player.round(round));
        way.meddle(&mut player.world, tick);
        if moments.last().is_some_and(|moment| moment.state.is_none()) {
            player.epilogue(round);
            break;
        }
    }
    player.note_sights();
    let (systems, conflicting) = player.conflicts();
    let Player { world, stages, kit, detours, .. } = player;
    drop((world, stages));
    Story { moments, leaked: kit.census().1, kit, systems, conflicting, detours }
}

impl<'p> Player<'p> {
    fn new(program: &'p Program, kit: Kit, way: Way) -> Self {
        let stages = stages(program, &kit, way);
        let (pad, world) = (Pad::default(), bare_world(program, &kit, way));
        let (history, detours) = (Vec::new(), Vec::new());
        let mut player = Self { program, way, kit, pad, world, stages, history, detours };
        program.setup.iter().for_each(|deed| deeds::perform(*deed, &mut player.world, &player.kit));
        player.note_meetings();
        player
    }

    /// What the host does, and a tick.
    fn round(&mut self, round: &'p Round) -> Moment {
        round.edits.iter().for_each(|edit| self.edit(edit, round.agenda));
        self.note_meetings();
        if self.history.last() != Some(&Meeting::Bound(round.agenda)) {
            self.history.push(Meeting::Bound(round.agenda));
        }
        let outcome = self.tick(round.agenda);
        self.note_meetings();
        self.observe(&outcome, round.agenda)
    }

    /// A tick of a schedule, which is built anew if the world met types since it was.
    fn tick(&mut self, agenda: usize) -> Result<(), RunError> {
        let schedule = &mut self.stages[agenda].schedule;
        let outcome = schedule.run_with(&mut self.world, &mut self.pad);
        if !matches!(outcome, Err(RunError::Stale)) {
            return outcome;
        }
        self.kit.saw(Sight::Stale);
        schedule.build(&mut self.world)?;
        schedule.run_with(&mut self.world, &mut self.pad)
    }

    fn edit(&mut self, edit: &'p Edit, agenda: usize) {
        match edit {
            Edit::Deed(deed) => {
                self.kit.saw(Sight::HostEdit);
                deeds::perform(*deed, &mut self.world, &self.kit);
            }
            Edit::SetStick(to) => {
                self.world.insert_resource(Stick(*to));
            }
            Edit::Register(kind) => (table_of(*kind).register)(&mut self.world),
            Edit::Buffer(orders) => {
                self.kit.saw(Sight::HostBuffer);
                let mut buffer = CommandBuffer::new();
                Clerk::new(&mut buffer, &self.kit, 5).record_all(orders);
                buffer.apply(&mut self.world);
            }
            Edit::RunOnce(task) => {
                self.kit.saw(Sight::RunOnce);
                let _ = self.world.run_once(bodies::system_of(task, false, &self.kit));
            }
            Edit::Enable { .. } | Edit::Add(_) | Edit::Withdraw { .. } => {
                self.stages[agenda].rearrange(edit, &self.kit);
                self.history.push(Meeting::Rearranged(edit, agenda));
            }
        }
    }

    fn observe(&mut self, outcome: &Result<(), RunError>, agenda: usize) -> Moment {
        let schedule = &self.stages[agenda].schedule;
        // What is refused before it runs leaves the report of the run before, which may have been taken back.
        let ran = matches!(outcome, Ok(()) | Err(RunError::Failed(_)));
        let report = if ran { schedule.report().clone() } else { CommandReport::default() };
        let plan = schedule.plan().map(|plan| plan.hash());
        note_outcome(&self.kit, outcome, &report);
        let mut told = self.pad.take();
        // Pinned systems that nothing else puts in order may take turns in any order.
        told.sort_unstable();
        let state = is_whole(outcome).then(|| state(&self.world, &self.kit, told));
        self.world.clear_torn();
        let outcome = outcome.as_ref().map_or_else(ToString::to_string, |()| "ok".to_owned());
        Moment { outcome, report, plan, state }
    }

    /// After a failed system the world is another in every way; it runs on all the same.
    fn epilogue(&mut self, round: &Round) {
        let _ = self.stages[round.agenda].schedule.run_with(&mut self.world, &mut self.pad);
        self.world.clear_torn();
    }

    /// Notes what shows in the world and the plans only.
    fn note_sights(&self) {
        let (program, kit) = (self.program, &self.kit);
        let longest = self.world.archetypes().map(|archetype| archetype.entities().count()).max().unwrap_or(0) as u32;
        let note = |holds: bool, sight: Sight| {
            if holds {
                kit.saw(sight)
            }
        };
        note(longest > program.batch_rows * 2, Sight::ManyBatches);
        note(longest > program.chunk_rows, Sight::ManyChunks);
        note(program.chunk_rows > 16, Sight::BigChunks);
        note(self.world.len() >= 10, Sight::Populous);
        note(program.rounds.iter().any(|round| round.agenda > 0), Sight::TwoSchedules);
        for plan in self.stages.iter().filter_map(|stage| stage.schedule.plan()) {
            let free = |segment: &Segment| segment.predecessors().iter().filter(|count| **count == 0).count();
            note(plan.segments().iter().any(|segment| free(segment) > 1), Sight::Overlap);
            note(plan.barriers().len() > 1, Sight::InnerBarrier);
            note(plan.edges().iter().any(|edge| matches!(edge.reason, Reason::Explicit(_))), Sight::Edge);
            note(plan.systems().any(|id| !plan.spec(id).rate.is_due(self.world.tick())), Sight::RateSkipped);
        }
    }

    /// Systems of all plans, and how many of them conflict with another in their segment.
    fn conflicts(&self) -> (usize, usize) {
        let (mut systems, mut conflicting) = (0, 0);
        for plan in self.stages.iter().filter_map(|stage| stage.schedule.plan()) {
            let conflicts = plan.edges().iter().filter(|edge| matches!(edge.reason, Reason::Conflict(_)));
            let mut ends: Vec<SystemId> = conflicts.flat_map(|edge| [edge.from, edge.to]).collect();
            ends.sort_unstable();
            ends.dedup();
            systems += plan.len();
            conflicting += ends.len();
        }
        (systems, conflicting)
    }
}

/// Whether everything in front of the failure has run and nothing behind it, so that worlds can be compared.
fn is_whole(outcome: &Result<(), RunError>) -> bool {
    match outcome {
        Err(RunError::Failed(failure)) => matches!(failure.cause, Cause::CommandPanic(_) | Cause::Refused(_)),
        _ => true,
    }
}

fn state(world: &World, kit: &Kit, told: Vec<u64>) -> State {
    assert_eq!(world.state_hash(), world.state_hash_from_scratch(), "a hash that was kept");
    let hash = world.state_hash().map(|hash| hash.get()).map_err(|error| error.component);
    let sealed = if hash.is_err() { sealed(world) } else { Vec::new() };
    State { hash, dump: world.dump(), sealed, census: kit.census(), told }
}

fn sealed(world: &World) -> Vec<u64> {
    let entities = world.archetypes().flat_map(|archetype| archetype.entities());
    entities.filter_map(|entity| world.get::<Sealed>(entity).ok()).map(Part::read).collect()
}

fn note_outcome(kit: &Kit, outcome: &Result<(), RunError>, report: &CommandReport) {
    if report.refused > 0 {
        kit.saw(Sight::Refused);
    }
    if report.refusals.iter().any(|refusal| refusal.reason.code() == "entity-capacity") {
        kit.saw(Sight::CapacityRefused);
    }
    let Err(error) = outcome else { return };
    match error.code() {
        "system-panic" => kit.saw(Sight::SystemPanic),
        "system-error" if error.to_string().contains("did not declare") => kit.saw(Sight::Undeclared),
        "system-error" => kit.saw(Sight::SystemError),
        "command-panic" => kit.saw(Sight::CommandPanic),
        "pending-escaped" => kit.saw(Sight::Escape),
        "command-refused" => kit.saw(Sight::StrictRefusal),
        "resource-removed" => kit.saw(Sight::ResourceRemoved),
        "resource-missing" => kit.saw(Sight::ResourceMissing),
        _ => kit.saw(Sight::BuildRefused),
    }
}
