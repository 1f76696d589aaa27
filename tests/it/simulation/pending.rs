//! Pending entities at commit points: what managers are given is real, and what they would keep of their own is found.

use tickweave::prelude::*;
use tickweave::simulation::{
    Commit, CustomBuffer, Execute, FlushContext, HandlesCommand, InitContext, Manager, SimulationBuilder, StepError,
    Verdict,
};

use super::kit::{Health, everywhere, game, said};

/// Brings an entity to the keeper.
#[derive(Clone, StateValue, Command)]
struct Keep(Entity);

/// Brings an entity to the shelf.
#[derive(Clone, StateValue, Command)]
struct Shelve(Entity);

/// Keeps entities. What it spawns it brings to itself, or keeps at once, which is wrong.
#[derive(Clone, Debug, Default, PartialEq, StateValue)]
struct Keeper {
    kept: Vec<Entity>,
    spawns: u32,
    keeps_at_once: bool,
}

impl Manager for Keeper {
    fn init(&mut self, context: &mut InitContext<'_, Self>) {
        context.handles::<Keep>();
    }

    fn flush(&mut self, context: &mut FlushContext<'_>) {
        for number in 0..std::mem::take(&mut self.spawns) {
            let child = context.spawn(Health(number)).id();
            match self.keeps_at_once {
                true => self.kept.push(child),
                false => context.submit(Keep(child)),
            }
        }
    }
}

impl HandlesCommand<Keep> for Keeper {
    fn submit(&mut self, keep: Keep) -> Verdict {
        self.kept.push(keep.0);
        Verdict::Accepted
    }
}

/// A buffer that spawns what it is told to and keeps it, which is wrong.
#[derive(Clone, Default, StateValue)]
struct Shelf(Vec<Entity>);

impl CustomBuffer for Shelf {
    fn flush(&mut self, context: &mut FlushContext<'_>) {
        if !self.0.is_empty() {
            self.0.push(context.spawn(Health(9)).id());
        }
    }

    fn clear(&mut self) {
        self.0.clear();
    }
}

impl HandlesCommand<Shelve> for Shelf {
    fn submit(&mut self, shelve: Shelve) -> Verdict {
        self.0.push(shelve.0);
        Verdict::Accepted
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Target(Entity);

#[derive(Clone, Default, StateValue, Resource)]
struct Last(Option<Entity>);

/// Spawns something and stores its handle by hand, which is wrong.
#[derive(Clone, StateValue, Command)]
struct Aim {
    at: Option<Entity>,
}

impl Execute for Aim {
    fn execute(self, world: &mut World, commands: &mut Lane) {
        let child = commands.spawn(Health(5)).id();
        match self.at {
            Some(entity) => world.get_mut::<Target>(entity).unwrap().0 = child,
            None => world.resource_mut::<Last>().unwrap().0 = Some(child),
        }
    }
}

/// Spawns something and stores its handle by a command, which is right.
#[derive(Clone, StateValue, Command)]
struct Point(Entity);

impl Execute for Point {
    fn execute(self, _: &mut World, commands: &mut Lane) {
        let child = commands.spawn(Health(5)).id();
        commands.insert(self.0, Target(child));
        commands.submit(Keep(child));
    }
}

/// Stores the handle of a spawn that it takes back, which is wrong.
#[derive(Clone, StateValue, Command)]
struct Regret;

impl Execute for Regret {
    fn execute(self, world: &mut World, commands: &mut Lane) {
        world.resource_mut::<Last>().unwrap().0 = Some(commands.spawn(Health(5)).id());
        commands.clear();
    }
}

/// Spawns something at this commit, and as often again at the next ones.
#[derive(Clone, StateValue, Command)]
struct Chain(u32);

impl Execute for Chain {
    fn execute(self, _: &mut World, commands: &mut Lane) {
        let child = commands.spawn(Health(self.0)).id();
        commands.submit(Keep(child));
        if self.0 > 0 {
            commands.submit(Self(self.0 - 1));
        }
    }
}

/// Spawns something for each row, and at the next commits.
#[derive(Clone, StateValue, Command)]
struct Flood;

impl Execute for Flood {
    fn execute(self, world: &mut World, commands: &mut Lane) {
        world.query_mut::<&Health, ()>().par_for_each_with(commands, |_, lane| {
            let child = lane.spawn(Health(7)).id();
            lane.submit(Keep(child));
        });
        commands.submit(Chain(1));
    }
}

fn build() -> SimulationBuilder {
    game()
        .executing::<Flood>()
        .executing::<Regret>()
        .executing::<Chain>()
        .component::<Target>()
        .resource(Last::default())
        .executing::<Aim>()
        .executing::<Point>()
        .command_buffer(Shelf::default())
        .handler::<Shelve, Shelf>()
        .manager(Keeper::default())
        .rollback(4)
}

fn all_there(sim: &Simulation, entities: &[Entity]) -> bool {
    entities.iter().all(|&entity| !entity.is_pending() && sim.world().get::<Health>(entity).is_ok())
}

#[test]
fn a_manager_that_takes_a_command_of_a_system_gets_real_entities() {
    fn spawn(mut commands: Commands) {
        for number in 0..3 {
            let child = commands.spawn(Health(number)).id();
            commands.submit(Keep(child));
            commands.submit_after(1, Keep(child));
        }
    }
    let build = || {
        build().phase("Main", |main| {
            main.pass("all").system(spawn);
        })
    };
    let (kept, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        let first = sim.manager::<Keeper>().unwrap().kept.clone();
        sim.step(()).unwrap();
        said();
        let kept = sim.manager::<Keeper>().unwrap().kept.clone();
        assert!(all_there(sim, &kept));
        assert_eq!((first.len(), &kept[3..6]), (3, &first[..]), "the delayed ones name the same");
        kept.len()
    });
    assert_eq!(kept, 9);
}

#[test]
fn a_manager_keeps_what_it_spawned_itself_by_a_command_to_itself() {
    everywhere(build, |sim| {
        sim.manager_mut::<Keeper>().unwrap().spawns = 2;
        sim.step(()).unwrap();
        said();
        let kept = sim.manager::<Keeper>().unwrap().kept.clone();
        assert!(kept.len() == 2 && all_there(sim, &kept));
    });
}

#[test]
fn a_command_that_executes_itself_stores_what_it_spawned_by_commands() {
    everywhere(build, |sim| {
        let aim = sim.world_mut().spawn(());
        sim.submit(Point(aim)).unwrap();
        sim.step(()).unwrap();
        said();
        let kept = sim.manager::<Keeper>().unwrap().kept.clone();
        assert_eq!(sim.world().get::<Target>(aim).unwrap(), &Target(kept[0]));
        assert!(all_there(sim, &kept));
    });
}

/// What a step says that lets a pending handle escape. The way back makes the world whole.
#[track_caller]
fn escape(arm: impl Fn(&mut Simulation)) -> String {
    let (text, _) = everywhere(build, |sim| {
        arm(sim);
        let error: StepError = sim.step(()).unwrap_err();
        assert_eq!(error.code(), "pending-escaped");
        sim.rollback_to(0).unwrap();
        sim.step(()).unwrap();
        said();
        error.to_string()
    });
    text
}

#[test]
fn a_pending_handle_that_a_manager_keeps_of_its_own_flush_is_found_and_the_manager_is_named() {
    let text = escape(|sim| {
        let keeper = sim.manager_mut::<Keeper>().unwrap();
        (keeper.spawns, keeper.keeps_at_once) = (1, true);
    });
    assert!(
        text.contains("in manager ") && text.contains("Keeper") && text.contains("submit a typed command"),
        "{text}"
    );
}

#[test]
fn a_pending_handle_that_a_buffer_keeps_is_found_and_the_buffer_is_named() {
    let text = escape(|sim| {
        let entity = sim.world_mut().spawn(());
        sim.submit(Shelve(entity)).unwrap();
    });
    assert!(text.contains("in command buffer ") && text.contains("Shelf"), "{text}");
}

#[test]
fn a_pending_handle_that_a_command_stores_by_hand_is_found_in_components_and_resources() {
    let text = escape(|sim| {
        let entity = sim.world_mut().spawn(());
        sim.world_mut().insert(entity, Target(entity)).unwrap();
        sim.submit(Aim { at: Some(entity) }).unwrap();
    });
    assert!(text.contains("Target of entity "), "{text}");
    let text = escape(|sim| sim.submit(Aim { at: None }).unwrap());
    assert!(text.contains("resource ") && text.contains("Last"), "{text}");
}

#[test]
fn a_pending_handle_in_a_manager_that_is_no_state_names_nothing_later() {
    struct Opaque(Option<Entity>);
    impl Manager for Opaque {
        fn flush(&mut self, context: &mut FlushContext<'_>) {
            self.0 = Some(context.spawn(Health(1)).id());
        }
    }
    let mut sim = game().opaque_manager(Opaque(None)).build().unwrap();
    sim.step(()).unwrap();
    said();
    let pending = sim.manager::<Opaque>().unwrap().0.unwrap();
    assert!(pending.is_pending() && !sim.world().contains(pending));
    assert_eq!(sim.world().get::<Health>(pending).unwrap_err().code(), "no-such-entity");
}

#[test]
fn the_host_submits_no_command_with_a_pending_entity() {
    let mut sim = build().build().unwrap();
    let pending = CommandBuffer::new().spawn(Health(1)).id();
    let code = |outcome: Result<(), StepError>| outcome.unwrap_err().code();
    assert_eq!(code(sim.submit(Keep(pending))), "pending-unknown");
    assert_eq!(code(sim.submit_at(3, Keep(pending))), "pending-unknown");
    sim.step(()).unwrap();
    said();
    assert_eq!(sim.manager::<Keeper>().unwrap(), &Keeper::default());
}

#[test]
fn a_handle_of_a_spawn_that_was_taken_back_is_found_as_well() {
    let text = escape(|sim| sim.submit(Regret).unwrap());
    assert!(text.contains("Last"), "{text}");

    fn regret(mut last: ResMut<Last>, mut commands: Commands) {
        last.0 = Some(commands.spawn(Health(1)).id());
        commands.clear();
    }
    let build = || {
        build().phase("Main", |main| {
            main.pass("all").system(regret);
        })
    };
    everywhere(build, |sim| assert_eq!(sim.step(()).unwrap_err().code(), "pending-escaped"));
}

#[test]
fn what_is_spawned_at_neighbouring_commits_are_different_entities_also_where_structure_waits() {
    let build = || {
        build().phase("Pre", |main| {
            for pass in ["a", "b", "c"] {
                main.pass(pass).commit(Commit::COMMANDS);
            }
        })
    };
    everywhere(build, |sim| {
        sim.world_mut().spawn(Health(0));
        sim.submit(Flood).unwrap();
        sim.step(()).unwrap();
        sim.step(()).unwrap();
        said();
        let kept = sim.manager::<Keeper>().unwrap().kept.clone();
        let healths: Vec<u32> = kept.iter().map(|&entity| sim.world().get::<Health>(entity).unwrap().0).collect();
        assert_eq!(healths, [7, 1, 0]);
    });
}
