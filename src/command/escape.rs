#![expect(unsafe_code, reason = "looks for pending handles in rows whose type is erased")]

use crate::access::IdSet;
use crate::component::{ComponentId, MapRow};
use crate::entity::{Entity, EntityMapper};
use crate::storage::{ChunkId, Place, SectionId};
use crate::world::{World, WorldCell};

/// Where a system can have left a pending handle: what it writes and what has entities inside.
#[derive(Debug, Default)]
pub(crate) struct EscapeScan {
    columns: Vec<(ComponentId, Inside)>,
    sections: Vec<SectionId>,
}

/// How the entities inside of a value are found.
#[derive(Debug)]
enum Inside {
    /// At these offsets.
    Offsets(Vec<usize>),
    /// By the type's own hook.
    Hook(MapRow),
}

/// A pending handle outside of the commands of its lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Escaped {
    /// The component, resource or local that holds it.
    pub(crate) holder: String,
    /// The entity whose component holds it.
    pub(crate) owner: Option<Entity>,
}

impl EscapeScan {
    /// What to look at after a system that writes these components and sections.
    pub(crate) fn new(world: &World, writes: &IdSet, sections: Vec<SectionId>) -> Self {
        let inside = |id| Some((id, Inside::of(world, id)?));
        Self { columns: writes.iter().map(ComponentId::from_bit).filter_map(inside).collect(), sections }
    }

    /// What to look at after code that writes a section.
    pub(crate) fn of_section(section: SectionId) -> Self {
        Self { columns: Vec::new(), sections: vec![section] }
    }

    /// The same as [`find`](Self::find), in a world that is borrowed.
    pub(crate) fn find_in(&self, world: &mut World, stamp: u64) -> Option<Escaped> {
        // SAFETY: the world is borrowed mutably, so that nobody else uses it.
        unsafe { self.find(WorldCell::new(world), stamp) }
    }

    /// The first pending handle in what was written at `stamp`, in the order of ids, chunks and rows.
    ///
    /// # Safety
    ///
    /// The caller holds what the scan looks at alone, and no `&mut World` made of the cell lives.
    pub(crate) unsafe fn find(&self, world: WorldCell<'_>, stamp: u64) -> Option<Escaped> {
        let columns = self.columns.iter().find_map(|(id, inside)| {
            // SAFETY: the contract is passed on.
            let (owner, components) = unsafe { (find_in_column(world, *id, inside, stamp)?, world.components()) };
            let holder = components.info(*id).map_or("?", |info| info.name()).to_owned();
            Some(Escaped { holder, owner: Some(owner) })
        });
        // SAFETY: the contract is passed on.
        columns.or_else(|| self.sections.iter().find_map(|&section| unsafe { find_in_section(world, section) }))
    }
}

impl Inside {
    fn of(world: &World, id: ComponentId) -> Option<Self> {
        if let Some(hook) = world.storage().column(id).map_row() {
            return Some(Self::Hook(hook));
        }
        let mut offsets = Vec::new();
        world.components().info(id)?.schema()?.entity_offsets(0, &mut |offset| offsets.push(offset));
        (!offsets.is_empty()).then_some(Self::Offsets(offsets))
    }

    /// # Safety
    ///
    /// `row` is a valid value of the component that nobody else uses meanwhile.
    unsafe fn holds_pending(&self, row: *mut u8) -> bool {
        match self {
            Self::Offsets(offsets) => offsets.iter().any(|&offset| {
                // SAFETY: the schema says that an `Entity` or `Option<Entity>` lies there.
                unsafe { row.add(offset).cast::<Option<Entity>>().read() }.is_some_and(Entity::is_pending)
            }),
            Self::Hook(hook) => {
                let mut look = Look(false);
                // SAFETY: the value is valid and ours by this function's contract.
                unsafe { hook(row, &mut look) };
                look.0
            }
        }
    }
}

/// Leaves entities as they are and notes whether one was pending.
struct Look(bool);

impl EntityMapper for Look {
    fn map(&mut self, entity: Entity) -> Entity {
        self.0 |= entity.is_pending();
        entity
    }
}

/// # Safety
///
/// The caller holds the rows of the component that were written at this stamp alone, and no `&mut World` made of the cell
/// lives.
unsafe fn find_in_column(world: WorldCell<'_>, id: ComponentId, inside: &Inside, stamp: u64) -> Option<Entity> {
    // SAFETY: no `&mut World` lives, by this function's contract.
    let storage = unsafe { world.storage() };
    let (column, shape) = (storage.column(id), storage.shape());
    for (_, archetype) in storage.archetypes().iter().filter(|(_, archetype)| archetype.mask().contains(id.bit())) {
        for index in 0..archetype.used_chunks(shape) {
            let chunk: ChunkId = archetype.chunks()[index];
            let written = column.stamp(chunk) == stamp;
            for row in 0..if written { archetype.rows_in(index, shape) } else { 0 } {
                let place = Place { chunk, row };
                // SAFETY: the row is in use and nobody else's by this function's contract. A block that a snapshot holds too is
                // only read: values of plain components have no hook that could write, and blocks of others are never shared.
                if unsafe { inside.holds_pending(column.value(place).cast_mut()) } {
                    return Some(storage.entity_at(place));
                }
            }
        }
    }
    None
}

/// # Safety
///
/// The caller holds the section alone, and no `&mut World` made of the cell lives.
unsafe fn find_in_section(world: WorldCell<'_>, section: SectionId) -> Option<Escaped> {
    let mut look = Look(false);
    // SAFETY: the contract is passed on.
    let sections = unsafe { world.sections() };
    // SAFETY: the caller holds the section alone.
    unsafe { sections.map_entities(section, &mut look) };
    look.0.then(|| Escaped { holder: sections.name(section), owner: None })
}
