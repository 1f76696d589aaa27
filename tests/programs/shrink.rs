//! Makes a program that shows a difference smaller, as long as it still shows one.

use super::compare::Difference;
use super::data::{ALL_FLAGS, Conduct, Deed, Door, Edit, Item, Office, Plot, Program, Rule, Task, Wait};
use super::parts::Kind;

/// Programs that are tried at most.
const ATTEMPTS: usize = 2000;

/// The smallest program that was found to still fail.
pub(crate) fn shrink(first: Difference, fails: impl Fn(&Program) -> Option<Difference>) -> Difference {
    let (mut smallest, mut at, mut improved) = (first, 0, false);
    for _ in 0..ATTEMPTS {
        let Some(smaller) = cut(&smallest.program, at) else {
            if !improved {
                break;
            }
            (at, improved) = (0, false);
            continue;
        };
        match fails(&smaller) {
            // What was cut is gone, so that the next cut has this number now.
            Some(difference) => (smallest, improved) = (difference, true),
            None => at += 1,
        }
    }
    smallest
}

/// The program without the part that has a number; `None` behind the last one.
fn cut(program: &Program, number: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let mut knife = Knife { left: Some(number) };
    knife.program(&mut smaller);
    knife.left.is_none().then(|| {
        tidy(&mut smaller);
        smaller
    })
}

/// Counts the parts of a program down, and takes away the one at which it comes to nothing.
struct Knife {
    left: Option<usize>,
}

impl Knife {
    fn hits(&mut self) -> bool {
        let hit = self.left == Some(0);
        self.left = self.left.and_then(|left| left.checked_sub(1));
        hit
    }

    /// Halves first, then each element.
    fn thin<T>(&mut self, list: &mut Vec<T>) {
        let half = list.len() / 2;
        if half > 1 && self.hits() {
            list.drain(..half);
        } else if half > 1 && self.hits() {
            list.truncate(half);
        } else if let Some(at) = (0..list.len()).find(|_| self.hits()) {
            list.remove(at);
        }
    }

    fn set<T: PartialEq>(&mut self, value: &mut T, simple: T) {
        if *value != simple && self.hits() {
            *value = simple;
        }
    }

    fn program(&mut self, program: &mut Program) {
        self.set(&mut program.office, None);
        self.thin(&mut program.rounds);
        self.thin(&mut program.agendas);
        program.agendas.iter_mut().for_each(|agenda| self.thin(&mut agenda.items));
        self.thin(&mut program.setup);
        program.rounds.iter_mut().for_each(|round| self.thin(&mut round.edits));
        for item in program.agendas.iter_mut().flat_map(|agenda| &mut agenda.items) {
            self.item(item);
        }
        program.office.iter_mut().for_each(|office| self.office(office));
        program.setup.iter_mut().for_each(|deed| self.deed(deed));
        program.rounds.iter_mut().flat_map(|round| &mut round.edits).for_each(|edit| self.edit(edit));
        program.agendas.iter_mut().for_each(|agenda| self.set(&mut agenda.strict, false));
        self.set(&mut program.hidden, None);
        self.set(&mut program.registered, Kind::ALL.to_vec());
        self.set(&mut program.spare, true);
        self.set(&mut program.seed, Some(1));
    }

    fn item(&mut self, item: &mut Item) {
        match item {
            Item::Systems(plots) => {
                self.thin(plots);
                plots.iter_mut().for_each(|plot| self.plot(plot));
            }
            Item::Pass { publishes, states } => {
                self.set(publishes, ALL_FLAGS);
                self.set(states, 0);
            }
            Item::Barrier | Item::Phase => {}
        }
    }

    fn office(&mut self, office: &mut Office) {
        self.thin(&mut office.routes);
        self.thin(&mut office.desks);
        self.thin(&mut office.trays);
        let services = office.desks.iter_mut().chain(&mut office.trays);
        services.for_each(|(_, conduct)| self.conduct(conduct));
        self.conduct(&mut office.errand);
        office.routes.iter_mut().for_each(|route| self.set(&mut route.in_init, false));
        self.set(&mut office.own_phases, true);
        self.set(&mut office.rollback, false);
    }

    fn conduct(&mut self, conduct: &mut Conduct) {
        self.thin(&mut conduct.rules);
        self.thin(&mut conduct.deeds);
        self.set(&mut conduct.refuses, 0);
        self.set(&mut conduct.panics, 0);
        conduct.rules.iter_mut().for_each(|rule| self.rule(rule));
        conduct.deeds.iter_mut().for_each(|deed| self.deed(deed));
    }

    fn plot(&mut self, plot: &mut Plot) {
        self.thin(&mut plot.conditions);
        self.thin(&mut plot.before);
        self.thin(&mut plot.after);
        self.set(&mut plot.label, None);
        self.set(&mut plot.every, 1);
        self.set(&mut plot.stream, None);
        self.set(&mut plot.pinned, false);
        self.task(&mut plot.task);
    }

    fn task(&mut self, task: &mut Task) {
        self.set(&mut task.trip, None);
        self.set(&mut task.looks, false);
        self.thin(&mut task.rules);
        self.thin(&mut task.opening);
        self.thin(&mut task.closing);
        self.thin(&mut task.deeds);
        task.rules.iter_mut().for_each(|rule| self.rule(rule));
        task.deeds.iter_mut().for_each(|deed| self.deed(deed));
    }

    fn rule(&mut self, rule: &mut Rule) {
        self.thin(&mut rule.orders);
        self.set(&mut rule.modulus, 1);
    }

    fn deed(&mut self, deed: &mut Deed) {
        match deed {
            Deed::Spawn { count, .. } => {
                let half = (*count / 2).max(1);
                self.set(count, 1);
                self.set(count, half);
            }
            Deed::Despawn { nth }
            | Deed::Insert { nth, .. }
            | Deed::Remove { nth, .. }
            | Deed::MixOne { nth, .. }
            | Deed::Send { nth, .. } => {
                self.set(nth, 0);
            }
            _ => {}
        }
    }

    fn edit(&mut self, edit: &mut Edit) {
        match edit {
            Edit::Deed(deed) => self.deed(deed),
            Edit::Buffer(orders) => self.thin(orders),
            Edit::RunOnce(task) => self.task(task),
            Edit::Add(plot) => self.plot(plot),
            Edit::Vote(votes) => self.thin(votes),
            Edit::Submit { tick, .. } => self.set(tick, None),
            Edit::SetStick(_) | Edit::Register(_) | Edit::Enable { .. } | Edit::Withdraw { .. } => {}
        }
    }
}

/// Puts right what refers to a part that is gone.
fn tidy(program: &mut Program) {
    tidy_office(program);
    for agenda in &mut program.agendas {
        agenda.items.retain(|item| *item != Item::Systems(Vec::new()));
        let ids: Vec<u32> = agenda.plots().map(|plot| plot.id).collect();
        let labels: Vec<u32> = agenda.plots().filter_map(|plot| plot.label).collect();
        let known = |wait: &Wait| match wait {
            Wait::System(id) => ids.contains(id),
            Wait::Label(label) => labels.contains(label),
        };
        for plot in agenda.plots_mut() {
            plot.before.retain(known);
            plot.after.retain(known);
            plot.offset %= plot.every;
            plot.task.rules.iter_mut().for_each(|rule| rule.remainder %= rule.modulus);
        }
    }
    let last = program.agendas.len().saturating_sub(1);
    program.rounds.iter_mut().for_each(|round| round.agenda = round.agenda.min(last));
    if program.agendas.is_empty() {
        program.rounds.clear();
    }
}

/// Routes lead to somebody who is there; without a simulation there are no passes, and nothing that only it does.
fn tidy_office(program: &mut Program) {
    match &mut program.office {
        Some(Office { desks, trays, routes, errand, .. }) => {
            let is_there = |services: &[(usize, Conduct)], number| services.iter().any(|(other, _)| *other == number);
            routes.retain(|route| match route.to {
                Door::Desk(number) => is_there(desks, number),
                Door::Tray(number) => is_there(trays, number),
                Door::Itself => true,
            });
            let conducts = desks.iter_mut().chain(trays).map(|(_, conduct)| conduct).chain([errand]);
            conducts.flat_map(|conduct| &mut conduct.rules).for_each(|rule| rule.remainder %= rule.modulus);
        }
        None => {
            let items = program.agendas.iter_mut().map(|agenda| &mut agenda.items);
            items.for_each(|items| items.retain(|item| !matches!(item, Item::Pass { .. } | Item::Phase)));
            let edits = program.rounds.iter_mut().map(|round| &mut round.edits);
            edits.for_each(|edits| edits.retain(|edit| !matches!(edit, Edit::Vote(_) | Edit::Submit { .. })));
        }
    }
}
