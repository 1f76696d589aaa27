use core::fmt;
use core::marker::PhantomData;
use core::ops::BitOr;

use super::MachineState;
use crate::value::{Schema, Variant, bytes_of};

/// How many states a mask tells apart.
const MOST_STATES: usize = u64::BITS as usize;

/// Some of the states of a machine, one bit for each: what a pass or a nested machine runs in.
///
/// ```
/// # use tickweave::machine::MachineState;
/// # use tickweave::prelude::*;
/// # #[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
/// # #[repr(u8)]
/// # enum Game { Build, Run, Pause }
/// # impl MachineState for Game { type Transition = u8; }
/// let still = StateMask::of([Game::Build]) | StateMask::of([Game::Pause]);
/// assert!(still.contains(Game::Pause) && !still.contains(Game::Run));
/// assert!(StateMask::ANY.contains(Game::Run) && StateMask::ANY.overlaps(still));
/// assert!(!still.overlaps(StateMask::of([Game::Run])));
/// assert_eq!(format!("{still}"), "Build | Pause");
/// ```
pub struct StateMask<S> {
    bits: u64,
    states: PhantomData<fn() -> S>,
}

impl<S: MachineState> StateMask<S> {
    /// Every state.
    pub const ANY: Self = Self { bits: u64::MAX >> (MOST_STATES - variants::<S>().len()), states: PhantomData };

    /// These states.
    #[must_use]
    pub fn of(states: impl IntoIterator<Item = S>) -> Self {
        let bits = states.into_iter().fold(0, |bits, state| bits | bit(&state));
        Self { bits, states: PhantomData }
    }

    /// Whether the state is among them.
    #[must_use]
    pub fn contains(self, state: S) -> bool {
        self.bits & bit(&state) != 0
    }

    /// Whether some state is among these and among those.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.bits & other.bits != 0
    }
}

/// The variants of a state type, which the compiler checks to be an enum of few enough.
const fn variants<S: MachineState>() -> &'static [Variant] {
    match S::SCHEMA {
        Schema::Enum { variants, .. } => {
            assert!(variants.len() <= MOST_STATES, "a machine has at most 64 states; nest one in a state of another");
            variants
        }
        _ => panic!("the states of a machine are an enum without fields, with a `repr` and `#[derive(Component)]`"),
    }
}

/// Which variant the state is, from 0.
fn index_of<S: MachineState>(state: &S) -> usize {
    let variants = const { variants::<S>() };
    let bits = bytes_of(state).iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    variants.iter().position(|variant| variant.bits == bits).expect("each value of an enum is one of its variants")
}

/// The name of the state's variant.
pub(super) fn name_of<S: MachineState>(state: &S) -> &'static str {
    let variants = const { variants::<S>() };
    variants[index_of(state)].name
}

fn bit<S: MachineState>(state: &S) -> u64 {
    1 << index_of(state)
}

impl<S> Clone for StateMask<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for StateMask<S> {}

impl<S> PartialEq for StateMask<S> {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits
    }
}

impl<S> Eq for StateMask<S> {}

impl<S> BitOr for StateMask<S> {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self { bits: self.bits | other.bits, states: PhantomData }
    }
}

impl<S: MachineState> fmt::Display for StateMask<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ANY {
            return f.write_str("any");
        }
        if self.bits == 0 {
            return f.write_str("none");
        }
        let variants = const { variants::<S>() };
        let named = variants.iter().enumerate().filter(|(index, _)| self.bits >> index & 1 == 1);
        let names: Vec<&str> = named.map(|(_, variant)| variant.name).collect();
        f.write_str(&names.join(" | "))
    }
}

impl<S: MachineState> fmt::Debug for StateMask<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StateMask({self})")
    }
}
