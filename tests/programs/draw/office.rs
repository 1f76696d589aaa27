//! What makes a program a simulation: phases and passes, managers, typed commands.

use super::Draw;
use crate::bodies::trio_kinds;
use crate::data::{ALL_FLAGS, Conduct, Delay, Door, Edit, Form, Item, Move, Office, Order, Plot, Route, Task, Wait};
use crate::office::{DESKS, TRAYS};
use crate::parts::Kind;

impl Draw {
    /// What a simulation has, if it is one.
    pub(super) fn office(&mut self) -> Option<Office> {
        if !self.swarm.simulated {
            return None;
        }
        let desks = self.services(DESKS, 1);
        let trays = self.services(TRAYS, 0);
        let mut doors = vec![Door::Itself; 2];
        doors.extend(desks.iter().flat_map(|(number, _)| [Door::Desk(*number); 2]));
        doors.extend(trays.iter().flat_map(|(number, _)| [Door::Tray(*number); 2]));
        let keeps_all = !self.swarm.trios.iter().any(|trio| trio_kinds(*trio).0 == Kind::Sealed);
        Some(Office {
            desks,
            trays,
            routes: self.routes(&doors),
            errand: self.errand(),
            own_phases: self.dice.one_in(3),
            rollback: keeps_all && self.dice.one_in(2),
        })
    }

    /// Some of the services, in a random order; the first of the lowest numbers are there in any case.
    fn services(&mut self, most: usize, least: usize) -> Vec<(usize, Conduct)> {
        let mut services = Vec::new();
        for number in 0..most {
            if number < least || self.dice.one_in(2) {
                let at = self.dice.below(services.len() as u32 + 1) as usize;
                services.insert(at, (number, self.conduct()));
            }
        }
        services
    }

    fn conduct(&mut self) -> Conduct {
        let count = self.dice.from(1, 3);
        Conduct {
            rules: (0..count).map(|_| self.rule()).collect(),
            deeds: Vec::new(),
            refuses: if self.dice.one_in(3) { self.dice.from(2, 9).into() } else { 0 },
            panics: if self.swarm.panics && self.dice.one_in(3) { self.dice.from(5, 30).into() } else { 0 },
        }
    }

    fn errand(&mut self) -> Conduct {
        let count = self.dice.below(5);
        Conduct { deeds: (0..count).map(|_| self.queued_deed()).collect(), ..self.conduct() }
    }

    /// A way for each type, but for one that is unknown now and then.
    fn routes(&mut self, doors: &[Door]) -> Vec<Route> {
        let mut forms = Form::ALL.to_vec();
        let mut routes = Vec::new();
        while !forms.is_empty() {
            let form = forms.swap_remove(self.dice.below(forms.len() as u32) as usize);
            let to = self.dice.pick(doors);
            if !self.dice.one_in(9) {
                routes.push(Route { form, to, in_init: matches!(to, Door::Desk(_)) && self.dice.one_in(2) });
            }
        }
        routes
    }

    pub(super) fn submit(&mut self) -> Order {
        Order::Submit { form: self.form(), to: self.target(), delay: self.delay() }
    }

    fn form(&mut self) -> Form {
        let forms = self.swarm.forms.clone();
        if forms.is_empty() { Form::Slip } else { self.dice.pick(&forms) }
    }

    fn delay(&mut self) -> Delay {
        match self.dice.below(100) < self.swarm.delays {
            true if self.dice.one_in(2) => Delay::After(self.dice.below(4).into()),
            true => Delay::At(self.dice.below(8).into()),
            false => Delay::None,
        }
    }

    /// Cuts a schedule into passes and phases.
    pub(super) fn cut(&mut self, items: Vec<Item>) -> Vec<Item> {
        let mut cut = Vec::new();
        if self.dice.one_in(8) {
            // A pass without systems.
            cut.push(self.pass());
        }
        let mut start = cut.len();
        for item in items {
            cut.push(item);
            if self.dice.below(100) < self.swarm.passes {
                let pass = self.pass();
                if matches!(pass, Item::Pass { states: 1.., .. }) && !self.dice.one_in(4) {
                    cut.splice(start..start, self.change_of_mind());
                }
                cut.push(pass);
                if self.dice.below(100) < self.swarm.phases {
                    cut.push(Item::Phase);
                }
                start = cut.len();
            }
        }
        if !self.dice.one_in(20) {
            keep_waits_possible(&mut cut);
        }
        cut
    }

    /// Something at the beginning of a pass that changes whether it would run, and a barrier behind it.
    fn change_of_mind(&mut self) -> [Item; 2] {
        let task = self.task_of(Move::Office);
        let task = Task { factor: task.factor - task.factor % 3, trip: None, ..task };
        let plot = Plot { task, every: 1, offset: 0, conditions: Vec::new(), enabled: true, ..self.late_plot() };
        [Item::Systems(vec![plot]), Item::Barrier]
    }

    fn pass(&mut self) -> Item {
        let held = self.dice.below(100) < self.swarm.held;
        let publishes = match held {
            true if self.dice.one_in(2) => ALL_FLAGS ^ 1 << self.dice.below(4),
            true => self.dice.below(u32::from(ALL_FLAGS)) as u8,
            false => ALL_FLAGS,
        };
        // Most are open at first.
        let states = if self.dice.below(100) < self.swarm.gates { self.dice.pick(&[1, 1, 3, 5, 2, 6]) } else { 0 };
        Item::Pass { publishes, states }
    }

    /// What players give to a step.
    pub(super) fn vote(&mut self) -> Edit {
        let players = self.dice.below(4);
        Edit::Vote((0..players).map(|_| self.dice.bits() >> 40).collect())
    }

    /// What the host does between two steps of a simulation.
    pub(super) fn office_edit(&mut self, systems: u32) -> Edit {
        match self.dice.below(20) {
            0..6 => Edit::Deed(self.deed()),
            6..8 => Edit::SetStick(self.dice.bits() >> 40),
            8..12 => {
                let later = self.dice.below(100) < self.swarm.delays;
                let tick = later.then(|| self.dice.below(8).into());
                Edit::Submit { form: self.form(), number: self.dice.bits() >> 40, tick }
            }
            12..15 => Edit::Buffer(self.calm_orders()),
            15..17 => Edit::RunOnce(self.calm_task()),
            _ => Edit::Enable { system: self.dice.below(systems), on: self.dice.one_in(2) },
        }
    }
}

/// Takes away edges that lead back from a pass to one before.
fn keep_waits_possible(items: &mut [Item]) {
    let mut places: Vec<(u32, Option<u32>, usize)> = Vec::new();
    let mut pass = 0;
    for item in items.iter() {
        match item {
            Item::Systems(plots) => places.extend(plots.iter().map(|plot| (plot.id, plot.label, pass))),
            Item::Pass { .. } | Item::Phase => pass += 1,
            Item::Barrier => {}
        }
    }
    let of = |wait: &Wait| {
        let waited = places.iter().filter(move |(id, label, _)| match wait {
            Wait::System(other) => id == other,
            Wait::Label(other) => *label == Some(*other),
        });
        waited.map(|(_, _, pass)| *pass).collect::<Vec<usize>>()
    };
    let plots =
        items.iter_mut().flat_map(|item| if let Item::Systems(plots) = item { plots.as_mut_slice() } else { &mut [] });
    for Plot { id, before, after, .. } in plots {
        let own = of(&Wait::System(*id))[0];
        before.retain(|wait| of(wait).iter().all(|pass| own <= *pass));
        after.retain(|wait| of(wait).iter().all(|pass| *pass <= own));
    }
}
