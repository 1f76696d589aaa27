#![expect(unsafe_code, reason = "fetches rows under the access that the query was granted")]

use super::iter::{Fetched, Matched, Matches};
use super::matching::Wanted;
use super::{ChunkView, Query, QueryData, QueryFilter, RunStamps};
use crate::fault::{Fault, planted};
use crate::jobs::{Claim, Payload, Team, run_units};
use crate::storage::{ArchetypeId, ChunkId, Storage};

/// The rows of a query in units that hands can claim: numbered from 0 in query order, whoever runs them.
///
/// A unit is a batch. Where a filter looks at stamps it is a whole chunk: the stamps of a chunk are looked at once then,
/// before the query itself marks it, as in a loop of one hand.
pub(crate) struct Units<'w, D: QueryData, F: QueryFilter> {
    storage: &'w Storage,
    stamps: RunStamps,
    wanted: Wanted<'w, D, F>,
    matches: Matches<'w>,
    team: Option<Team<'w>>,
}

impl<D: QueryData, F: QueryFilter> Clone for Units<'_, D, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: QueryData, F: QueryFilter> Copy for Units<'_, D, F> {}

impl<'w, D: QueryData, F: QueryFilter> Query<'w, D, F> {
    /// The rows in units. The query is used up: its rows are theirs.
    pub(crate) const fn into_units(self) -> Units<'w, D, F> {
        let Query { storage, stamps, wanted, matches, team, .. } = self;
        Units { storage, stamps, wanted, matches, team }
    }
}

impl<'w, D: QueryData, F: QueryFilter> Units<'w, D, F> {
    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        let (mut archetypes, mut count) = (self.archetypes(), 0);
        while let Some(archetype) = archetypes.next() {
            count += self.units_of(archetype);
        }
        count
    }

    /// Whether hands may take part.
    pub(crate) fn are_shared(&self) -> bool {
        self.team.is_some()
    }

    /// How often hands take units at once, at most.
    pub(crate) fn most_takes(&self) -> u32 {
        let count = self.count();
        self.team.map_or(count.min(1), |team| team.most_takes(count))
    }

    /// Calls `each` with every unit, in order, on this hand alone.
    ///
    /// # Errors
    ///
    /// The first error of `each`.
    pub(crate) fn run_alone<E>(self, each: impl FnMut(UnitRows<'w, D, F>) -> Result<(), E>) -> Result<(), E> {
        let mut walk = Walk::new(self);
        (0..self.count()).map(|unit| walk.rows(unit)).try_for_each(each)
    }

    /// Calls `each` with claims of the units, on as many hands as come: each unit is in one claim, and in ascending order
    /// there.
    ///
    /// # Errors
    ///
    /// What the lowest unit failed with.
    pub(crate) fn run(
        self,
        each: &(impl Fn(&mut UnitClaim<'_, '_, 'w, D, F>) -> Result<(), Payload> + Sync),
    ) -> Result<(), Payload> {
        run_units(self.team, self.count(), &|claim| each(&mut UnitClaim { claim, walk: Walk::new(self) }))
    }

    /// Calls `each` with numbers below `parts` and the units of each part, which are the same share of them for any team.
    ///
    /// # Errors
    ///
    /// What the lowest part failed with.
    pub(crate) fn run_parts(
        self,
        parts: u32,
        each: &(impl Fn(u32, &mut dyn FnMut() -> Option<UnitRows<'w, D, F>>) + Sync),
    ) -> Result<(), Payload> {
        let count = u64::from(self.count());
        let border = |part: u32| (count * u64::from(part) / u64::from(parts)) as u32;
        run_units(self.team, parts, &|claim| {
            let mut walk = Walk::new(self);
            while let Some(part) = claim.next() {
                let mut units = border(part)..border(part + 1);
                each(part, &mut || units.next().map(|unit| walk.rows(unit)));
            }
            Ok(())
        })
    }

    const fn archetypes(&self) -> Matched<'w, D, F> {
        Matched::new(self.storage, self.wanted, self.matches)
    }

    fn units_of(&self, archetype: ArchetypeId) -> u32 {
        let (rows, of_a_unit) = (self.storage.archetypes().get(archetype).len(), self.rows_of_a_unit());
        if planted(Fault::LastBatchLost) { rows / of_a_unit } else { rows.div_ceil(of_a_unit) }
    }

    fn rows_of_a_unit(&self) -> u32 {
        let shape = self.storage.shape();
        if planted(Fault::BatchFromThreads) {
            let hands = self.team.map_or(1, Team::present).next_power_of_two();
            return (shape.batch_rows() * hands).min(shape.chunk_rows());
        }
        if F::ARCHETYPAL || planted(Fault::FilterByBatch) { shape.batch_rows() } else { shape.chunk_rows() }
    }
}

/// Units that one hand was given.
pub(crate) struct UnitClaim<'u, 'c, 'w, D: QueryData, F: QueryFilter> {
    claim: &'u mut Claim<'c>,
    walk: Walk<'w, D, F>,
}

impl<'w, D: QueryData, F: QueryFilter> UnitClaim<'_, '_, 'w, D, F> {
    /// The number of the first of the units that were taken at once.
    pub(crate) fn first(&self) -> u32 {
        self.claim.first()
    }

    /// The next unit.
    pub(crate) fn next(&mut self) -> Option<UnitRows<'w, D, F>> {
        self.claim.next().map(|unit| self.walk.rows(unit))
    }
}

/// Where the columns of terms and filter are in one chunk.
type Fetches<'w, D, F> = (<D as QueryData>::Fetch<'w>, <F as QueryFilter>::Fetch<'w>);

/// The rows of a unit.
pub(crate) struct UnitRows<'w, D: QueryData, F: QueryFilter> {
    /// Its number.
    pub(crate) number: u32,
    /// `None` if no row of the chunk passes the filter.
    fetched: Option<Fetches<'w, D, F>>,
    first: u32,
    count: u32,
    batch_rows: u32,
}

impl<'w, D: QueryData, F: QueryFilter> UnitRows<'w, D, F> {
    /// Calls `each` with the fetches of the chunk, the first row and the number of rows of every batch, unless no row
    /// passes the filter.
    pub(crate) fn for_each_batch<E>(
        self,
        mut each: impl FnMut(D::Fetch<'w>, F::Fetch<'w>, u32, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some((data, filter)) = self.fetched else { return Ok(()) };
        let end = self.first + self.count;
        let mut batches = (self.first..end).step_by(self.batch_rows as usize);
        batches.try_for_each(|first| each(data, filter, first, self.batch_rows.min(end - first)))
    }

    /// Calls `each` with the number of every row within the unit that passes the filter, and its item.
    #[inline(always)]
    pub(crate) fn for_each(self, mut each: impl FnMut(u32, D::Item<'w>)) {
        let Some((data, filter)) = self.fetched else { return };
        for row in self.first..self.first + self.count {
            // SAFETY: the rows are in use; a unit is given to one hand once, and used up here.
            unsafe {
                if F::ARCHETYPAL || F::row(filter, row) {
                    each(row - self.first, D::item(data, row));
                }
            }
        }
    }
}

/// A way through the units, which remembers where it is: steps ahead are cheap.
struct Walk<'w, D: QueryData, F: QueryFilter> {
    units: Units<'w, D, F>,
    archetypes: Matched<'w, D, F>,
    archetype: Option<ArchetypeId>,
    /// The units of that archetype.
    first: u32,
    end: u32,
    entered: Option<(ChunkId, Option<Fetches<'w, D, F>>)>,
}

impl<'w, D: QueryData, F: QueryFilter> Walk<'w, D, F> {
    const fn new(units: Units<'w, D, F>) -> Self {
        let archetypes = units.archetypes();
        Self { units, archetypes, archetype: None, first: 0, end: 0, entered: None }
    }

    fn rows(&mut self, unit: u32) -> UnitRows<'w, D, F> {
        while unit >= self.end {
            let archetype = self.archetypes.next().expect("there are as many units as were counted");
            (self.first, self.end) = (self.end, self.end + self.units.units_of(archetype));
            self.archetype = Some(archetype);
        }
        let storage = self.units.storage;
        let archetype = storage.archetypes().get(self.archetype.expect("entered above"));
        let rows = self.units.rows_of_a_unit();
        let row = (unit - self.first) * rows;
        let place = archetype.place(row, storage.shape());
        UnitRows {
            number: unit,
            fetched: self.enter(place.chunk),
            first: place.row,
            count: rows.min(archetype.len() - row),
            batch_rows: storage.shape().batch_rows(),
        }
    }

    /// The fetches of a chunk, made once for units of it one after the other.
    fn enter(&mut self, chunk: ChunkId) -> Option<Fetches<'w, D, F>> {
        if let Some((_, fetched)) = self.entered.filter(|(entered, _)| *entered == chunk) {
            return fetched;
        }
        let wanted = &self.units.wanted;
        // SAFETY: whoever made the query holds access to its terms while `'w` lasts, and the chunk is one of an archetype
        // that it admits. Other hands that enter the chunk at the same time mark it with the same stamp.
        let fetched = unsafe {
            let view = ChunkView::new(self.units.storage, chunk, self.units.stamps);
            Fetched::<D, F>::new(wanted.data, wanted.filter, view)
        };
        let fetched = fetched.map(|fetched| (fetched.data(), fetched.filter()));
        self.entered = Some((chunk, fetched));
        fetched
    }
}
