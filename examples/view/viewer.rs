//! The viewer: draws frames between two snapshots, on a thread of its own.

use tickweave::prelude::*;
use tickweave::state::Snapshot;

use crate::meadow::{HEIGHT, Place, WIDTH};
use crate::stage::Stage;

const COLUMNS: usize = 72;
const LINES: usize = 18;
/// Frames that are drawn on the way from one snapshot to the next.
const BETWEEN: i32 = 4;

/// A picture in letters: the more fireflies, the brighter.
#[derive(Debug, Default)]
pub(crate) struct Frame {
    counts: Vec<u32>,
}

/// What was drawn.
#[derive(Debug, Default)]
pub(crate) struct Show {
    pub(crate) frames: u32,
    pub(crate) last: Frame,
}

/// Draws until the stage has nothing more to show.
pub(crate) fn watch(stage: &Stage) -> Show {
    let mut show = Show::default();
    let Some(mut before) = stage.next() else { return show };
    show.draw(&before, &before, BETWEEN);
    while let Some(after) = stage.next() {
        (1..=BETWEEN).for_each(|step| show.draw(&before, &after, step));
        stage.give_back(core::mem::replace(&mut before, after));
    }
    show
}

impl Show {
    fn draw(&mut self, before: &Snapshot, after: &Snapshot, step: i32) {
        self.last.draw(before, after, step);
        self.frames += 1;
    }
}

impl Frame {
    /// Draws the fireflies of `after` where they are on the way from `before`: by entity, so that rows may have moved. Who was not
    /// there before is drawn where it came up.
    fn draw(&mut self, before: &Snapshot, after: &Snapshot, step: i32) {
        self.counts.clear();
        self.counts.resize(COLUMNS * LINES, 0);
        let places = before.world().query::<&Place, ()>();
        for (firefly, place) in &after.world().query::<(Entity, &Place), ()>() {
            let from = places.get(firefly).unwrap_or(place);
            self.plot(between(*from, *place, step));
        }
    }

    fn plot(&mut self, place: Place) {
        let cell = |at: i32, side: i32, cells: usize| (at * cells as i32 / side) as usize;
        self.counts[cell(place.y, HEIGHT, LINES) * COLUMNS + cell(place.x, WIDTH, COLUMNS)] += 1;
    }

    /// How many fireflies are on the picture.
    pub(crate) fn fireflies(&self) -> u32 {
        self.counts.iter().sum()
    }
}

fn between(from: Place, to: Place, step: i32) -> Place {
    let along = |from: i32, to: i32| from + (to - from) * step / BETWEEN;
    Place { x: along(from.x, to.x), y: along(from.y, to.y) }
}

impl core::fmt::Display for Frame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        const SHADES: [char; 5] = [' ', '.', ':', '*', '#'];
        for line in self.counts.chunks(COLUMNS) {
            let shades: String = line.iter().map(|&count| SHADES[(count as usize).min(SHADES.len() - 1)]).collect();
            writeln!(f, "{}", shades.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_from_one_place_to_the_next_ends_there() {
        let (from, to) = (Place { x: 0, y: 40 }, Place { x: 8, y: 0 });
        let steps = [1, 2, 3, 4].map(|step| between(from, to, step));
        assert_eq!(steps.map(|place| (place.x, place.y)), [(2, 30), (4, 20), (6, 10), (8, 0)]);
    }
}
