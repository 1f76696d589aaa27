use super::SimulationBuilder;
use crate::clock::Clock;
use crate::jobs::Eagerness;
use crate::schedule::{Executor, Policy};

/// How the plan is made, who runs it, and what is told of it. But for [`policy`](Self::policy), [`max_systems`](Self::max_systems) and
/// [`strict_commands`](Self::strict_commands), which may refuse, none of it decides a result.
impl SimulationBuilder {
    /// On how many threads ticks run, that of the caller included; 0 stands for as many as the machine has cores.
    #[must_use]
    pub const fn threads(mut self, threads: u32) -> Self {
        self.threads = Some(threads);
        self
    }

    /// Who runs the plan.
    #[must_use]
    pub fn executor(mut self, executor: Executor) -> Self {
        self.schedule.set_executor(executor);
        self
    }

    /// When threads are asked for help. It decides no result.
    #[must_use]
    pub fn eagerness(mut self, eagerness: Eagerness) -> Self {
        self.schedule.set_eagerness(eagerness);
        self
    }

    /// What to do about systems that write the same.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.schedule.set_policy(policy);
        self
    }

    /// Whether a reader that runs before a writer of the same component is reported among the
    /// [`diagnostics`](crate::schedule::Plan::diagnostics) of the plan.
    ///
    /// ```
    /// use tickweave::prelude::*;
    /// use tickweave::schedule::Diagnostic;
    ///
    /// #[derive(Component, Clone, Copy)]
    /// #[repr(C)]
    /// struct Heat(i32);
    ///
    /// let sim = Simulation::builder()
    ///     .component::<Heat>()
    ///     .report_read_before_write(true)
    ///     .phase("Main", |main| {
    ///         main.pass("all")
    ///             .system((|_: Query<&Heat>| {}).named("feel"))
    ///             .system(each(|heat: &mut Heat| heat.0 += 1).named("warm"));
    ///     })
    ///     .build()?;
    /// let plan = sim.schedule().plan().unwrap();
    /// assert!(matches!(plan.diagnostics(), [Diagnostic::ReadBeforeWrite { .. }]));
    /// assert!(plan.describe(&plan.diagnostics()[0]).starts_with("`feel` reads Heat before `warm` writes it"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn report_read_before_write(mut self, report: bool) -> Self {
        self.schedule.report_read_before_write(report);
        self
    }

    /// Where the times of budgets are taken from: the clock of the machine unless this is called. It decides no result.
    ///
    /// ```
    /// use core::time::Duration;
    /// use fixed::types::I16F16;
    /// use tickweave::clock::ManualClock;
    /// use tickweave::prelude::*;
    /// use tickweave::simulation::Strictness;
    ///
    /// let by_hand = ManualClock::new();
    /// let moved = by_hand.clone();
    /// let slow = move || moved.advance(Duration::from_millis(2)); // captures, for this test
    /// let mut sim = Simulation::builder()
    ///     .clock(by_hand.clock())
    ///     .strictness(Strictness { captures: false, ..Strictness::ALL })
    ///     .phase("Main", |main| {
    ///         main.pass("all").system(slow.named("slow").budget_ms(I16F16::ONE));
    ///     })
    ///     .build()?;
    /// sim.step(())?;
    /// let slow = sim.schedule().system_named("slow").unwrap();
    /// assert_eq!(sim.schedule().timing(slow).unwrap().max, Duration::from_millis(2));
    /// assert_eq!(sim.world().records().iter().next().unwrap().name(), "budget/overrun");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.schedule.set_clock(clock);
        self
    }

    /// How many systems the simulation may hold.
    #[must_use]
    pub fn max_systems(mut self, systems: u32) -> Self {
        self.schedule.set_max_systems(systems);
        self
    }

    /// Whether a command that has no effect, or is refused, fails the tick: for tests.
    #[must_use]
    pub fn strict_commands(mut self, strict: bool) -> Self {
        self.schedule.set_strict(strict);
        self
    }
}
