use std::path::Path;

use super::Life;
use crate::cell::Cell;
use crate::pattern;
use crate::soup::Soup;

fn life(name: &str) -> Life {
    Life::new(pattern::load(Path::new(name)).unwrap())
}

fn after(mut life: Life, generations: usize) -> Life {
    (0..generations).for_each(|_| life.step().unwrap());
    life
}

fn from_rle(runs: &str) -> Life {
    Life::new(pattern::parse(format!("x = 0, y = 0\n{runs}").as_bytes()).unwrap())
}

/// The live cells as a sorted list of (y, x).
fn live_cells(life: &Life) -> Vec<(i32, i32)> {
    let mut cells: Vec<_> = life.world.query::<&Cell, ()>().into_iter().map(Cell::reading_order).collect();
    cells.sort_unstable();
    cells
}

#[test]
fn blinker_turns_and_comes_back() {
    let blinker = from_rle("3o!");
    let start = live_cells(&blinker);
    let turned = after(blinker, 1);
    assert_eq!(live_cells(&turned), [(-1, 1), (0, 1), (1, 1)]);
    assert_eq!(live_cells(&after(turned, 1)), start);
}

#[test]
fn block_stands_still() {
    let block = from_rle("2o$2o!");
    assert_eq!(live_cells(&after(from_rle("2o$2o!"), 10)), live_cells(&block));
}

#[test]
fn glider_moves_by_one_cell_in_four_generations() {
    let start = live_cells(&from_rle("bo$2bo$3o!"));
    let moved: Vec<_> = start.iter().map(|(y, x)| (y + 25, x + 25)).collect();
    assert_eq!(live_cells(&after(from_rle("bo$2bo$3o!"), 100)), moved);
}

#[test]
fn glider_flies_over_the_edge_of_the_plane() {
    let glider = pattern::parse(b"#Life 1.05\n#P 2147483640 2147483640\n.*\n..*\n***").unwrap();
    let mut wrapped: Vec<_> = glider.iter().map(|cell| cell.offset(25, 25).reading_order()).collect();
    wrapped.sort_unstable();
    assert_eq!(live_cells(&after(Life::new(glider), 100)), wrapped);
}

#[test]
fn r_pentomino_settles_at_generation_1103_with_116_cells() {
    let almost = after(life("r-pentomino"), 1102);
    assert_eq!(almost.population(), 118);
    assert_eq!(after(almost, 1).population(), 116);
}

#[test]
fn die_hard_is_gone_at_generation_130() {
    let almost = after(life("die-hard"), 129);
    assert_eq!(almost.population(), 2);
    let gone = after(almost, 1);
    assert_eq!(gone.population(), 0);
    assert_eq!(after(gone, 3).population(), 0);
}

#[test]
fn acorn_settles_at_generation_5206_with_633_cells() {
    assert_eq!(after(life("acorn"), 5206).population(), 633);
}

#[test]
fn gun_shoots_a_glider_every_30_generations() {
    assert_eq!(after(life("gun"), 300).population(), 36 + 10 * 5);
}

#[test]
fn same_start_gives_the_same_state_and_another_does_not() {
    let soup = |seed| Life::new(Soup { width: 64, height: 64, seed }.cells());
    assert_eq!(after(soup(1), 20).state_hash(), after(soup(1), 20).state_hash());
    assert_ne!(after(soup(1), 20).state_hash(), after(soup(2), 20).state_hash());
    assert_ne!(after(soup(1), 20).state_hash(), after(soup(1), 21).state_hash());
}
