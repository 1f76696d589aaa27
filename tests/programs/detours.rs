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
    /// The simulation is reset, and all that happened so far happens again.
    Reset,
}

/// The longest detour, in ticks.
pub(crate) const FURTHEST: u32 = 8;

impl Back {
    pub(crate) const ALL: [Self; 5] = [Self::InPlace, Self::Twin, Self::Child, Self::Bytes, Self::Reset];

    /// This way, or another where there is none: a simulation binds its systems when it is built, and a world has no reset.
    pub(crate) const fn fitting(self, simulated: bool) -> Self {
        match self {
            Self::Child if simulated => Self::Reset,
            Self::Reset if !simulated => Self::Child,
            other => other,
        }
    }
}

impl Detour {
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        let distance = dice.from(1, FURTHEST);
        Self::of(distance, dice)
    }

    fn of(distance: u32, dice: &mut Dice) -> Self {
        Self { distance, back: dice.pick(&Back::ALL), twice: dice.one_in(5) }
    }

    /// Those before one of so many ticks: over all of them, each distance once.
    pub(crate) fn deal(seed: u64, tick: usize, ticks: usize) -> Vec<Self> {
        let mut dice = Dice::new(seed);
        let mut left: Vec<u32> = (1..=FURTHEST).collect();
        let mut all = Vec::new();
        while !left.is_empty() {
            let distance = left.swap_remove(dice.below(left.len() as u32) as usize);
            all.push(Self::of(distance, &mut dice));
        }
        all.into_iter().skip(tick).step_by(ticks).collect()
    }
}
