//! Functions over queries that open loops of their own.

use tickweave::prelude::*;
use tickweave::query::{QueryFilter, WholeChunks};
use tickweave::system::SystemConfig;

use super::Role;
use crate::kit::Sight;
use crate::orders::Clerk;
use crate::parts::{Part, Tally, stir};

pub(super) fn nested_write<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &mut A, Option<&B>), F>, mut local: Local<u64>, tick: Tick| {
        role.begin();
        let runs = *local;
        rows.par_for_each(|(entity, a, b)| {
            role.kit.pause();
            role.saw(Sight::NestedRow);
            let number = role.number(a, b);
            role.trip_or_panic(tick, number);
            role.change(a, number ^ runs, entity);
        });
        *local = rows.iter().map(|(_, a, _)| a.read()).fold(runs + 1, stir);
    };
    body.into_config()
}

/// What it records before the loop, in the loop and behind it comes in that order; the loop may name what came before.
pub(super) fn nested_orders<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &A, Option<&B>), F>, mut commands: Commands, tick: Tick| {
        role.begin();
        let mut clerk = role.clerk(&mut commands, tick.0);
        clerk.record_all(&role.task.opening);
        let outer = clerk.last;
        rows.par_for_each_with(&mut commands, |(entity, a, b), lane| {
            role.kit.pause();
            role.saw(Sight::NestedCommand);
            let number = role.number(a, b);
            let mut clerk = Clerk { own: Some(entity), outer, ..role.clerk(lane, number) };
            clerk.follow(&role.task.rules, number);
            role.trip_or_panic(tick, number);
        });
        let mut clerk = Clerk { last: outer, ..role.clerk(&mut commands, tick.0) };
        clerk.record_all(&role.task.closing);
    };
    body.into_config()
}

/// Loops over batches that record commands and write.
pub(super) fn nested_batches<A: Part, G: WholeChunks + 'static>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &mut A), G>, mut commands: Commands, tick: Tick| {
        role.begin();
        role.clerk(&mut commands, tick.0).record_all(&role.task.opening);
        rows.par_for_each_batch_with(&mut commands, |(entities, values), lane| {
            role.saw(Sight::NestedBatch);
            let mut before = values.len() as u64;
            for (entity, a) in entities.iter().zip(values) {
                let number = a.read();
                role.follow(lane, *entity, number);
                role.trip_or_panic(tick, number);
                role.change(a, number ^ before, *entity);
                before = a.read();
            }
        });
        role.clerk(&mut commands, tick.0).record_all(&role.task.closing);
    };
    body.into_config()
}

/// A loop inside of each row of a loop.
pub(super) fn nested_deep<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &mut A), F>, others: Query<&B>, mut commands: Commands, tick: Tick| {
        role.begin();
        rows.par_for_each_with(&mut commands, |(entity, a), lane| {
            let number = a.read();
            if number % 4 != 0 {
                return;
            }
            role.saw(Sight::NestedDeep);
            let found = others.par_fold(|| number, |sum, b| stir(sum, b.read()), stir);
            role.follow(lane, entity, found);
            role.trip_or_panic(tick, found);
            role.change(a, found, entity);
        });
    };
    body.into_config()
}

/// Maps that are joined one behind the other: that can be grouped as one likes, but not reordered.
type Affine = (u64, u64);

fn join((scale, shift): Affine, (then_scale, then_shift): Affine) -> Affine {
    (scale.wrapping_mul(then_scale), shift.wrapping_mul(then_scale).wrapping_add(then_shift))
}

fn affine(number: u64) -> Affine {
    (number | 1, number >> 3)
}

pub(super) fn nested_fold<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |rows: Query<(&A, Option<&B>), F>, mut tally: ResMut<Tally>, tick: Tick| {
        role.begin();
        role.saw(Sight::Fold);
        let number = |(a, b): (&A, Option<&B>)| {
            let number = role.number(a, b);
            role.trip_or_panic(tick, number);
            number
        };
        let found = match role.task.factor % 8 {
            0 | 4 => rows.par_fold(|| (1, 0), |sum, row| join(sum, affine(number(row))), join).1,
            // No associative operation: the tree shows.
            1 | 5 => rows.par_fold(|| 1, |sum, row| stir(sum, number(row)), stir),
            2 | 6 => rows.par_sum(|row| (number(row) % 1000) as f32 / 7.0).to_bits().into(),
            3 => stir(rows.par_min(number).unwrap_or(1), rows.par_max(number).unwrap_or(2)),
            _ => rows.par_collect(number).into_iter().fold(0, stir),
        };
        tally.note(found);
    };
    body.into_config()
}
