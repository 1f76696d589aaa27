//! Functions over rows and batches.

use tickweave::prelude::*;
use tickweave::query::{QueryFilter, WholeChunks};
use tickweave::system::SystemConfig;

use super::Role;
use crate::kit::Sight;
use crate::parts::{Dial, Link, Part};

pub(super) fn each_write<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |a: &mut A, b: Option<&B>, entity: Entity, dial: Res<Dial>, tick: Tick| {
        role.kit.pause();
        role.saw(Sight::EachRow);
        let number = role.number(a, b);
        role.trip(tick, number)?;
        role.change(a, number ^ dial.0, entity);
        Ok::<(), String>(())
    };
    each(body).filter::<F>().into_config()
}

pub(super) fn each_lazy<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |mut a: Write<A>, b: &B, entity: Entity, tick: Tick| {
        role.kit.pause();
        let number = role.number(&*a, Some(b));
        role.trip(tick, number)?;
        if number % 3 == 0 {
            role.saw(Sight::LazyWrite);
            role.change(&mut *a, number, entity);
        }
        Ok::<(), String>(())
    };
    each(body).filter::<F>().into_config()
}

pub(super) fn each_orders<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |a: &A, b: Option<&B>, entity: Entity, dial: Res<Dial>, tick: Tick, mut commands: Commands| {
        role.kit.pause();
        role.saw(Sight::EachRow);
        let number = role.number(a, b) ^ dial.0;
        role.follow(&mut commands, entity, number);
        role.trip(tick, number)
    };
    each(body).filter::<F>().into_config()
}

pub(super) fn chunk_write<A: Part, B: Part, G: WholeChunks + 'static>(role: Role) -> SystemConfig {
    let body = move |a: &mut [A], b: Option<&[B]>, entities: &[Entity], tick: Tick| {
        role.kit.pause();
        role.saw(Sight::Slice);
        // What a row becomes depends on the rows before it in its batch, and on how long the batch is.
        let mut before = a.len() as u64;
        for (row, a) in a.iter_mut().enumerate() {
            let number = role.number(a, b.map(|b| &b[row]));
            role.trip(tick, number)?;
            role.change(a, number ^ before, entities[row]);
            before = a.read();
        }
        Ok::<(), String>(())
    };
    chunk(body).filter::<G>().into_config()
}

pub(super) fn chunk_orders<A: Part, B: Part, G: WholeChunks + 'static>(role: Role) -> SystemConfig {
    let body = move |a: &[A], b: Option<&[B]>, entities: &[Entity], tick: Tick, mut commands: Commands| {
        role.kit.pause();
        role.saw(Sight::Slice);
        let mut clerk = role.clerk(&mut commands, a.len() as u64);
        clerk.record_all(&role.task.opening);
        for (row, a) in a.iter().enumerate() {
            let number = role.number(a, b.map(|b| &b[row]));
            (clerk.own, clerk.seed) = (Some(entities[row]), number);
            clerk.follow(&role.task.rules, number);
            role.trip(tick, number)?;
        }
        Ok::<(), String>(())
    };
    chunk(body).filter::<G>().into_config()
}

/// Looks up the entities that links refer to.
pub(super) fn each_gather<A: Part, B: Part>(role: Role) -> SystemConfig {
    let body = move |a: &mut A, link: &Link, entity: Entity, others: Lookup<&B>, tick: Tick| {
        role.kit.pause();
        let Ok(other) = others.get(link.target()) else { return Ok(()) };
        role.saw(Sight::Gather);
        role.trip(tick, other.read())?;
        role.change(a, other.read(), entity);
        Ok::<(), String>(())
    };
    each(body).into_config()
}

/// The same, a batch at a time.
pub(super) fn chunk_gather<A: Part, B: Part, G: WholeChunks + 'static>(role: Role) -> SystemConfig {
    let body = move |a: &mut [A], links: &[Link], entities: &[Entity], others: Lookup<&B>, tick: Tick| {
        role.kit.pause();
        for (row, a) in a.iter_mut().enumerate() {
            let Ok(other) = others.get(links[row].target()) else { continue };
            role.saw(Sight::SliceGather);
            role.trip(tick, other.read())?;
            role.change(a, other.read(), entities[row]);
        }
        Ok::<(), String>(())
    };
    chunk(body).filter::<G>().into_config()
}
