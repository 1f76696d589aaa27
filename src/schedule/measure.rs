use super::Schedule;
use crate::budget::{Meter, SystemTiming, Verdict};
use crate::clock::Clock;
use crate::records::{RecordKind, Records, Subject};
use crate::system::{System, SystemId, SystemSpec, Timed};
use crate::world::World;

/// What runs took, and what is told of them.
impl Schedule {
    /// How long a system took, if it has a budget: systems without one are not timed.
    ///
    /// ```
    /// use core::time::Duration;
    /// use fixed::types::I16F16;
    /// use tickweave::clock::ManualClock;
    /// use tickweave::prelude::*;
    ///
    /// let clock = ManualClock::new();
    /// let work = { let clock = clock.clone(); move || clock.advance(Duration::from_millis(2)) };
    /// let mut schedule = Schedule::new();
    /// schedule.set_clock(clock.clock());
    /// let slow = schedule.add(work.named("slow").budget_ms(I16F16::ONE));
    /// let mut world = World::new();
    /// schedule.run(&mut world)?;
    /// let timing = schedule.timing(slow).unwrap();
    /// assert_eq!((timing.max, timing.overruns), (Duration::from_millis(2), 1));
    /// assert_eq!(world.records().iter().next().unwrap().name(), "budget/overrun");
    /// # Ok::<(), RunError>(())
    /// ```
    ///
    /// # Determinism
    ///
    /// Times are no state and decide no result.
    #[must_use]
    pub fn timing(&self, system: SystemId) -> Option<SystemTiming> {
        let at = self.meters.binary_search_by_key(&system, |(metered, _)| *metered).ok()?;
        Some(self.meters[at].1.timing())
    }

    /// Where the times of budgets are taken from; the clock of the machine by default.
    pub fn set_clock(&mut self, clock: Clock) {
        self.systems.iter_mut().for_each(|system| system.set_clock(&clock));
        self.clock = clock;
    }

    /// The system as it is kept: with a clock around it if it has a budget.
    pub(super) fn measured(&mut self, id: SystemId, spec: &SystemSpec, system: Box<dyn System>) -> Box<dyn System> {
        let Some(budget) = spec.budget else { return system };
        self.meters.push((id, Meter::new(budget)));
        Box::new(Timed::new(system, self.clock.clone()))
    }

    /// Tells in the world's records what is to be said of a run: budgets, refused commands, dropped events.
    pub(crate) fn tell(&mut self, world: &mut World) {
        let tick = world.tick();
        let records = world.records_mut();
        if self.report.refused > 0 {
            let values = [self.report.refused, self.report.applied];
            records.tell(RecordKind::CommandsRefused, tick, || (self.first_refused(), values));
        }
        if self.report.dropped_events > 0 {
            let values = [self.report.dropped_events];
            records.tell(RecordKind::EventsDropped, tick, || (Subject::None, values));
        }
        self.tell_times(records, tick);
    }

    fn tell_times(&mut self, records: &mut Records, tick: u64) {
        for (id, meter) in &mut self.meters {
            let Some(took) = self.systems[id.index()].take_time() else { continue };
            let verdict = meter.note(took);
            let facts = || (Subject::Shared(self.entries[id.index()].name.clone()), meter.facts());
            if verdict != Verdict::Kept {
                records.tell(RecordKind::BudgetOverrun, tick, facts);
            }
            if verdict == Verdict::Critical {
                records.tell(RecordKind::BudgetCritical, tick, facts);
            }
        }
    }

    /// The system that recorded the first command that had no effect.
    fn first_refused(&self) -> Subject {
        let first = self.report.refusals.first().and_then(|refusal| self.system_at(refusal.position));
        first.map_or(Subject::None, |id| Subject::Shared(self.entries[id.index()].name.clone()))
    }
}
