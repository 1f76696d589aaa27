//! Collects the cells of a pattern within stated limits.

use super::error::Fault;
use super::{MAX_CELLS, MAX_TILES};
use crate::cell::Cell;
use crate::plane::TILE_SIDE;

/// Cells read so far; a cell may be given more than once.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    cells: Vec<Cell>,
}

impl Canvas {
    /// Lets `length` cells live, from (`x`, `y`) to the right. Refuses before it takes memory.
    pub(super) fn draw_run(&mut self, x: i64, y: i64, length: u32) -> Result<(), Fault> {
        if length as usize > MAX_CELLS - self.cells.len() {
            return Err(Fault::TooManyCells);
        }
        let on_plane = |coordinate| i32::try_from(coordinate).map_err(|_| Fault::OffPlane);
        let (first, last, y) = (on_plane(x)?, on_plane(x + i64::from(length) - 1)?, on_plane(y)?);
        self.cells.extend((first..=last).map(|x| Cell { x, y }));
        Ok(())
    }

    /// The cells in reading order, each once.
    pub(super) fn finish(mut self) -> Result<Vec<Cell>, Fault> {
        let tiles = tiles_touched(&self.cells);
        if tiles > MAX_TILES {
            return Err(Fault::TooScattered(tiles));
        }
        self.cells.sort_unstable_by_key(Cell::reading_order);
        self.cells.dedup();
        Ok(self.cells)
    }
}

fn tiles_touched(cells: &[Cell]) -> usize {
    let side = TILE_SIDE as i32;
    let mut tiles: Vec<_> = cells.iter().map(|cell| (cell.y.div_euclid(side), cell.x.div_euclid(side))).collect();
    tiles.sort_unstable();
    tiles.dedup();
    tiles.len()
}
