//! What the belts carry, counted now and then.

use std::fmt;

use tickweave::prelude::*;

use crate::belt::OnBelt;
use crate::item::{Heat, Kind};

/// How many items of each kind there were, and how warm they were on the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, StateValue, Resource)]
pub(crate) struct Census {
    counts: [u64; 4],
    heat: u64,
}

impl Census {
    fn with(mut self, kind: Kind, heat: Heat) -> Self {
        self.counts[kind as usize] += 1;
        self.heat += u64::from(heat.0);
        self
    }

    fn and(mut self, other: Self) -> Self {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        self.heat += other.heat;
        self
    }

    /// How many items were counted.
    pub(crate) fn items(&self) -> u64 {
        self.counts.iter().sum()
    }
}

impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (kind, count) in Kind::ALL.iter().zip(self.counts) {
            write!(f, "{kind} {count:>7}  ")?;
        }
        let heat = self.heat / self.items().max(1);
        write!(f, "mean {:>3}.{:02} degrees", heat / 100, heat % 100)
    }
}

/// Counts all items.
pub(crate) fn count(items: Query<(&Kind, &Heat), With<OnBelt>>, mut census: ResMut<Census>) {
    *census = items.par_fold(Census::default, |census, (kind, heat)| census.with(*kind, *heat), Census::and);
}
