//! Functions over queries, and systems built by hand.

use tickweave::prelude::*;
use tickweave::query::QueryFilter;
use tickweave::system::SystemConfig;

use super::Role;
use super::draws::drawn;
use super::others::Pad;
use crate::kit::Sight;
use crate::parts::{Flag, Link, Part, Short, Tally, stir};

pub(super) fn query_write<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &mut A, Option<&B>), F>, mut local: Local<u64>, tick: Tick| {
        role.begin();
        for (entity, a, b) in &mut rows {
            role.saw(Sight::QueryRow);
            let number = role.number(a, b);
            role.trip(tick, number)?;
            *local = stir(*local, number);
            role.change(a, *local, entity);
        }
        Ok::<(), String>(())
    };
    body.into_config()
}

pub(super) fn query_tally<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |rows: Query<(Entity, &A, Option<&B>), F>, mut tally: ResMut<Tally>, tick: Tick| {
        role.begin();
        for (entity, a, b) in &rows {
            role.saw(Sight::Tally);
            let number = role.number(a, b);
            tally.note(number);
            tally.last = Some(entity);
            role.trip(tick, number)?;
        }
        Ok::<(), String>(())
    };
    body.into_config()
}

pub(super) fn query_orders<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body =
        move |rows: Query<(Entity, &A, Option<&B>), F>, mut commands: Commands, mut kept: Local<u64>, tick: Tick| {
            role.begin();
            let mut clerk = role.clerk(&mut commands, tick.0);
            clerk.kept = Entity::from_bits(*kept);
            clerk.record_all(&role.task.opening);
            for (entity, a, b) in &rows {
                role.saw(Sight::QueryRow);
                let number = role.number(a, b);
                (clerk.own, clerk.seed) = (Some(entity), number);
                clerk.follow(&role.task.rules, number);
                role.trip(tick, number)?;
            }
            clerk.record_all(&role.task.closing);
            if let Some(last) = clerk.last.filter(|_| role.task.factor % 2 == 1) {
                role.saw(Sight::Stash);
                *kept = last.to_bits();
            }
            Ok::<(), String>(())
        };
    body.into_config()
}

pub(super) fn dynamic<A: Part, B: Part>(role: Role) -> SystemConfig {
    let draws = role.task.factor % 3 == 0;
    let body = move |world: &mut DynamicWorld<'_>| {
        role.begin();
        role.saw(Sight::Dynamic);
        let tick = world.tick();
        if role.task.trip.is_some_and(|trip| trip.modulus == 1 && tick >= trip.tick) {
            world.query::<&Short, ()>().map(|rows| rows.count())?;
        }
        let mut sum = world.query::<&B, ()>()?.iter().map(B::read).fold(tick, stir);
        if draws {
            role.saw(Sight::SystemDraw);
            let mut rng = world.rng()?;
            sum = stir(sum, drawn(&mut rng, sum));
        }
        for (entity, a) in world.query_mut::<(Entity, &mut A), ()>()? {
            role.trip(Tick(tick), a.read())?;
            role.change(a, sum, entity);
        }
        role.clerk(world.commands()?, sum).record_all(&role.task.opening);
        Ok::<(), SystemError>(())
    };
    let system = DynamicSystem::new("dynamic", body).writes::<A>().reads::<B>().records_commands();
    if draws { system.draws().into_config() } else { system.into_config() }
}

pub(super) fn pinned<A: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |rows: Query<(Entity, &A), F>, mut pad: Host<Pad>, tick: Tick| {
        role.begin();
        role.saw(Sight::Pinned);
        let read = |sum, (entity, a): (Entity, &A)| stir(sum, a.read() ^ entity.to_bits());
        let sum = rows.iter().fold(role.task.factor, read);
        role.trip(tick, sum)?;
        pad.note(sum);
        Ok::<(), String>(())
    };
    body.into_config()
}

pub(super) fn twin<A: Part>(role: Role) -> SystemConfig {
    let body = move |mut flagged: Query<(Entity, &mut A), With<Flag>>, others: Query<&A, Without<Flag>>, tick: Tick| {
        role.begin();
        let mut sum = others.iter().map(A::read).fold(tick.0, stir);
        for (entity, a) in &mut flagged {
            role.saw(Sight::Twin);
            role.trip(tick, a.read())?;
            sum = stir(sum, a.read());
            role.change(a, sum, entity);
        }
        Ok::<(), String>(())
    };
    body.into_config()
}

pub(super) fn follow<A: Part, B: Part>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &Link, &mut A)>, others: Query<&B>, tick: Tick| {
        role.begin();
        for (entity, link, a) in &mut rows {
            let Ok(other) = others.get(link.target()) else { continue };
            role.saw(Sight::Follow);
            role.trip(tick, other.read())?;
            role.change(a, other.read(), entity);
        }
        Ok::<(), String>(())
    };
    body.into_config()
}
