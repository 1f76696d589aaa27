//! Commands, deeds and what the host does.

use super::Draw;
use super::swarm::Verb;
use crate::bodies::trio_kinds;
use crate::data::{Deed, Edit, Move, Order, Rule, Target, Task, Touch};
use crate::parts::Kind;

impl Draw {
    pub(super) fn recipe(&mut self) -> usize {
        self.dice.pick(&self.swarm.recipes)
    }

    /// A type that the program uses.
    fn kind(&mut self) -> Kind {
        let (a, b) = trio_kinds(self.dice.pick(&self.swarm.trios));
        if self.dice.one_in(2) { a } else { b }
    }

    pub(super) fn target(&mut self) -> Target {
        match self.dice.below(12) {
            0..5 => Target::Own,
            5..8 => Target::Last,
            8 => Target::Outer,
            9 => Target::Kept,
            _ => Target::Guess { slot: self.dice.below(40), generation: self.dice.from(1, 2) },
        }
    }

    /// One order, or several that belong together.
    pub(super) fn orders(&mut self, out: &mut Vec<Order>) {
        let order = match self.dice.weighted(&self.swarm.verbs) {
            Verb::Spawn => Order::Spawn { recipe: self.recipe(), to: self.target() },
            Verb::SpawnFamily => return self.family(out),
            Verb::Insert => Order::Insert { on: self.target(), recipe: self.recipe(), to: self.target() },
            Verb::Remove => Order::Remove { on: self.target(), recipe: self.recipe() },
            Verb::Despawn => Order::Despawn { on: self.target() },
            Verb::Queue => Order::Queue(self.queued_deed()),
            Verb::QueueOn => Order::QueueOn { on: self.target(), touch: self.touch() },
            Verb::Send => Order::Send { to: self.dice.one_in(2).then(|| self.target()) },
            Verb::Forget => Order::Forget,
            Verb::Call => Order::Call { phase: self.dice.one_in(2) },
            Verb::Submit => self.submit(),
        };
        out.push(order);
    }

    /// Two new entities that refer to one another.
    fn family(&mut self, out: &mut Vec<Order>) {
        let linked = Kind::Link as usize;
        out.push(Order::Spawn { recipe: self.recipe(), to: self.target() });
        out.push(Order::Spawn { recipe: linked, to: Target::Last });
        if self.dice.one_in(2) {
            out.push(Order::Insert { on: Target::Own, recipe: linked, to: Target::Last });
        }
    }

    pub(super) fn order_list(&mut self, most: u32) -> Vec<Order> {
        let mut orders = Vec::new();
        for _ in 0..self.dice.below(most + 1) {
            self.orders(&mut orders);
        }
        orders
    }

    pub(super) fn rule(&mut self) -> Rule {
        let mut orders = Vec::new();
        self.orders(&mut orders);
        if self.dice.one_in(2) {
            self.orders(&mut orders);
        }
        // A world that doubles every tick is full too soon.
        let spawns = orders.iter().any(|order| matches!(order, Order::Spawn { .. }));
        let submits = orders.iter().any(|order| matches!(order, Order::Submit { .. }));
        let modulus = match (spawns, submits) {
            (true, _) => self.dice.from(4, 9),
            (false, true) => self.dice.from(1, 4),
            (false, false) => self.dice.from(2, 6),
        };
        Rule { modulus: modulus.into(), remainder: self.dice.below(modulus).into(), orders }
    }

    fn touch(&mut self) -> Touch {
        match self.dice.below(8) {
            0..3 => Touch::Insert { recipe: self.recipe() },
            3 | 4 => Touch::Remove { recipe: self.recipe() },
            5 | 6 if self.swarm.panics => Touch::Panic,
            _ => Touch::Mix { kind: self.kind() },
        }
    }

    pub(super) fn queued_deed(&mut self) -> Deed {
        if self.swarm.panics && self.dice.one_in(3) { Deed::Panic } else { self.deed() }
    }

    pub(super) fn deed(&mut self) -> Deed {
        let (nth, seed) = (self.dice.below(100), self.dice.bits() >> 40);
        if self.swarm.scarce && self.dice.one_in(2) {
            return if self.dice.one_in(2) { Deed::TakeSpare } else { Deed::PutSpare(seed) };
        }
        if self.swarm.gates > 0 && self.dice.one_in(4) {
            return Deed::SetMode(self.dice.below(3) as u8);
        }
        match self.dice.below(43) {
            40.. => Deed::Send { nth, number: seed },
            0..6 => Deed::Spawn { recipe: self.recipe(), count: self.dice.from(1, 6), seed },
            6..13 => Deed::Despawn { nth },
            13..20 => Deed::Insert { nth, recipe: self.recipe(), seed },
            20..26 => Deed::Remove { nth, recipe: self.recipe() },
            26..31 => Deed::MixAll { kind: self.kind(), by: seed },
            31..35 => Deed::MixOne { nth, kind: self.kind(), by: seed },
            35..37 => Deed::SetDial(seed % 12),
            37 => Deed::PutSpare(seed),
            38 => Deed::TakeSpare,
            _ if self.dice.one_in(4) => Deed::Clear,
            _ => Deed::Despawn { nth },
        }
    }

    pub(super) fn edit(&mut self, systems: u32) -> Edit {
        if let Some(kind) = self.missing.filter(|_| self.dice.one_in(8)) {
            return Edit::Register(kind);
        }
        if self.swarm.simulated {
            return self.office_edit(systems);
        }
        match self.dice.below(20) {
            0..9 => Edit::Deed(self.deed()),
            9..11 => Edit::SetStick(self.dice.bits() >> 40),
            11..14 => Edit::Buffer(self.calm_orders()),
            14..16 => Edit::RunOnce(self.calm_task()),
            16 | 17 => Edit::Enable { system: self.dice.below(systems), on: self.dice.one_in(2) },
            18 => Edit::Add(self.late_plot()),
            _ => Edit::Withdraw { system: self.dice.below(systems) },
        }
    }

    /// Orders of the host, which do not panic.
    pub(super) fn calm_orders(&mut self) -> Vec<Order> {
        let panics = std::mem::take(&mut self.swarm.panics);
        let orders = self.order_list(3);
        self.swarm.panics = panics;
        orders
    }

    /// A system that runs between ticks: without locals, it does not panic, and it does not look at handles: those of the
    /// host differ from run to run.
    pub(super) fn calm_task(&mut self) -> Task {
        let panics = std::mem::take(&mut self.swarm.panics);
        let shapes = [Move::EachWrite, Move::EachOrders, Move::ChunkWrite, Move::NestedOrders, Move::ExclusiveOrders];
        let shape = self.dice.pick(&shapes);
        let task = Task { trip: None, looks: false, ..self.task_of(shape) };
        self.swarm.panics = panics;
        task
    }
}
