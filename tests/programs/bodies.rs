//! Systems made of tasks.

mod draws;
mod nested;
mod others;
mod queries;
mod rows;
mod trios;

use tickweave::prelude::*;
use tickweave::system::SystemConfig;

use super::data::{Condition, Move, Plot, Task, Wait};
use super::deeds::panic_quietly;
use super::kit::{self, Kit, Sight};
use super::orders::Clerk;
use super::parts::{Dial, Part, Spare, Tally};

pub(crate) use others::{Nest, Pad};
pub(crate) use trios::{TRIO_COUNT, trio_filters, trio_kinds};

/// What a system captures.
#[derive(Clone, Debug)]
struct Role {
    task: Task,
    kit: Kit,
    /// Whether it must run on the thread of the host.
    pinned: bool,
}

impl Role {
    fn saw(&self, sight: Sight) {
        self.kit.saw(sight);
    }

    /// Called where the system begins; rows and batches may be on other threads.
    ///
    /// # Panics
    ///
    /// If the system is pinned, and not on the thread of the host.
    fn begin(&self) {
        if self.pinned && !kit::is_host() {
            panic_quietly("a pinned system left the thread of the host");
        }
        self.kit.pause();
    }

    /// Who records the orders.
    fn clerk<'l>(&'l self, lane: &'l mut Lane, seed: u64) -> Clerk<'l> {
        Clerk { looks: self.task.looks, ..Clerk::new(lane, &self.kit, seed) }
    }

    /// Records the rules for a row with that number.
    fn follow(&self, lane: &mut Lane, own: Entity, number: u64) {
        let mut clerk = Clerk { own: Some(own), ..self.clerk(lane, number) };
        clerk.follow(&self.task.rules, number);
    }

    /// The number of a row for the rules, and for what the row is changed by.
    fn number<B: Part>(&self, a: &impl Part, b: Option<&B>) -> u64 {
        a.read().wrapping_mul(3) ^ b.map_or(self.task.factor, B::read)
    }

    /// Changes a row; every fourth time it then refers to its own entity.
    fn change(&self, a: &mut impl Part, by: u64, own: Entity) {
        a.mix(by.wrapping_mul(self.task.factor));
        if by % 4 == 0 {
            a.aim(own);
        }
    }

    /// Fails where the task says so.
    ///
    /// # Panics
    ///
    /// Where the task says that it panics.
    fn trip(&self, Tick(tick): Tick, number: u64) -> Result<(), String> {
        let Some(trip) = self.task.trip else { return Ok(()) };
        if tick < trip.tick || number % trip.modulus != trip.remainder {
            return Ok(());
        }
        let what = format!("{number:x} is too much");
        if trip.panics { panic_quietly(&what) } else { Err(what) }
    }

    /// The same, where no error can be returned.
    fn trip_or_panic(&self, tick: Tick, number: u64) {
        if let Err(what) = self.trip(tick, number) {
            panic_quietly(&what);
        }
    }
}

/// The name of a system.
pub(crate) fn name(id: u32) -> String {
    format!("s{id}")
}

fn label(number: u32) -> String {
    format!("label {number}")
}

/// The system of a task, without name, place and pace.
pub(crate) fn system_of(task: &Task, pinned: bool, kit: &Kit) -> SystemConfig {
    let pinned = pinned || task.shape == Move::Pinned;
    let role = Role { task: task.clone(), kit: kit.clone(), pinned };
    let trio = trios::trio(task.trio);
    match task.shape {
        Move::EachWrite => (trio.each_write)(role),
        Move::EachLazy => (trio.each_lazy)(role),
        Move::EachOrders => (trio.each_orders)(role),
        Move::ChunkWrite => (trio.chunk_write)(role),
        Move::ChunkOrders => (trio.chunk_orders)(role),
        Move::QueryWrite => (trio.query_write)(role),
        Move::QueryTally => (trio.query_tally)(role),
        Move::QueryOrders => (trio.query_orders)(role),
        Move::NestedWrite => (trio.nested_write)(role),
        Move::NestedOrders => (trio.nested_orders)(role),
        Move::NestedBatches => (trio.nested_batches)(role),
        Move::NestedDeep => (trio.nested_deep)(role),
        Move::NestedFold => (trio.nested_fold)(role),
        Move::Dynamic => (trio.dynamic)(role),
        Move::Pinned => (trio.pinned)(role),
        Move::Twin => (trio.twin)(role),
        Move::Follow => (trio.follow)(role),
        Move::EachGather => (trio.each_gather)(role),
        Move::ChunkGather => (trio.chunk_gather)(role),
        Move::EachDraw => (trio.each_draw)(role),
        Move::QueryDraw => (trio.query_draw)(role),
        Move::NestedDraw => (trio.nested_draw)(role),
        Move::Escape => others::escape(role),
        Move::Office => others::office(role),
        Move::Resources => others::resources(role),
        Move::Events => others::events(role),
        Move::Removals => others::removals(role),
        Move::Exclusive => others::exclusive(role),
        Move::ExclusiveOrders => others::exclusive_orders(role),
        Move::SubWorld => others::sub_world(role),
    }
}

/// The system of a plot.
pub(crate) fn config(plot: &Plot, kit: &Kit) -> SystemConfig {
    let mut config = system_of(&plot.task, plot.pinned, kit).named(name(plot.id)).every(plot.every).offset(plot.offset);
    if let Some(number) = plot.label {
        config = config.labeled(label(number));
    }
    config = plot.before.iter().fold(config, |config, wait| config.before(waited(*wait)));
    config = plot.after.iter().fold(config, |config, wait| config.after(waited(*wait)));
    config = plot.conditions.iter().fold(config, |config, condition| with_condition(config, *condition, kit));
    if let Some(number) = plot.stream {
        config = config.stream(format!("stream {number}"));
    }
    config = if plot.enabled { config } else { config.disabled() };
    if plot.pinned { config.pinned() } else { config }
}

fn waited(wait: Wait) -> String {
    match wait {
        Wait::System(id) => name(id),
        Wait::Label(number) => label(number),
    }
}

fn with_condition(config: SystemConfig, condition: Condition, kit: &Kit) -> SystemConfig {
    let kit = kit.clone();
    let told = move |holds: bool| {
        if !holds {
            kit.saw(Sight::ConditionFalse);
        }
        holds
    };
    match condition {
        Condition::DialDivides(by) => config.run_if(move |dial: Res<Dial>| told(dial.0 % by == 0)),
        Condition::TickIsNot(number) => config.run_if(move |tick: Tick| told(tick.0 != number)),
        Condition::SpareIsThere => config.run_if(move |spare: Option<Res<Spare>>| told(spare.is_some())),
        Condition::TallyIsEven => config.run_if(move |tally: Res<Tally>| told(tally.sum % 2 == 0)),
    }
}
