//! The five by five cells around a cell, as bits of one word, and what the rule says about them.

use crate::cell::Cell;

/// Cells on each side of the middle.
pub(super) const REACH: i32 = 2;
/// Cells in a row of the window.
pub(super) const WIDTH: u32 = 5;
/// Bits from one row of the window to the next: room enough that a shift by a neighbour's offset never mixes two rows.
const STRIDE: u32 = 8;
const MIDDLE: u32 = 2 * STRIDE + 2;
/// From a place to its eight neighbours, in reading order.
const NEIGHBOURS: [i32; 8] = [-9, -8, -7, -1, 1, 7, 8, 9];
const RING: u64 = 0b111 << (MIDDLE - 9) | 0b101 << (MIDDLE - 1) | 0b111 << (MIDDLE + 7);

/// A cell and all cells within two steps of it: enough to tell its own fate and that of each neighbour.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    cells: u64,
    top_left: Cell,
}

impl Window {
    /// The window around `middle`, from its five rows; bit 0 of a row is its leftmost cell.
    #[inline]
    pub(super) fn new(middle: Cell, row: impl Fn(u32) -> u64) -> Self {
        let mask = (1 << WIDTH) - 1;
        let cells = (0..WIDTH).fold(0, |cells, index| cells | (row(index) & mask) << (index * STRIDE));
        Self { cells, top_left: middle.offset(-REACH, -REACH) }
    }

    /// Whether the cell in the middle lives.
    #[inline]
    pub(crate) fn lives(self) -> bool {
        self.cells >> MIDDLE & 1 == 1
    }

    /// How many of the eight neighbours of the middle live.
    #[inline]
    pub(crate) fn neighbours(self) -> u32 {
        (self.cells & RING).count_ones()
    }

    /// The births for which the middle is responsible.
    ///
    /// A dead cell with three live neighbours is born. Each of the three sees it; the first of them in reading order is
    /// its parent, so asking every live cell finds every birth once. A dead cell is nobody's parent.
    #[inline]
    pub(crate) fn births(self) -> Births {
        let places = if self.lives() { self.places_with_three_neighbours() & !self.cells } else { 0 };
        Births { places, top_left: self.top_left }
    }

    /// Places with exactly three live neighbours of which the middle is the first.
    ///
    /// All places are counted at once: bit p of `neighbour` says whether one certain neighbour of place p lives, and
    /// `ones`, `twos` and `fours` are the digits of a counter for each place (`fours` stays set once it is).
    #[inline]
    fn places_with_three_neighbours(self) -> u64 {
        let (mut ones, mut twos, mut fours) = (0, 0, 0);
        let (mut met, mut middle_is_first) = (0, 0);
        for offset in NEIGHBOURS {
            let neighbour = look(self.cells, offset);
            middle_is_first |= look(1 << MIDDLE, offset) & !met;
            met |= neighbour;
            let carry = ones & neighbour;
            ones ^= neighbour;
            fours |= twos & carry;
            twos ^= carry;
        }
        ones & twos & !fours & middle_is_first
    }
}

/// The word whose bit p is bit p + `offset` of `cells`.
#[inline]
fn look(cells: u64, offset: i32) -> u64 {
    if offset < 0 { cells << -offset } else { cells >> offset }
}

/// Cells to be born, in reading order seen from their parent; see [`Window::births`].
#[derive(Clone, Debug)]
pub(crate) struct Births {
    places: u64,
    top_left: Cell,
}

impl Iterator for Births {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.places == 0 {
            return None;
        }
        let place = self.places.trailing_zeros();
        self.places &= self.places - 1;
        Some(self.top_left.offset((place % STRIDE) as i32, (place / STRIDE) as i32))
    }
}
