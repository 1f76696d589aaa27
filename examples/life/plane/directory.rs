//! Finds the tile of a cell: a sorted table of regions, each a square of slots.

use tickweave::prelude::StateValue;

use crate::cell::Cell;

/// The number of the tile that has no live cell and that every empty slot names.
pub(super) const EMPTY_TILE: u32 = 0;

/// A region is 1024 by 1024 cells, thus 16 by 16 tiles.
const REGION_SHIFT: u32 = 10;
const TILE_SHIFT: u32 = 6;
const TILES_ACROSS: u32 = 1 << (REGION_SHIFT - TILE_SHIFT);
const SLOTS_PER_REGION: usize = (TILES_ACROSS * TILES_ACROSS) as usize;

/// Which tile covers a cell.
///
/// A handful of regions holds most patterns, so the search in the sorted table takes a few steps, and the rest is
/// arithmetic. The order of the table is that of the coordinates; nothing is hashed.
#[derive(Clone, Debug, Default, StateValue)]
pub(super) struct Directory {
    /// Sorted keys of the regions that are known.
    regions: Vec<u64>,
    /// For each region, which square of `slots` is its own.
    squares: Vec<u32>,
    /// Tile numbers, `SLOTS_PER_REGION` for each square.
    slots: Vec<u32>,
}

impl Directory {
    /// The tile that covers the cell, or [`EMPTY_TILE`].
    #[inline]
    pub(super) fn tile(&self, cell: Cell) -> u32 {
        match self.regions.binary_search(&region_key(cell)) {
            Ok(region) => self.slots[self.slot(region, cell)],
            Err(_) => EMPTY_TILE,
        }
    }

    /// The place where the number of the cell's tile is kept, made if there is none.
    #[inline]
    pub(super) fn tile_mut(&mut self, cell: Cell) -> &mut u32 {
        let key = region_key(cell);
        let region = match self.regions.binary_search(&key) {
            Ok(region) => region,
            Err(region) => self.add_region(region, key),
        };
        let slot = self.slot(region, cell);
        &mut self.slots[slot]
    }

    /// Empties every slot, keeps the memory, and forgets the regions that had no tile.
    ///
    /// Regions in use stay known, so a plane that is rebuilt every generation rarely inserts into the sorted table.
    pub(super) fn clear(&mut self) {
        let mut kept = 0;
        for region in 0..self.regions.len() {
            if self.square(region).iter().any(|&tile| tile != EMPTY_TILE) {
                self.regions[kept] = self.regions[region];
                kept += 1;
            }
        }
        self.regions.truncate(kept);
        self.squares.clear();
        self.squares.extend(0..kept as u32);
        self.slots.truncate(kept * SLOTS_PER_REGION);
        self.slots.fill(EMPTY_TILE);
    }

    /// How many regions are known.
    #[cfg(test)]
    pub(super) fn regions(&self) -> usize {
        self.regions.len()
    }

    fn add_region(&mut self, region: usize, key: u64) -> usize {
        let square = self.squares.len() as u32;
        self.regions.insert(region, key);
        self.squares.insert(region, square);
        self.slots.resize(self.slots.len() + SLOTS_PER_REGION, EMPTY_TILE);
        region
    }

    fn square(&self, region: usize) -> &[u32] {
        let start = self.squares[region] as usize * SLOTS_PER_REGION;
        &self.slots[start..start + SLOTS_PER_REGION]
    }

    #[inline]
    fn slot(&self, region: usize, cell: Cell) -> usize {
        self.squares[region] as usize * SLOTS_PER_REGION + slot_in_region(cell)
    }
}

/// Regions in reading order: the row above the column, both lifted to be non-negative.
#[inline]
fn region_key(cell: Cell) -> u64 {
    let lift = |coordinate: i32| u64::from((coordinate as u32 ^ 1 << 31) >> REGION_SHIFT);
    lift(cell.y) << 32 | lift(cell.x)
}

#[inline]
fn slot_in_region(cell: Cell) -> usize {
    let tile = |coordinate: i32| (coordinate as u32 >> TILE_SHIFT) % TILES_ACROSS;
    (tile(cell.y) * TILES_ACROSS + tile(cell.x)) as usize
}
