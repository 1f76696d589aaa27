//! Plays a program one way and writes down what can be seen after every tick.

use std::collections::BTreeMap;

use tickweave::command::CommandReport;
use tickweave::executor::Cause;
use tickweave::prelude::*;
use tickweave::schedule::{Reason, Segment};
use tickweave::state::Dump;
use tickweave::system::SystemId;
use tickweave::world::WorldBuilder;

use super::bodies::{self, Nest, Pad};
use super::data::{Agenda, Edit, Item, Move, Plot, Program, Round};
use super::deeds;
use super::kit::{self, Kit, Sight};
use super::orders::Clerk;
use super::parts::{Bell, Dial, Fixed, Note, Other, Part, Sealed, Spare, Stick, Tally};
use super::tables::table_of;
use super::ways::Way;

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
}

/// A schedule and the systems that the program knows by number.
struct Stage {
    schedule: Schedule,
    ids: BTreeMap<u32, SystemId>,
}

struct Player<'p> {
    program: &'p Program,
    kit: Kit,
    pad: Pad,
    world: World,
    stages: Vec<Stage>,
}

/// Plays a program.
pub(crate) fn play(program: &Program, way: Way) -> Story {
    kit::enter_host();
    let (program, kit) = (&*way.arrange(program), Kit::new(way.pauses()));
    let stages = program.agendas.iter().map(|agenda| stage(agenda, &kit, way)).collect();
    let mut player = Player { program, pad: Pad::default(), world: world(program, &kit, way), stages, kit };
    let mut moments = Vec::new();
    for (tick, round) in program.rounds.iter().enumerate() {
        if way.looks_ahead(tick) {
            player.look_ahead(round);
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
    let Player { world, stages, kit, .. } = player;
    drop((world, stages));
    Story { moments, leaked: kit.census().1, kit, systems, conflicting }
}

fn world(program: &Program, kit: &Kit, way: Way) -> World {
    let builder = World::builder().chunk_rows(program.chunk_rows).batch_rows(program.batch_rows);
    let builder = builder.entity_capacity(program.capacity);
    let builder = program.seed.into_iter().fold(builder, WorldBuilder::seed);
    let mut world = builder.build().expect("the shape is possible");
    program.registered.iter().for_each(|kind| (table_of(*kind).register)(&mut world));
    if let Some(kind) = program.hidden {
        (table_of(kind).hide)(&mut world);
    }
    world.add_event::<Note>().expect("once");
    world.add_event::<Bell>().expect("once").scope(EventScope::Tick).keep(3);
    world.insert_resource(Dial(3));
    world.insert_resource(Tally::default());
    world.insert_resource(Other::default());
    world.insert_resource(Fixed(5));
    world.insert_resource(Stick(0));
    if program.plots().any(|plot| plot.task.shape == Move::SubWorld) {
        world.insert_resource(Nest::new(kit, way));
    }
    if program.spare {
        world.insert_resource(Spare(9));
    }
    program.setup.iter().for_each(|deed| deeds::perform(*deed, &mut world, kit));
    world
}

fn stage(agenda: &Agenda, kit: &Kit, way: Way) -> Stage {
    let mut stage = Stage { schedule: Schedule::new(), ids: BTreeMap::new() };
    way.set_up(&mut stage.schedule);
    stage.schedule.set_strict(agenda.strict);
    for item in &agenda.items {
        stage.add(item, kit);
    }
    stage
}

impl Stage {
    fn add(&mut self, item: &Item, kit: &Kit) {
        match item {
            Item::Systems(plots) => self.add_systems(plots, kit),
            Item::Barrier => self.schedule.barrier(),
        }
    }

    fn add_system(&mut self, plot: &Plot, kit: &Kit) {
        let id = self.schedule.add(bodies::config(plot, kit));
        self.ids.insert(plot.id, id);
    }

    fn add_systems(&mut self, plots: &[Plot], kit: &Kit) {
        let config = |plot: &Plot| bodies::config(plot, kit);
        let ids = match plots {
            [a, b, c] => self.schedule.chain((config(a), config(b), config(c))),
            [a, b] => self.schedule.chain((config(a), config(b))),
            few => return few.iter().for_each(|plot| self.add_system(plot, kit)),
        };
        self.ids.extend(plots.iter().map(|plot| plot.id).zip(ids));
    }
}

impl Player<'_> {
    /// What the host does, and a tick.
    fn round(&mut self, round: &Round) -> Moment {
        round.edits.iter().for_each(|edit| self.edit(edit, round.agenda));
        let stage = &mut self.stages[round.agenda];
        let mut outcome = stage.schedule.run_with(&mut self.world, &mut self.pad);
        if matches!(outcome, Err(RunError::Stale)) {
            self.kit.saw(Sight::Stale);
            outcome = match stage.schedule.build(&mut self.world) {
                Ok(_) => stage.schedule.run_with(&mut self.world, &mut self.pad),
                Err(error) => Err(error.into()),
            };
        }
        self.observe(&outcome, round.agenda)
    }

    /// Runs some ticks, and goes back as if nothing had been: it must show nowhere. Not where a world of its own lies in a
    /// resource of the host, which nothing takes back, nor where values can't be cloned.
    fn look_ahead(&mut self, round: &Round) {
        if self.program.plots().any(|plot| plot.task.shape == Move::SubWorld) {
            return;
        }
        let (ticks, (born, _)) = (1 + self.world.tick() % 3, self.kit.census());
        let Ok(snapshot) = self.world.snapshot() else { return };
        self.kit.saw(Sight::LookAhead);
        for _ in 0..ticks {
            let _ = self.stages[round.agenda].schedule.run_with(&mut self.world, &mut self.pad);
        }
        self.pad.take();
        self.world.restore(&snapshot).expect("the snapshot is of this world");
        assert_eq!(self.world.dump().diff(&snapshot.world().dump()), None, "what was restored");
        drop(snapshot);
        self.kit.set_born(born);
    }

    fn edit(&mut self, edit: &Edit, agenda: usize) {
        let stage = &mut self.stages[agenda];
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
            Edit::Enable { system, on } => {
                if let Some(id) = stage.ids.get(system) {
                    self.kit.saw(Sight::Toggle);
                    stage.schedule.set_enabled(*id, *on);
                }
            }
            Edit::Add(plot) => {
                self.kit.saw(Sight::SystemAdded);
                stage.add_system(plot, &self.kit);
            }
            Edit::Withdraw { system } => {
                if let Some(id) = stage.ids.remove(system) {
                    self.kit.saw(Sight::SystemRemoved);
                    stage.schedule.remove(id);
                }
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
