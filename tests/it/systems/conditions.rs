//! Run conditions, rates and switches.

use super::kit::{A, Log, Other, Score, failed, small_world, values};
use tickweave::prelude::*;

#[test]
fn a_condition_decides_right_before_the_system_and_several_must_all_hold() {
    let log = Log::default();
    let mut world = small_world();
    world.insert_resource(Score(0));
    let mut schedule = crate::serial();
    schedule.add((|mut score: ResMut<Score>| score.0 += 1).named("count"));
    schedule.add(log.system("odd").run_if(|score: Res<Score>| score.0 % 2 == 1));
    schedule.add(log.system("late").run_if(|tick: Tick| tick.0 > 2).run_if(|score: Res<Score>| score.0 % 2 == 1));
    schedule.add(log.system("never").run_if(|other: Option<Res<Other>>| other.is_some()));
    schedule.add(log.system("always").run_if(|| true));
    for expected in ["odd always", "always", "odd late always", "always"] {
        schedule.run(&mut world).unwrap();
        assert_eq!(log.take(), expected);
    }
}

#[test]
fn a_condition_may_read_what_its_system_writes() {
    let mut world = small_world();
    world.insert_resource(Score(0));
    let mut schedule = crate::serial();
    let id = schedule.add((|mut score: ResMut<Score>| score.0 += 1).run_if(|score: Res<Score>| score.0 < 3));
    for _ in 0..5 {
        schedule.run(&mut world).unwrap();
    }
    assert_eq!(world.resource::<Score>().unwrap(), &Score(3));
    let access = &schedule.system(id).unwrap().access;
    assert_eq!((access.resource_reads.iter().count(), access.resource_writes.iter().count()), (0, 1));
}

#[test]
fn what_a_condition_reads_orders_its_system() {
    let log = Log::default();
    let mut world = small_world();
    world.insert_resource(Score(0));
    let mut schedule = crate::serial();
    let writer = schedule.add((|mut score: ResMut<Score>| score.0 += 1).named("writer"));
    let reader = schedule.add(log.system("reader").run_if(|score: Res<Score>| score.0 > 0));
    let plan = schedule.build(&mut world).unwrap();
    assert!(plan.edges().iter().any(|edge| (edge.from, edge.to) == (writer, reader)), "{}", plan.explain());
}

#[test]
fn a_condition_skips_the_rows_of_an_each_system_and_the_commands_of_a_spawner() {
    let log = Log::default();
    let mut world = small_world();
    world.spawn(A(0));
    let mut schedule = crate::serial();
    schedule.add(each(|a: &mut A| a.0 += 1).run_if(|tick: Tick| tick.0 == 2));
    schedule.add(log.spawner("spawner").run_if(|tick: Tick| tick.0 == 3));
    for _ in 0..3 {
        schedule.run(&mut world).unwrap();
    }
    assert_eq!(values::<A>(&world), [A(1), A(0)]);
}

#[test]
fn a_condition_that_panics_fails_its_system_before_it_runs() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.system("before"));
    schedule.add(log.system("guarded").run_if(|| -> bool { panic!("no answer") }));
    schedule.add(log.system("after"));
    assert_eq!(failed(schedule.run(&mut world)), ("guarded".into(), 2, "system-panic"));
    assert_eq!(log.take(), "before");
    assert!(world.torn().unwrap().contains("no answer"));
}

#[test]
fn a_rate_picks_ticks_by_their_remainder() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.system("third").every(3));
    schedule.add(log.system("third+1").every(3).offset(1));
    schedule.add(log.system("each"));
    let ticks: Vec<String> = (0..4)
        .map(|_| {
            schedule.run(&mut world).unwrap();
            log.take()
        })
        .collect();
    assert_eq!(ticks, ["third+1 each", "each", "third each", "third+1 each"]);
}

#[test]
fn a_system_is_switched_on_and_off_between_ticks_and_the_plan_stays() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    let a = schedule.add(log.system("a"));
    let b = schedule.add(log.system("b").disabled());
    schedule.run(&mut world).unwrap();
    let hash = schedule.plan().unwrap().hash();
    assert!(schedule.set_enabled(b, true) && schedule.set_enabled(a, false));
    schedule.run(&mut world).unwrap();
    schedule.set_enabled(a, true);
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "a b a b");
    assert_eq!(schedule.plan().unwrap().hash(), hash);
    assert!(!schedule.set_enabled(tickweave::system::SystemId::from_index(9), true), "there is no such system");
}
