//! The game itself: cells that die, cells that are born.

#[cfg(test)]
mod tests;
#[cfg(test)]
mod truth;

use crate::cell::Cell;
use crate::plane::Plane;

/// A population and the plane on which it lives.
pub(crate) struct Life {
    cells: Vec<Cell>,
    plane: Plane,
}

impl Life {
    /// A game that starts with these cells, each given once.
    pub(crate) fn new(cells: Vec<Cell>) -> Self {
        let mut plane = Plane::new();
        plane.rebuild(cells.iter().copied());
        Self { cells, plane }
    }

    /// Goes on by one generation.
    pub(crate) fn step(&mut self) {
        let plane = &self.plane;
        let born: Vec<Cell> = self.cells.iter().flat_map(|&cell| plane.births_of(cell)).collect();
        self.cells.retain(|&cell| matches!(plane.count(cell), 2 | 3));
        self.cells.extend(born);
        self.plane.rebuild(self.cells.iter().copied());
    }

    /// How many cells live.
    pub(crate) fn population(&self) -> usize {
        self.cells.len()
    }

    /// A number that two games in the same state share: the same cells, in the same order.
    pub(crate) fn state_hash(&self) -> u64 {
        self.cells.iter().fold(0, |hash, cell| {
            let word = u64::from(cell.x as u32) << 32 | u64::from(cell.y as u32);
            (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
        })
    }
}
