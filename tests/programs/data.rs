//! A program as data: a world, schedules of systems, and what happens tick by tick.

mod office;

use super::parts::Kind;
pub(crate) use office::{ALL_FLAGS, Conduct, Delay, Door, Form, Office, Pass, Route};

/// All of it; the same data is played by every executor.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Program {
    pub(crate) chunk_rows: u32,
    pub(crate) batch_rows: u32,
    /// Entities that have room.
    pub(crate) capacity: u32,
    /// The component types, in the order of their registration.
    pub(crate) registered: Vec<Kind>,
    /// The type that hides entities from queries.
    pub(crate) hidden: Option<Kind>,
    /// Whether the world has a `Spare` at first.
    pub(crate) spare: bool,
    /// The seed of the world: without one, systems that draw are refused.
    pub(crate) seed: Option<u64>,
    pub(crate) setup: Vec<Deed>,
    pub(crate) agendas: Vec<Agenda>,
    pub(crate) rounds: Vec<Round>,
    /// What makes it a simulation, whose one schedule is cut into phases and passes.
    pub(crate) office: Option<Office>,
}

impl Program {
    /// The systems of all schedules, those that come later included.
    pub(crate) fn plots(&self) -> impl Iterator<Item = &Plot> {
        let edits = self.rounds.iter().flat_map(|round| &round.edits);
        let later = edits.filter_map(|edit| if let Edit::Add(plot) = edit { Some(plot) } else { None });
        self.agendas.iter().flat_map(Agenda::plots).chain(later)
    }
}

/// A schedule.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Agenda {
    pub(crate) strict: bool,
    pub(crate) items: Vec<Item>,
}

impl Agenda {
    /// The systems, in the order of their registration.
    pub(crate) fn plots(&self) -> impl Iterator<Item = &Plot> + Clone {
        self.items.iter().flat_map(|item| match item {
            Item::Systems(plots) => plots.as_slice(),
            Item::Barrier | Item::Pass { .. } | Item::Phase => &[],
        })
    }

    pub(crate) fn plots_mut(&mut self) -> impl Iterator<Item = &mut Plot> {
        self.items.iter_mut().flat_map(|item| match item {
            Item::Systems(plots) => plots.as_mut_slice(),
            Item::Barrier | Item::Pass { .. } | Item::Phase => &mut [],
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Item {
    /// A system; or several as a chain.
    Systems(Vec<Plot>),
    Barrier,
    /// The end of a pass of a simulation: the flags of its commit point, and the states in which it runs, as bits; 0 stands for all.
    Pass {
        publishes: u8,
        states: u8,
    },
    /// The end of a phase of a simulation.
    Phase,
}

/// A tick: what the host does before it, and which schedule runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Round {
    pub(crate) edits: Vec<Edit>,
    pub(crate) agenda: usize,
}

/// A system with its name, place and pace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    /// Its name is `s` and this number.
    pub(crate) id: u32,
    pub(crate) task: Task,
    pub(crate) label: Option<u32>,
    pub(crate) before: Vec<Wait>,
    pub(crate) after: Vec<Wait>,
    pub(crate) every: u32,
    pub(crate) offset: u32,
    pub(crate) conditions: Vec<Condition>,
    /// The number of its stream, if that has another key than its name.
    pub(crate) stream: Option<u32>,
    pub(crate) enabled: bool,
    pub(crate) pinned: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wait {
    System(u32),
    Label(u32),
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Condition {
    DialDivides(u64),
    TickIsNot(u64),
    SpareIsThere,
    TallyIsEven,
}

/// What a system is and does.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Task {
    pub(crate) shape: Move,
    /// The number of its types in the table of trios.
    pub(crate) trio: usize,
    /// Sets its numbers apart from those of other systems.
    pub(crate) factor: u64,
    pub(crate) trip: Option<Trip>,
    /// Whether the bits of the handles of what it spawns show in what it records next.
    pub(crate) looks: bool,
    /// What it records first, once.
    pub(crate) opening: Vec<Order>,
    /// What it records for rows.
    pub(crate) rules: Vec<Rule>,
    /// What it records last, once.
    pub(crate) closing: Vec<Order>,
    /// What an exclusive system does to the world.
    pub(crate) deeds: Vec<Deed>,
}

/// The kind of a system; `A` and `B` are the types of its trio.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// `each(&mut A, Option<&B>, Entity, Res<Dial>, Tick)`
    EachWrite,
    /// `each(Write<A>, &B)`
    EachLazy,
    /// `each(&A, Option<&B>, Entity, Res<Dial>, Commands)`
    EachOrders,
    /// `chunk(&mut [A], Option<&[B]>, &[Entity])`
    ChunkWrite,
    /// `chunk(&[A], &[Entity], Commands)`
    ChunkOrders,
    /// A loop over `(Entity, &mut A, Option<&B>)`, with a `Local`.
    QueryWrite,
    /// The same for reading, into `ResMut<Tally>`.
    QueryTally,
    /// The same for reading, with `Commands` and a `Local` that keeps a handle.
    QueryOrders,
    /// A nested loop that writes `A`.
    NestedWrite,
    /// A nested loop that records commands.
    NestedOrders,
    /// A nested loop over batches that writes `A` and records commands.
    NestedBatches,
    /// A nested loop over `A` with a nested fold of `B` in each row.
    NestedDeep,
    /// Nested folds, sums and collections, into `ResMut<Tally>`.
    NestedFold,
    /// A system built by hand that reads `B` and writes `A`; what is odd in the factor is not declared.
    Dynamic,
    /// Tells the host what it sees.
    Pinned,
    /// Two disjoint queries of one type.
    Twin,
    /// Looks up the entities that links refer to.
    Follow,
    /// `each(&mut A, &Link, Entity, Lookup<&B>)`
    EachGather,
    /// `chunk(&mut [A], &[Link], &[Entity], Lookup<&B>)`
    ChunkGather,
    /// `each(&mut A, Option<&B>, Entity, Rng)`
    EachDraw,
    /// A loop over `(Entity, &mut A, Option<&B>)` that draws, with `Commands`.
    QueryDraw,
    /// A nested loop over `(Entity, &mut A)` whose rows draw, with `Commands`.
    NestedDraw,
    /// Stores a pending handle outside of its commands.
    Escape,
    /// Reads a manager and inputs, into `ResMut<Tally>`, or writes the state in which passes run; in simulations only.
    Office,
    /// Reads and writes resources only.
    Resources,
    /// Reads events, now and then not all of them.
    Events,
    /// Reads the log of removals.
    Removals,
    /// `fn(&mut World)`
    Exclusive,
    /// `fn(&mut World, Commands)`
    ExclusiveOrders,
    /// Runs a schedule on a world that a resource owns.
    SubWorld,
}

impl Move {
    /// Whether it looks up the entities that links refer to.
    pub(crate) const fn follows(self) -> bool {
        matches!(self, Self::Follow | Self::EachGather | Self::ChunkGather)
    }
}

/// Where and how a system fails.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trip {
    /// From this tick on.
    pub(crate) tick: u64,
    /// At rows whose number leaves this remainder when divided by the modulus.
    pub(crate) modulus: u64,
    pub(crate) remainder: u64,
    pub(crate) panics: bool,
}

/// Orders for rows whose number leaves a remainder.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(crate) modulus: u64,
    pub(crate) remainder: u64,
    pub(crate) orders: Vec<Order>,
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    Spawn {
        recipe: usize,
        to: Target,
    },
    Insert {
        on: Target,
        recipe: usize,
        to: Target,
    },
    Remove {
        on: Target,
        recipe: usize,
    },
    Despawn {
        on: Target,
    },
    Queue(Deed),
    QueueOn {
        on: Target,
        touch: Touch,
    },
    /// Sends a `Bell`, or a `Note` that names an entity.
    Send {
        to: Option<Target>,
    },
    /// Sends an event that lives for a phase, or for a pass.
    Call {
        phase: bool,
    },
    /// Submits a typed command.
    Submit {
        form: Form,
        to: Target,
        delay: Delay,
    },
    /// Drops what the lane holds so far.
    Forget,
}

/// An entity that a command names.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Target {
    /// That of the row.
    Own,
    /// The one spawned last.
    Last,
    /// The one spawned last by the system before its nested loop.
    Outer,
    /// The one that the system kept in its last run.
    Kept,
    /// A handle that may or may not live.
    Guess { slot: u32, generation: u32 },
}

/// What is done with an entity that a closure is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Touch {
    Insert { recipe: usize },
    Remove { recipe: usize },
    Mix { kind: Kind },
    Panic,
}

/// What is done with a whole world: by the host, by an exclusive system, by a queued closure. Entities are numbered in the
/// order of archetypes and rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Deed {
    Spawn {
        recipe: usize,
        count: u32,
        seed: u64,
    },
    Despawn {
        nth: u32,
    },
    Insert {
        nth: u32,
        recipe: usize,
        seed: u64,
    },
    Remove {
        nth: u32,
        recipe: usize,
    },
    MixAll {
        kind: Kind,
        by: u64,
    },
    MixOne {
        nth: u32,
        kind: Kind,
        by: u64,
    },
    SetDial(u64),
    Send {
        nth: u32,
        number: u64,
    },
    PutSpare(u64),
    TakeSpare,
    /// Passes that run in some states run, or do not.
    SetMode(u8),
    Clear,
    Panic,
}

/// What the host does between two ticks.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Edit {
    Deed(Deed),
    SetStick(u64),
    /// What each player gives to the next step.
    Vote(Vec<u64>),
    /// A typed command of the host, for a tick or for the next one.
    Submit {
        form: Form,
        number: u64,
        tick: Option<u64>,
    },
    Register(Kind),
    Buffer(Vec<Order>),
    RunOnce(Task),
    Enable {
        system: u32,
        on: bool,
    },
    Add(Plot),
    Withdraw {
        system: u32,
    },
}
