//! The same function several times, systems that come and go between ticks, several schedules on one world.

use crate::systems::kit::{Log, failed, small_world};
use tickweave::prelude::*;

/// Says its name and how often this very instance ran.
fn counting(log: &Log, name: &'static str) -> impl FnMut(Local<u32>) + Send + use<> {
    let log = log.clone();
    move |mut runs: Local<u32>| {
        *runs += 1;
        log.say(format!("{name}{}", *runs));
    }
}

fn plain() {}

#[test]
fn one_function_twice_is_two_systems_with_numbered_names_and_locals_of_their_own() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    let ids = [schedule.add(plain), schedule.add(plain), schedule.add(plain.named("mine")), schedule.add(plain)];
    schedule.add(counting(&log, "x").every(2));
    schedule.add(counting(&log, "y"));
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(ids.map(|id| schedule.system(id).unwrap().name.clone()), ["plain", "plain#2", "mine", "plain#3"]);
    assert_eq!(schedule.system_named("plain#2"), Some(ids[1]));
    assert_eq!(log.take(), "y1 x1 y2");
}

#[test]
fn after_a_base_name_means_after_every_instance() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let waits = schedule.add((|| {}).named("waits").after("plain"));
    let (one, two) = (schedule.add(plain), schedule.add(plain));
    let second = schedule.add((|| {}).named("second").after("plain#2"));
    let plan = schedule.build(&mut world).unwrap();
    let order: Vec<_> = plan.order().collect();
    assert_eq!(order, [one, two, waits, second]);
}

#[test]
fn a_system_added_or_removed_between_ticks_counts_from_the_next_tick_on() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    let a = schedule.add(counting(&log, "a").named("a"));
    schedule.add(counting(&log, "b").named("b"));
    schedule.run(&mut world).unwrap();
    assert!(schedule.remove(a) && !schedule.remove(a), "a system is removed once");
    let c = schedule.add(counting(&log, "c").named("c").before("b"));
    schedule.run(&mut world).unwrap();
    assert_eq!((schedule.system_count(), c.get(), schedule.system(a)), (2, 3, None), "its id is not used again");
    assert_eq!(schedule.system_named("a"), None);
    schedule.add(counting(&log, "a").named("a"));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "a1 b1 c1 b2 c2 b3 a1");
}

#[test]
fn an_edge_that_names_a_removed_system_is_an_error_and_a_chain_goes_on() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    let ids = schedule.chain((log.system("one"), log.system("two"), log.system("three")));
    schedule.remove(ids[1]);
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "one three");
    schedule.add(log.system("four").after("two"));
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "unknown-dependency");
}

#[test]
fn several_schedules_take_turns_on_one_world_and_every_run_is_a_tick() {
    let log = Log::default();
    let mut world = small_world();
    let tick = |log: &Log, name: &'static str| {
        let log = log.clone();
        move |tick: Tick| log.say(format!("{name}{}", tick.0))
    };
    let (mut input, mut game) = (crate::serial(), crate::serial());
    input.add(tick(&log, "i"));
    game.add(log.spawner("g"));
    game.add(tick(&log, "g"));
    for _ in 0..2 {
        input.run(&mut world).unwrap();
        game.run(&mut world).unwrap();
    }
    assert_eq!(log.take(), "i1 g g2 i3 g g4");
    assert_eq!((world.tick(), world.len()), (4, 2));
}

#[test]
fn a_rate_counts_the_ticks_of_the_world_whichever_schedule_ran_them() {
    let log = Log::default();
    let mut world = small_world();
    let (mut odd, mut even) = (crate::serial(), crate::serial());
    odd.add(log.system("never").every(2));
    odd.add(log.system("odd").every(2).offset(1));
    even.add(log.system("even").every(2));
    for _ in 0..3 {
        odd.run(&mut world).unwrap();
        even.run(&mut world).unwrap();
    }
    assert_eq!(log.take(), "odd even odd even odd even");
}

#[test]
fn schedules_and_worlds_can_go_to_another_thread_with_what_was_recorded_in_them() {
    fn can_go<V: Send>() {}
    fn can_be_shared<V: Sync>() {}
    can_go::<Schedule>();
    can_go::<World>();
    can_go::<CommandBuffer>();
    can_be_shared::<World>();
    let log = Log::default();
    let (mut world, mut schedule) = (small_world(), crate::serial());
    schedule.add(log.spawner("here"));
    schedule.run(&mut world).unwrap();
    let (mut world, mut schedule) = std::thread::spawn(move || {
        schedule.run(&mut world).unwrap();
        (world, schedule)
    })
    .join()
    .unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!((world.len(), world.tick()), (3, 3));
}

#[test]
fn a_failure_in_one_schedule_stops_the_others_until_the_mark_is_cleared() {
    let log = Log::default();
    let mut world = small_world();
    let (mut good, mut bad) = (crate::serial(), crate::serial());
    good.add(log.system("good"));
    bad.add((|| Err::<(), _>("no")).named("bad"));
    good.run(&mut world).unwrap();
    assert_eq!(failed(bad.run(&mut world)).0, "bad");
    assert_eq!(good.run(&mut world).unwrap_err().code(), "world-torn");
    world.clear_torn();
    good.run(&mut world).unwrap();
    assert_eq!((log.take().as_str(), world.tick()), ("good good", 3));
}

#[test]
fn worlds_with_equal_registrations_and_equal_runs_have_equal_state_hashes() {
    let run = || {
        let log = Log::default();
        let mut world = small_world();
        let mut schedule = crate::serial();
        schedule.add(log.spawner("s"));
        schedule.add(counting(&log, "c"));
        (0..5).for_each(|_| schedule.run(&mut world).unwrap());
        world
    };
    let (a, b) = (run(), run());
    assert_eq!(a.state_hash().unwrap(), b.state_hash().unwrap());
    assert_eq!(a.dump().diff(&b.dump()), None);
}
