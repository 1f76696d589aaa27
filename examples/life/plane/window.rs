//! The five by five cells around a cell, as bits of one word, and what the rule says about them.

use crate::cell::Cell;

/// Cells on each side of the middle.
pub(super) const REACH: u32 = 2;
/// Bits from one row of a square of cells to the next: room enough that looking at a neighbour never mixes two rows.
pub(super) const STRIDE: u32 = 8;
const MIDDLE: u32 = REACH * (STRIDE + 1);
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
    /// The window around `middle`, from its rows of `STRIDE` bits; bit 0 is the cell at the top left.
    #[inline]
    pub(super) fn new(middle: Cell, cells: u64) -> Self {
        Self { cells, top_left: middle.offset(-(REACH as i32), -(REACH as i32)) }
    }

    /// Whether the cell in the middle lives.
    #[inline]
    pub(crate) fn lives(self) -> bool {
        self.cells >> MIDDLE & 1 == 1
    }

    /// The births for which the middle is responsible.
    ///
    /// A dead cell with three live neighbours is born. Each of the three sees it; the first of them in reading order is
    /// its parent, so asking every live cell finds every birth once. A dead cell is nobody's parent.
    #[inline]
    pub(crate) fn births(self) -> Births {
        let born = if self.lives() { three_neighbours(self.cells) & !self.cells & RING } else { 0 };
        let places = if born == 0 { 0 } else { born & self.middle_is_first() };
        Births { places, top_left: self.top_left }
    }

    /// Places next to the middle that have no live neighbour before it.
    #[inline]
    fn middle_is_first(self) -> u64 {
        let (mut met, mut first) = (0, 0);
        for offset in NEIGHBOURS {
            first |= look(1 << MIDDLE, offset) & !met;
            met |= look(self.cells, offset);
        }
        first
    }
}

/// Dead places with exactly three live neighbours, and live places with two: those that make three with themselves.
///
/// All places are counted at once, in binary: first each row of three, then the three rows. The sum of `low` and twice
/// `high` is that of a row; `ones` + 2 `twos` is the sum of the three `low`, 2 `more_twos` + 4 `fours` that of the `high`.
#[inline]
fn three_neighbours(cells: u64) -> u64 {
    let (low, high) = add(cells << 1, cells, cells >> 1);
    let (ones, twos) = add(low << STRIDE, low, low >> STRIDE);
    let (more_twos, fours) = add(high << STRIDE, high, high >> STRIDE);
    ones & (twos ^ more_twos) & !fours
}

/// The sum of three bits, place by place, as its low and high digits.
#[inline]
fn add(a: u64, b: u64, c: u64) -> (u64, u64) {
    (a ^ b ^ c, a & b | (a ^ b) & c)
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
