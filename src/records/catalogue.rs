use core::fmt;

pub use crate::profile::Severity;

/// Every record that there is. Names are stable: programs filter by them.
///
/// `docs/records.md` is the same list as a page.
///
/// ```
/// use tickweave::records::{RecordKind, Severity};
/// let overrun = RecordKind::BudgetOverrun;
/// assert_eq!((overrun.name(), overrun.severity()), ("budget/overrun", Severity::Warn));
/// assert_eq!(RecordKind::named("budget/overrun"), Some(overrun));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RecordKind {
    /// A system took longer than its budget.
    BudgetOverrun,
    /// A system took three times its budget or longer.
    BudgetCritical,
    /// A quarter of the entity capacity is in use.
    Entities25,
    /// Half of the entity capacity is in use.
    Entities50,
    /// All of the entity capacity is in use.
    Entities100,
    /// More components came, were replaced and went in a tick than the world's churn budget.
    Churn,
    /// Sets of components were met for the first time.
    Archetypes,
    /// Commands had no effect.
    CommandsRefused,
    /// Events left before every reader had passed them.
    EventsDropped,
    /// More ticks were due than a loop catches up with at once.
    TicksDropped,
    /// Records of one name were held back.
    Suppressed,
}

/// What is fixed of a record.
struct Facts {
    name: &'static str,
    severity: Severity,
    /// What the record's subject is, if it has one.
    about: Option<&'static str>,
    fields: &'static [&'static str],
    what: &'static str,
    why: &'static str,
    fix: &'static str,
}

/// Values of a record at most.
pub(super) const MAX_FIELDS: usize = 4;

impl RecordKind {
    /// All of them, in the order of the page.
    pub const ALL: &'static [Self] = &[
        Self::BudgetOverrun,
        Self::BudgetCritical,
        Self::Entities25,
        Self::Entities50,
        Self::Entities100,
        Self::Churn,
        Self::Archetypes,
        Self::CommandsRefused,
        Self::EventsDropped,
        Self::TicksDropped,
        Self::Suppressed,
    ];

    pub(super) const COUNT: usize = Self::ALL.len();

    /// The kind with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// The stable name: subsystem, slash, what happened.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// How much it matters.
    #[must_use]
    pub const fn severity(self) -> Severity {
        self.facts().severity
    }

    /// What the subject of such a record is, `system` for one; `None` if it has none.
    #[must_use]
    pub const fn about(self) -> Option<&'static str> {
        self.facts().about
    }

    /// The names of the values that come with it, in order.
    #[must_use]
    pub const fn fields(self) -> &'static [&'static str] {
        self.facts().fields
    }

    /// What happened.
    #[must_use]
    pub const fn what(self) -> &'static str {
        self.facts().what
    }

    /// Why it matters.
    #[must_use]
    pub const fn why(self) -> &'static str {
        self.facts().why
    }

    /// What to do about it.
    #[must_use]
    pub const fn fix(self) -> &'static str {
        self.facts().fix
    }

    const fn facts(self) -> &'static Facts {
        match self {
            Self::BudgetOverrun => &BUDGET_OVERRUN,
            Self::BudgetCritical => &BUDGET_CRITICAL,
            Self::Entities25 => &ENTITIES_25,
            Self::Entities50 => &ENTITIES_50,
            Self::Entities100 => &ENTITIES_100,
            Self::Churn => &CHURN,
            Self::Archetypes => &ARCHETYPES,
            Self::CommandsRefused => &COMMANDS_REFUSED,
            Self::EventsDropped => &EVENTS_DROPPED,
            Self::TicksDropped => &TICKS_DROPPED,
            Self::Suppressed => &SUPPRESSED,
        }
    }
}

impl fmt::Display for RecordKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

const BUDGET_OVERRUN: Facts = Facts {
    name: "budget/overrun",
    severity: Severity::Warn,
    about: Some("system"),
    fields: &["took_ns", "budget_ns", "p99_ns", "samples"],
    what: "a system took longer than its budget",
    why: "ticks that take longer than their share of a second fall behind",
    fix: "have it do less or run every few ticks, or raise its budget",
};

const BUDGET_CRITICAL: Facts = Facts {
    name: "budget/critical",
    severity: Severity::Error,
    what: "a system took three times its budget or longer",
    ..BUDGET_OVERRUN
};

const ENTITIES_25: Facts = Facts {
    name: "world/entities-25",
    severity: Severity::Warn,
    about: None,
    fields: &["entities", "capacity"],
    what: "a quarter of the entity capacity is in use",
    why: "spawns are refused when all of it is",
    fix: "raise `entity_capacity` of the world's builder in time, or despawn what is no longer needed",
};

const ENTITIES_50: Facts =
    Facts { name: "world/entities-50", what: "half of the entity capacity is in use", ..ENTITIES_25 };

const ENTITIES_100: Facts = Facts {
    name: "world/entities-100",
    what: "all of the entity capacity is in use",
    why: "the next spawn is refused",
    ..ENTITIES_25
};

const CHURN: Facts = Facts {
    name: "world/churn",
    severity: Severity::Warn,
    about: None,
    fields: &["changes", "budget"],
    what: "more components came, were replaced and went in this tick than the churn budget of the world",
    why: "each change of an entity's set of components moves its other components",
    fix: "keep what flips often in a field, spawn whole bundles, or raise `churn_budget` of the world's builder",
};

const ARCHETYPES: Facts = Facts {
    name: "world/archetypes",
    severity: Severity::Info,
    about: None,
    fields: &["new", "archetypes"],
    what: "sets of components were met for the first time",
    why: "each has chunks of its own and is matched by every query, and none ever goes",
    fix: "nothing while their number settles; else have fewer optional components",
};

const COMMANDS_REFUSED: Facts = Facts {
    name: "command/refused",
    severity: Severity::Warn,
    about: Some("system"),
    fields: &["refused", "applied"],
    what: "commands had no effect; the system is that of the first",
    why: "their entity was gone, what they insert was refused, nobody knows their type, or their handler refused them",
    fix: "see `Schedule::report`, or `Simulation::refusals`, for each; `Schedule::set_strict`, or `strict_commands` of a \
          simulation's builder, makes the first an error",
};

const EVENTS_DROPPED: Facts = Facts {
    name: "event/dropped",
    severity: Severity::Warn,
    about: None,
    fields: &["dropped"],
    what: "events left before every reader had passed them",
    why: "their type is kept for a number of commits only, and a reader runs more rarely",
    fix: "have the reader run more often, or keep the events longer",
};

const TICKS_DROPPED: Facts = Facts {
    name: "loop/ticks-dropped",
    severity: Severity::Warn,
    about: None,
    fields: &["dropped", "steps", "dropped_ever"],
    what: "more ticks were due than the loop catches up with at once, and the rest was dropped",
    why: "the game is slower than its clock, and falls behind what is in step with it",
    fix: "have ticks cost less (see their budgets), lower `tick_rate`, or raise `catch_up` of the pace",
};

const SUPPRESSED: Facts = Facts {
    name: "records/suppressed",
    severity: Severity::Warn,
    about: Some("record"),
    fields: &["suppressed", "window"],
    what: "records of one name were held back",
    why: "of each name one is told in a window of ticks",
    fix: "see the first one; `Records::set_window` sets the window",
};
