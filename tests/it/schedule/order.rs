//! In which order systems run, and where the barriers are.

use crate::systems::kit::{A, B, Log, small_world};
use tickweave::prelude::*;
use tickweave::schedule::{BarrierReason, Plan, ScheduleError, Step};
use tickweave::system::SystemConfig;

/// The names of a plan in schedule order, with `|` for each barrier.
fn shape(plan: &Plan) -> String {
    let step = |step: &Step| match step {
        Step::Run(id) => plan.spec(*id).name.clone(),
        Step::Barrier(_) => "|".to_owned(),
    };
    plan.steps().iter().map(step).collect::<Vec<_>>().join(" ")
}

#[test]
fn systems_run_in_registration_order_and_one_that_must_wait_moves_later() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.system("a").after("d"));
    schedule.add(log.system("b"));
    schedule.add(log.system("c").labeled("middle").labeled("both"));
    schedule.add(log.system("d").before("both").labeled("both-not"));
    schedule.add(log.system("e").before("middle"));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "b d a e c");
}

#[test]
fn a_chain_runs_link_after_link_and_a_barrier_splits_what_is_before_from_what_is_behind() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.system("first").after("three"));
    let ids = schedule.chain((log.system("one"), log.system("two").after("other"), log.system("three")));
    schedule.add(log.system("other"));
    schedule.barrier();
    schedule.add(log.system("last"));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "one other two three first last");
    assert_eq!(ids.iter().map(|id| id.get()).collect::<Vec<_>>(), [2, 3, 4]);
    assert_eq!(shape(schedule.plan().unwrap()), "one other two three first | last |");
}

/// Six systems: three carry a label of their own circle, one waits for itself, two form a second circle.
fn tangle() -> Schedule {
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(log.system("a").labeled("ring").after("d"));
    schedule.add(log.system("b").labeled("ring").after("a"));
    schedule.add(log.system("c").labeled("ring").after("b").after("a"));
    schedule.add(log.system("d").after("c").after("ring"));
    schedule.add(log.system("e").after("e"));
    schedule.add(log.system("f").after("g").before("e"));
    schedule.add(log.system("g").after("f"));
    schedule
}

#[test]
fn cycles_are_an_error_value_that_names_every_system_of_each_the_same_in_a_hundred_builds() {
    let text = |mut schedule: Schedule| {
        let error = schedule.run(&mut small_world()).unwrap_err();
        assert_eq!(error.code(), "dependency-cycle");
        error.to_string()
    };
    let first = text(tangle());
    for name in ["`a` -> `d`", "`e` -> `e`", "`f` -> `g` -> `f`"] {
        assert!(first.contains(name), "{name} is not in {first}");
    }
    for _ in 0..100 {
        assert_eq!(text(tangle()), first);
    }
}

#[test]
fn a_system_that_only_hangs_on_a_cycle_is_not_blamed_for_it() {
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(log.system("innocent").after("f"));
    schedule.add(log.system("f").after("g"));
    schedule.add(log.system("g").after("f"));
    let error = schedule.build(&mut small_world()).unwrap_err();
    let tickweave::schedule::BindError::Schedule(ScheduleError::Cycles { cycles }) = &error else { panic!("{error}") };
    assert_eq!(cycles.iter().map(|cycle| cycle.systems.join(" ")).collect::<Vec<_>>(), ["f g"]);
}

#[test]
fn an_edge_declared_twice_is_harmless_and_a_name_that_nobody_has_is_reported_with_its_place() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.system("a").before("b"));
    schedule.add(log.system("b").after("a"));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "a b");
    schedule.add(log.system("c").after("a").after("nobody"));
    let error = schedule.build(&mut world).unwrap_err();
    assert_eq!(error.code(), "unknown-dependency");
    for part in ["`c`", "`nobody`", "entry 2", "`after`"] {
        assert!(error.to_string().contains(part), "{part} is not in {error}");
    }
}

/// A system with commands, one without, one that takes the world and sees the effect; an ordinary one between exclusives.
fn exclusives(log: &Log) -> Schedule {
    let count = |log: &Log, name: &'static str| {
        let log = log.clone();
        (move |world: &mut World| log.say(format!("{name}:{}", world.len()))).named(name)
    };
    let mut schedule = crate::serial();
    schedule.chain((log.spawner("spawns"), log.system("idle"), count(log, "sees")));
    schedule.add(log.spawner("between"));
    schedule.add(count(log, "again"));
    schedule.add(count(log, "next"));
    schedule
}

#[test]
fn an_exclusive_system_sees_the_commands_of_every_system_before_it() {
    let log = Log::default();
    let mut schedule = exclusives(&log);
    schedule.run(&mut small_world()).unwrap();
    assert_eq!(log.take(), "spawns idle sees:1 between again:2 next:2");
}

#[test]
fn number_and_place_of_barriers_are_the_same_in_each_rebuild_and_told_by_the_plan() {
    let (log, mut world) = (Log::default(), small_world());
    let mut schedule = exclusives(&log);
    let barriers = |plan: &Plan| plan.barriers().to_vec();
    let first = schedule.build(&mut world).unwrap().clone();
    assert_eq!(shape(&first), "spawns idle | sees | between | again | next |");
    for _ in 0..3 {
        schedule.set_policy(tickweave::schedule::Policy::Order);
        schedule.set_strict(false);
        let again = schedule.build(&mut world).unwrap();
        assert_eq!((barriers(again), again.hash()), (barriers(&first), first.hash()));
    }
    assert!(
        matches!(first.barriers()[0].reasons[..], [BarrierReason::BeforeExclusive(_)]),
        "{:?}",
        first.barriers()[0]
    );
    assert!(schedule.explain().contains("barrier"), "{}", schedule.explain());
}

/// What a letter stands for: an ordinary, an exclusive or a pinned system that says it.
fn of_kind(log: &Log, kind: usize, name: &'static str) -> SystemConfig {
    let said = log.clone();
    match kind {
        0 => log.system(name),
        1 => (move |_: &mut World| said.say(name)).named(name),
        _ => (move |mut host: Host<u32>| {
            *host += 1;
            said.say(name);
        })
        .named(name),
    }
}

#[test]
fn every_sequence_of_four_ordinary_exclusive_and_pinned_systems_runs_each_once_a_tick_in_order() {
    for sequence in 0..81 {
        let log = Log::default();
        let kinds = [sequence / 27 % 3, sequence / 9 % 3, sequence / 3 % 3, sequence % 3];
        let mut schedule = crate::serial();
        for (kind, name) in kinds.into_iter().zip(["a", "b", "c", "d"]) {
            schedule.add(of_kind(&log, kind, name));
        }
        let (mut world, mut host) = (small_world(), 0_u32);
        for _ in 0..3 {
            schedule.run_with(&mut world, &mut host).unwrap();
        }
        assert_eq!(log.take(), "a b c d a b c d a b c d", "{kinds:?}");
        assert_eq!(host as usize, 3 * kinds.iter().filter(|&&kind| kind == 2).count());
    }
}

#[test]
fn an_edge_from_a_system_with_commands_to_one_behind_no_barrier_is_reported() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.spawner("spawns"));
    schedule.add(log.system("too early").after("spawns"));
    let plan = schedule.build(&mut world).unwrap();
    assert_eq!(plan.diagnostics().iter().map(|found| found.code()).collect::<Vec<_>>(), ["commands-not-visible"]);
}

#[test]
fn conflicts_order_systems_along_registration_and_each_edge_has_its_reason() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let writer = schedule.add(each(|a: &mut A| a.0 += 1).named("writer"));
    let other = schedule.add(each(|b: &mut B| b.0 += 1).named("other"));
    let reader = schedule.add((|_: Query<&A>| {}).named("reader"));
    let plan = schedule.build(&mut world).unwrap();
    let edges: Vec<_> = plan.edges().iter().map(|edge| (edge.from, edge.to)).collect();
    assert_eq!(edges, [(writer, reader)]);
    assert_eq!(plan.segments()[0].predecessors(), [0, 0, 1]);
    assert!(plan.explain().to_string().contains('A') && plan.position(other) == 2);
}
