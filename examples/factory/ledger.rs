//! The ledger: what inserters took off the belts.

use std::fmt;

use tickweave::prelude::*;
use tickweave::simulation::{FlushContext, HandlesCommand, InitContext, Manager, Verdict};

use crate::item::Kind;

/// Tells the ledger that a machine or a chest took an item.
#[derive(Clone, StateValue, Command)]
pub(crate) struct Deliver {
    pub(crate) kind: Kind,
}

/// Counts what was delivered.
#[derive(Clone, Default, StateValue)]
pub(crate) struct Ledger {
    counts: [u64; Kind::ALL.len()],
    /// Since the last flush.
    open: u64,
    busiest: u64,
}

impl Ledger {
    /// How many items of a kind.
    #[cfg(test)]
    pub(crate) const fn count(&self, kind: Kind) -> u64 {
        self.counts[kind as usize]
    }
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7} items delivered, {:>5} in the busiest tick", self.counts.iter().sum::<u64>(), self.busiest)
    }
}

impl Manager for Ledger {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<Deliver>();
    }

    fn flush(&mut self, _: &mut FlushContext<'_>) {
        self.busiest = self.busiest.max(std::mem::take(&mut self.open));
    }
}

impl HandlesCommand<Deliver> for Ledger {
    fn submit(&mut self, deliver: Deliver) -> Verdict {
        self.counts[deliver.kind as usize] += 1;
        self.open += 1;
        Verdict::Accepted
    }
}
