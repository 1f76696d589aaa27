use core::any::{TypeId, type_name};
use core::hash::BuildHasherDefault;
use std::collections::{HashMap, VecDeque};

pub use tickweave_derive::Command;

use super::lane::{Change, Lane};
use super::merge::Merge;
use super::pending::{PendingMap, Resolve};
use super::refusal::RefusalReason;
use crate::component::TypeIdHasher;
use crate::entity::{EntityMapper, MapEntities};
use crate::fault::{Fault, planted};
use crate::storage::{SectionId, SectionKey};
use crate::value::{DecodeError, Sink, Source, StateValue};
use crate::world::World;

/// A plain value that asks a [simulation](crate::simulation) for something: that a wave be spawned, that a door be opened.
///
/// Always derived, for state values: a command that waits is state. Each type goes to the one manager that handles it, or
/// executes itself.
///
/// ```
/// use tickweave::prelude::*;
///
/// #[derive(Clone, StateValue, Command)]
/// struct SpawnWave { wolves: u32 }
///
/// fn call(tick: Tick, mut commands: Commands) {
///     if tick.0 % 100 == 0 {
///         commands.submit(SpawnWave { wolves: 3 });
///     }
/// }
/// # let _ = call;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a typed command",
    label = "not a `Command`",
    note = "derive it: `#[derive(Clone, StateValue, Command)]`, or `#[derive(Component, Clone, Copy, Command)]` for plain data"
)]
pub trait Command: StateValue {}

/// When a typed command is delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Due {
    /// At the next commit that publishes commands.
    Next,
    /// So many ticks later.
    After(u64),
    /// In a tick.
    At(u64),
}

impl Due {
    /// The tick in which it is due, if that is to come.
    const fn later_than(self, now: u64) -> Option<u64> {
        let tick = match self {
            Self::Next => now,
            Self::After(ticks) => now.saturating_add(ticks),
            Self::At(tick) => tick,
        };
        if tick > now { Some(tick) } else { None }
    }
}

/// Typed commands.
impl Lane {
    /// Submits a typed command: it goes to the manager that handles its type, or executes itself, at the next commit that
    /// publishes commands, in the order of the recording across all types.
    ///
    /// Pending entities inside of it become real, as in a value that is inserted. A world outside of a
    /// [simulation](crate::simulation), and one that does not know the type, refuses it.
    pub fn submit<C: Command>(&mut self, command: C) {
        self.push(Submit { command, due: Due::Next });
    }

    /// Submits a typed command that is delivered so many ticks later, at the first commit of that tick that publishes
    /// commands, before those that were not delayed.
    pub fn submit_after<C: Command>(&mut self, ticks: u64, command: C) {
        self.push(Submit { command, due: Due::After(ticks) });
    }

    /// Submits a typed command that is delivered in a tick; at the next commit if that is over or under way.
    pub fn submit_at<C: Command>(&mut self, tick: u64, command: C) {
        self.push(Submit { command, due: Due::At(tick) });
    }
}

struct Submit<C> {
    command: C,
    due: Due,
}

impl<C: Command> Change for Submit<C> {
    const NAME: &'static str = "submit";
    const IS_STRUCTURE: bool = false;

    fn apply(self, merge: &mut Merge<'_>) -> Result<(), RefusalReason> {
        let command = merge.map_value(self.command)?;
        merge.submit(self.due, command)
    }
}

/// The types of commands of a simulation, by their numbers: dense from 0, in the order of registration.
#[derive(Debug)]
pub(crate) struct CommandTypes {
    queues: Vec<(&'static str, SectionId)>,
    by_type: HashMap<TypeId, u32, BuildHasherDefault<TypeIdHasher>>,
    log: SectionId,
}

impl CommandTypes {
    /// No type yet; the world gets the log of all of them.
    pub(crate) fn new(world: &mut World) -> Self {
        let log = world.sections_mut().ensure::<CommandLog>(SectionKey::CommandLog);
        Self { queues: Vec::new(), by_type: HashMap::default(), log }
    }

    /// The number of a type, given now if it has none.
    pub(crate) fn ensure<C: Command>(&mut self, world: &mut World) -> u32 {
        let (name, type_id) = (type_name::<C>(), TypeId::of::<C>());
        if let Some(&number) = self.by_type.get(&type_id) {
            return number;
        }
        let number = self.queues.len() as u32;
        let queue = world.sections_mut().ensure::<TypedQueue<C>>(SectionKey::Commands(name, type_id));
        self.queues.push((name, queue));
        self.by_type.insert(type_id, number);
        number
    }

    /// Name and queue of each type.
    pub(crate) fn queues(&self) -> &[(&'static str, SectionId)] {
        &self.queues
    }

    /// The section of the order across types.
    pub(crate) const fn log(&self) -> SectionId {
        self.log
    }

    /// Queues a command of the host, which has no lane that would make pending entities in it real.
    ///
    /// # Errors
    ///
    /// [`RefusalReason::UnknownPending`] if it holds one; else as for [`submit`](Self::submit).
    pub(crate) fn submit_of_host<C: Command>(
        &self,
        world: &mut World,
        due: Due,
        mut command: C,
    ) -> Result<(), RefusalReason> {
        let nobody = PendingMap::default();
        let mut resolve = Resolve::new(&nobody);
        command.map_entities(&mut resolve);
        resolve.refused.map_or(Ok(()), Err)?;
        self.submit(world, due, command)
    }

    /// Queues a command whose entities are real.
    ///
    /// # Errors
    ///
    /// [`RefusalReason::UnknownCommand`] if the type was not registered.
    pub(crate) fn submit<C: Command>(&self, world: &mut World, due: Due, command: C) -> Result<(), RefusalReason> {
        let unknown = RefusalReason::UnknownCommand { command: type_name::<C>() };
        let number = *self.by_type.get(&TypeId::of::<C>()).ok_or(unknown)?;
        let due = due.later_than(world.tick());
        let sections = world.sections_mut();
        if let Some(queue) = sections.value_mut::<TypedQueue<C>>(self.queues[number as usize].1) {
            queue.push(due, command);
        }
        if let Some(log) = sections.value_mut::<CommandLog>(self.log) {
            log.push(due, number);
            if planted(Fault::CommandsByType) {
                log.next.make_contiguous().sort_unstable();
            }
        }
        Ok(())
    }
}

/// Values that wait: some for the next commit, some for a tick, ascending by tick and then as they came.
#[derive(Debug)]
pub(crate) struct TypedQueue<T> {
    next: VecDeque<T>,
    delayed: VecDeque<Delayed<T>>,
}

/// The order of commands across their types, by the numbers of these.
pub(crate) type CommandLog = TypedQueue<u32>;

#[derive(Clone, Debug)]
struct Delayed<T> {
    due: u64,
    value: T,
}

impl<T: Clone> Clone for TypedQueue<T> {
    fn clone(&self) -> Self {
        Self { next: self.next.clone(), delayed: self.delayed.clone() }
    }

    /// Uses the memory of the queue that is overwritten again, so that snapshots of plain commands allocate nothing.
    fn clone_from(&mut self, source: &Self) {
        self.next.clone_from(&source.next);
        self.delayed.clone_from(&source.delayed);
    }
}

impl<T> Default for TypedQueue<T> {
    fn default() -> Self {
        Self { next: VecDeque::new(), delayed: VecDeque::new() }
    }
}

impl<T> TypedQueue<T> {
    fn push(&mut self, due: Option<u64>, value: T) {
        match due {
            None => self.next.push_back(value),
            Some(due) => {
                let at = self.delayed.partition_point(|delayed| delayed.due <= due);
                self.delayed.insert(at, Delayed { due, value });
            }
        }
    }

    /// How many are due in `tick`, and how many wait for the next commit.
    pub(crate) fn due(&self, tick: u64) -> (usize, usize) {
        let tick = tick - u64::from(planted(Fault::DelayedLate));
        (self.delayed.partition_point(|delayed| delayed.due <= tick), self.next.len())
    }

    /// Takes the first of those that were delayed.
    pub(crate) fn pop_delayed(&mut self) -> Option<T> {
        self.delayed.pop_front().map(|delayed| delayed.value)
    }

    /// Takes the first of those that wait for the next commit.
    pub(crate) fn pop_next(&mut self) -> Option<T> {
        self.next.pop_front()
    }
}

impl<T: MapEntities> MapEntities for TypedQueue<T> {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        self.next.iter_mut().for_each(|value| value.map_entities(mapper));
        self.delayed.iter_mut().for_each(|delayed| delayed.value.map_entities(mapper));
    }
}

impl<T: StateValue> StateValue for TypedQueue<T> {
    fn encode(&self, sink: &mut Sink<'_>) {
        self.next.encode(sink);
        sink.length(self.delayed.len());
        for Delayed { due, value } in &self.delayed {
            due.encode(sink);
            value.encode(sink);
        }
    }

    fn decode(source: &mut Source<'_>) -> Result<Self, DecodeError> {
        let next = VecDeque::decode(source)?;
        let mut delayed = VecDeque::<Delayed<T>>::new();
        for _ in 0..source.length()? {
            let (due, value) = (u64::decode(source)?, source.nested(T::decode)?);
            if delayed.back().is_some_and(|before| before.due > due) {
                return Err(DecodeError::invalid::<Self>());
            }
            delayed.push_back(Delayed { due, value });
        }
        if planted(Fault::DelayedNotLoaded) {
            delayed.clear();
        }
        Ok(Self { next, delayed })
    }
}

#[cfg(test)]
mod tests;
