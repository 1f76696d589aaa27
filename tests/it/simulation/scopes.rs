//! Events that live for a pass or for a phase.

use tickweave::prelude::*;
use tickweave::simulation::{Commit, PhaseBuilder, SimulationBuilder};

use super::kit::{everywhere, said, say};

#[derive(Clone, StateValue, Event)]
struct Ping(u64);

fn send(tick: Tick, mut pings: EventWriter<Ping>) {
    pings.send(Ping(tick.0));
}

macro_rules! reader {
    ($name:literal) => {
        (|mut pings: EventReader<Ping>| {
            let read: Vec<u64> = pings.read().map(|ping| ping.0).collect();
            say(format!("{} {read:?}", $name));
        })
        .named($name)
        .pinned()
    };
}

fn simulation(scope: EventScope, publishes: Commit) -> SimulationBuilder {
    Simulation::builder()
        .event_with::<Ping>(move |pings| {
            pings.scope(scope);
        })
        .phase("one", |one| {
            one.pass("send").system(send).system(reader!("beside")).commit(publishes);
            one.pass("next").system(reader!("next"));
        })
        .phase("two", |two| {
            two.pass("all").system(reader!("two"));
        })
        .phase("three", |three| {
            three.pass("all").system(reader!("three"));
        })
}

fn trace(scope: EventScope, publishes: Commit) -> String {
    let build = || simulation(scope, publishes);
    let (words, _) = everywhere(build, |sim| {
        sim.step(()).unwrap();
        sim.step(()).unwrap();
        said()
    });
    words
}

#[test]
fn events_of_a_pass_are_read_in_later_passes_of_the_phase_and_are_gone_at_its_end() {
    assert_eq!(
        trace(EventScope::Pass, Commit::ALL),
        "beside [] | next [1] | two [] | three [] | beside [] | next [2] | two [] | three []"
    );
}

#[test]
fn events_of_a_pass_that_no_commit_publishes_are_never_read() {
    let none = "beside [] | next [] | two [] | three []";
    assert_eq!(trace(EventScope::Pass, Commit::STRUCTURE), format!("{none} | {none}"));
}

#[test]
fn events_of_a_phase_are_read_in_the_next_phase_and_in_no_other() {
    assert_eq!(
        trace(EventScope::Phase, Commit::ALL),
        "beside [] | next [] | two [1] | three [] | beside [] | next [] | two [2] | three []"
    );
}

#[test]
fn events_of_the_tick_are_read_in_the_next_tick() {
    assert_eq!(
        trace(EventScope::Tick, Commit::ALL),
        "beside [] | next [] | two [] | three [] | beside [1] | next [1] | two [1] | three [1]"
    );
}

#[test]
fn events_of_a_barrier_wait_where_a_commit_does_not_publish_them() {
    assert_eq!(
        trace(EventScope::Barrier, Commit::STRUCTURE),
        "beside [] | next [] | two [1] | three [1] | beside [1] | next [1] | two [2] | three [2]"
    );
}

/// An exclusive system that says what is visible to it.
fn whole(world: &mut World) {
    let seen: Vec<u64> = world.events::<Ping>().unwrap().iter().map(|ping| ping.0).collect();
    say(format!("whole {seen:?}"));
}

/// An exclusive system that sends.
fn shout(world: &mut World) {
    world.send_event(Ping(7)).unwrap();
}

/// What is said in a tick whose first phase is filled so, for each scope.
fn by_scope(fill: fn(&mut PhaseBuilder)) -> [String; 4] {
    use EventScope::{Barrier, Pass, Phase, Tick};
    [Barrier, Pass, Phase, Tick].map(|scope| {
        let build = || {
            let with_event = Simulation::builder().event_with::<Ping>(move |pings| _ = pings.scope(scope));
            with_event.phase("one", fill).phase("two", |two| _ = two.pass("all").system(reader!("two")))
        };
        let (words, _) = everywhere(build, |sim| {
            sim.step(()).unwrap();
            said()
        });
        words
    })
}

#[test]
fn barriers_inside_of_a_pass_publish_events_of_barriers_alone_whatever_the_commits_around_them_say() {
    let around_an_exclusive_system = by_scope(|one| {
        one.pass("send").system(send).system(whole).system(reader!("beside")).commit(Commit::NONE);
        one.pass("next").system(reader!("next")).commit(Commit::NONE);
    });
    assert_eq!(
        around_an_exclusive_system,
        [
            "whole [1] | beside [1] | next [1] | two [1]",
            "whole [] | beside [] | next [] | two []",
            "whole [] | beside [] | next [] | two [1]",
            "whole [] | beside [] | next [] | two []",
        ]
    );
    let of_the_user = by_scope(|one| {
        one.pass("send").system(send).barrier().system(reader!("beside")).commit(Commit::NONE);
        one.pass("next").system(reader!("next")).commit(Commit::NONE);
    });
    assert_eq!(
        of_the_user,
        [
            "beside [1] | next [1] | two [1]",
            "beside [] | next [] | two []",
            "beside [] | next [] | two [1]",
            "beside [] | next [] | two []",
        ]
    );
}

#[test]
fn a_barrier_that_falls_together_with_the_commit_of_a_pass_has_that_commit_publish_events_of_passes_too() {
    let last = by_scope(|one| {
        one.pass("send").system(send).system(whole).commit(Commit::NONE);
        one.pass("next").system(reader!("next")).commit(Commit::NONE);
    });
    let expected = [
        "whole [1] | next [1] | two [1]",
        "whole [] | next [1] | two []",
        "whole [] | next [] | two [1]",
        "whole [] | next [] | two []",
    ];
    assert_eq!(last, expected, "an exclusive system is the last of its pass");
    let first = by_scope(|one| {
        one.pass("send").system(send).commit(Commit::NONE);
        one.pass("next").system(whole).system(reader!("next")).commit(Commit::NONE);
    });
    let expected = [
        "whole [1] | next [1] | two [1]",
        "whole [1] | next [1] | two []",
        "whole [] | next [] | two [1]",
        "whole [] | next [] | two []",
    ];
    assert_eq!(first, expected, "an exclusive system is the first of the next pass");
    let sends = by_scope(|one| {
        one.pass("send").system(shout).commit(Commit::NONE);
        one.pass("next").system(reader!("next")).commit(Commit::NONE);
    });
    let expected = ["next [7] | two [7]", "next [7] | two []", "next [] | two [7]", "next [] | two []"];
    assert_eq!(sends, expected, "an exclusive system sends");
    let barrier = by_scope(|one| {
        one.pass("send").system(send).barrier().commit(Commit::NONE);
        one.pass("next").system(reader!("next")).commit(Commit::NONE);
    });
    let expected = ["next [1] | two [1]", "next [1] | two []", "next [] | two [1]", "next [] | two []"];
    assert_eq!(barrier, expected, "a barrier of the user ends the pass");
}

#[test]
fn a_schedule_that_runs_by_itself_is_one_phase_without_passes() {
    let read = |scope| {
        let mut world = World::new();
        world.add_event::<Ping>().unwrap().scope(scope);
        let mut schedule = crate::serial();
        schedule.add(send);
        schedule.barrier();
        schedule.add(reader!("next"));
        said();
        (0..3).for_each(|_| schedule.run(&mut world).unwrap());
        said()
    };
    assert_eq!(read(EventScope::Phase), "next [] | next [1] | next [2]");
    assert_eq!(read(EventScope::Pass), "next [] | next [] | next []");
}
