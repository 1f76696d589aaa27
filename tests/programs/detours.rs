//! Detours: ticks that are run and taken back, and how.

use super::dice::Dice;

/// Some ticks that are run and taken back before a tick of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Detour {
    pub(crate) distance: u32,
    pub(crate) back: Back,
    /// Whether it is taken twice, and each tick compared with that of the first time.
    pub(crate) twice: bool,
}

/// How a play goes on after a detour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Back {
    /// A snapshot is restored in the same world.
    InPlace,
    /// It is restored in a fresh world, to which fresh schedules are bound.
    Twin,
    /// It is restored in a fresh world, and fresh schedules are bound afterwards.
    Child,
    /// It is saved, and its bytes are loaded in a fresh world, to which fresh schedules are bound.
    Bytes,
}

/// The longest detour, in ticks.
pub(crate) const FURTHEST: u32 = 8;

impl Back {
    pub(crate) const ALL: [Self; 4] = [Self::InPlace, Self::Twin, Self::Child, Self::Bytes];
}

impl Detour {
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        Self { distance: dice.from(1, FURTHEST), back: dice.pick(&Back::ALL), twice: dice.one_in(3) }
    }
}
