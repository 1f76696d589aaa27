//! What makes a program a simulation.

use tickweave::simulation::{MAIN, POST, PRE};

use super::{Agenda, Deed, Item, Rule};

/// What a simulation has beside a world and a schedule.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Office {
    /// The managers and what they do, in the order of registration; numbers are those of their types.
    pub(crate) desks: Vec<(usize, Conduct)>,
    /// The command buffers, likewise.
    pub(crate) trays: Vec<(usize, Conduct)>,
    /// The types of typed commands, in the order of registration.
    pub(crate) routes: Vec<Route>,
    /// What commands do that execute themselves.
    pub(crate) errand: Conduct,
    /// Whether no phase has the name of one that every simulation has.
    pub(crate) own_phases: bool,
    /// Whether snapshots of the last ticks are kept.
    pub(crate) rollback: bool,
}

impl Office {
    pub(crate) fn conduct(&self, door: Door) -> &Conduct {
        let of = |services: &[(usize, Conduct)], number| services.iter().position(|(other, _)| *other == number);
        let (services, number) = match door {
            Door::Desk(number) => (&self.desks, number),
            Door::Tray(number) => (&self.trays, number),
            Door::Itself => return &self.errand,
        };
        &services[of(services, number).expect("who is asked is there")].1
    }
}

/// What somebody does who takes typed commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Conduct {
    /// What it records for commands, by their numbers.
    pub(crate) rules: Vec<Rule>,
    /// What a command does to the world while it executes itself: up to four, by its number.
    pub(crate) deeds: Vec<Deed>,
    /// It refuses numbers that this divides, unless it is 0.
    pub(crate) refuses: u64,
    /// It panics at numbers that this divides, unless it is 0.
    pub(crate) panics: u64,
}

/// Where the commands of a type go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Route {
    pub(crate) form: Form,
    pub(crate) to: Door,
    /// Whether the manager says so itself.
    pub(crate) in_init: bool,
}

/// Who takes commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Door {
    Desk(usize),
    Tray(usize),
    Itself,
}

/// A type of typed command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Slip,
    Chit,
    Memo,
    Wire,
}

impl Form {
    pub(crate) const ALL: [Self; 4] = [Self::Slip, Self::Chit, Self::Memo, Self::Wire];
}

/// When a typed command is delivered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Delay {
    None,
    After(u64),
    At(u64),
}

impl Delay {
    /// The tick in which it is due, if that is later than now.
    pub(crate) fn due(self, now: u64) -> Option<u64> {
        let tick = match self {
            Self::None => now,
            Self::After(ticks) => now + ticks,
            Self::At(tick) => tick,
        };
        Some(tick).filter(|tick| *tick > now)
    }
}

/// A phase of a simulation, as its schedule is cut.
#[derive(Debug)]
pub(crate) struct Phase<'a> {
    pub(crate) name: String,
    pub(crate) passes: Vec<Pass<'a>>,
}

/// A pass of a simulation.
#[derive(Debug)]
pub(crate) struct Pass<'a> {
    /// What is in it, perhaps with what ends it.
    pub(crate) items: &'a [Item],
    pub(crate) publishes: u8,
    pub(crate) states: u8,
}

/// All flags of a commit point.
pub(crate) const ALL_FLAGS: u8 = 15;

impl Agenda {
    /// The phases: those of every simulation, and more if there are more, or none of those.
    pub(crate) fn phases(&self, own: bool) -> Vec<Phase<'_>> {
        let defaults: &[&str] = if own { &[] } else { &[PRE, MAIN, POST] };
        let name = |at: usize| defaults.get(at).map_or_else(|| format!("phase {at}"), |name| (*name).to_owned());
        let mut cut: Vec<Vec<Pass<'_>>> = self.items.split(|item| *item == Item::Phase).map(passes).collect();
        cut.resize_with(cut.len().max(defaults.len()), Vec::new);
        cut.into_iter().enumerate().map(|(at, passes)| Phase { name: name(at), passes }).collect()
    }
}

fn passes(items: &[Item]) -> Vec<Pass<'_>> {
    let pass = |items: &[Item]| match items.last() {
        Some(Item::Pass { publishes, states }) => (*publishes, *states),
        _ => (ALL_FLAGS, 0),
    };
    let parts = items.split_inclusive(|item| matches!(item, Item::Pass { .. }));
    parts
        .map(|items| {
            let (publishes, states) = pass(items);
            Pass { items, publishes, states }
        })
        .collect()
}
