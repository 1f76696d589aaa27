//! The map: lines of belts between a miner, machines and a chest, made from a seed.

use tickweave::prelude::*;
use tickweave::rng::Stream;
use tickweave::world::BuildError;

use crate::belt::{Arrived, Belt, Layout, OnBelt, SPACING, Spot, TILE, Traffic};
use crate::census::Census;
use crate::inserter::{Arm, Loader, Unloader};
use crate::item::{Item, Kind};
use crate::machine::{Machine, Miner, Stock};

/// What may wait in front of a machine.
const MOST_WAITING: u32 = 4;

/// Tiles from one line to the next.
const LINE_TILES: i32 = 4;

/// Tiles from the end of a belt to the middle of the machine, and from there to the next belt.
const GAP_TILES: u32 = 2;

/// What a map is made from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Map {
    pub(crate) seed: u64,
    /// Items that the belts carry at least. As they lose some to broken machines, they begin with more.
    pub(crate) items: u32,
}

/// A map can't be built.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MapError {
    #[error("{0}")]
    World(#[from] BuildError),
    #[error("{0}")]
    Event(#[from] tickweave::event::EventError),
}

impl Map {
    /// A world with full belts and idle machines.
    pub(crate) fn build(self) -> Result<World, MapError> {
        let mut world = World::builder().seed(self.seed).build()?;
        world.add_event::<Arrived>()?;
        let mut lines = Lines { random: Stream::new(self.seed, "map"), belts: Vec::new(), carried: 0, line: 0 };
        while lines.carried < self.items + self.items / 32 {
            lines.add(&mut world);
        }
        let layout = Layout(lines.belts);
        fill(&mut world, &layout);
        world.insert_resource(Traffic::new(layout.0.len()));
        world.insert_resource(layout);
        world.insert_resource(Census::default());
        Ok(world)
    }
}

/// Puts an item on each place of each belt.
fn fill(world: &mut World, layout: &Layout) {
    let belts = (0..).zip(&layout.0);
    world.spawn_batch(belts.flat_map(|(number, belt)| {
        let kind = Kind::ALL[number as usize % Kind::ALL.len()];
        (1..=belt.length / SPACING).map(move |place| Item::new(kind, OnBelt { belt: number, left: place * SPACING }))
    }));
}

/// Lines while they are built, one below the other.
struct Lines {
    random: Stream,
    belts: Vec<Belt>,
    /// Items that the belts carry when they are full.
    carried: u32,
    line: i32,
}

impl Lines {
    /// A miner, then for each kind a belt that carries it, to the machine that makes the next one, and to a chest at last.
    fn add(&mut self, world: &mut World) {
        let tier = self.random.range(0..3_u32);
        let heading = if self.random.chance(1, 2) { 1 } else { -1 };
        let tiles = self.random.range(0..64);
        let mut pen = Pen { at: spot(heading * tiles, self.line * LINE_TILES), heading };
        let mut from = world.spawn((Stock::new(0), Kind::Ore, Miner, pen.at));
        for made in [Some(Kind::Plate), Some(Kind::Gear), Some(Kind::Engine), None] {
            from = self.stage(world, &mut pen, 4 << tier, from, made);
        }
        self.line += 1;
    }

    /// A belt with its inserters, and what is at its end: a machine that makes something, or a chest.
    fn stage(&mut self, world: &mut World, pen: &mut Pen, speed: u32, from: Entity, made: Option<Kind>) -> Entity {
        let belt = self.belts.len() as u64;
        pen.go(GAP_TILES * TILE);
        world.spawn((Arm::READY, Loader { from, belt }, pen.at));
        let length = self.random.range(24..=40) * TILE;
        pen.go(length);
        let end = pen.at;
        pen.go(GAP_TILES * TILE);
        let to = match made {
            Some(kind) => {
                let craft = self.random.range(1..=SPACING / speed);
                world.spawn((Stock::new(MOST_WAITING), kind, Machine::new(craft), pen.at))
            }
            None => world.spawn((Stock::new(u32::MAX), pen.at)),
        };
        let unloader = world.spawn((Arm::READY, Unloader { to }, end));
        self.belts.push(Belt { end, heading: pen.heading, length, speed, unloader });
        self.carried += length / SPACING;
        to
    }
}

/// Where on its line the next thing is built.
struct Pen {
    at: Spot,
    heading: i32,
}

impl Pen {
    fn go(&mut self, steps: u32) {
        self.at.x += self.heading * steps as i32;
    }
}

/// The place of a tile.
fn spot(x: i32, y: i32) -> Spot {
    Spot { x: x * TILE as i32, y: y * TILE as i32 }
}
