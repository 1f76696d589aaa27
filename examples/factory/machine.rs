//! Machines, miners, and the stock from which inserters serve them.

use tickweave::prelude::*;

/// Products that may wait at a machine.
const MOST_READY: u32 = 4;

/// In eight ticks one of so many machines breaks.
const BREAKS: u32 = 20_000;

/// What waits at a machine, a miner or a chest.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Stock {
    /// What inserters brought.
    pub(crate) waiting: u32,
    /// How much they may bring.
    pub(crate) most: u32,
    /// What inserters may take.
    pub(crate) ready: u32,
}

impl Stock {
    /// Nothing yet, and room for `most`.
    pub(crate) const fn new(most: u32) -> Self {
        Self { waiting: 0, most, ready: 0 }
    }

    /// Brings one; whether there was room.
    pub(crate) fn bring(&mut self) -> bool {
        let has_room = self.waiting < self.most;
        self.waiting += u32::from(has_room);
        has_room
    }

    /// Takes one; whether there was any.
    pub(crate) fn take(&mut self) -> bool {
        let is_there = self.ready > 0;
        self.ready -= u32::from(is_there);
        is_there
    }
}

/// What makes one thing of another.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Machine {
    /// Ticks that it needs for one product.
    pub(crate) craft: u32,
    /// Ticks until the product is ready; 0 if it is idle.
    pub(crate) left: u32,
    /// Ticks until it is repaired.
    pub(crate) broken: u32,
}

impl Machine {
    /// An idle one.
    pub(crate) const fn new(craft: u32) -> Self {
        Self { craft, left: 0, broken: 0 }
    }
}

/// What digs and needs nothing for it.
#[derive(Component)]
pub(crate) struct Miner;

/// Works on a product, or begins the next one.
pub(crate) fn craft(machine: &mut Machine, stock: &mut Stock) {
    if machine.broken > 0 {
        machine.broken -= 1;
        return;
    }
    if machine.left > 0 {
        machine.left -= 1;
        stock.ready += u32::from(machine.left == 0);
    }
    if machine.left == 0 && stock.waiting > 0 && stock.ready < MOST_READY {
        stock.waiting -= 1;
        machine.left = machine.craft;
    }
}

/// Digs, unless too much is ready.
pub(crate) fn mine(stock: &mut Stock) {
    stock.ready = (stock.ready + 1).min(MOST_READY);
}

/// Breaks a machine now and then.
pub(crate) fn wear(machine: &mut Machine, mut rng: Rng) {
    if rng.chance(1, BREAKS) {
        machine.broken = rng.range(60..=240);
    }
}

/// Repairs a machine at once.
pub(crate) fn mend(machine: &mut Machine) {
    machine.broken = 0;
}
