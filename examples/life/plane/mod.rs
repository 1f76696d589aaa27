//! The plane: which cells live now, in bits, for systems that look around a cell.
//!
//! The entities are the truth; the plane is an index of them that is rebuilt every generation. It holds plain vectors and
//! is only read while cells are counted, so any number of threads may look at it at once. No hash container is involved.

mod directory;
#[cfg(test)]
mod tests;
mod window;

use tickweave::prelude::{Resource, StateValue};

use crate::cell::Cell;
use directory::{Directory, EMPTY_TILE};
use window::{Births, REACH, STRIDE, Window};

/// A tile is 64 rows of 64 cells, one bit each.
pub(crate) const TILE_SIDE: u32 = 64;
const ROWS: usize = TILE_SIDE as usize;

/// The set of live cells, as 64 by 64 tiles of bits where there are any.
#[derive(Clone, Debug, StateValue, Resource)]
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
        let square = self.square::<1>(cell);
        let middle = square >> (STRIDE + 1) & 1;
        square.count_ones() - middle as u32
    }

    /// The cells that are born in the next generation and of which this live cell is the parent; see [`Window::births`].
    #[inline]
    pub(crate) fn births_of(&self, cell: Cell) -> Births {
        self.window(cell).births()
    }

    /// The five by five cells around a cell.
    #[inline]
    pub(crate) fn window(&self, cell: Cell) -> Window {
        Window::new(cell, self.square::<REACH>(cell))
    }

    /// The cells within `REACH` steps of a cell, in rows of [`STRIDE`] bits, from the top left.
    #[inline]
    fn square<const REACH: u32>(&self, cell: Cell) -> u64 {
        let inner = REACH..TILE_SIDE - REACH;
        let (column, row) = (column(cell), row(cell));
        if !(inner.contains(&column) && inner.contains(&row)) {
            return self.square_across_tiles::<REACH>(cell);
        }
        let top = self.tile(cell) + (row - REACH) as usize;
        let rows = &self.rows[top..][..side(REACH) as usize];
        pack::<REACH>(|index| rows[index as usize] >> (column - REACH))
    }

    /// The same for a cell so near to the border of its tile that the square has a part in two or four tiles.
    fn square_across_tiles<const REACH: u32>(&self, cell: Cell) -> u64 {
        let reach = REACH as i32;
        let (first, last) = (cell.offset(-reach, -reach), cell.offset(reach, reach));
        let tiles = |y| [self.tile(Cell { x: first.x, y }), self.tile(Cell { x: last.x, y })];
        let (upper, lower) = (tiles(first.y), tiles(last.y));
        let shift = column(first);
        pack::<REACH>(|index| {
            let row = row(first) + index;
            let [left, right] = if row < TILE_SIDE { upper } else { lower };
            let row = (row % TILE_SIDE) as usize;
            self.rows[left + row] >> shift | self.rows[right + row] << 1 << (TILE_SIDE - 1 - shift)
        })
    }

    fn insert(&mut self, cell: Cell) {
        let tile = self.directory.tile_mut(cell);
        if *tile == EMPTY_TILE {
            *tile = (self.rows.len() / ROWS) as u32;
            self.rows.resize(self.rows.len() + ROWS, 0);
        }
        self.rows[*tile as usize * ROWS + row(cell) as usize] |= 1 << column(cell);
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
fn row(cell: Cell) -> u32 {
    cell.y as u32 % TILE_SIDE
}

/// Cells in a row of a square that reaches so far.
const fn side(reach: u32) -> u32 {
    2 * reach + 1
}

/// A square from its rows, of which the lowest bits count.
#[inline]
fn pack<const REACH: u32>(row: impl Fn(u32) -> u64) -> u64 {
    let mask = (1 << side(REACH)) - 1;
    (0..side(REACH)).fold(0, |square, index| square | (row(index) & mask) << (index * STRIDE))
}
