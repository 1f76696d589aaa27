//! Lines of belts before they stand: how they are asked for, and who draws them.

use core::ops::RangeInclusive;

use tickweave::prelude::*;
use tickweave::rng::Stream;

use crate::belt::{SPACING, TILE};
use crate::foreman::Foreman;
use crate::item::Kind;

/// Tiles of a belt.
const BELT_TILES: RangeInclusive<u32> = 24..=40;

/// Tiles from the middle of the map to a miner, at most.
const MOST_TILES: i32 = 63;

/// Ticks in which all lines are asked for.
const BUILD_TICKS: u32 = 32;

/// Asks the foreman for a line: a miner, then for each kind a belt that carries it, to the machine that makes the next one,
/// and to a chest at last.
#[derive(Clone, StateValue, Command)]
pub(crate) struct PlaceLine {
    /// 1 if it runs to the right, -1 if to the left.
    pub(crate) heading: i32,
    /// Tiles from the middle of the map to the miner.
    pub(crate) tiles: i32,
    /// Steps of its belts in a tick.
    pub(crate) speed: u32,
    /// Tiles of each belt.
    pub(crate) belts: [u32; Kind::ALL.len()],
    /// Ticks that each machine needs for a product.
    pub(crate) crafts: [u32; Kind::ALL.len() - 1],
}

impl PlaceLine {
    /// One whose machines keep up with its belts.
    pub(crate) fn draw(random: &mut Stream) -> Self {
        let speed = 4 << random.range(0..3_u32);
        Self {
            heading: if random.chance(1, 2) { 1 } else { -1 },
            tiles: random.range(0..=MOST_TILES),
            speed,
            belts: [(); Kind::ALL.len()].map(|()| random.range(BELT_TILES)),
            crafts: [(); Kind::ALL.len() - 1].map(|()| random.range(1..=SPACING / speed)),
        }
    }

    /// Whether it can be built: items of a belt stop at its end only if its speed divides what lies between them.
    pub(crate) fn is_sound(&self) -> bool {
        matches!(self.heading, 1 | -1)
            && (0..=MOST_TILES).contains(&self.tiles)
            && SPACING.checked_rem(self.speed) == Some(0)
            && self.belts.iter().all(|tiles| BELT_TILES.contains(tiles))
            && !self.crafts.contains(&0)
    }

    /// Items that its belts carry when they are full.
    pub(crate) fn items(&self) -> u32 {
        self.belts.iter().sum::<u32>() * TILE / SPACING
    }
}

/// Asks for as many lines as are placed in a tick.
pub(crate) fn survey(foreman: Mgr<Foreman>, mut rng: Rng, mut commands: Commands) {
    let mut missing = foreman.missing().min(foreman.asked().div_ceil(BUILD_TICKS));
    while missing > 0 {
        let line = PlaceLine::draw(&mut rng);
        missing = missing.saturating_sub(line.items());
        commands.submit(line);
    }
}
