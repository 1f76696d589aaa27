//! What has no effect is counted and told, in the order of the commits.

use tickweave::command::REFUSALS_KEPT;
use tickweave::prelude::*;
use tickweave::simulation::{Commit, SimulationBuilder};

use super::kit::{Ask, Beg, Do, Health, everywhere, game, said};

#[derive(Clone, StateValue, Command)]
struct Stranger;

#[derive(Clone, StateValue, Resource)]
struct Gone(Entity);

fn first(gone: Res<Gone>, mut commands: Commands) {
    commands.submit(Ask(100));
    commands.submit(Stranger);
    commands.submit(Ask(1));
    commands.despawn(gone.0);
    commands.submit(Ask(200));
}

fn second(gone: Res<Gone>, mut commands: Commands) {
    commands.submit(Do(7));
    commands.submit(Ask(300));
    commands.insert(gone.0, Health(1));
}

fn with_gone(builder: SimulationBuilder) -> SimulationBuilder {
    builder.resource(Gone(Entity::from_bits(1 << 32).unwrap())).setup(|world| {
        let gone = world.spawn(());
        world.despawn(gone).unwrap();
        world.insert_resource(Gone(gone));
    })
}

/// Position, command and code of each refusal of the last step.
fn told(sim: &Simulation) -> String {
    let short = |name: &'static str| name.rsplit("::").next().unwrap();
    let refusals = sim.refusals().iter();
    let told =
        refusals.map(|refusal| format!("{} {} {}", refusal.position, short(refusal.command), refusal.reason.code()));
    told.collect::<Vec<_>>().join(", ")
}

#[test]
fn what_is_refused_while_structure_merges_is_told_before_what_handlers_refuse_commit_by_commit() {
    let build = || {
        with_gone(game()).phase("Main", |main| {
            main.pass("first").system(first);
            main.pass("second").system(second);
        })
    };
    everywhere(build, |sim| {
        let report = sim.step(()).unwrap();
        assert_eq!(report.refused, 6);
        assert_eq!(
            told(sim),
            "2 submit command-unknown, 2 despawn no-such-entity, 3 Ask manager-refused, 3 Ask manager-refused, \
             4 insert no-such-entity, 5 Ask manager-refused"
        );
        // Typed commands count when they are queued, and once more when they are taken; and what they led to counts.
        assert_eq!(report.applied, (3 + 1 + 2) + (2 + 1 + 1));
        sim.set_enabled("first", false);
        sim.set_enabled("second", false);
        assert_eq!((sim.step(()).unwrap().refused, told(sim).as_str()), (0, ""), "a report is that of one step");
    });
}

#[test]
fn what_waits_for_its_commit_is_refused_there() {
    let build = || {
        with_gone(game()).phase("Main", |main| {
            main.pass("first").system(first).commit(Commit::NONE);
            main.pass("second").system(second).commit(Commit::STRUCTURE);
        })
    };
    everywhere(build, |sim| {
        sim.step(()).unwrap();
        assert_eq!(
            told(sim),
            "2 submit command-unknown, 2 despawn no-such-entity, 4 insert no-such-entity, 5 Ask manager-refused, \
             5 Ask manager-refused, 5 Ask manager-refused"
        );
    });
}

#[test]
fn all_refusals_are_counted_and_the_first_few_are_kept() {
    fn many(healths: &Health, mut commands: Commands) {
        commands.submit(Beg(healths.0));
        commands.submit(Ask(100 + healths.0));
    }
    let build = || {
        game()
            .world(|world| world.chunk_rows(8).batch_rows(1))
            .setup(|world| {
                world.spawn_batch((0..100).map(Health));
            })
            .phase("Main", |main| {
                main.pass("all").system(each(many));
            })
    };
    everywhere(build, |sim| {
        let report = sim.step(()).unwrap();
        assert_eq!((report.refused, report.applied), (100, 300));
        assert_eq!(sim.refusals().len(), REFUSALS_KEPT);
        let records: Vec<_> = sim.world_mut().records_mut().drain().map(|record| record.to_string()).collect();
        assert!(
            records.iter().any(|line| line.contains("command/refused") && line.contains("refused=100")),
            "{records:?}"
        );
    });
}

#[test]
fn a_delayed_command_is_refused_in_the_tick_in_which_it_is_delivered() {
    everywhere(game, |sim| {
        sim.submit_at(3, Ask(100)).unwrap();
        let refused = [1, 2, 3, 4].map(|_| sim.step(()).unwrap().refused);
        assert_eq!(refused, [0, 0, 1, 0]);
        said()
    });
}
