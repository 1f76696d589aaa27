#![expect(unsafe_code, reason = "fetches rows under the access that the query was granted")]

use core::marker::PhantomData;

use super::matching::Wanted;
use super::{ChunkView, MatchCache, QueryData, QueryFilter, RunStamps};
use crate::access::IdSet;
use crate::storage::{Archetype, ArchetypeId, ChunkId, Storage};

/// Where the archetypes of a query come from.
#[derive(Clone, Copy)]
pub(super) enum Matches<'w> {
    /// From a cache that is up to date.
    Cached(&'w [ArchetypeId]),
    /// From a look at every archetype.
    Scan,
}

/// The archetypes of a query, in the order of their creation.
pub(super) struct Matched<'w, D: QueryData, F: QueryFilter> {
    storage: &'w Storage,
    wanted: Wanted<'w, D, F>,
    matches: Matches<'w>,
    next: usize,
}

impl<'w, D: QueryData, F: QueryFilter> Matched<'w, D, F> {
    pub(super) const fn new(storage: &'w Storage, wanted: Wanted<'w, D, F>, matches: Matches<'w>) -> Self {
        Self { storage, wanted, matches, next: 0 }
    }

    pub(super) fn next(&mut self) -> Option<ArchetypeId> {
        match self.matches {
            Matches::Cached(matched) => {
                self.next += 1;
                matched.get(self.next - 1).copied()
            }
            Matches::Scan => {
                let mut fresh = self.storage.archetypes().iter_from(self.next);
                let (id, _) = fresh.find(|(_, archetype)| self.wanted.admits(archetype))?;
                self.next = id.index() + 1;
                Some(id)
            }
        }
    }
}

/// The chunks of a query, in query order.
pub(super) struct Chunks<'w, D: QueryData, F: QueryFilter> {
    archetypes: Matched<'w, D, F>,
    stamps: RunStamps,
    archetype: Option<&'w Archetype>,
    next_chunk: usize,
    /// Rows of the archetype from the next chunk on.
    rows: u32,
}

impl<'w, D: QueryData, F: QueryFilter> Chunks<'w, D, F> {
    pub(super) fn new(storage: &'w Storage, stamps: RunStamps, wanted: Wanted<'w, D, F>, matches: Matches<'w>) -> Self {
        Self { archetypes: Matched::new(storage, wanted, matches), stamps, archetype: None, next_chunk: 0, rows: 0 }
    }

    /// The next chunk with rows, and how many.
    #[inline]
    pub(super) fn next(&mut self) -> Option<(ChunkView<'w>, u32)> {
        let storage = self.archetypes.storage;
        while self.rows == 0 {
            let archetype = storage.archetypes().get(self.archetypes.next()?);
            (self.archetype, self.next_chunk, self.rows) = (Some(archetype), 0, archetype.len());
        }
        let rows = self.rows.min(storage.shape().chunk_rows());
        let chunk = self.archetype?.chunk(self.next_chunk);
        self.rows -= rows;
        self.next_chunk += 1;
        // SAFETY: whoever made the query holds access to its terms while `'w` lasts.
        Some((unsafe { ChunkView::new(storage, chunk, self.stamps) }, rows))
    }

    pub(super) const fn wanted(&self) -> &Wanted<'w, D, F> {
        &self.archetypes.wanted
    }
}

impl MatchCache {
    /// Calls `each` with the fetches and the number of rows of every chunk whose rows can pass, in query order, until one
    /// fails.
    ///
    /// # Safety
    ///
    /// The cache is that of the terms and the filter, whose access the caller holds while `'w` lasts; terms do not clash, no
    /// item of them lives, and nothing changes structure meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn try_for_each_chunk<'w, D: QueryData, F: QueryFilter, E>(
        &mut self,
        (data, filter): (D::State, F::State),
        hidden: &IdSet,
        storage: &'w Storage,
        stamps: RunStamps,
        mut each: impl FnMut(D::Fetch<'w>, F::Fetch<'w>, u32) -> Result<(), E>,
    ) -> Result<(), E> {
        self.update::<D, F>(data, filter, hidden, storage);
        let mut step = self.first_step(storage);
        loop {
            // SAFETY: the contract is passed on: the chunk is one of an archetype that the query admits.
            let fetch = || unsafe { Fetched::<D, F>::new(data, filter, ChunkView::new(storage, step.chunk(), stamps)) };
            if let Some(fetched) = (step.rows() > 0).then(fetch).flatten() {
                each(fetched.data, fetched.filter, step.rows())?;
            }
            if step.archetype() as usize >= self.matched().len() {
                return Ok(());
            }
            step = self.step(storage, step.archetype(), step.next_chunk());
        }
    }

    /// The first chunk. It takes few instructions where an archetype has one: most queries of small systems end with it.
    ///
    /// This and the next are one piece of code for the queries of all types: a tick of many small systems then needs few lines
    /// of the cache for it.
    #[inline(never)]
    fn first_step(&self, storage: &Storage) -> Step {
        let Some(archetype) = self.first(storage) else { return no_step() };
        if archetype.len() > storage.shape().chunk_rows() {
            return self.step(storage, 0, 0);
        }
        Step::new(archetype.chunk(0), archetype.len(), 1, 0)
    }

    /// The chunk at a place: `archetype` among the matched ones, and `chunk` among those of it.
    #[inline(never)]
    fn step(&self, storage: &Storage, archetype: u32, chunk: u32) -> Step {
        let matched = storage.archetypes().get(self.matched()[archetype as usize]);
        let chunk_rows = storage.shape().chunk_rows();
        let left = matched.len() - chunk * chunk_rows;
        let (archetype, next_chunk) = if left > chunk_rows { (archetype, chunk + 1) } else { (archetype + 1, 0) };
        Step::new(matched.chunk(chunk as usize), left.min(chunk_rows), archetype, next_chunk)
    }
}

#[cold]
const fn no_step() -> Step {
    Step::NONE
}

/// A chunk of a query, and where the next one is: two words, which are handed over in registers.
#[derive(Clone, Copy)]
struct Step {
    /// The chunk, and its rows in the upper half: none in an archetype without entities.
    here: u64,
    /// The place of the next chunk's archetype among the matched ones, and of the chunk in it in the upper half.
    next: u64,
}

impl Step {
    /// There is none, and none behind it.
    const NONE: Self = Self::new(ChunkId(u32::MAX), 0, u32::MAX, 0);

    const fn new(chunk: ChunkId, rows: u32, archetype: u32, next_chunk: u32) -> Self {
        Self { here: (rows as u64) << 32 | chunk.0 as u64, next: (next_chunk as u64) << 32 | archetype as u64 }
    }

    const fn chunk(self) -> ChunkId {
        ChunkId(self.here as u32)
    }

    const fn rows(self) -> u32 {
        (self.here >> 32) as u32
    }

    const fn archetype(self) -> u32 {
        self.next as u32
    }

    const fn next_chunk(self) -> u32 {
        (self.next >> 32) as u32
    }
}

/// What was fetched of one chunk.
pub(crate) struct Fetched<'w, D: QueryData, F: QueryFilter> {
    data: D::Fetch<'w>,
    filter: F::Fetch<'w>,
}

impl<'w, D: QueryData, F: QueryFilter> Fetched<'w, D, F> {
    /// `None` if no row of the chunk can pass the filter: it is not entered then, so that nothing in it is marked.
    ///
    /// # Safety
    ///
    /// The caller holds the access of terms and filter to the chunk, which the query admits.
    #[inline(always)]
    pub(super) unsafe fn new(data: D::State, filter: F::State, view: ChunkView<'w>) -> Option<Self> {
        // SAFETY: the contract is passed on; an admitted chunk has every column that the terms need.
        unsafe {
            let filter = F::fetch(filter, view);
            F::chunk(filter).then(|| Self { data: D::fetch(data, view), filter })
        }
    }

    /// The item of a row, if it passes the filter.
    ///
    /// # Safety
    ///
    /// The row is in use, and no other item of it lives if the terms write.
    #[inline(always)]
    pub(crate) unsafe fn row(&self, row: u32) -> Option<D::Item<'w>> {
        // SAFETY: the contract is passed on.
        unsafe { (F::ARCHETYPAL || F::row(self.filter, row)).then(|| D::item(self.data, row)) }
    }

    pub(crate) const fn filter(&self) -> F::Fetch<'w> {
        self.filter
    }

    pub(crate) const fn data(&self) -> D::Fetch<'w> {
        self.data
    }
}

/// Rows in query order.
pub struct QueryIter<'w, D: QueryData, F: QueryFilter> {
    chunks: Chunks<'w, D, F>,
    fetched: Option<Fetched<'w, D, F>>,
    row: u32,
    rows: u32,
    marker: PhantomData<D::Item<'w>>,
}

impl<'w, D: QueryData, F: QueryFilter> QueryIter<'w, D, F> {
    /// # Safety
    ///
    /// The caller holds the access of terms and filter while `'w` lasts, and no two iterators with terms that write live.
    pub(super) unsafe fn new(chunks: Chunks<'w, D, F>) -> Self {
        Self { chunks, fetched: None, row: 0, rows: 0, marker: PhantomData }
    }

    /// Enters the next chunk that has rows and passes the filter.
    fn advance(&mut self) -> Option<()> {
        loop {
            let (view, rows) = self.chunks.next()?;
            let wanted = self.chunks.wanted();
            // SAFETY: the access is ours by the contract of `new`, and the chunk is one that the query admits.
            if let Some(fetched) = unsafe { Fetched::new(wanted.data, wanted.filter, view) } {
                self.fetched = Some(fetched);
                (self.row, self.rows) = (0, rows);
                return Some(());
            }
        }
    }
}

impl<'w, D: QueryData, F: QueryFilter> Iterator for QueryIter<'w, D, F> {
    type Item = D::Item<'w>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while self.row == self.rows {
                self.advance()?;
            }
            let row = self.row;
            self.row += 1;
            // SAFETY: the row is one of the rows in use of the chunk, and is fetched once.
            let item = self.fetched.as_ref().and_then(|fetched| unsafe { fetched.row(row) });
            if item.is_some() {
                return item;
            }
        }
    }

    fn fold<B, G: FnMut(B, Self::Item) -> B>(mut self, init: B, mut fold: G) -> B {
        let mut folded = init;
        loop {
            if let Some(fetched) = &self.fetched {
                for row in self.row..self.rows {
                    // SAFETY: the rows are in use, and each is fetched once.
                    if let Some(item) = unsafe { fetched.row(row) } {
                        folded = fold(folded, item);
                    }
                }
            }
            if self.advance().is_none() {
                return folded;
            }
        }
    }
}

impl<D: QueryData, F: QueryFilter> core::fmt::Debug for QueryIter<'_, D, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("QueryIter").field("row", &self.row).field("rows", &self.rows).finish_non_exhaustive()
    }
}
