//! Systems that do not depend on a trio of types.

use std::rc::Rc;
use std::sync::{Mutex, PoisonError};

use tickweave::prelude::*;
use tickweave::simulation::Inputs;
use tickweave::system::SystemConfig;

use super::Role;
use crate::deeds;
use crate::kit::{Kit, Sight};
use crate::office::{Desk, Mode, Vote};
use crate::parts::{
    Bell, Byte, Counted, Dial, Fixed, Link, Long, Mark, Note, Other, Part, Shout, Spare, Stick, Stuff, Tally, Whisper,
    stir,
};
use crate::ways::Way;

/// What the host lends: it can't leave the thread.
#[derive(Debug, Default)]
pub(crate) struct Pad {
    notes: Rc<Vec<u64>>,
}

impl Pad {
    pub(super) fn note(&mut self, number: u64) {
        Rc::make_mut(&mut self.notes).push(number);
    }

    /// What pinned systems noted since the last call.
    pub(crate) fn take(&mut self) -> Vec<u64> {
        core::mem::take(Rc::make_mut(&mut self.notes))
    }
}

/// Stores a pending handle in a component, a resource or a local, from the tick of the trip on.
pub(super) fn escape(role: Role) -> SystemConfig {
    let body = move |mut links: Query<&mut Link>,
                     mut tally: ResMut<Tally>,
                     mut kept: Local<Option<Entity>>,
                     mut commands: Commands,
                     tick: Tick| {
        let pending = commands.spawn(()).id();
        if role.task.trip.is_none_or(|trip| tick.0 < trip.tick) {
            return;
        }
        role.begin();
        match (role.task.factor % 3, links.iter_mut().last()) {
            (0, Some(link)) => link.aim(pending),
            (1, _) => tally.last = Some(pending),
            _ => *kept = Some(pending),
        }
    };
    body.into_config()
}

pub(super) fn resources(role: Role) -> SystemConfig {
    let factor = role.task.factor;
    let begin = move |tick: Tick, number: u64| {
        role.begin();
        role.saw(Sight::ResourceSystem);
        role.trip(tick, number)
    };
    match factor % 4 {
        0 => (move |mut other: ResMut<Other>, dial: Res<Dial>, fixed: Res<Fixed>, stick: Res<Stick>, tick: Tick| {
            other.0.note(stir(stir(dial.0, fixed.0), stick.0 ^ factor));
            begin(tick, other.0.sum)
        })
        .into_config(),
        1 => (move |mut dial: ResMut<Dial>, tally: Res<Tally>, tick: Tick| {
            dial.0 = stir(dial.0, tally.sum ^ factor) % 64;
            begin(tick, dial.0)
        })
        .into_config(),
        2 => (move |spare: Res<Spare>, mut tally: ResMut<Tally>, tick: Tick| {
            tally.note(spare.0 ^ factor);
            begin(tick, tally.sum)
        })
        .into_config(),
        _ => (move |mut spare: Option<ResMut<Spare>>, tick: Tick| {
            let number = spare.as_mut().map_or(factor, |spare| {
                spare.0 = stir(spare.0, factor);
                spare.0
            });
            begin(tick, number)
        })
        .into_config(),
    }
}

pub(super) fn removals(role: Role) -> SystemConfig {
    let body = move |long: Removed<Long>,
                     link: Removed<Link>,
                     counted: Removed<Counted>,
                     mark: Removed<Mark>,
                     mut tally: ResMut<Tally>| {
        role.begin();
        for entity in long.iter().chain(link.iter()).chain(counted.iter()).chain(mark.iter()) {
            role.saw(Sight::Removal);
            tally.note(entity.to_bits() ^ role.task.factor);
        }
    };
    body.into_config()
}

/// Reads what is there, or leaves some of it for the next run.
pub(super) fn events(role: Role) -> SystemConfig {
    let body = move |mut notes: EventReader<Note>,
                     mut bells: EventReader<Bell>,
                     mut whispers: EventReader<Whisper>,
                     mut shouts: EventReader<Shout>,
                     mut tally: ResMut<Tally>,
                     tick: Tick| {
        role.begin();
        let most = if role.task.factor % 3 == 0 { 4 } else { usize::MAX };
        for note in notes.read().take(most) {
            role.saw(Sight::Event);
            tally.note(stir(note.number, note.to.to_bits()));
        }
        for bell in bells.read().take(most) {
            role.saw(Sight::LateEvent);
            tally.note(bell.0);
        }
        for whisper in whispers.read().take(most) {
            role.saw(Sight::PassEvent);
            tally.note(whisper.0);
        }
        for shout in shouts.read().take(most) {
            role.saw(Sight::PhaseEvent);
            tally.note(shout.0 ^ 1);
        }
        role.trip(tick, tally.sum)
    };
    body.into_config()
}

pub(super) fn office(role: Role) -> SystemConfig {
    if role.task.factor % 3 == 0 { switch(role) } else { manager(role) }
}

/// Has passes run from now on, or not.
fn switch(role: Role) -> SystemConfig {
    let body = move |mut machine: ResMut<StateMachine<Mode>>, tally: Res<Tally>, tick: Tick| {
        role.begin();
        let number = stir(tally.sum, tick.0 ^ role.task.factor);
        if number % 4 != 0 {
            role.saw(Sight::Switch);
            *machine = StateMachine::new(Mode::ALL[(number % 3) as usize]);
        }
        role.trip(tick, number)
    };
    body.into_config()
}

fn manager(role: Role) -> SystemConfig {
    let body =
        move |desk: Mgr<Desk<0>>, votes: Res<Inputs<Vote>>, stick: Res<Stick>, mut tally: ResMut<Tally>, tick: Tick| {
            role.begin();
            role.saw(Sight::ManagerRead);
            if !votes.is_empty() {
                role.saw(Sight::Inputs);
            }
            let given = votes.iter().map(|vote| vote.0).fold(stick.0, stir);
            tally.note(stir(desk.0.sum(), given));
            role.trip(tick, tally.sum)
        };
    body.into_config()
}

fn perform(role: &Role, world: &mut World) -> Result<(), String> {
    role.begin();
    role.saw(Sight::Exclusive);
    role.task.deeds.iter().for_each(|deed| deeds::perform(*deed, world, &role.kit));
    let tick = Tick(world.tick());
    role.trip(tick, world.len() as u64)
}

pub(super) fn exclusive(role: Role) -> SystemConfig {
    (move |world: &mut World| perform(&role, world)).into_config()
}

pub(super) fn exclusive_orders(role: Role) -> SystemConfig {
    let body = move |world: &mut World, mut commands: Commands| {
        let mut clerk = role.clerk(&mut commands, role.task.factor);
        clerk.record_all(&role.task.opening);
        role.saw(Sight::ExclusiveCommand);
        let outcome = perform(&role, world);
        clerk.record_all(&role.task.closing);
        outcome
    };
    body.into_config()
}

/// A world with a schedule of its own inside of a resource.
#[derive(Resource)]
#[resource(host)]
pub(crate) struct Nest {
    world: World,
    schedule: Mutex<Schedule>,
}

impl Nest {
    pub(crate) fn new(kit: &Kit, way: Way) -> Self {
        let mut world = World::builder().chunk_rows(4).batch_rows(2).entity_capacity(40).build().expect("it fits");
        world.spawn_batch((0..9).map(|seed| {
            let stuff = Stuff { seed, to: crate::orders::guess(0, 1), kit };
            (Long::make(stuff), Byte::make(stuff))
        }));
        let mut schedule = Schedule::new();
        way.set_up(&mut schedule);
        schedule.add(each(|long: &mut Long, byte: &Byte| long.mix(byte.read())));
        schedule.add(|mut rows: Query<(Entity, &Long)>, mut commands: Commands| {
            rows.par_for_each_with(&mut commands, |(entity, long), lane| match long.read() % 4 {
                0 => lane.despawn(entity),
                1 => lane.insert(entity, *long),
                _ => {
                    lane.spawn(*long);
                }
            });
        });
        Self { world, schedule: Mutex::new(schedule) }
    }
}

pub(super) fn sub_world(role: Role) -> SystemConfig {
    let body = move |mut nest: ResMut<Nest>, mut other: ResMut<Other>, tick: Tick| {
        role.begin();
        role.saw(Sight::SubWorld);
        let Nest { world, schedule } = &mut *nest;
        let schedule = schedule.get_mut().unwrap_or_else(PoisonError::into_inner);
        schedule.run(world).map_err(|error| error.to_string())?;
        other.0.note(world.state_hash().map_or(0, |hash| hash.get()));
        role.trip(tick, other.0.sum)
    };
    body.into_config()
}
