//! Faults of a way of playing, so that the bed can be seen to find them.

use tickweave::prelude::*;

use super::data::{Item, Program};
use super::deeds::panic_quietly;
use super::parts::{Long, Part};

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Plant {
    /// The first two systems that are neighbours change places.
    SwapSystems,
    /// One bit of one value is another one after the second tick.
    FlipBit,
    /// The host panics after the second tick.
    Panic,
}

impl Plant {
    /// What is played in the place of a program.
    pub(super) fn arrange(self, program: &mut Program) {
        if self != Self::SwapSystems {
            return;
        }
        for agenda in &mut program.agendas {
            let neighbours =
                agenda.items.windows(2).position(|pair| matches!(pair, [Item::Systems(_), Item::Systems(_)]));
            if let Some(at) = neighbours {
                agenda.items.swap(at, at + 1);
            }
        }
    }

    /// What is done to the world after a tick, counted from 0.
    pub(super) fn meddle(self, world: &mut World, tick: usize) {
        match self {
            Self::FlipBit if tick == 1 => {
                if let Some(long) = world.query_mut::<&mut Long, ()>().into_iter().next() {
                    let flipped = long.read() ^ 1 << 40;
                    *long = Long::of(flipped);
                }
            }
            Self::Panic if tick == 1 => panic_quietly("the host"),
            _ => {}
        }
    }
}
