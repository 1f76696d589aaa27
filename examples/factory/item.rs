//! What lies on the belts.

use std::fmt;

use tickweave::prelude::*;

use crate::belt::{OnBelt, Spot};

/// What an item is, or what a machine makes.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Ore,
    Plate,
    Gear,
    Engine,
}

impl Kind {
    /// In the order in which they are made of each other.
    pub(crate) const ALL: [Self; 4] = [Self::Ore, Self::Plate, Self::Gear, Self::Engine];

    /// How hot one is when it comes out of its machine.
    const fn heat(self) -> Heat {
        match self {
            Self::Ore => Heat(2_000),
            Self::Plate => Heat(150_000),
            Self::Gear => Heat(40_000),
            Self::Engine => Heat(10_000),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}

/// How much warmer an item is than the hall, in hundredths of a degree.
#[derive(Component, Clone, Copy)]
#[repr(C)]
pub(crate) struct Heat(pub(crate) u32);

/// An item on a belt.
#[derive(Bundle)]
pub(crate) struct Item {
    on: OnBelt,
    spot: Spot,
    heat: Heat,
    kind: Kind,
}

impl Item {
    /// One that was just made. Where it is on the map is found when it moves.
    pub(crate) const fn new(kind: Kind, on: OnBelt) -> Self {
        Self { on, spot: Spot { x: 0, y: 0 }, heat: kind.heat(), kind }
    }
}

/// Each tick an item gives off a part of its heat.
pub(crate) fn cool(heat: &mut Heat) {
    heat.0 -= heat.0 >> 6;
}
