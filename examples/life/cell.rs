//! A cell of the plane.

use tickweave::prelude::Component;

/// Where a cell is: `x` grows to the right, `y` grows downwards.
///
/// The plane is unbounded for every practical pattern: 2^32 cells in each direction, and its edges meet, so a glider that
/// leaves at `i32::MAX` comes back at `i32::MIN`.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Cell {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Cell {
    /// The cell `dx` to the right and `dy` below, across the edges of the plane if need be.
    pub(crate) fn offset(self, dx: i32, dy: i32) -> Self {
        Self { x: self.x.wrapping_add(dx), y: self.y.wrapping_add(dy) }
    }

    /// The key of the one order in which lists of cells are sorted: row by row, each from left to right.
    pub(crate) fn reading_order(&self) -> (i32, i32) {
        (self.y, self.x)
    }
}
