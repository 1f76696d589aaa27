//! A game that says what happens, played in every way that there is.

use std::cell::RefCell;
use std::fmt::Debug;

use tickweave::prelude::*;
use tickweave::simulation::{
    CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, SimulationBuilder, Verdict,
};
use tickweave::system::SystemConfig;

thread_local!(static SAID: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) });

/// Notes what happened. Commit points are run by the caller's thread, and so are pinned systems.
pub(crate) fn say(what: impl Into<String>) {
    SAID.with_borrow_mut(|said| said.push(what.into()));
}

/// What was said on this thread since the last call, with bars between.
pub(crate) fn said() -> String {
    SAID.take().join(" | ")
}

/// Builds a simulation for each executor and plays it; asserts that results, words and final state are the same everywhere.
pub(crate) fn everywhere<T: PartialEq + Debug>(
    build: impl Fn() -> SimulationBuilder,
    play: impl Fn(&mut Simulation) -> T,
) -> (T, String) {
    let run = |builder: SimulationBuilder| {
        let mut sim = builder.build().unwrap();
        said();
        let result = play(&mut sim);
        ((result, said()), sim.state_hash().unwrap())
    };
    let oracle = run(build().executor(Executor::Serial));
    for threads in [1, 2, 3, 8] {
        let parallel = build().executor(Executor::Parallel).eagerness(Eagerness::Always).threads(threads);
        assert_eq!(run(parallel), oracle, "{threads} threads");
    }
    for (workers, seed) in [(2, 1), (5, 2), (8, 3)] {
        let played = build().executor(Executor::Virtual { workers, seed });
        assert_eq!(run(played), oracle, "{workers} virtual workers");
    }
    oracle.0
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Health(pub(crate) u32);

/// What a game may be in.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mode {
    Run,
    Pause,
}

impl MachineState for Mode {
    type Transition = bool;
}

/// A command that the first manager takes.
#[derive(Clone, Debug, PartialEq, StateValue, Command)]
pub(crate) struct Ask(pub(crate) u32);

/// A command that the first manager takes, too.
#[derive(Component, Clone, Copy, Command)]
#[repr(C)]
pub(crate) struct Beg(pub(crate) u32);

/// A command that a buffer takes.
#[derive(Clone, StateValue, Command)]
pub(crate) struct Put(pub(crate) u32);

/// A command that executes itself.
#[derive(Clone, StateValue, Command)]
pub(crate) struct Do(pub(crate) u32);

impl Execute for Do {
    fn execute(self, _: &mut World, commands: &mut Lane) {
        let number = self.0;
        say(format!("do {number}"));
        commands.queue(move |_| say(format!("done {number}")));
    }
}

#[derive(Clone, Debug, PartialEq, StateValue, Event)]
pub(crate) struct Told(pub(crate) u32);

/// Takes [`Ask`] and [`Beg`], but no number above 99, and tells of what it took.
#[derive(Clone, Debug, Default, PartialEq, StateValue)]
pub(crate) struct First {
    pub(crate) taken: Vec<u32>,
    pub(crate) flushes: u32,
}

impl Manager for First {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        say("init first");
        context.handles::<Ask>();
        context.handles::<Beg>();
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        say("flush first");
        self.flushes += 1;
        for number in std::mem::take(&mut self.taken) {
            context.queue(move |_| say(format!("structure of {number}")));
            context.send(Told(number));
        }
    }

    fn reset(&mut self) {
        say("reset first");
    }
}

impl HandlesCommand<Ask> for First {
    fn submit(&mut self, ask: Ask) -> Verdict {
        if ask.0 > 99 {
            return Verdict::Refused;
        }
        say(format!("ask {}", ask.0));
        self.taken.push(ask.0);
        Verdict::Accepted
    }
}

impl HandlesCommand<Beg> for First {
    fn submit(&mut self, beg: Beg) -> Verdict {
        say(format!("beg {}", beg.0));
        Verdict::Accepted
    }
}

/// Takes nothing; may ask when it flushes.
#[derive(Clone, Debug, Default, PartialEq, StateValue)]
pub(crate) struct Second {
    pub(crate) asks: Vec<u32>,
}

impl Manager for Second {
    fn init(&mut self, _: &mut InitContext<'_, Self>) {
        say("init second");
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        say("flush second");
        self.asks.drain(..).for_each(|number| context.submit(Ask(number)));
    }

    fn reset(&mut self) {
        say("reset second");
    }
}

/// Takes [`Put`].
#[derive(Clone, Debug, Default, PartialEq, StateValue)]
pub(crate) struct Store(pub(crate) Vec<u32>);

impl CustomBuffer for Store {
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        say(format!("flush store {:?}", self.0));
        self.0.drain(..).for_each(|number| context.queue(move |_| say(format!("stored {number}"))));
    }

    fn clear(&mut self) {
        say("clear store");
        self.0.clear();
    }
}

impl HandlesCommand<Put> for Store {
    fn submit(&mut self, put: Put) -> Verdict {
        say(format!("put {}", put.0));
        self.0.push(put.0);
        Verdict::Accepted
    }
}

/// A simulation with all of these.
pub(crate) fn game() -> SimulationBuilder {
    Simulation::builder()
        .component::<Health>()
        .event::<Told>()
        .executing::<Do>()
        .command_buffer(Store::default())
        .handler::<Put, Store>()
        .manager(First::default())
        .manager(Second::default())
}

/// A system that says what it sees: its name, how many entities there are, and which events it reads.
pub(crate) fn look(name: &'static str) -> SystemConfig {
    fn seen(name: &str, all: Query<'_, &Health>, told: &mut EventReader<'_, Told>) {
        let told: Vec<u32> = told.read().map(|told| told.0).collect();
        say(format!("{name}: {} entities, told {told:?}", all.count()));
    }
    let system = match name {
        "one" => IntoSystemConfig::named(|a: Query<&Health>, mut t: EventReader<Told>| seen("one", a, &mut t), name),
        "two" => IntoSystemConfig::named(|a: Query<&Health>, mut t: EventReader<Told>| seen("two", a, &mut t), name),
        _ => IntoSystemConfig::named(|a: Query<&Health>, mut t: EventReader<Told>| seen("last", a, &mut t), name),
    };
    system.pinned()
}

/// A system that records one of everything, with the number of the tick.
pub(crate) fn record(tick: Tick, mut commands: Commands<Told>) {
    let number = tick.0 as u32;
    commands.spawn(Health(number));
    commands.submit(Ask(number));
    commands.queue(move |_| say(format!("structure {number}")));
    commands.submit(Do(number));
    commands.send(Told(number + 100));
    commands.submit(Put(number));
}
