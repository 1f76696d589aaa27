//! The foreman, who puts lines on the map.

use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, HandlesCommand, InitContext, Manager, Verdict};

use crate::belt::{Belt, LayBelts, OnBelt, SPACING, Spot, TILE};
use crate::hall::Turn;
use crate::inserter::{Arm, Loader, Unloader};
use crate::item::{Item, Kind};
use crate::line::PlaceLine;
use crate::machine::{Machine, Miner, Stock};

/// What may wait in front of a machine.
const MOST_WAITING: u32 = 4;

/// Tiles from one line to the next.
const LINE_TILES: i32 = 4;

/// Tiles from the end of a belt to the middle of the machine, and from there to the next belt.
const GAP_TILES: u32 = 2;

/// Puts lines on the map, with full belts and idle machines, and has the hall start when they carry what was asked for.
#[derive(Clone, StateValue)]
pub(crate) struct Foreman {
    asked: u32,
    carried: u32,
    lines: i32,
    belts: u32,
    waiting: Vec<PlaceLine>,
}

impl Foreman {
    /// One who has placed nothing yet; the belts are to carry so many items in the end.
    pub(crate) const fn new(asked: u32) -> Self {
        Self { asked, carried: 0, lines: 0, belts: 0, waiting: Vec::new() }
    }

    /// Items that the belts are to carry.
    pub(crate) const fn asked(&self) -> u32 {
        self.asked
    }

    /// How many of them the lines that stand have no place for.
    pub(crate) const fn missing(&self) -> u32 {
        self.asked.saturating_sub(self.carried)
    }

    fn place(&mut self, line: &PlaceLine, lane: &mut Lane, belts: &mut Vec<Belt>) {
        let (x, y) = (line.heading * line.tiles, self.lines * LINE_TILES);
        let at = Spot { x: x * TILE as i32, y: y * TILE as i32 };
        let mut site = Site { lane, belts, number: self.belts, speed: line.speed, heading: line.heading, at };
        let mut from = site.miner();
        let machines = Kind::ALL.into_iter().skip(1).zip(line.crafts);
        for ((carries, tiles), makes) in Kind::ALL.into_iter().zip(line.belts).zip(machines.map(Some).chain([None])) {
            from = site.stage(from, carries, tiles * TILE, makes);
        }
        self.belts = site.number;
        self.lines += 1;
        self.carried += line.items();
    }
}

impl Manager for Foreman {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<PlaceLine>();
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        if self.waiting.is_empty() {
            return;
        }
        let (was_full, mut belts) = (self.missing() == 0, Vec::new());
        for line in std::mem::take(&mut self.waiting) {
            self.place(&line, context, &mut belts);
        }
        context.submit(LayBelts(belts));
        if !was_full && self.missing() == 0 {
            context.submit(Turn::START);
        }
    }
}

impl HandlesCommand<PlaceLine> for Foreman {
    fn submit(&mut self, line: PlaceLine) -> Verdict {
        if !line.is_sound() {
            return Verdict::Refused;
        }
        self.waiting.push(line);
        Verdict::Accepted
    }
}

/// A line while it is built.
struct Site<'s> {
    lane: &'s mut Lane,
    belts: &'s mut Vec<Belt>,
    /// The number of the next belt.
    number: u32,
    speed: u32,
    heading: i32,
    /// Where the next thing is built.
    at: Spot,
}

impl Site<'_> {
    fn go(&mut self, steps: u32) {
        self.at.x += self.heading * steps as i32;
    }

    fn miner(&mut self) -> Entity {
        self.lane.spawn((Stock::new(0), Kind::Ore, Miner, self.at)).id()
    }

    /// A belt with its inserters, and what is at its end: a machine that makes something, or a chest.
    fn stage(&mut self, from: Entity, carries: Kind, length: u32, makes: Option<(Kind, u32)>) -> Entity {
        self.go(GAP_TILES * TILE);
        self.lane.spawn((Arm::READY, Loader { from, belt: self.number.into() }, self.at));
        self.go(length);
        let end = self.at;
        self.go(GAP_TILES * TILE);
        let to = match makes {
            Some((kind, craft)) => self.lane.spawn((Stock::new(MOST_WAITING), kind, Machine::new(craft), self.at)),
            None => self.lane.spawn((Stock::new(u32::MAX), self.at)),
        };
        let to = to.id();
        let unloader = self.lane.spawn((Arm::READY, Unloader { to }, end)).id();
        self.fill(carries, length);
        self.belts.push(Belt { end, heading: self.heading, length, speed: self.speed, carries, unloader });
        self.number += 1;
        to
    }

    /// Puts an item on each place of a belt.
    fn fill(&mut self, kind: Kind, length: u32) {
        for place in 1..=length / SPACING {
            self.lane.spawn(Item::new(kind, OnBelt { belt: self.number, left: place * SPACING }));
        }
    }
}
