//! What the world of a player has met, so that a fresh one can meet the same.

use tickweave::prelude::*;

use super::Player;
use super::stage::{Stage, bare_world, stages};
use crate::data::{Edit, Program};
use crate::kit::Kit;
use crate::parts::{Kind, Spare};
use crate::tables::table_of;
use crate::ways::Way;

/// Something that makes a world, or a schedule, what it is to snapshots and bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meeting<'p> {
    /// A component type that the world did not know at first.
    Kind(Kind),
    /// The resource that may be missing at first.
    Spare,
    /// The schedule of this number was built on the world, or tried to be.
    Bound(usize),
    /// A schedule was changed.
    Rearranged(&'p Edit, usize),
}

impl Player<'_> {
    /// Notes which types the world has met since the last look.
    pub(super) fn note_meetings(&mut self) {
        let Self { program, world, history, kit, .. } = self;
        let known = |kind: &Kind| program.registered.contains(kind) || history.contains(&Meeting::Kind(*kind));
        let new = |kind: &Kind| !known(kind) && (table_of(*kind).is_known)(world);
        let kinds: Vec<_> = Kind::ALL.into_iter().filter(new).map(Meeting::Kind).collect();
        history.extend(kinds);
        if kit.spare_came() && !history.contains(&Meeting::Spare) {
            history.push(Meeting::Spare);
        }
    }

    /// A world that has met what this one has, but for its values, with schedules that are bound to it.
    pub(super) fn twin(&self) -> (World, Vec<Stage>) {
        let (mut world, mut stages) = beginning(self.program, &self.kit, self.way);
        self.history.iter().for_each(|meeting| meet(*meeting, &mut world, &mut stages, &self.kit));
        (world, stages)
    }

    /// A world that has met no more than at first, and the schedules as they are now, yet to be bound to it in order.
    pub(super) fn child(&self) -> (World, Vec<Stage>) {
        beginning(self.program, &self.kit, self.way)
    }

    /// Has schedules become what they are now, and binds them in order to a world that has met all types.
    pub(super) fn bind(&self, world: &mut World, stages: &mut [Stage]) {
        let of_schedules = |meeting: &&Meeting<'_>| matches!(meeting, Meeting::Bound(_) | Meeting::Rearranged(..));
        self.history.iter().filter(of_schedules).for_each(|meeting| meet(*meeting, world, stages, &self.kit));
    }
}

fn beginning(program: &Program, kit: &Kit, way: Way) -> (World, Vec<Stage>) {
    (bare_world(program, kit, way), stages(program, kit, way))
}

fn meet(meeting: Meeting<'_>, world: &mut World, stages: &mut [Stage], kit: &Kit) {
    match meeting {
        Meeting::Kind(kind) => (table_of(kind).register)(world),
        Meeting::Spare => _ = world.insert_resource(Spare(0)),
        // One that is refused was refused then.
        Meeting::Bound(agenda) => _ = stages[agenda].schedule.build(world),
        Meeting::Rearranged(edit, agenda) => stages[agenda].rearrange(edit, kit),
    }
}
