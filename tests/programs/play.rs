//! Plays a program one way and writes down what can be seen after every tick.

mod detour;
mod history;
mod sim;
mod stage;
mod venue;

use tickweave::command::CommandReport;
use tickweave::executor::Cause;
use tickweave::prelude::*;
use tickweave::schedule::{Reason, Segment};
use tickweave::simulation::StepError;
use tickweave::state::Dump;
use tickweave::system::SystemId;

use super::bodies::{self, Pad};
use super::data::{ALL_FLAGS, Door, Edit, Form, Item, Pass, Program, Round};
use super::deeds;
use super::detours::Detour;
use super::journal::{Sent, Word};
use super::kit::{self, Kit, Sight};
use super::office::{Mode, Vote, form_table_of};
use super::orders::Clerk;
use super::parts::{Part, Sealed, Stick};
use super::tables::table_of;
use super::ways::Way;
use history::Meeting;
use venue::{Given, Outcome, Venue};

/// What was seen after a tick.
#[derive(Debug)]
pub(crate) struct Moment {
    /// Ok, or which system failed where and why.
    pub(crate) outcome: String,
    pub(crate) report: CommandReport,
    /// The hash of the plan.
    pub(crate) plan: Option<u64>,
    /// What happened at commit points.
    pub(crate) words: Vec<Word>,
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
    venue: Venue,
    /// What the next step of a simulation is given.
    given: Given,
    /// Who flushes in a tick of a simulation.
    flushes: Vec<Door>,
    /// What happened at the commit points of the last tick.
    words: Vec<Word>,
    /// Whether a simulation has a snapshot of the world as it is.
    kept: bool,
    /// The hash after each round.
    hashes: Vec<Option<u64>>,
    /// What a fresh world must meet to be like this one.
    history: Vec<Meeting<'p>>,
    detours: Vec<Detour>,
}

/// Plays a program.
pub(crate) fn play(program: &Program, way: Way) -> Story {
    let program = &*way.arrange(program);
    let kit = Kit::new(way.pauses(), program.office.clone());
    kit::enter_host(&kit);
    let mut player = match Player::new(program, kit.clone(), way) {
        Ok(player) => player,
        Err(refusal) => return Story::refused(kit, refusal),
    };
    let mut moments = Vec::new();
    for (tick, round) in program.rounds.iter().enumerate() {
        way.detours(tick, program.rounds.len()).into_iter().for_each(|detour| player.take(detour, tick));
        moments.push(player.round(round));
        way.meddle(player.venue.world_mut(), tick);
        if moments.last().is_some_and(|moment| moment.state.is_none()) {
            player.epilogue(round);
            break;
        }
    }
    player.note_sights();
    let (systems, conflicting) = player.conflicts();
    let Player { venue, detours, .. } = player;
    drop(venue);
    Story { moments, leaked: kit.census().1, kit, systems, conflicting, detours }
}

impl Story {
    /// A simulation that was refused when it was to be built.
    fn refused(kit: Kit, outcome: String) -> Self {
        kit.saw(Sight::BuildRefused);
        let report = CommandReport::default();
        let moments = vec![Moment { outcome, report, plan: None, words: Vec::new(), state: None }];
        Self { moments, leaked: kit.census().1, kit, systems: 0, conflicting: 0, detours: Vec::new() }
    }
}

impl<'p> Player<'p> {
    fn new(program: &'p Program, kit: Kit, way: Way) -> Result<Self, String> {
        let mut venue = Venue::new(program, &kit, way).map_err(|error| error.to_string())?;
        venue.set_up(program, &kit);
        let mut player = Self {
            program,
            way,
            kit,
            pad: Pad::default(),
            venue,
            given: Given::default(),
            flushes: sim::flushes(program),
            words: Vec::new(),
            kept: program.office.as_ref().is_some_and(|office| office.rollback),
            hashes: Vec::new(),
            history: Vec::new(),
            detours: Vec::new(),
        };
        player.note_meetings();
        Ok(player)
    }

    /// What the host does, and a tick.
    fn round(&mut self, round: &'p Round) -> Moment {
        for edit in &round.edits {
            self.edit(edit, round.agenda);
            if matches!(edit, Edit::Enable { .. } | Edit::Add(_) | Edit::Withdraw { .. }) {
                self.history.push(Meeting::Rearranged(edit, round.agenda));
            }
        }
        self.note_meetings();
        if self.history.last() != Some(&Meeting::Bound(round.agenda)) {
            self.history.push(Meeting::Bound(round.agenda));
        }
        let outcome = self.tick(round.agenda);
        self.note_meetings();
        self.observe(&outcome, round.agenda)
    }

    fn tick(&mut self, agenda: usize) -> Outcome {
        self.note_skipped();
        let given = std::mem::take(&mut self.given);
        let before = self.venue.world().tick();
        let outcome = self.venue.tick(agenda, &mut self.pad, given, &self.kit);
        self.words.clear();
        if self.venue.world().tick() > before && self.program.office.is_some() {
            let went_well = matches!(outcome, Ok(_) | Err(StepError::Snapshot(_)));
            let (words, delayed) = self.kit.journal().settle(before + 1, went_well, &self.flushes);
            self.words = words;
            if delayed > 0 {
                self.kit.saw(Sight::Delayed);
            }
        }
        self.kept = outcome.is_ok() && self.keeps();
        outcome
    }

    /// Whether the counts of values mean something: snapshots that a simulation keeps hold clones.
    fn counts(&self) -> bool {
        !self.keeps()
    }

    /// Whether a simulation keeps its last ticks.
    fn keeps(&self) -> bool {
        self.program.office.as_ref().is_some_and(|office| office.rollback)
    }

    fn edit(&mut self, edit: &Edit, agenda: usize) {
        let world = self.venue.world_mut();
        match edit {
            Edit::Deed(deed) => {
                self.kit.saw(Sight::HostEdit);
                deeds::perform(*deed, world, &self.kit);
            }
            Edit::SetStick(to) if self.program.office.is_some() => self.given.stick = Some(Stick(*to)),
            Edit::SetStick(to) => {
                world.insert_resource(Stick(*to));
            }
            Edit::Vote(votes) => self.given.votes = Some(votes.iter().map(|vote| Vote(*vote)).collect()),
            Edit::Submit { form, number, tick } => self.submit(*form, *number, *tick),
            Edit::Register(kind) => (table_of(*kind).register)(world),
            Edit::Buffer(orders) => {
                self.kit.saw(Sight::HostBuffer);
                let mut buffer = CommandBuffer::new();
                Clerk::new(&mut buffer, &self.kit, 5).record_all(orders);
                buffer.apply(world);
            }
            Edit::RunOnce(task) => {
                self.kit.saw(Sight::RunOnce);
                let _ = world.run_once(bodies::system_of(task, false, &self.kit));
            }
            Edit::Enable { .. } | Edit::Add(_) | Edit::Withdraw { .. } => {
                self.venue.rearrange(edit, agenda, &self.kit);
            }
        }
    }

    /// Submits a typed command of the host.
    fn submit(&mut self, form: Form, number: u64, tick: Option<u64>) {
        let Venue::Sim(sim) = &mut self.venue else { return };
        let (to, now) = (deeds::nth(sim.world(), number as u32), sim.tick());
        if (form_table_of(form).submit)(sim, (number, to), tick) {
            self.kit.saw(Sight::HostCommand);
            let due = tick.filter(|tick| *tick > now);
            self.kit.say(Word::Recorded(Sent { number, due, doubtful: false, late: false }));
        }
    }

    fn observe(&mut self, outcome: &Outcome, agenda: usize) -> Moment {
        let schedule = self.venue.schedule(agenda);
        // What is refused before it runs leaves the report of the run before, which may have been taken back.
        let refused = matches!(outcome, Err(StepError::Run(error)) if !matches!(error, RunError::Failed(_)));
        let report = if refused { CommandReport::default() } else { schedule.report().clone() };
        let plan = schedule.plan().map(|plan| plan.hash());
        note_outcome(&self.kit, outcome, &report);
        let mut told = self.pad.take();
        // Pinned systems that nothing else puts in order may take turns in any order.
        told.sort_unstable();
        let census = if self.counts() { self.kit.census() } else { (0, 0) };
        let state = is_whole(outcome).then(|| state(self.venue.world(), census, told));
        self.venue.world_mut().clear_torn();
        self.hashes.push(self.venue.world().state_hash().ok().map(|hash| hash.get()));
        let outcome = outcome.as_ref().map_or_else(ToString::to_string, |report| format!("ok {report:?}"));
        Moment { outcome, report, plan, words: self.words.clone(), state }
    }

    /// After a failed system the world is another in every way; it runs on all the same.
    fn epilogue(&mut self, round: &Round) {
        let _ = self.tick(round.agenda);
        self.venue.world_mut().clear_torn();
    }

    /// Notes what shows in the world and the plans only.
    fn note_sights(&self) {
        self.note_passes();
        let (program, kit) = (self.program, &self.kit);
        let world = self.venue.world();
        let longest = world.archetypes().map(|archetype| archetype.entities().count()).max().unwrap_or(0) as u32;
        let note = |holds: bool, sight: Sight| {
            if holds {
                kit.saw(sight)
            }
        };
        note(longest > program.batch_rows * 2, Sight::ManyBatches);
        note(longest > program.chunk_rows, Sight::ManyChunks);
        note(program.chunk_rows > 16, Sight::BigChunks);
        note(world.len() >= 10, Sight::Populous);
        note(program.rounds.iter().any(|round| round.agenda > 0), Sight::TwoSchedules);
        for plan in self.venue.schedules().into_iter().filter_map(Schedule::plan) {
            let free = |segment: &Segment| segment.predecessors().iter().filter(|count| **count == 0).count();
            note(plan.segments().iter().any(|segment| free(segment) > 1), Sight::Overlap);
            note(plan.barriers().len() > 1, Sight::InnerBarrier);
            note(plan.edges().iter().any(|edge| matches!(edge.reason, Reason::Explicit(_))), Sight::Edge);
            note(plan.systems().any(|id| !plan.spec(id).rate.is_due(world.tick())), Sight::RateSkipped);
        }
    }

    /// Notes how a simulation is cut.
    fn note_passes(&self) {
        let (Some(office), Some(agenda)) = (&self.program.office, self.program.agendas.first()) else { return };
        let kit = &self.kit;
        kit.saw(Sight::Simulated);
        let phases = agenda.phases(office.own_phases);
        let busy = |pass: &&Pass<'_>| pass.items.iter().any(|item| matches!(item, Item::Systems(_)));
        let passes: Vec<Vec<&Pass<'_>>> =
            phases.iter().map(|phase| phase.passes.iter().filter(busy).collect::<Vec<_>>()).collect();
        if passes.iter().any(|passes| passes.len() > 1) {
            kit.saw(Sight::SecondPass);
        }
        if passes.iter().filter(|passes| !passes.is_empty()).count() > 1 {
            kit.saw(Sight::SecondPhase);
        }
        let held = [Sight::HeldStructure, Sight::HeldCommands, Sight::HeldManagers, Sight::HeldEvents];
        for pass in passes.into_iter().flatten() {
            let without = (0..).zip(held).filter(|(bit, _)| (pass.publishes ^ ALL_FLAGS) >> bit & 1 == 1);
            without.for_each(|(_, sight)| kit.saw(sight));
        }
    }

    /// Notes whether a pass with systems is skipped in the coming tick, unless something in it changes the state.
    fn note_skipped(&self) {
        let mode = self.venue.world().resource::<StateMachine<Mode>>().map(|machine| machine.current());
        let Ok(mode) = mode else { return };
        let items = self.program.agendas.iter().flat_map(|agenda| agenda.items.windows(2));
        let closed = |states: u8| states != 0 && states >> mode as u8 & 1 == 0;
        let skips = |pair: &[Item]| matches!(pair, [Item::Systems(_), Item::Pass { states, .. }] if closed(*states));
        if items.into_iter().any(skips) {
            self.kit.saw(Sight::Skipped);
        }
    }

    /// Systems of all plans, and how many of them conflict with another in their segment.
    fn conflicts(&self) -> (usize, usize) {
        let (mut systems, mut conflicting) = (0, 0);
        for plan in self.venue.schedules().into_iter().filter_map(Schedule::plan) {
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
fn is_whole(outcome: &Outcome) -> bool {
    match outcome {
        Err(StepError::Run(RunError::Failed(failure))) => {
            matches!(failure.cause, Cause::CommandPanic(_) | Cause::CommitPanic { .. } | Cause::Refused(_))
        }
        _ => true,
    }
}

fn state(world: &World, census: (i64, i64), told: Vec<u64>) -> State {
    assert_eq!(world.state_hash(), world.state_hash_from_scratch(), "a hash that was kept");
    let hash = world.state_hash().map(|hash| hash.get()).map_err(|error| error.component);
    let sealed = if hash.is_err() { sealed(world) } else { Vec::new() };
    State { hash, dump: world.dump(), sealed, census, told }
}

fn sealed(world: &World) -> Vec<u64> {
    let entities = world.archetypes().flat_map(|archetype| archetype.entities());
    entities.filter_map(|entity| world.get::<Sealed>(entity).ok()).map(Part::read).collect()
}

fn note_outcome(kit: &Kit, outcome: &Outcome, report: &CommandReport) {
    if report.refused > 0 {
        kit.saw(Sight::Refused);
    }
    if report.refusals.iter().any(|refusal| refusal.reason.code() == "entity-capacity") {
        kit.saw(Sight::CapacityRefused);
    }
    if report.refusals.iter().any(|refusal| refusal.reason.code() == "command-unknown") {
        kit.saw(Sight::CommandUnknown);
    }
    let Err(error) = outcome else { return };
    match error.code() {
        "system-panic" => kit.saw(Sight::SystemPanic),
        "system-error" if error.to_string().contains("did not declare") => kit.saw(Sight::Undeclared),
        "system-error" => kit.saw(Sight::SystemError),
        "command-panic" => kit.saw(Sight::CommandPanic),
        "commit-panic" => kit.saw(Sight::CommitPanic),
        "pending-escaped" => kit.saw(Sight::Escape),
        "command-refused" => kit.saw(Sight::StrictRefusal),
        "resource-removed" => kit.saw(Sight::ResourceRemoved),
        "resource-missing" => kit.saw(Sight::ResourceMissing),
        _ => kit.saw(Sight::BuildRefused),
    }
}
