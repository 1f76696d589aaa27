#![expect(unsafe_code, reason = "hands out rows as slices under the access that the query was granted")]

use core::array;
use core::ops::Add;
use std::panic::resume_unwind;

use super::units::UnitRows;
use super::{ChunkData, Query, QueryData, QueryFilter, WholeChunks};
use crate::fault::{Fault, planted};
use crate::jobs::{MAX_THREADS, Payload};
use crate::sync::Slots;

/// Parts of a fold at most: as many as there can be hands.
const PARTS: usize = MAX_THREADS as usize;
/// Running sums inside of a part: as many as fill a vector register twice.
const SUMS: u32 = 8;

type ReadItem<'q, D> = <<D as QueryData>::ReadOnly as QueryData>::Item<'q>;

/// Loops that several hands share.
///
/// In a system they run on every hand that has nothing else to do; in a query of the host, and inside the body of another
/// such loop, on the caller's. What comes of them is the same in any case.
///
/// # Panics
///
/// Where the body panics, the loop passes on the panic of the lowest batch, when every batch below it is done. A system that
/// catches it must not go on with the rows: which batches above ran is not part of the promise.
impl<D: QueryData, F: QueryFilter> Query<'_, D, F> {
    /// Calls `each` with every row, on several hands.
    ///
    /// To record commands in the loop, use [`par_for_each_with`](Self::par_for_each_with).
    ///
    /// ```
    /// use tickweave::prelude::*;
    ///
    /// #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// #[repr(C)]
    /// struct Health(u32);
    ///
    /// fn heal(mut healths: Query<&mut Health>) {
    ///     healths.par_for_each(|health| health.0 += 1);
    /// }
    ///
    /// let mut world = World::new();
    /// world.spawn_batch((0..1000).map(Health));
    /// let mut schedule = Schedule::new();
    /// schedule.add(heal);
    /// schedule.run(&mut world)?;
    /// assert_eq!(world.query::<&Health, ()>().iter().map(|health| health.0).max(), Some(1000));
    /// # Ok::<(), RunError>(())
    /// ```
    pub fn par_for_each(&mut self, each: impl Fn(D::Item<'_>) + Sync) {
        pass_on(self.reborrow().into_units().run(&|claim| {
            while let Some(unit) = claim.next() {
                unit.for_each(|_, item| each(item));
            }
            Ok(())
        }));
    }

    /// Folds the rows, for reading: `fold` in row order over each part of the rows, `combine` over the results of
    /// neighbouring parts.
    ///
    /// # Determinism
    ///
    /// The rows are cut into at most 64 parts by their number alone, and the results are combined along one fixed tree. So
    /// an operation must be associative for the result to mean something, but need not be commutative; one that is not
    /// quite associative, like the addition of floats, still gives the same bits on any number of hands.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Digit(u8);
    /// let mut world = World::new();
    /// world.spawn_batch([Digit(4), Digit(2), Digit(7)]);
    /// let digits = world.query::<&Digit, ()>();
    /// let text = digits.par_fold(String::new, |text, digit| format!("{text}{}", digit.0), |a, b| a + &b);
    /// assert_eq!(text, "427");
    /// ```
    pub fn par_fold<T: Send>(
        &self,
        identity: impl Fn() -> T + Sync,
        fold: impl Fn(T, ReadItem<'_, D>) -> T + Sync,
        combine: impl Fn(T, T) -> T,
    ) -> T {
        let folded = self.fold_parts(|next| {
            let mut folded = Some(identity());
            while let Some(unit) = next() {
                unit.for_each(|_, item| folded = folded.take().map(|value| fold(value, item)));
            }
            folded.expect("put back after each row")
        });
        combine_all(folded, combine).unwrap_or_else(identity)
    }

    /// The sum of a value of every row. `T::default()` must be zero.
    ///
    /// # Determinism
    ///
    /// As for [`par_fold`](Self::par_fold). Inside of a part, eight running sums take turns by row, so that the loop
    /// vectorises; they are added along a fixed tree.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Mass(f32);
    /// let mut world = World::new();
    /// world.spawn_batch([Mass(0.5), Mass(2.0), Mass(4.0)]);
    /// let masses = world.query::<&Mass, ()>();
    /// assert_eq!(masses.par_sum(|mass| mass.0), 6.5);
    /// assert_eq!(masses.par_max(|mass| mass.0 as u32), Some(4));
    /// assert_eq!(masses.par_min(|mass| mass.0 as u32), Some(0));
    /// assert_eq!(masses.par_collect(|mass| mass.0), [0.5, 2.0, 4.0]);
    /// ```
    pub fn par_sum<T>(&self, value: impl Fn(ReadItem<'_, D>) -> T + Sync) -> T
    where
        T: Copy + Default + Send + Add<Output = T>,
    {
        let sums = self.fold_parts(|next| {
            let mut sums = [T::default(); SUMS as usize];
            while let Some(unit) = next() {
                unit.for_each(|row, item| {
                    let sum = &mut sums[(row % SUMS) as usize];
                    *sum = *sum + value(item);
                });
            }
            combine_all(sums.into_iter(), |a, b| a + b).expect("there are eight sums")
        });
        combine_all(sums, |a, b| a + b).unwrap_or_default()
    }

    /// The least value of the rows; the first of equal ones. `None` if there is no row.
    pub fn par_min<T: Ord + Send>(&self, value: impl Fn(ReadItem<'_, D>) -> T + Sync) -> Option<T> {
        self.par_best(value, |best, other| other < best)
    }

    /// The greatest value of the rows; the first of equal ones. `None` if there is no row.
    pub fn par_max<T: Ord + Send>(&self, value: impl Fn(ReadItem<'_, D>) -> T + Sync) -> Option<T> {
        self.par_best(value, |best, other| other > best)
    }

    fn par_best<T: Send>(
        &self,
        value: impl Fn(ReadItem<'_, D>) -> T + Sync,
        beats: impl Fn(&T, &T) -> bool + Sync,
    ) -> Option<T> {
        let better = |best: Option<T>, other: Option<T>| match (best, other) {
            (Some(best), Some(other)) => Some(if beats(&best, &other) { other } else { best }),
            (best, other) => best.or(other),
        };
        self.par_fold(|| None, |best, item| better(best, Some(value(item))), better)
    }

    /// A value of every row, in query order.
    pub fn par_collect<T: Send>(&self, value: impl Fn(ReadItem<'_, D>) -> T + Sync) -> Vec<T> {
        let parts = self.fold_parts(|next| {
            let mut values = Vec::new();
            while let Some(unit) = next() {
                unit.for_each(|_, item| values.push(value(item)));
            }
            values
        });
        let parts: Vec<Vec<T>> = parts.collect();
        let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
        parts.into_iter().for_each(|part| all.extend(part));
        all
    }

    /// Makes a value of each of at most [`PARTS`] parts of the rows; returns them in order.
    fn fold_parts<'q, T: Send>(
        &'q self,
        fold: impl Fn(&mut dyn FnMut() -> Option<UnitRows<'q, D::ReadOnly, F>>) -> T + Sync,
    ) -> impl Iterator<Item = T> {
        let units = self.reading().into_units();
        let parts = units.count().min(PARTS as u32);
        let mut slots = Slots::<T, PARTS>::empty();
        pass_on(units.run_parts(parts, &|part, next| slots.put(part as usize, fold(next))));
        (0..parts as usize).map(move |part| slots.take(part).expect("every part was folded"))
    }
}

impl<D: ChunkData, F: WholeChunks> Query<'_, D, F> {
    /// Calls `each` with the rows of every batch as slices, on several hands.
    ///
    /// ```
    /// # use tickweave::prelude::*;
    /// # #[derive(Component, Clone, Copy, Debug, PartialEq)]
    /// # #[repr(C)]
    /// # struct Health(u32);
    /// let mut world = World::new();
    /// world.spawn_batch((0..1000).map(Health));
    /// world.query_mut::<&mut Health, ()>().par_for_each_batch(|healths| healths.fill(Health(7)));
    /// assert!(world.query::<&Health, ()>().iter().all(|health| health.0 == 7));
    /// ```
    pub fn par_for_each_batch(&mut self, each: impl Fn(D::Slice<'_>) + Sync) {
        pass_on(self.reborrow().into_units().run(&|claim| {
            while let Some(unit) = claim.next() {
                unit.slices(&each);
            }
            Ok(())
        }));
    }
}

impl<'w, D: ChunkData, F: WholeChunks> UnitRows<'w, D, F> {
    /// Calls `each` with the rows of every batch as slices, if they pass the filter.
    pub(crate) fn slices(self, mut each: impl FnMut(D::Slice<'w>)) {
        let batches = self.for_each_batch(|data, _, first, count| {
            // SAFETY: the rows are in use; a unit is given to one hand once, and used up here.
            each(unsafe { D::slice(data, first, count) });
            Ok::<(), core::convert::Infallible>(())
        });
        let Ok(()) = batches;
    }
}

/// Goes on with the panic of a loop.
pub(crate) fn pass_on(outcome: Result<(), Payload>) {
    if let Err(payload) = outcome {
        resume_unwind(payload);
    }
}

/// Combines neighbours until one is left: the same tree for the same number of values.
fn combine_all<T>(mut values: impl Iterator<Item = T>, combine: impl Fn(T, T) -> T) -> Option<T> {
    let mut level: [Option<T>; PARTS] = array::from_fn(|_| values.next());
    let mut width = 1;
    while width < PARTS {
        for left in (0..PARTS - width).step_by(2 * width) {
            let right = level[left + width].take();
            level[left] = match (level[left].take(), right) {
                (Some(left), Some(right)) if planted(Fault::FoldSwapped) => Some(combine(right, left)),
                (Some(left), Some(right)) => Some(combine(left, right)),
                (left, right) => left.or(right),
            };
        }
        width *= 2;
    }
    level[0].take()
}
