//! A checked read by handle.

use crate::common::Position;

const SHIFT: u32 = 11;
const ROWS: usize = 1 << SHIFT;

/// A slot and its generation, as a handle of the library: 8 bytes.
#[derive(Clone, Copy)]
pub(crate) struct Handle {
    slot: u32,
    generation: u32,
}

/// Where a live entity is.
struct Slot {
    generation: u32,
    place: u32,
}

/// Handles whose values lie in one vector.
pub(crate) struct Flat {
    slots: Vec<Slot>,
    values: Vec<Position>,
}

impl Flat {
    pub(crate) fn new(values: Vec<Position>) -> Self {
        let slots = (0..values.len() as u32).map(|place| Slot { generation: 1, place }).collect();
        Self { slots, values }
    }

    pub(crate) fn get(&self, handle: Handle) -> Option<&Position> {
        let slot = self.slots.get(handle.slot as usize)?;
        if slot.generation == handle.generation { self.values.get(slot.place as usize) } else { None }
    }
}

/// Handles whose values lie in blocks of a column, which some chunks lack.
pub(crate) struct Chunked {
    slots: Vec<Slot>,
    blocks: Vec<Option<Box<[Position; ROWS]>>>,
}

impl Chunked {
    /// The values dealt out to so many archetypes in turn, each with chunks of its own.
    pub(crate) fn new(values: &[Position], archetypes: usize) -> Self {
        let chunks = values.len().div_ceil(archetypes).div_ceil(ROWS);
        let block = |_| vec![Position::default(); ROWS].into_boxed_slice().try_into().ok();
        let mut blocks: Vec<Option<Box<[Position; ROWS]>>> = (0..archetypes * chunks).map(block).collect();
        let mut slots = Vec::with_capacity(values.len());
        for (index, &value) in values.iter().enumerate() {
            let (archetype, row) = (index % archetypes, index / archetypes);
            let chunk = archetype * chunks + row / ROWS;
            blocks[chunk].as_mut().expect("every chunk has a block")[row % ROWS] = value;
            slots.push(Slot { generation: 1, place: ((chunk << SHIFT) | (row % ROWS)) as u32 });
        }
        Self { slots, blocks }
    }

    pub(crate) fn get(&self, handle: Handle) -> Option<&Position> {
        let slot = self.slots.get(handle.slot as usize)?;
        if slot.generation != handle.generation {
            return None;
        }
        let block = self.blocks.get((slot.place >> SHIFT) as usize)?.as_ref()?;
        Some(&block[slot.place as usize % ROWS])
    }
}

/// Live handles of both tables.
pub(crate) fn handles(order: &[usize]) -> Vec<Handle> {
    order.iter().map(|&slot| Handle { slot: slot as u32, generation: 1 }).collect()
}
