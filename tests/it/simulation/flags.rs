//! What a commit does not publish waits for the next one that does.

use tickweave::prelude::*;
use tickweave::simulation::Commit;

use super::kit::{Health, everywhere, game, look, record, said, say};

/// What is said from the first system of `Main` on, where its pass publishes this.
fn trace_with(publishes: Commit) -> String {
    let build = || {
        game().phase("Main", |main| {
            main.pass("first").system(look("one")).system(record).commit(publishes);
            main.pass("second").system(look("two"));
        })
    };
    let (trace, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said()
    });
    let (_, main) = trace.split_once("one: 0 entities, told [] | ").unwrap();
    let (main, _) = main.split_once(" | flush store [] | flush first | flush second | flush store []").unwrap();
    main.to_owned()
}

#[test]
fn nothing_published_nothing_seen_until_the_next_commit() {
    assert_eq!(
        trace_with(Commit::NONE),
        "two: 0 entities, told [] | structure 1 | ask 1 | do 1 | put 1 | flush store [1] | flush first | flush second | done 1 | \
         stored 1 | structure of 1"
    );
}

#[test]
fn structure_alone() {
    assert_eq!(
        trace_with(Commit::STRUCTURE),
        "structure 1 | two: 1 entities, told [] | ask 1 | do 1 | put 1 | flush store [1] | flush first | flush second | done 1 | \
         stored 1 | structure of 1"
    );
}

#[test]
fn commands_alone_reach_handlers_and_buffers_whose_structure_waits_in_order() {
    assert_eq!(
        trace_with(Commit::COMMANDS),
        "ask 1 | do 1 | put 1 | flush store [1] | two: 0 entities, told [] | structure 1 | done 1 | stored 1 | flush store [] | \
         flush first | flush second | structure of 1"
    );
}

#[test]
fn events_alone_are_seen_while_the_structure_recorded_before_them_waits() {
    assert_eq!(
        trace_with(Commit::EVENTS),
        "two: 0 entities, told [101] | structure 1 | ask 1 | do 1 | put 1 | flush store [1] | flush first | flush second | \
         done 1 | stored 1 | structure of 1"
    );
}

#[test]
fn managers_alone_flush_without_what_waits_for_them() {
    assert_eq!(
        trace_with(Commit::MANAGERS),
        "flush first | flush second | two: 0 entities, told [] | structure 1 | ask 1 | do 1 | put 1 | flush store [1] | \
         flush first | flush second | done 1 | stored 1 | structure of 1"
    );
}

#[test]
fn all_but_structure_keeps_the_order_of_structure() {
    assert_eq!(
        trace_with(Commit::COMMANDS | Commit::MANAGERS | Commit::EVENTS),
        "ask 1 | do 1 | put 1 | flush store [1] | flush first | flush second | two: 0 entities, told [101, 1] | structure 1 | \
         done 1 | stored 1 | structure of 1"
    );
}

#[derive(Clone, StateValue, Event)]
struct Born(Entity);

#[derive(Clone, Default, Debug, PartialEq, StateValue, Resource)]
struct Known(Vec<Entity>);

#[test]
fn an_entity_is_reserved_until_its_structure_is_published_contains_it_no_query_and_despawn_works() {
    fn spawn(mut commands: Commands<Born>) {
        for number in 0..3 {
            let child = commands.spawn(Health(number)).id();
            commands.send(Born(child));
        }
    }
    fn meet(mut born: EventReader<Born>, mut known: ResMut<Known>, all: Query<&Health>, mut commands: Commands) {
        known.0.extend(born.read().map(|born| born.0));
        assert_eq!((known.0.len(), all.count()), (3, 0));
        assert!(known.0.iter().all(|entity| !entity.is_pending()));
        let (reserved, gone) = (known.0[0], known.0[1]);
        commands.queue(move |world| assert!(world.contains(reserved) && world.get::<Health>(reserved).is_ok()));
        commands.despawn(gone);
    }
    fn host(world: &mut World) {
        // An exclusive system is a barrier of its own: it publishes structure.
        say(format!("{}", world.len()));
    }
    let build = || {
        game().event::<Born>().resource(Known::default()).phase("Main", |main| {
            main.pass("spawn").system(spawn).commit(Commit::EVENTS);
            main.pass("meet").system(meet).commit(Commit::NONE);
            main.pass("host").system(host);
        })
    };
    let ((applied, refused, len, known), _) = everywhere(build, |sim| {
        let report = sim.step(()).unwrap();
        assert!(said().contains("| 2 |"));
        let known = sim.world().resource::<Known>().unwrap().0.clone();
        assert!(sim.world().contains(known[0]) && !sim.world().contains(known[1]) && sim.world().contains(known[2]));
        (report.applied, report.refused, sim.world().len(), known)
    });
    assert_eq!((applied, refused, len, known.len()), (8, 0, 2, 3));
}

#[test]
fn structure_that_waits_merges_in_schedule_order_behind_what_came_before() {
    fn first(all: Query<Entity, With<Health>>, mut commands: Commands) {
        all.iter().for_each(|entity| commands.insert(entity, Health(1)));
    }
    fn second(all: Query<Entity, With<Health>>, mut commands: Commands) {
        all.iter().for_each(|entity| commands.insert(entity, Health(2)));
    }
    let build = || {
        game()
            .setup(|world| {
                world.spawn(Health(0));
            })
            .phase("Main", |main| {
                main.pass("first").system(first).commit(Commit::NONE);
                main.pass("second").system(second).commit(Commit::STRUCTURE);
            })
    };
    let (health, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said();
        sim.world().query::<&Health, ()>().single().unwrap().0
    });
    assert_eq!(health, 2);
}

#[test]
fn loops_of_lanes_that_wait_are_merged_in_the_order_of_their_rows() {
    fn mark(health: &Health, entity: Entity, mut commands: Commands<Born>) {
        commands.insert(entity, Health(health.0 * 2));
        commands.send(Born(entity));
        commands.spawn(Health(100 + health.0));
    }
    fn meet(mut born: EventReader<Born>, mut known: ResMut<Known>) {
        known.0.extend(born.read().map(|born| born.0));
    }
    let build = || {
        game()
            .event::<Born>()
            .resource(Known::default())
            .world(|world| world.chunk_rows(4).batch_rows(2))
            .setup(|world| {
                world.spawn_batch((1..=7).map(Health));
            })
            .phase("Main", |main| {
                main.pass("first").system(each(mark)).commit(Commit::EVENTS);
                main.pass("second").system(meet);
            })
    };
    let ((rows, known), _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        said();
        let rows: Vec<u32> = sim.world().query::<&Health, ()>().iter().map(|health| health.0).collect();
        (rows, sim.world().resource::<Known>().unwrap().0.len())
    });
    assert_eq!(rows, [2, 4, 6, 8, 10, 12, 14, 101, 102, 103, 104, 105, 106, 107]);
    assert_eq!(known, 7);
}
