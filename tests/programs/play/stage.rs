//! The world and the schedules of a program, as they are before anything happens.

use std::collections::BTreeMap;

use tickweave::prelude::*;
use tickweave::system::SystemId;
use tickweave::world::WorldBuilder;

use crate::bodies::{self, Nest};
use crate::data::{Agenda, Edit, Item, Move, Plot, Program};
use crate::kit::{Kit, Sight};
use crate::office::Mode;
use crate::parts::{Bell, Dial, Fixed, Note, Other, Shout, Spare, Stick, Tally, Whisper};
use crate::tables::table_of;
use crate::ways::Way;

/// A schedule and the systems that the program knows by number.
pub(super) struct Stage {
    pub(super) schedule: Schedule,
    pub(super) ids: BTreeMap<u32, SystemId>,
}

/// A world that knows the types of the program, and in which nothing has happened.
pub(super) fn bare_world(program: &Program, kit: &Kit, way: Way) -> World {
    let builder = World::builder().chunk_rows(program.chunk_rows).batch_rows(program.batch_rows);
    let builder = builder.entity_capacity(program.capacity);
    let builder = program.seed.into_iter().fold(builder, WorldBuilder::seed);
    let mut world = builder.build().expect("the shape is possible");
    furnish(&mut world, program, kit, way);
    world
}

/// Has a world know the types of a program, and puts resources into it.
pub(super) fn furnish(world: &mut World, program: &Program, kit: &Kit, way: Way) {
    program.registered.iter().for_each(|kind| (table_of(*kind).register)(world));
    if let Some(kind) = program.hidden {
        (table_of(kind).hide)(world);
    }
    world.add_event::<Note>().expect("once");
    world.add_event::<Bell>().expect("once").scope(EventScope::Tick).keep(3);
    world.add_event::<Whisper>().expect("once").scope(EventScope::Pass);
    world.add_event::<Shout>().expect("once").scope(EventScope::Phase);
    world.insert_resource(Dial(3));
    world.insert_resource(Tally::default());
    world.insert_resource(Other::default());
    world.insert_resource(Fixed(5));
    world.insert_resource(Stick(0));
    if program.office.is_some() {
        world.insert_resource(StateMachine::new(Mode::Run));
    }
    if program.plots().any(|plot| plot.task.shape == Move::SubWorld) {
        world.insert_resource(Nest::new(kit, way));
    }
    if program.spare {
        world.insert_resource(Spare(9));
    }
}

/// The schedules as they are before the first round.
pub(super) fn stages(program: &Program, kit: &Kit, way: Way) -> Vec<Stage> {
    program.agendas.iter().map(|agenda| stage(agenda, kit, way)).collect()
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
            Item::Pass { .. } | Item::Phase => {}
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

    /// An edit that concerns the schedule.
    pub(super) fn rearrange(&mut self, edit: &Edit, kit: &Kit) {
        match edit {
            Edit::Enable { system, on } => {
                if let Some(id) = self.ids.get(system) {
                    kit.saw(Sight::Toggle);
                    self.schedule.set_enabled(*id, *on);
                }
            }
            Edit::Add(plot) => {
                kit.saw(Sight::SystemAdded);
                self.add_system(plot, kit);
            }
            Edit::Withdraw { system } => {
                if let Some(id) = self.ids.remove(system) {
                    kit.saw(Sight::SystemRemoved);
                    self.schedule.remove(id);
                }
            }
            _ => {}
        }
    }
}
