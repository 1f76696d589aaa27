//! Events that live for a pass or for a phase.

use tickweave::prelude::*;
use tickweave::simulation::{Commit, SimulationBuilder};

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
