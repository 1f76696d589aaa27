use super::error::LoadError;
use super::facts::Facts;
use super::reader::{Reader, Run};
use super::{CHECKSUM, Contents, FORMAT_VERSION, HEADER, MAGIC, checksum};
use crate::component::ComponentKind;
use crate::entity::{Entity, MAX_GENERATION};
use crate::storage::{ChunkShape, Removal, SlotState, stamp};

/// Changes of a registry, with room for those to come.
const MAX_EPOCH: u64 = u64::MAX / 2;

/// What decides how rows are cut, and how long removals live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Settings {
    pub(super) chunk_rows: u32,
    pub(super) batch_rows: u32,
    pub(super) removal_ticks: u32,
}

/// The first part of a save: what must fit the world before the rest means anything.
pub(super) struct Head<'a> {
    pub(super) contents: Contents,
    pub(super) settings: Settings,
    pub(super) components: Vec<Facts<'a>>,
    shape: ChunkShape,
    reader: Reader<'a>,
}

impl<'a> Head<'a> {
    /// Looks at mark, version, length and checksum, in this order, and reads the settings and the component types.
    pub(super) fn read(bytes: &'a [u8]) -> Result<Self, LoadError> {
        let contents = open(bytes)?;
        let mut reader = Reader::new(&bytes[..bytes.len() - CHECKSUM], HEADER);
        let at = reader.at();
        let settings = Settings { chunk_rows: reader.u32()?, batch_rows: reader.u32()?, removal_ticks: reader.u32()? };
        let shape = ChunkShape::new(settings.chunk_rows, settings.batch_rows)
            .map_err(|_| LoadError::malformed(at, "rows of a chunk and a batch that are not possible"))?;
        let count = reader.count(Facts::LEAST)?;
        let components = (0..count).map(|_| Facts::read(&mut reader)).collect::<Result<_, _>>()?;
        Ok(Self { contents, settings, components, shape, reader })
    }
}

/// What the header says; everything behind it is as it was written.
fn open(bytes: &[u8]) -> Result<Contents, LoadError> {
    if bytes.get(..MAGIC.len()) != Some(MAGIC) {
        return Err(LoadError::NotASave);
    }
    let found = bytes.len() as u64;
    let mut reader = Reader::new(bytes, MAGIC.len());
    let (Ok(version), Ok(contents), Ok(saved)) = (reader.u32(), reader.u32(), reader.u64()) else {
        return Err(LoadError::Length { found, saved: (HEADER + CHECKSUM) as u64 });
    };
    if version != FORMAT_VERSION {
        return Err(LoadError::Version { found: version });
    }
    if found != saved || bytes.len() < HEADER + CHECKSUM {
        return Err(LoadError::Length { found, saved });
    }
    let (body, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if sum != checksum(body).to_le_bytes() {
        return Err(LoadError::Checksum);
    }
    match contents {
        0 => Ok(Contents::World),
        1 => Ok(Contents::Entities),
        _ => Err(LoadError::malformed(MAGIC.len() + 4, "contents of a kind that there is not")),
    }
}

/// An archetype with its rows.
#[derive(Debug)]
pub(super) struct SavedArchetype<'a> {
    pub(super) at: usize,
    /// Components, from 0, ascending.
    pub(super) components: Vec<u32>,
    pub(super) rows: u32,
    pub(super) entities: Run<'a>,
    /// When the handles of each chunk were written; nothing in a set of entities.
    pub(super) entity_stamps: Run<'a>,
    /// One for each component; none if there are no rows.
    pub(super) columns: Vec<SavedColumn<'a>>,
}

impl<'a> SavedArchetype<'a> {
    /// The handles of the rows, which were checked.
    pub(super) fn handles(&self) -> impl ExactSizeIterator<Item = Entity> + use<'a> {
        self.entities.words().map(|bits| Entity::from_bits(bits).expect("checked when the rows were read"))
    }
}

/// The values of a component in an archetype.
#[derive(Clone, Copy, Debug)]
pub(super) struct SavedColumn<'a> {
    pub(super) values: Run<'a>,
    /// When each chunk was written; nothing in a set of entities.
    pub(super) chunks: Run<'a>,
    /// When each row was added and last changed, if the component is tracked.
    pub(super) rows: Option<(Run<'a>, Run<'a>)>,
}

/// For each component who lost it, in order.
pub(super) type SavedRemovals = Vec<Vec<Removal>>;

/// All state of a world, in pieces; consistent in itself.
pub(super) struct SavedWorld<'a> {
    pub(super) tick: u64,
    pub(super) torn: bool,
    pub(super) epoch: u64,
    pub(super) slots: Vec<SlotState>,
    pub(super) free: Vec<u32>,
    pub(super) archetypes: Vec<SavedArchetype<'a>>,
    pub(super) removals: SavedRemovals,
    /// Keys and values of the sections that had one.
    pub(super) sections: Vec<(&'a str, Run<'a>)>,
}

impl<'a> Head<'a> {
    /// Reads all that follows, of a world.
    pub(super) fn world(mut self) -> Result<SavedWorld<'a>, LoadError> {
        let (tick, torn, epoch) = self.time()?;
        let limit = stamp::host(tick);
        let (slots, free) = (self.slots()?, self.free_list()?);
        let at = self.reader.at();
        check_free(&slots, &free).map_err(|what| LoadError::malformed(at, what))?;
        let archetypes = self.archetypes(Some(limit))?;
        if archetypes.first().is_none_or(|first| !first.components.is_empty()) {
            return Err(LoadError::malformed(at, "the first archetype is not the one without components"));
        }
        check_rows(&slots, &archetypes)?;
        let (removals, sections) = (self.removals(limit)?, self.sections()?);
        self.reader.end()?;
        Ok(SavedWorld { tick, torn, epoch, slots, free, archetypes, removals, sections })
    }

    /// Reads all that follows, of a set of entities.
    pub(super) fn entities(mut self) -> Result<Vec<SavedArchetype<'a>>, LoadError> {
        let archetypes = self.archetypes(None)?;
        self.reader.end()?;
        Ok(archetypes)
    }

    fn time(&mut self) -> Result<(u64, bool, u64), LoadError> {
        let (at, tick) = (self.reader.at(), self.reader.u64()?);
        if tick > stamp::MAX_TICK {
            return Err(LoadError::malformed(at, "a tick that no world reaches"));
        }
        let (torn, at, epoch) = (self.reader.flag()?, self.reader.at(), self.reader.u64()?);
        if epoch > MAX_EPOCH {
            return Err(LoadError::malformed(at, "an epoch that no registry reaches"));
        }
        Ok((tick, torn, epoch))
    }

    fn slots(&mut self) -> Result<Vec<SlotState>, LoadError> {
        let count = self.reader.count(5)?;
        (0..count).map(|_| self.slot()).collect()
    }

    fn slot(&mut self) -> Result<SlotState, LoadError> {
        let at = self.reader.at();
        let (kind, generation) = (self.reader.u8()?, self.reader.u32()?);
        let is_real = (1..=MAX_GENERATION).contains(&generation);
        match kind {
            0 if is_real => Ok(SlotState::Placed(generation)),
            1 if is_real => Ok(SlotState::Reserved(generation)),
            2 if is_real => Ok(SlotState::Free(generation)),
            3 if generation == 0 => Ok(SlotState::Retired),
            _ => Err(LoadError::malformed(at, "a slot that no world has")),
        }
    }

    fn free_list(&mut self) -> Result<Vec<u32>, LoadError> {
        let count = self.reader.count(4)?;
        (0..count).map(|_| self.reader.u32()).collect()
    }

    fn archetypes(&mut self, limit: Option<u64>) -> Result<Vec<SavedArchetype<'a>>, LoadError> {
        let count = self.reader.count(8)?;
        (0..count).map(|_| self.archetype(limit)).collect()
    }

    fn archetype(&mut self, limit: Option<u64>) -> Result<SavedArchetype<'a>, LoadError> {
        let at = self.reader.at();
        let count = self.reader.count(4)?;
        let components: Vec<u32> = (0..count).map(|_| self.reader.u32()).collect::<Result<_, _>>()?;
        if !components.is_sorted_by(|a, b| a < b) {
            return Err(LoadError::malformed(at, "components of an archetype that do not ascend"));
        }
        if components.last().is_some_and(|&last| last as usize >= self.components.len()) {
            return Err(LoadError::malformed(at, "an archetype of a component that there is not"));
        }
        let rows = self.reader.u32()?;
        let entities = self.handles(rows)?;
        let entity_stamps = self.stamps(limit.map(|limit| (limit, self.shape.chunks_for(rows))))?;
        let with_columns = if rows == 0 { &[][..] } else { &components };
        let columns = with_columns.iter().map(|&id| self.column(id as usize, rows, limit)).collect::<Result<_, _>>()?;
        Ok(SavedArchetype { at, components, rows, entities, entity_stamps, columns })
    }

    fn handles(&mut self, rows: u32) -> Result<Run<'a>, LoadError> {
        let run = Run { at: self.reader.at(), bytes: self.reader.pieces(rows as usize, 8)? };
        let is_real = |bits| Entity::from_bits(bits).is_some_and(|entity| !entity.is_pending());
        match run.words().position(|bits| !is_real(bits)) {
            Some(row) => Err(LoadError::malformed(run.at + 8 * row, "a row of no entity")),
            None => Ok(run),
        }
    }

    /// As many stamps, none of them later than the limit.
    fn stamps(&mut self, wanted: Option<(u64, u32)>) -> Result<Run<'a>, LoadError> {
        let (limit, count) = wanted.unwrap_or((0, 0));
        let run = Run { at: self.reader.at(), bytes: self.reader.pieces(count as usize, 8)? };
        match run.words().position(|stamp| stamp > limit) {
            Some(at) => Err(LoadError::malformed(run.at + 8 * at, "a change later than the tick of the save")),
            None => Ok(run),
        }
    }

    fn column(&mut self, component: usize, rows: u32, limit: Option<u64>) -> Result<SavedColumn<'a>, LoadError> {
        let at = self.reader.at();
        let Facts { size, kind, .. } = self.components[component];
        let facts = &self.components[component];
        let (is_tracked, is_encoded) = (facts.is_tracked(), facts.is_encoded());
        if !facts.is_registered() {
            return Err(LoadError::malformed(at, "rows of a component that is not registered"));
        }
        let chunks = self.stamps(limit.map(|limit| (limit, self.shape.chunks_for(rows))))?;
        let values = match kind {
            ComponentKind::Tag => Run { at: self.reader.at(), bytes: &[] },
            ComponentKind::Data => Run { at: self.reader.at(), bytes: self.reader.pieces(rows as usize, size)? },
            ComponentKind::Opaque if is_encoded => self.reader.measured()?,
            ComponentKind::Opaque => return Err(LoadError::malformed(at, "rows of a component that can't be saved")),
        };
        let each = limit.filter(|_| is_tracked).map(|limit| (limit, rows));
        let rows = match each {
            Some(_) => Some((self.stamps(each)?, self.stamps(each)?)),
            None => None,
        };
        Ok(SavedColumn { values, chunks, rows })
    }

    fn removals(&mut self, limit: u64) -> Result<SavedRemovals, LoadError> {
        (0..self.components.len()).map(|component| self.removals_of(component, limit)).collect()
    }

    fn removals_of(&mut self, component: usize, limit: u64) -> Result<Vec<Removal>, LoadError> {
        let at = self.reader.at();
        let count = self.reader.count(16)?;
        if count > 0 && !self.components[component].is_tracked() {
            return Err(LoadError::malformed(at, "removals of a component that is not tracked"));
        }
        let mut removals = Vec::with_capacity(count);
        for _ in 0..count {
            let (entity, stamp) = (self.handles(1)?, self.stamps(Some((limit, 1)))?);
            let entity = entity.words().next().and_then(Entity::from_bits).expect("one handle, checked");
            let stamp = stamp.words().next().expect("one stamp");
            removals.push(Removal { entity, stamp });
        }
        if !removals.is_sorted_by_key(|removal| removal.stamp) {
            return Err(LoadError::malformed(at, "removals that are not in order"));
        }
        Ok(removals)
    }

    fn sections(&mut self) -> Result<Vec<(&'a str, Run<'a>)>, LoadError> {
        let count = self.reader.count(12)?;
        (0..count).map(|_| Ok((self.reader.text()?, self.reader.measured()?))).collect()
    }
}

/// Whether the free list has each free slot once.
fn check_free(slots: &[SlotState], free: &[u32]) -> Result<(), &'static str> {
    let mut listed = vec![false; slots.len()];
    for &slot in free {
        let is_free = matches!(slots.get(slot as usize), Some(SlotState::Free(_)));
        if !is_free || core::mem::replace(&mut listed[slot as usize], true) {
            return Err("a free list with a slot that is not free, or that stands in it twice");
        }
    }
    let all = slots.iter().filter(|state| matches!(state, SlotState::Free(_))).count();
    if free.len() == all { Ok(()) } else { Err("a free list without some slot that is free") }
}

/// Whether each entity with a row has one row, and each row such an entity.
fn check_rows(slots: &[SlotState], archetypes: &[SavedArchetype<'_>]) -> Result<(), LoadError> {
    let mut placed: Vec<bool> = slots.iter().map(|state| matches!(state, SlotState::Placed(_))).collect();
    for archetype in archetypes {
        for entity in archetype.handles() {
            let slot = entity.slot() as usize;
            let is_its = slots.get(slot) == Some(&SlotState::Placed(entity.generation()));
            if !is_its || !core::mem::replace(&mut placed[slot], false) {
                return Err(LoadError::malformed(archetype.at, "a row of an entity that has none, or another one"));
            }
        }
    }
    match placed.iter().any(|&lacks| lacks) {
        true => Err(LoadError::malformed(HEADER, "an entity whose row is missing")),
        false => Ok(()),
    }
}
