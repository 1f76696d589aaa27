//! Systems that draw random numbers.

use tickweave::prelude::*;
use tickweave::query::QueryFilter;
use tickweave::rng::Stream;
use tickweave::system::SystemConfig;

use super::Role;
use crate::kit::Sight;
use crate::parts::{Part, stir};

/// A number from a stream; how many steps that takes depends on what is asked for.
pub(super) fn drawn(stream: &mut Stream, number: u64) -> u64 {
    match number % 5 {
        0 => stream.range(0..=number),
        1 => stream.chance(1, 3).into(),
        2 => stream.unit().to_bits().into(),
        3 => {
            let mut values = [1, 2, 3, 4, 5];
            stream.shuffle(&mut values);
            values.into_iter().fold(number, stir)
        }
        _ => stream.next_u64(),
    }
}

pub(super) fn each_draw<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |a: &mut A, b: Option<&B>, entity: Entity, tick: Tick, mut rng: Rng| {
        role.kit.pause();
        role.saw(Sight::RowDraw);
        let number = role.number(a, b);
        role.trip(tick, number)?;
        role.change(a, drawn(&mut rng, number), entity);
        Ok::<(), String>(())
    };
    each(body).filter::<F>().into_config()
}

/// Draws for some rows only: where the stream stands then depends on all that was drawn before.
pub(super) fn query_draw<A: Part, B: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body =
        move |mut rows: Query<(Entity, &mut A, Option<&B>), F>, mut commands: Commands, mut rng: Rng, tick: Tick| {
            role.begin();
            for (entity, a, b) in &mut rows {
                let number = role.number(a, b);
                role.trip(tick, number)?;
                if rng.chance(1, 3) {
                    role.saw(Sight::SystemDraw);
                    let drawn = drawn(&mut rng, number);
                    role.change(a, drawn, entity);
                    role.follow(&mut commands, entity, drawn);
                }
            }
            Ok::<(), String>(())
        };
    body.into_config()
}

/// A loop whose rows draw from streams of their own, behind a draw of the system.
pub(super) fn nested_draw<A: Part, F: QueryFilter + 'static>(role: Role) -> SystemConfig {
    let body = move |mut rows: Query<(Entity, &mut A), F>, mut commands: Commands, mut rng: Rng, tick: Tick| {
        role.begin();
        let first = rng.next_u64();
        rows.par_for_each_with(&mut commands, |(entity, a), lane| {
            role.kit.pause();
            role.saw(Sight::NestedDraw);
            let drawn = drawn(&mut rng.for_entity(entity), a.read());
            role.follow(lane, entity, drawn);
            role.trip_or_panic(tick, drawn);
            role.change(a, drawn ^ first, entity);
        });
    };
    body.into_config()
}
