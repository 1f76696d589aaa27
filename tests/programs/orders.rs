//! Commands: what an order records into a lane.

use tickweave::entity::Entity;
use tickweave::prelude::Lane;
use tickweave::world::EntityMut;

use super::data::{Delay, Form, Order, Rule, Target, Touch};
use super::deeds;
use super::journal::{Sent, Word};
use super::kit::{Kit, Sight};
use super::office::form_table_of;
use super::parts::{Bell, Note, Shout, Stuff, Whisper, stir};
use super::tables::{recipe, table_of};

/// Records orders, and remembers the handles that they may name.
pub(crate) struct Clerk<'l> {
    pub(crate) lane: &'l mut Lane,
    pub(crate) kit: &'l Kit,
    /// The entity of the row.
    pub(crate) own: Option<Entity>,
    /// The entity that was spawned last.
    pub(crate) last: Option<Entity>,
    pub(crate) outer: Option<Entity>,
    pub(crate) kept: Option<Entity>,
    /// Makes the values.
    pub(crate) seed: u64,
    /// Whether the bits of the handles of what it spawns show in the values that come next.
    pub(crate) looks: bool,
    /// Whether it records at a commit point.
    pub(crate) flushes: bool,
    /// How many typed commands it submitted.
    pub(crate) submitted: u64,
}

/// A handle that no world has issued when it is small.
pub(crate) fn guess(slot: u32, generation: u32) -> Entity {
    let bits = u64::from(generation.max(1)) << 32 | u64::from(slot);
    Entity::from_bits(bits).expect("generations start at 1")
}

impl<'l> Clerk<'l> {
    pub(crate) fn new(lane: &'l mut Lane, kit: &'l Kit, seed: u64) -> Self {
        let (own, last, outer, kept) = (None, None, None, None);
        Self { lane, kit, own, last, outer, kept, seed, looks: false, flushes: false, submitted: 0 }
    }

    /// Records the orders of the rules that the number of the row fits.
    pub(crate) fn follow(&mut self, rules: &[Rule], number: u64) {
        for rule in rules.iter().filter(|rule| number % rule.modulus == rule.remainder) {
            self.record_all(&rule.orders);
        }
    }

    pub(crate) fn record_all(&mut self, orders: &[Order]) {
        orders.iter().for_each(|order| self.record(*order));
    }

    fn target(&self, target: Target) -> Entity {
        let named = match target {
            Target::Own => self.own,
            Target::Last => self.last,
            Target::Outer => self.outer,
            Target::Kept => self.kept,
            Target::Guess { slot, generation } => Some(guess(slot, generation)),
        };
        named.or(self.own).unwrap_or_else(|| guess(0, 1))
    }

    fn target_of_command(&self, target: Target) -> Entity {
        let entity = self.target(target);
        if entity.is_pending() {
            self.kit.saw(if target == Target::Outer { Sight::OuterHandle } else { Sight::PendingTarget });
        }
        entity
    }

    fn stuff(&self, to: Target) -> Stuff<'l> {
        Stuff { seed: self.seed, to: self.target(to), kit: self.kit }
    }

    fn stuff_for(&self, number: usize, to: Target) -> Stuff<'l> {
        let stuff = self.stuff(to);
        if stuff.to.is_pending() && recipe(number).holds_entities() {
            self.kit.saw(if to == Target::Outer { Sight::OuterHandle } else { Sight::PendingInField });
        }
        stuff
    }

    /// Has the bits of a handle show in what comes next, the number of its lane in small values too.
    fn look(&mut self, spawned: Entity) {
        if self.looks {
            self.kit.saw(Sight::HandleBits);
            let bits = spawned.to_bits();
            self.seed = stir(self.seed, bits ^ bits >> 26);
        }
    }

    /// Submits a typed command, behind a closure that notes it where the tick delivers commands. What would be submitted for a
    /// command at a commit point mostly is not: they would become more and more.
    fn submit(&mut self, form: Form, to: Target, delay: Delay) {
        self.submitted += 1;
        let (number, to) = (stir(self.seed, self.submitted), self.target(to));
        if self.flushes {
            if number % 8 != 0 {
                return;
            }
            self.kit.saw(Sight::FlushCommand);
        }
        let doubtful = to.is_pending() && form != Form::Wire;
        if doubtful {
            self.kit.saw(Sight::PendingInCommand);
        }
        if self.kit.delivers(form) {
            let (kit, late) = (self.kit.clone(), self.flushes);
            self.lane.queue(move |world| {
                kit.say(Word::Recorded(Sent { number, due: delay.due(world.tick()), doubtful, late }));
            });
        }
        (form_table_of(form).record)(self.lane, (number, to), delay);
    }

    fn record(&mut self, order: Order) {
        self.kit.saw(sight_of(order));
        match order {
            Order::Spawn { recipe: number, to } => {
                let stuff = self.stuff_for(number, to);
                let spawned = (recipe(number).record_spawn)(self.lane, stuff);
                self.last = Some(spawned);
                self.look(spawned);
            }
            Order::Insert { on, recipe: number, to } => {
                let (entity, stuff) = (self.target_of_command(on), self.stuff_for(number, to));
                (recipe(number).record_insert)(self.lane, entity, stuff);
            }
            Order::Remove { on, recipe: number } => {
                (recipe(number).record_remove)(self.lane, self.target_of_command(on));
            }
            Order::Despawn { on } => self.lane.despawn(self.target_of_command(on)),
            Order::Queue(deed) => {
                let kit = self.kit.clone();
                self.lane.queue(move |world| deeds::perform(deed, world, &kit));
            }
            Order::QueueOn { on, touch } => {
                let (entity, seed, kit) = (self.target_of_command(on), self.seed, self.kit.clone());
                self.lane.entity(entity).queue(move |entity| perform_touch(touch, entity, seed, &kit));
            }
            Order::Send { to: None } => self.lane.send(Bell(self.seed)),
            Order::Send { to: Some(to) } => {
                let to = self.target_of_command(to);
                self.lane.send(Note { to, number: self.seed });
            }
            Order::Call { phase: true } => self.lane.send(Shout(self.seed)),
            Order::Call { phase: false } => self.lane.send(Whisper(self.seed)),
            Order::Submit { form, to, delay } => self.submit(form, to, delay),
            Order::Forget => {
                self.lane.clear();
                self.last = None;
            }
        }
    }
}

const fn sight_of(order: Order) -> Sight {
    match order {
        Order::Spawn { .. } => Sight::Spawn,
        Order::Insert { .. } => Sight::Insert,
        Order::Remove { .. } => Sight::Remove,
        Order::Despawn { .. } => Sight::Despawn,
        Order::Queue(_) => Sight::Queue,
        Order::QueueOn { .. } => Sight::QueueOn,
        Order::Send { .. } => Sight::Send,
        Order::Call { .. } => Sight::Call,
        Order::Submit { .. } => Sight::Submit,
        Order::Forget => Sight::Forget,
    }
}

fn perform_touch(touch: Touch, entity: &mut EntityMut<'_>, seed: u64, kit: &Kit) {
    match touch {
        Touch::Insert { recipe: number } => {
            let stuff = Stuff { seed, to: entity.id(), kit };
            let _ = (recipe(number).insert_on)(entity, stuff);
        }
        Touch::Remove { recipe: number } => (recipe(number).remove_on)(entity),
        Touch::Mix { kind } => (table_of(kind).mix_on)(entity, seed),
        Touch::Panic => deeds::panic_quietly("a closure on an entity"),
    }
}
