//! The plane: which cells live now, in bits, for systems that look around a cell.
//!
//! The entities are the truth; the plane is an index of them that is rebuilt every generation. It holds plain vectors and
//! is only read while cells are counted, so any number of threads may look at it at once. No hash container is involved.

mod directory;
#[cfg(test)]
mod tests;
mod window;

use crate::cell::Cell;
use directory::{Directory, EMPTY_TILE};
use window::{Births, REACH, WIDTH, Window};

/// A tile is 64 rows of 64 cells, one bit each.
pub(crate) const TILE_SIDE: u32 = 64;
const ROWS: usize = TILE_SIDE as usize;
/// Rows and columns of a tile whose window does not leave the tile.
const INNER: std::ops::Range<u32> = REACH as u32..TILE_SIDE - REACH as u32;

/// The set of live cells, as 64 by 64 tiles of bits where there are any.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    directory: Directory,
    /// The rows of all tiles. Tile 0 stays empty: it stands for all tiles that are not there.
    rows: Vec<u64>,
}

impl Plane {
    /// A plane without a live cell.
    pub(crate) fn new() -> Self {
        Self { directory: Directory::default(), rows: vec![0; ROWS] }
    }

    /// Forgets what lived and lets `cells` live instead.
    ///
    /// Memory is kept and reused, so a steady population allocates nothing.
    pub(crate) fn rebuild(&mut self, cells: impl IntoIterator<Item = Cell>) {
        self.directory.clear();
        self.rows.truncate(ROWS);
        for cell in cells {
            self.insert(cell);
        }
    }

    /// How many of the cell's eight neighbours live.
    #[inline]
    pub(crate) fn count(&self, cell: Cell) -> u32 {
        self.window(cell).neighbours()
    }

    /// The cells that are born in the next generation and of which this live cell is the parent; see [`Window::births`].
    #[inline]
    pub(crate) fn births_of(&self, cell: Cell) -> Births {
        self.window(cell).births()
    }

    /// The five by five cells around a cell.
    #[inline]
    pub(crate) fn window(&self, cell: Cell) -> Window {
        let (column, row) = (column(cell), row(cell));
        if !(INNER.contains(&column) && INNER.contains(&(row as u32))) {
            return self.window_across_tiles(cell);
        }
        let top = self.tile(cell) + row - REACH as usize;
        let rows = &self.rows[top..top + WIDTH as usize];
        Window::new(cell, |index| rows[index as usize] >> (column - REACH as u32))
    }

    /// The same for a cell so near to the border of its tile that the window has a part in two or four tiles.
    fn window_across_tiles(&self, cell: Cell) -> Window {
        let first = cell.offset(-REACH, -REACH);
        let last = cell.offset(REACH, REACH);
        let tiles = |y| [self.tile(Cell { x: first.x, y }), self.tile(Cell { x: last.x, y })];
        let (upper, lower) = (tiles(first.y), tiles(last.y));
        let shift = column(first);
        Window::new(cell, |index| {
            let at = row(first) + index as usize;
            let [left, right] = if at < ROWS { upper } else { lower };
            self.rows[left + at % ROWS] >> shift | self.rows[right + at % ROWS] << 1 << (TILE_SIDE - 1 - shift)
        })
    }

    fn insert(&mut self, cell: Cell) {
        let tile = self.directory.tile_mut(cell);
        if *tile == EMPTY_TILE {
            *tile = (self.rows.len() / ROWS) as u32;
            self.rows.resize(self.rows.len() + ROWS, 0);
        }
        self.rows[*tile as usize * ROWS + row(cell)] |= 1 << column(cell);
    }

    /// Where the rows of the cell's tile begin.
    #[inline]
    fn tile(&self, cell: Cell) -> usize {
        self.directory.tile(cell) as usize * ROWS
    }
}

#[inline]
fn column(cell: Cell) -> u32 {
    cell.x as u32 % TILE_SIDE
}

#[inline]
fn row(cell: Cell) -> usize {
    (cell.y as u32 % TILE_SIDE) as usize
}
