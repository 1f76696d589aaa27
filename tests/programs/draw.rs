//! Draws a program from a seed, swarm style: each program first draws what it may use and how often, then uses it.

mod commands;
mod office;
mod swarm;
mod systems;

use super::bodies::trio_kinds;
use super::data::{Agenda, Deed, Edit, Item, Program, Round};
use super::dice::Dice;
use super::parts::Kind;
use super::tables::kinds_of;
use swarm::Swarm;

/// The program of a seed.
pub(crate) fn draw(seed: u64) -> Program {
    Draw { dice: Dice::new(seed), swarm: Swarm::default(), next_id: 0, missing: None }.program()
}

/// A program that is being drawn.
struct Draw {
    dice: Dice,
    swarm: Swarm,
    /// The number of the next system.
    next_id: u32,
    /// A type that the world does not know at first.
    missing: Option<Kind>,
}

impl Draw {
    fn program(mut self) -> Program {
        self.swarm = Swarm::draw(&mut self.dice);
        let (chunk_rows, batch_rows) = self.shape();
        let registered = self.registered();
        let office = self.office();
        let agendas = self.agendas();
        let rounds = self.rounds(&agendas);
        Program {
            chunk_rows,
            batch_rows,
            capacity: self.dice.pick(&[40, 60, 90, 120]),
            registered,
            hidden: self.dice.one_in(8).then_some(Kind::Mark),
            spare: !self.dice.one_in(4),
            seed: (!self.dice.one_in(25)).then(|| self.dice.bits()),
            setup: self.setup(chunk_rows.min(16)),
            agendas,
            rounds,
            office,
        }
    }

    /// Tiny chunks, so that small worlds cross every border, and now and then those of every day.
    fn shape(&mut self) -> (u32, u32) {
        self.dice.weighted(&[
            (4, (4, 2)),
            (4, (8, 2)),
            (3, (8, 4)),
            (2, (16, 4)),
            (1, (4, 4)),
            (1, (2, 1)),
            (1, (64, 8)),
            (1, (tickweave::world::CHUNK_ROWS, tickweave::world::BATCH_ROWS)),
        ])
    }

    /// All types in a random order, but for one that is unknown at first now and then.
    fn registered(&mut self) -> Vec<Kind> {
        let mut kinds = Kind::ALL.to_vec();
        for at in 1..kinds.len() {
            kinds.swap(at, self.dice.below(at as u32 + 1) as usize);
        }
        if !self.swarm.simulated && self.dice.one_in(4) {
            self.missing = kinds.pop();
        }
        kinds
    }

    fn setup(&mut self, chunk_rows: u32) -> Vec<Deed> {
        let mut setup = Vec::new();
        for trio in self.swarm.trios.clone() {
            let (a, b) = trio_kinds(trio);
            let recipe = self.recipe_with(a);
            let count = self.dice.from(1, (chunk_rows * 3).min(28));
            setup.push(Deed::Spawn { recipe, count, seed: self.dice.bits() >> 40 });
            let inserts = self.dice.below(6);
            setup.extend((0..inserts).map(|_| self.insert(b as usize)));
        }
        if self.swarm.follows() {
            let links = self.dice.from(4, 16);
            setup.extend((0..links).map(|_| self.insert(Kind::Link as usize)));
        }
        let more = self.dice.below(8);
        setup.extend((0..more).map(|_| self.deed()));
        setup
    }

    fn insert(&mut self, recipe: usize) -> Deed {
        Deed::Insert { nth: self.dice.below(100), recipe, seed: self.dice.bits() >> 40 }
    }

    /// A bundle with a component.
    fn recipe_with(&mut self, kind: Kind) -> usize {
        let fitting: Vec<usize> =
            self.swarm.recipes.iter().copied().filter(|recipe| kinds_of(*recipe).contains(&kind)).collect();
        self.dice.pick(&fitting)
    }

    fn agendas(&mut self) -> Vec<Agenda> {
        let two = self.dice.one_in(5) && !self.swarm.simulated;
        let count = if two { 2 } else { 1 };
        (0..count).map(|_| self.agenda()).collect()
    }

    fn agenda(&mut self) -> Agenda {
        let count =
            self.dice.weighted(&[(1, 1), (1, 2), (2, 3), (3, 4), (4, 5), (4, 6), (4, 7), (4, 8), (3, 10), (2, 12)]);
        let mut plots = self.plots(count).into_iter();
        let mut items = Vec::new();
        while let Some(plot) = plots.next() {
            if self.dice.below(100) < self.swarm.barriers {
                items.push(Item::Barrier);
            }
            let more = if self.dice.below(100) < self.swarm.chains { self.dice.from(1, 2) } else { 0 };
            items.push(Item::Systems([plot].into_iter().chain(plots.by_ref().take(more as usize)).collect()));
        }
        if self.swarm.simulated {
            items = self.cut(items);
        }
        Agenda { strict: self.dice.one_in(9), items }
    }

    fn rounds(&mut self, agendas: &[Agenda]) -> Vec<Round> {
        let first = self.next_id;
        let count = self.dice.from(3, 6);
        (0..count)
            .map(|_| {
                let agenda = self.dice.below(agendas.len() as u32) as usize;
                let mut edits = if self.dice.below(100) < self.swarm.edits { self.edits(first) } else { Vec::new() };
                if self.swarm.scarce && !self.dice.one_in(4) {
                    edits.push(Edit::Deed(Deed::PutSpare(4)));
                }
                if self.swarm.simulated && self.dice.one_in(3) {
                    edits.push(self.vote());
                }
                Round { edits, agenda }
            })
            .collect()
    }

    fn edits(&mut self, systems: u32) -> Vec<Edit> {
        let count = self.dice.from(1, 3);
        (0..count).map(|_| self.edit(systems)).collect()
    }
}
