use std::collections::BTreeSet;

use proptest::prelude::*;

use super::Plane;
use crate::cell::Cell;
use crate::soup::Soup;

/// The obvious model: a sorted set of (y, x).
type Model = BTreeSet<(i32, i32)>;

const AROUND: [(i32, i32); 8] = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

fn neighbours(cell: Cell) -> [Cell; 8] {
    AROUND.map(|(dx, dy)| cell.offset(dx, dy))
}

fn model_of(cells: &[Cell]) -> Model {
    cells.iter().map(Cell::reading_order).collect()
}

fn plane_of(cells: &[Cell]) -> Plane {
    let mut plane = Plane::new();
    plane.rebuild(cells.iter().copied());
    plane
}

fn lives(model: &Model, cell: Cell) -> bool {
    model.contains(&cell.reading_order())
}

fn count(model: &Model, cell: Cell) -> u32 {
    neighbours(cell).into_iter().filter(|&neighbour| lives(model, neighbour)).count() as u32
}

/// Cells to be born, each once.
fn births(model: &Model, cells: &[Cell]) -> Model {
    let is_born = |cell: &Cell| !lives(model, *cell) && count(model, *cell) == 3;
    cells.iter().flat_map(|&cell| neighbours(cell)).filter(is_born).map(|cell| cell.reading_order()).collect()
}

/// Checks everything that the plane says about the cells and whatever is next to them.
fn assert_agrees(plane: &Plane, cells: &[Cell]) {
    let model = model_of(cells);
    for cell in cells.iter().flat_map(|&cell| neighbours(cell)).chain(cells.iter().copied()) {
        assert_eq!(plane.window(cell).lives(), lives(&model, cell), "{cell:?}");
        assert_eq!(plane.count(cell), count(&model, cell), "{cell:?}");
    }
    let unique: Vec<Cell> = model.iter().map(|&(y, x)| Cell { x, y }).collect();
    let mut born: Vec<_> =
        unique.iter().flat_map(|&cell| plane.births_of(cell)).map(|cell| cell.reading_order()).collect();
    born.sort_unstable();
    assert_eq!(born, Vec::from_iter(births(&model, &unique)), "each birth is found exactly once");
}

/// Corners where tiles, regions, signs or the edges of the plane meet.
fn corner() -> impl Strategy<Value = Cell> {
    let line = || prop::sample::select(vec![0, 32, 64, -64, 1024, -1024, 1 << 20, i32::MAX, i32::MIN]);
    (line(), line()).prop_map(|(x, y)| Cell { x, y })
}

fn crowd() -> impl Strategy<Value = Vec<Cell>> {
    let group = (corner(), prop::collection::vec((-6..6, -6..6), 0..60));
    let groups = prop::collection::vec(group, 1..4);
    groups.prop_map(|groups| {
        groups
            .into_iter()
            .flat_map(|(corner, steps)| steps.into_iter().map(move |(dx, dy)| corner.offset(dx, dy)))
            .collect()
    })
}

proptest! {
    #[test]
    fn plane_agrees_with_a_sorted_set(cells in crowd()) {
        assert_agrees(&plane_of(&cells), &cells);
    }

    #[test]
    fn rebuilt_plane_remembers_nothing(before in crowd(), cells in crowd()) {
        let mut plane = plane_of(&before);
        plane.rebuild(cells.iter().copied());
        assert_agrees(&plane, &cells);
        assert_agrees(&plane_of(&[]), &[]);
    }

    #[test]
    fn order_of_the_cells_changes_no_answer(mut cells in crowd()) {
        let plane = plane_of(&cells);
        cells.reverse();
        let other = plane_of(&cells);
        for &cell in &cells {
            prop_assert_eq!(plane.count(cell), other.count(cell));
            prop_assert!(plane.births_of(cell).eq(other.births_of(cell)));
        }
    }
}

/// All 512 ways to fill a square of three by three, on the crossing of four tiles.
#[test]
fn every_square_of_nine_cells_agrees() {
    for pattern in 0..512 {
        let live = (0..9).filter(|bit| pattern >> bit & 1 == 1);
        let cells: Vec<Cell> = live.map(|bit| Cell { x: 63 + bit % 3, y: -1 + bit / 3 }).collect();
        assert_agrees(&plane_of(&cells), &cells);
    }
}

#[test]
fn soup_over_many_tiles_agrees() {
    let cells = Soup { width: 200, height: 150, seed: 5 }.cells();
    assert_agrees(&plane_of(&cells), &cells);
}

#[test]
fn dead_cell_is_nobodys_parent() {
    let plane = plane_of(&[Cell { x: 0, y: 0 }, Cell { x: 2, y: 0 }, Cell { x: 1, y: 2 }]);
    assert_eq!(plane.count(Cell { x: 1, y: 1 }), 3);
    assert_eq!(plane.births_of(Cell { x: 1, y: 1 }).count(), 0);
}

#[test]
fn births_come_in_reading_order() {
    let cells = [-1, 0, 1].map(|y| Cell { x: 0, y });
    let plane = plane_of(&cells);
    assert_eq!(Vec::from_iter(plane.births_of(cells[0])), [Cell { x: -1, y: 0 }, Cell { x: 1, y: 0 }]);
}

#[test]
fn edges_of_the_plane_meet() {
    let corners = [(i32::MAX, i32::MAX), (i32::MIN, i32::MAX), (i32::MAX, i32::MIN)];
    let plane = plane_of(&corners.map(|(x, y)| Cell { x, y }));
    assert_eq!(plane.count(Cell { x: i32::MIN, y: i32::MIN }), 3);
}

#[test]
fn steady_rebuilds_allocate_nothing_and_keep_no_region_that_is_empty() {
    let here = Soup { width: 300, height: 300, seed: 9 }.cells();
    let there: Vec<Cell> = here.iter().map(|cell| cell.offset(1 << 20, 0)).collect();
    let mut plane = plane_of(&here);
    plane.rebuild(there.iter().copied());
    plane.rebuild(here.iter().copied());
    let (capacity, regions) = (plane.rows.capacity(), plane.directory.regions());
    for cells in [&there, &here, &there, &here] {
        plane.rebuild(cells.iter().copied());
        assert_eq!((plane.rows.capacity(), plane.directory.regions()), (capacity, regions));
    }
    plane.rebuild([]);
    plane.rebuild([]);
    assert_eq!((plane.directory.regions(), plane.rows.len()), (0, super::ROWS));
}
