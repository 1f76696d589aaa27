//! What the world of a player has met, so that a fresh one can meet the same.

use super::Player;
use super::venue::Venue;
use crate::data::Edit;
use crate::kit::Kit;
use crate::parts::{Kind, Spare};
use crate::tables::table_of;

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
        let Self { program, venue, history, kit, .. } = self;
        let world = venue.world();
        let known = |kind: &Kind| program.registered.contains(kind) || history.contains(&Meeting::Kind(*kind));
        let new = |kind: &Kind| !known(kind) && (table_of(*kind).is_known)(world);
        let kinds: Vec<_> = Kind::ALL.into_iter().filter(new).map(Meeting::Kind).collect();
        history.extend(kinds);
        if kit.spare_came() && !history.contains(&Meeting::Spare) {
            history.push(Meeting::Spare);
        }
    }

    /// A world that has met what this one has, but for its values, with schedules that are bound to it; or a simulation that was
    /// built alike and has met the same since.
    pub(super) fn twin(&self) -> Venue {
        let mut venue = self.beginning();
        self.history.iter().for_each(|meeting| meet(*meeting, &mut venue, &self.kit));
        venue
    }

    /// A world that has met no more than at first, and the schedules as they are now, yet to be bound to it in order.
    pub(super) fn child(&self) -> Venue {
        self.beginning()
    }

    /// Has schedules become what they are now, and binds them in order to a world that has met all types.
    pub(super) fn bind(&self, venue: &mut Venue) {
        let of_schedules = |meeting: &&Meeting<'_>| matches!(meeting, Meeting::Bound(_) | Meeting::Rearranged(..));
        self.history.iter().filter(of_schedules).for_each(|meeting| meet(*meeting, venue, &self.kit));
    }

    fn beginning(&self) -> Venue {
        Venue::new(self.program, &self.kit, self.way).expect("what was built can be built again")
    }
}

fn meet(meeting: Meeting<'_>, venue: &mut Venue, kit: &Kit) {
    match (meeting, venue) {
        (Meeting::Kind(kind), venue) => (table_of(kind).register)(venue.world_mut()),
        (Meeting::Spare, venue) => _ = venue.world_mut().insert_resource(Spare(0)),
        // One that is refused was refused then.
        (Meeting::Bound(agenda), Venue::Bare { world, stages }) => _ = stages[agenda].schedule.build(world),
        (Meeting::Bound(_), Venue::Sim(_)) => {}
        (Meeting::Rearranged(edit, agenda), venue) => venue.rearrange(edit, agenda, kit),
    }
}
