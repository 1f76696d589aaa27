//! The simulation of a program, as it is before anything happens.

use tickweave::prelude::*;
use tickweave::simulation::{BuildError, Commit, PassBuilder, PhaseBuilder, SimulationBuilder, Strictness};

use super::stage::furnish;
use crate::bodies;
use crate::data::{ALL_FLAGS, Agenda, Door, Item, Office, Pass, Program, Route};
use crate::deeds;
use crate::kit::Kit;
use crate::office::{Mode, Vote, add_service, form_table_of};
use crate::parts::Stick;
use crate::ways::Way;

/// How many steps can be undone.
const ROLLBACK: usize = 8;

pub(super) fn simulation(program: &Program, office: &Office, kit: &Kit, way: Way) -> Result<Simulation, BuildError> {
    let (chunk_rows, batch_rows, capacity) = (program.chunk_rows, program.batch_rows, program.capacity);
    let builder = Simulation::builder()
        .world(|world| world.chunk_rows(chunk_rows).batch_rows(batch_rows).entity_capacity(capacity))
        .strictness(Strictness::NONE)
        .rollback(if office.rollback { ROLLBACK } else { 0 })
        .input::<Stick>()
        .inputs::<Vote>();
    let builder = program.seed.into_iter().fold(builder, SimulationBuilder::seed);
    let builder = staff(builder, office);
    let agenda = program.agendas.first().cloned().unwrap_or_default();
    let builder = systems(builder, &agenda, office.own_phases, kit);
    let (program, hands) = (program.clone(), kit.clone());
    let builder = builder.strict_commands(agenda.strict).setup(move |world| {
        furnish(world, &program, &hands, way);
        program.setup.iter().for_each(|deed| deeds::perform(*deed, world, &hands));
    });
    let mut sim = way.dress(builder).build()?;
    way.lend_pool(&mut sim);
    Ok(sim)
}

/// Command buffers, managers, and the ways of typed commands.
fn staff(builder: SimulationBuilder, office: &Office) -> SimulationBuilder {
    let trays = office.trays.iter().map(|(number, _)| Door::Tray(*number));
    let desks = office.desks.iter().map(|(number, _)| Door::Desk(*number));
    let builder = trays.chain(desks).fold(builder, add_service);
    office.routes.iter().fold(builder, |builder, Route { form, to, in_init }| {
        let table = form_table_of(*form);
        match to {
            _ if *in_init => (table.command)(builder),
            Door::Desk(number) => (table.to_desk[*number])(builder),
            Door::Tray(number) => (table.to_tray[*number])(builder),
            Door::Itself => (table.executing)(builder),
        }
    })
}

fn systems(builder: SimulationBuilder, agenda: &Agenda, own: bool, kit: &Kit) -> SimulationBuilder {
    agenda.phases(own).iter().fold(builder, |builder, phase| {
        builder.phase(&phase.name, |into| {
            phase.passes.iter().enumerate().for_each(|(number, pass)| fill(pass, into, number, kit));
        })
    })
}

fn fill(pass: &Pass<'_>, phase: &mut PhaseBuilder, number: usize, kit: &Kit) {
    let into = phase.pass(format!("pass {number}"));
    pass.items.iter().for_each(|item| add(item, into, kit));
    into.commit(flags(pass.publishes));
    if pass.states != 0 {
        into.run_in(Mode::mask(pass.states));
    }
}

/// A chain has each of its systems wait for the one before.
fn add(item: &Item, pass: &mut PassBuilder, kit: &Kit) {
    match item {
        Item::Systems(plots) => {
            for (at, plot) in plots.iter().enumerate() {
                let config = bodies::config(plot, kit);
                let before = at.checked_sub(1).map(|before| bodies::name(plots[before].id));
                pass.system(before.into_iter().fold(config, |config, name| config.after(name)));
            }
        }
        Item::Barrier => {
            pass.barrier();
        }
        Item::Pass { .. } | Item::Phase => {}
    }
}

const FLAGS: [Commit; 4] = [Commit::STRUCTURE, Commit::COMMANDS, Commit::MANAGERS, Commit::EVENTS];

fn flags(bits: u8) -> Commit {
    let set = (0..).zip(FLAGS).filter(|(bit, _)| bits >> bit & 1 == 1);
    set.fold(Commit::NONE, |flags, (_, flag)| flags | flag)
}

/// Who flushes in a tick, one after the other: at the end of each pass whatever it publishes, and everybody at the end of each phase
/// and of the tick.
pub(super) fn flushes(program: &Program) -> Vec<Door> {
    let Some(office) = &program.office else { return Vec::new() };
    let phases = program.agendas.first().map(|agenda| agenda.phases(office.own_phases)).unwrap_or_default();
    let of_phase = phases.iter().flat_map(|phase| phase.passes.iter().map(|pass| pass.publishes).chain([ALL_FLAGS]));
    let mut flushes = Vec::new();
    for publishes in of_phase.chain([ALL_FLAGS]).map(flags) {
        if publishes.contains(Commit::COMMANDS) {
            flushes.extend(office.trays.iter().map(|(number, _)| Door::Tray(*number)));
        }
        if publishes.contains(Commit::MANAGERS) {
            flushes.extend(office.desks.iter().map(|(number, _)| Door::Desk(*number)));
        }
    }
    flushes
}
