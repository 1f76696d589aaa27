//! Systems, their order and their pace.

use super::Draw;
use crate::bodies::trio_kinds;
use crate::data::{Condition, Move, Order, Plot, Rule, Target, Task, Trip, Wait};
use crate::parts::Kind;

impl Draw {
    /// The systems of a schedule.
    pub(super) fn plots(&mut self, count: u32) -> Vec<Plot> {
        let mut plots: Vec<Plot> = (0..count).map(|_| self.plot()).collect();
        let ranks = self.ranks(count as usize);
        for at in 0..plots.len() {
            if self.dice.below(100) < self.swarm.waits {
                self.wait(&mut plots, &ranks, at);
            }
        }
        plots
    }

    fn plot(&mut self) -> Plot {
        let shape = self.dice.weighted(&self.swarm.moves);
        let task = self.task_of(shape);
        let (every, offset) = self.rate();
        self.next_id += 1;
        Plot {
            id: self.next_id - 1,
            task,
            label: self.dice.one_in(4).then(|| self.dice.below(2)),
            before: Vec::new(),
            after: Vec::new(),
            every,
            offset,
            conditions: self.conditions(),
            stream: self.dice.one_in(25).then(|| self.dice.below(3)),
            enabled: !self.dice.one_in(14),
            pinned: self.dice.one_in(12),
        }
    }

    /// A system that is added between ticks.
    pub(super) fn late_plot(&mut self) -> Plot {
        self.plot()
    }

    fn rate(&mut self) -> (u32, u32) {
        if self.dice.below(100) >= self.swarm.rates {
            return (1, 0);
        }
        let every = self.dice.from(2, 3);
        (every, self.dice.below(every))
    }

    fn conditions(&mut self) -> Vec<Condition> {
        let mut conditions = Vec::new();
        while conditions.len() < 2 && self.dice.below(100) < self.swarm.conditions {
            conditions.push(match self.dice.below(4) {
                0 => Condition::DialDivides(self.dice.from(1, 3).into()),
                1 => Condition::TickIsNot(self.dice.from(1, 6).into()),
                2 => Condition::SpareIsThere,
                _ => Condition::TallyIsEven,
            });
        }
        conditions
    }

    pub(super) fn task_of(&mut self, shape: Move) -> Task {
        let trio = self.trio_for(shape);
        let often = shape == Move::Escape || (shape == Move::Dynamic && self.dice.one_in(3));
        let fails = often || self.dice.below(100) < self.swarm.trips;
        let mut task = Task {
            shape,
            trio,
            factor: self.factor(shape),
            trip: fails.then(|| self.trip(shape)),
            looks: !self.dice.one_in(4),
            opening: Vec::new(),
            rules: Vec::new(),
            closing: Vec::new(),
            deeds: Vec::new(),
        };
        self.fill(&mut task);
        task
    }

    /// Gives a system what it records and does.
    fn fill(&mut self, task: &mut Task) {
        let shape = task.shape;
        match shape {
            Move::ChunkOrders | Move::Dynamic => task.opening = self.order_list(2),
            Move::QueryOrders | Move::NestedOrders | Move::NestedBatches => {
                (task.opening, task.closing) = (self.order_list(3), self.order_list(2));
            }
            Move::ExclusiveOrders => (task.opening, task.closing) = (self.order_list(2), self.order_list(2)),
            _ => {}
        }
        if records_by_row(shape) {
            let count = self.dice.from(1, 3);
            task.rules = (0..count).map(|_| self.rule()).collect();
            if self.swarm.forgets() && self.dice.one_in(2) {
                task.rules.push(self.forgetful_rule());
            }
        }
        if shape == Move::NestedOrders && self.dice.one_in(3) {
            self.name_outer(task);
        }
        if matches!(shape, Move::Exclusive | Move::ExclusiveOrders) {
            let count = self.dice.from(1, 4);
            task.deeds = (0..count).map(|_| self.deed()).collect();
        }
    }

    /// Drops what was recorded for the rows before.
    fn forgetful_rule(&mut self) -> Rule {
        let modulus = self.dice.from(3, 8);
        Rule { modulus: modulus.into(), remainder: self.dice.below(modulus).into(), orders: vec![Order::Forget] }
    }

    /// Has a nested loop name what was spawned before it.
    fn name_outer(&mut self, task: &mut Task) {
        task.opening.push(Order::Spawn { recipe: self.recipe(), to: Target::Last });
        let order = match self.dice.below(3) {
            0 => Order::Insert { on: Target::Outer, recipe: self.recipe(), to: Target::Own },
            1 => Order::Spawn { recipe: Kind::Link as usize, to: Target::Outer },
            _ => Order::Insert { on: Target::Own, recipe: Kind::Link as usize, to: Target::Outer },
        };
        task.rules[0].orders.push(order);
    }

    /// A trio whose types the shape can take: whoever follows links does not write them.
    fn trio_for(&mut self, shape: Move) -> usize {
        let trio = self.dice.pick(&self.swarm.trios);
        let clash = shape.follows() && trio_kinds(trio).0 == Kind::Link;
        if clash && !self.dice.one_in(10) { 0 } else { trio }
    }

    fn factor(&mut self, shape: Move) -> u64 {
        let factor = self.dice.bits() >> 48 | 1 << 20;
        // The variant that needs what comes and goes.
        if self.swarm.scarce && shape == Move::Resources { factor & !3 | 2 } else { factor }
    }

    fn trip(&mut self, shape: Move) -> Trip {
        let often = if shape == Move::Dynamic { 9 } else { 1 };
        let modulus = match self.swarm.brittle {
            Some(_) => self.dice.from(1, 3),
            None => self.dice.weighted(&[(often, 1), (2, 3), (3, 7), (3, 12)]),
        };
        let remainder = self.dice.below(modulus);
        Trip {
            tick: self.swarm.brittle.unwrap_or_else(|| self.dice.from(1, 5)).into(),
            modulus: modulus.into(),
            remainder: remainder.into(),
            panics: self.dice.one_in(2),
        }
    }

    /// A place for each system such that edges from lower to higher places make no cycle: that of its registration, but
    /// for a few that move.
    fn ranks(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for _ in 0..self.dice.below(3) {
            let moved = order.remove(self.dice.below(count as u32) as usize);
            order.insert(self.dice.below(count as u32) as usize, moved);
        }
        (0..count).map(|at| order.iter().position(|&other| other == at).expect("each has a place")).collect()
    }

    /// Has a system wait for another one, or another one for it.
    fn wait(&mut self, plots: &mut [Plot], ranks: &[usize], at: usize) {
        let other = self.dice.below(plots.len() as u32) as usize;
        let cycles = self.dice.one_in(60);
        if other == at || (ranks[other] > ranks[at] && !cycles) {
            return;
        }
        let label = plots[other].label.filter(|label| {
            let carriers = plots.iter().zip(ranks).filter(|(plot, _)| plot.label == Some(*label));
            carriers.clone().all(|(_, rank)| *rank < ranks[at])
        });
        if self.dice.one_in(2) {
            plots[at].after = vec![label.map_or(Wait::System(plots[other].id), Wait::Label)];
        } else {
            plots[other].before = vec![Wait::System(plots[at].id)];
        }
    }
}

/// Whether the system records commands for single rows.
const fn records_by_row(shape: Move) -> bool {
    matches!(
        shape,
        Move::EachOrders
            | Move::ChunkOrders
            | Move::QueryOrders
            | Move::NestedOrders
            | Move::NestedBatches
            | Move::NestedDeep
            | Move::QueryDraw
            | Move::NestedDraw
    )
}
