use super::World;
use crate::records::{RecordKind, Records, Subject};

/// Changes of components in one tick beyond which a record is told, by default.
pub const CHURN_BUDGET: u32 = 256;

/// What the guard rails of a world count: no state.
#[derive(Debug)]
pub(super) struct Rails {
    /// 0 for none.
    churn_budget: u32,
    /// Components that came, were replaced or went since the tick began.
    churn: u64,
    /// Archetypes that were told of.
    archetypes: usize,
}

impl Rails {
    pub(super) const fn new(churn_budget: u32) -> Self {
        // The archetype without components is there from the start.
        Self { churn_budget, churn: 0, archetypes: 1 }
    }

    #[inline(always)]
    pub(super) const fn note_changes(&mut self, components: usize) {
        self.churn += components as u64;
    }
}

/// Records, and the guard rails that write there.
impl World {
    /// What was told of this world, and by schedules that run on it.
    #[must_use]
    pub const fn records(&self) -> &Records {
        &self.records
    }

    /// The same, for a host that takes records or sets how many it wants.
    pub const fn records_mut(&mut self) -> &mut Records {
        &mut self.records
    }

    /// Tells what the host did since the last tick, and sets the rails up anew.
    pub(super) fn arm_rails(&mut self) {
        self.tell_entities();
        self.storage.slots_mut().arm_rails();
        self.rails.churn = 0;
    }

    /// Tells of the tick that ends.
    pub(crate) fn tell_rails(&mut self) {
        self.tell_entities();
        self.tell_churn();
        self.tell_archetypes();
        self.records.end_tick(self.time.ticks);
    }

    fn tell_entities(&mut self) {
        let slots = self.storage.slots_mut();
        if !slots.is_any_rail_reached() {
            return;
        }
        let capacity = slots.capacity();
        for (percent, entities) in slots.take_rails() {
            let kind = match percent {
                25 => RecordKind::Entities25,
                50 => RecordKind::Entities50,
                _ => RecordKind::Entities100,
            };
            let values = [entities.into(), capacity.into()];
            self.records.tell(kind, self.time.ticks, || (Subject::None, values));
        }
    }

    fn tell_churn(&mut self) {
        let Rails { churn_budget, churn, .. } = self.rails;
        let budget = u64::from(churn_budget);
        if budget != 0 && churn > budget {
            self.records.tell(RecordKind::Churn, self.time.ticks, || (Subject::None, [churn, budget]));
        }
    }

    fn tell_archetypes(&mut self) {
        let (before, now) = (self.rails.archetypes, self.storage.archetypes().len());
        self.rails.archetypes = now;
        if now > before {
            let values = [(now - before) as u64, now as u64];
            self.records.tell(RecordKind::Archetypes, self.time.ticks, || (Subject::None, values));
        }
    }
}
