//! Steady steps of a simulation do not allocate: one test, since its allocator counts for all threads.

#![cfg(feature = "parallel")]

mod watched;

use tickweave::prelude::*;
use tickweave::simulation::{
    Commit, CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, SimulationBuilder, Verdict,
};

use watched::allocates_nothing;

/// After so many rounds every snapshot of the ring has been overwritten many times.
const WARM: u32 = 30;
const ROUNDS: u32 = 10;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Parent(Entity);

#[derive(Clone, StateValue, Event)]
struct Old(Entity);

#[derive(Component, Clone, Copy, Default, Resource)]
#[resource(input)]
#[repr(C)]
struct Keys(u32);

/// Brings an entity to the undertaker.
#[derive(Component, Clone, Copy, Command)]
#[repr(C)]
struct Bury(Entity);

/// Has a child born.
#[derive(Component, Clone, Copy, Command)]
#[repr(C)]
struct Bear(Entity);

/// Puts a number into the tray.
#[derive(Component, Clone, Copy, Command)]
#[repr(C)]
struct Put(u32);

/// Its clones use the memory of what they overwrite, which derived ones do not.
#[derive(Default, StateValue)]
struct Undertaker {
    waiting: Vec<Entity>,
    buried: u64,
}

impl Clone for Undertaker {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), ..*self }
    }

    fn clone_from(&mut self, source: &Self) {
        self.waiting.clone_from(&source.waiting);
        self.buried = source.buried;
    }
}

impl Manager for Undertaker {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<Bury>();
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        for entity in self.waiting.drain(..) {
            self.buried += 1;
            context.despawn(entity);
            let heir = context.spawn(Age(0)).id();
            context.submit(Bear(heir));
            context.send(Old(entity));
        }
    }
}

impl HandlesCommand<Bury> for Undertaker {
    fn submit(&mut self, bury: Bury) -> Verdict {
        self.waiting.push(bury.0);
        Verdict::Accepted
    }
}

#[derive(Default, StateValue)]
struct Tray(Vec<u32>);

impl Clone for Tray {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    fn clone_from(&mut self, source: &Self) {
        self.0.clone_from(&source.0);
    }
}

impl CustomBuffer for Tray {
    fn flush(&mut self, _: &mut FlushContext<'_>) {
        self.0.clear();
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl HandlesCommand<Put> for Tray {
    fn submit(&mut self, put: Put) -> Verdict {
        self.0.push(put.0);
        if put.0 % 2 == 0 { Verdict::Accepted } else { Verdict::Refused }
    }
}

impl Execute for Bear {
    fn execute(self, world: &mut World, commands: &mut Lane) {
        if world.contains(self.0) {
            commands.insert(self.0, Parent(self.0));
        }
        let stillborn = commands.spawn(Parent(self.0)).id();
        commands.despawn(stillborn);
    }
}

fn grow(age: &mut Age, entity: Entity, keys: Res<Keys>, mut commands: Commands) {
    age.0 += 1 + keys.0 % 2;
    if age.0 > 20 {
        commands.submit(Bury(entity));
        age.0 = 0;
    }
}

/// Takes the world itself, and is handed out an entity.
fn alone(_: &mut World, mut commands: Commands) {
    let nobody = commands.spawn(()).id();
    commands.despawn(nobody);
}

fn ask(tick: Tick, undertaker: Mgr<Undertaker>, mut old: EventReader<Old>, mut commands: Commands) {
    commands.submit_after(3, Put(old.read().count() as u32));
    commands.submit(Put((undertaker.buried + tick.0) as u32));
}

fn build() -> SimulationBuilder {
    Simulation::builder()
        .component::<Age>()
        .component::<Parent>()
        .event::<Old>()
        .input::<Keys>()
        .executing::<Bear>()
        .command_buffer(Tray::default())
        .handler::<Put, Tray>()
        .manager(Undertaker::default())
        .rollback(8)
        .setup(|world| drop(world.spawn_batch((0..300).map(|number| Age(number % 20)))))
        .phase("Main", |main| {
            main.pass("grow").system(each(grow)).commit(Commit::COMMANDS | Commit::MANAGERS);
            main.pass("ask").system(ask).system(alone);
        })
}

/// Some steps with their hashes, of which the last ones are undone and done again.
fn go_back_and_on(sim: &mut Simulation) {
    for goes_back in [true, false] {
        for _ in 0..40 {
            sim.step(&KEYS[sim.tick() as usize % 2]).unwrap();
            sim.state_hash().unwrap();
        }
        if goes_back {
            sim.rollback_to(sim.tick() - 3).unwrap();
        }
    }
}

#[test]
fn steady_steps_with_commands_managers_events_hash_and_rollback_allocate_nothing() {
    for (executor, threads) in [(Executor::Serial, 1), (Executor::Parallel, 2)] {
        let mut sim = build().executor(executor).threads(threads).eagerness(Eagerness::Always).build().unwrap();
        (0..WARM).for_each(|_| go_back_and_on(&mut sim));
        allocates_nothing(&format!("{executor:?}"), || (0..ROUNDS).for_each(|_| go_back_and_on(&mut sim)));
        assert!(sim.manager::<Undertaker>().unwrap().buried > 1_000);
    }
}

const KEYS: [Keys; 2] = [Keys(0), Keys(1)];
