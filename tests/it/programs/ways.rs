//! Who runs a program: the one file that names executors, pools and nested loops.

use std::borrow::Cow;

use tickweave::prelude::*;
use tickweave::query::{QueryData, QueryFilter};

use super::data::Program;
use super::plants::Plant;

/// A way of running a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Way {
    /// The oracle.
    Serial,
    /// The oracle with a fault, for tests of the bed itself.
    Planted(Plant),
}

impl Way {
    /// Has a schedule run this way.
    pub(crate) fn set_up(self, schedule: &mut Schedule) {
        schedule.set_executor(Executor::Serial);
    }

    /// What is played: the program, unless a fault is planted.
    pub(crate) fn arrange(self, program: &Program) -> Cow<'_, Program> {
        let mut arranged = Cow::Borrowed(program);
        if let Self::Planted(plant) = self {
            plant.arrange(arranged.to_mut());
        }
        arranged
    }

    /// Called after each tick, counted from 0.
    pub(crate) fn meddle(self, world: &mut World, tick: usize) {
        if let Self::Planted(plant) = self {
            plant.meddle(world, tick);
        }
    }

    /// The seed of the pauses that systems make, if they do.
    pub(crate) const fn pauses(self) -> Option<u64> {
        None
    }

    /// How often a program is played this way before it is believed to make no difference.
    pub(crate) const fn tries(self) -> u32 {
        1
    }
}

/// The ways that are compared with the oracle.
pub(crate) fn all(_seed: u64) -> Vec<Way> {
    vec![Way::Serial]
}

/// A nested loop.
pub(crate) fn for_each<D: QueryData, F: QueryFilter>(rows: &mut Query<'_, D, F>, each: impl Fn(D::Item<'_>) + Sync) {
    rows.for_each(each);
}

/// A nested loop that records commands.
pub(crate) fn for_each_with<D: QueryData, F: QueryFilter>(
    rows: &mut Query<'_, D, F>,
    lane: &mut Lane,
    each: impl Fn(D::Item<'_>, &mut Lane) + Sync,
) {
    rows.for_each(|row| each(row, lane));
}

/// A nested fold.
pub(crate) fn fold<D: QueryData, F: QueryFilter, T: Clone + Send + Sync>(
    rows: &mut Query<'_, D, F>,
    identity: T,
    add: impl Fn(T, D::Item<'_>) -> T + Sync,
    _join: impl Fn(T, T) -> T + Sync,
) -> T {
    rows.iter_mut().fold(identity, add)
}

/// A nested sum.
pub(crate) fn sum<D: QueryData, F: QueryFilter>(
    rows: &mut Query<'_, D, F>,
    number: impl Fn(D::Item<'_>) -> f32 + Sync,
) -> f32 {
    rows.iter_mut().map(number).sum()
}

/// What a nested loop makes of each row, in query order.
pub(crate) fn collect<D: QueryData, F: QueryFilter, T: Send>(
    rows: &mut Query<'_, D, F>,
    make: impl Fn(D::Item<'_>) -> T + Sync,
) -> Vec<T> {
    rows.iter_mut().map(make).collect()
}
