//! Adding systems: ids, names, limits, and which failure wins.

use crate::systems::kit::{A, B, C, Log, Score, small_world};
use fixed::types::I16F16;
use tickweave::prelude::*;
use tickweave::schedule::{DEFAULT_MAX_SYSTEMS, MAX_DEPENDENCIES, Policy, ScheduleError};
use tickweave::system::{Rate, Shape, SystemConfig, SystemId};

fn idle() {}

fn code(outcome: Result<SystemId, ScheduleError>) -> &'static str {
    outcome.unwrap_err().code()
}

#[test]
fn ids_are_dense_from_one_in_registration_order_and_a_refused_system_takes_none() {
    let mut schedule = crate::serial();
    let first = schedule.try_add(idle.named("a")).unwrap();
    let taken = schedule.try_add(idle.named("a")).unwrap_err();
    assert_eq!(taken, ScheduleError::DuplicateName { name: "a".to_owned(), first });
    assert_eq!((taken.code(), code(schedule.try_add(idle.named("")))), ("duplicate-name", "empty-name"));
    let second = schedule.try_add(idle).unwrap();
    assert_eq!((first.get(), second.get(), schedule.system_count()), (1, 2, 2));
    let mut other = crate::serial();
    other.add(idle);
    assert_eq!(other.add(idle).get(), 2, "ids are those of a schedule");
    schedule.run(&mut World::new()).unwrap();
}

/// Systems with names of every kind, one of them taken out again; returns their ids and the hash of the plan.
fn registered(order: [usize; 5]) -> (Vec<(String, u32)>, u64) {
    let mut schedule = crate::serial();
    for kind in order {
        match kind {
            0 => _ = schedule.add(idle.named("explicit")),
            1 => _ = schedule.add(idle),
            2 => drop(schedule.chain((idle, (|_: Query<&A>| {}).named("reads"), idle.named("last")))),
            3 => assert_eq!(code(schedule.try_add(idle.named(""))), "empty-name"),
            _ => {
                let gone = schedule.add(idle.named("gone"));
                schedule.remove(gone);
            }
        }
    }
    let plan = schedule.build(&mut small_world()).unwrap();
    (plan.order().map(|id| (plan.spec(id).name.clone(), id.get())).collect(), plan.hash())
}

#[test]
fn the_same_registrations_give_the_same_ids_and_plan_in_every_schedule_and_another_order_gives_others() {
    let (ids, hash) = registered([0, 1, 2, 3, 4]);
    let names: Vec<(&str, u32)> = ids.iter().map(|(name, id)| (name.as_str(), *id)).collect();
    assert_eq!(names, [("explicit", 1), ("idle", 2), ("idle#2", 3), ("reads", 4), ("last", 5), ("(removed s6)", 6)]);
    for _ in 0..3 {
        assert_eq!(registered([0, 1, 2, 3, 4]), (ids.clone(), hash));
    }
    assert_eq!(registered([3, 0, 1, 2, 4]).0, ids, "a refused system takes no id");
    let (other, other_hash) = registered([1, 0, 2, 3, 4]);
    assert!(other.contains(&("explicit".to_owned(), 2)) && other_hash != hash, "{other:?}");
}

/// A system with every fault that registration can find.
fn faulty() -> SystemConfig {
    idle.named("").every(0).budget_ms(I16F16::ZERO).after("").after("x").after("x")
}

#[test]
fn the_first_failure_in_the_documented_order_wins() {
    let mut schedule = crate::serial();
    schedule.set_max_systems(1);
    schedule.add(idle.named("taken"));
    assert_eq!(code(schedule.try_add(faulty())), "empty-name");
    assert_eq!(code(schedule.try_add(faulty().named("taken"))), "invalid-rate");
    assert_eq!(code(schedule.try_add(faulty().named("taken").every(1))), "invalid-budget");
    let budgeted = || faulty().named("taken").every(1).budget_ms(I16F16::ONE);
    assert_eq!(code(schedule.try_add(budgeted())), "empty-dependency");
    let named = || idle.named("taken").after("x");
    assert_eq!(code(schedule.try_add(named().after("x"))), "repeated-dependency");
    assert_eq!(code(schedule.try_add(named())), "duplicate-name");
    assert_eq!(code(schedule.try_add(named().named("free"))), "too-many-systems");
    schedule.set_max_systems(2);
    schedule.try_add(named().named("free")).unwrap();
    assert_eq!(schedule.build(&mut World::new()).unwrap_err().code(), "unknown-dependency");
}

#[test]
fn the_limit_of_systems_is_found_when_a_system_is_added_before_the_components_that_it_declares() {
    #[derive(Component)]
    struct Unmet;
    let script = |_: &mut DynamicWorld<'_>| {};
    let faulty = || DynamicSystem::new("script", script).reads::<Unmet>().reads::<A>().reads::<A>();
    let mut schedule = crate::serial();
    schedule.set_max_systems(1);
    schedule.add(idle);
    assert_eq!(code(schedule.try_add(faulty())), "too-many-systems");
    schedule.set_max_systems(2);
    schedule.try_add(faulty()).unwrap();
    assert_eq!(schedule.build(&mut small_world()).unwrap_err().code(), "io-unregistered");
}

#[test]
fn two_systems_that_draw_under_one_key_are_found_before_names_that_nobody_has() {
    fn draw(_: Rng) {}
    let mut world = World::builder().seed(1).build().unwrap();
    let mut schedule = crate::serial();
    schedule.add(idle.named("lost").after("nobody"));
    schedule.add(draw.named("one").stream("dice"));
    let twin = schedule.add(draw.named("two").stream("dice"));
    let error = schedule.build(&mut world).unwrap_err();
    assert_eq!(error.code(), "stream-shared");
    assert!(["`one`", "`two`", "`dice`"].iter().all(|name| error.to_string().contains(name)), "{error}");
    schedule.remove(twin);
    assert_eq!(schedule.build(&mut world).unwrap_err().code(), "unknown-dependency");
}

#[test]
fn what_needs_a_world_is_found_when_the_schedule_is_built_before_what_needs_every_system() {
    #[derive(Component)]
    struct Unmet;
    let script = |_: &mut DynamicWorld<'_>| {};
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.set_policy(Policy::SingleWriter);
    let ids = [
        schedule.add(DynamicSystem::new("unregistered", script).reads::<Unmet>().reads::<A>().reads::<A>()),
        schedule.add(DynamicSystem::new("duplicate", script).writes::<A>().reads::<A>()),
        schedule.add(idle.named("lost").after("nobody")),
        schedule.add(idle.named("round").after("round")),
    ];
    schedule.add(each(|a: &mut A| a.0 += 1).named("one"));
    schedule.add(each(|a: &mut A| a.0 += 1).named("two"));
    let expected = ["io-unregistered", "io-duplicate", "unknown-dependency", "dependency-cycle", "several-writers"];
    let mut ids = ids.into_iter();
    for code in expected {
        let error = schedule.build(&mut world).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        ids.next().map(|id| schedule.remove(id));
    }
    schedule.set_policy(Policy::Reject);
    assert_eq!(schedule.build(&mut world).unwrap_err().code(), "ambiguous-writers");
    schedule.set_policy(Policy::Warn);
    assert_eq!(schedule.build(&mut world).unwrap().diagnostics()[0].code(), "ambiguous-writers");
    schedule.set_policy(Policy::Order);
    assert_eq!(schedule.build(&mut world).unwrap().diagnostics(), []);
}

#[test]
fn writers_that_an_edge_a_chain_or_a_barrier_orders_pass_where_unordered_ones_are_refused() {
    fn write(_: Query<&mut A>) {}
    let build = |fill: fn(&mut Schedule)| {
        let mut schedule = crate::serial();
        schedule.set_policy(Policy::Reject);
        fill(&mut schedule);
        let built = schedule.build(&mut small_world()).map(|plan| plan.diagnostics().len());
        built.map_err(|error| error.to_string())
    };
    let edge = |schedule: &mut Schedule| {
        schedule.add(write.named("one"));
        schedule.add(write.named("two").after("one"));
    };
    let chain = |schedule: &mut Schedule| drop(schedule.chain((write, idle, write)));
    let barrier = |schedule: &mut Schedule| {
        schedule.add(write);
        schedule.barrier();
        schedule.add(write);
    };
    let ordered: [fn(&mut Schedule); 3] = [edge, chain, barrier];
    assert_eq!(ordered.map(build), [const { Ok(0) }; 3]);
    let one_is_not = |schedule: &mut Schedule| {
        schedule.add(write.named("one"));
        schedule.add(write.named("two").after("one"));
        schedule.add(write.named("three").after("one"));
    };
    let error = build(one_is_not).unwrap_err();
    assert!(error.contains("`two` and `three` write") && !error.contains("`one`"), "{error}");
}

#[test]
fn a_single_writer_is_demanded_even_of_ordered_systems_and_all_writers_are_named() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.set_policy(Policy::SingleWriter);
    schedule.chain((
        each(|a: &mut A| a.0 += 1).named("one"),
        each(|a: &A, b: &mut B| b.0 += a.0).named("two"),
        each(|a: &mut A| a.0 += 1).named("three"),
    ));
    let error = schedule.run(&mut world).unwrap_err();
    assert_eq!(error.code(), "several-writers");
    assert!(error.to_string().contains("A is written by `one`, `three`"), "{error}");
    assert!(!error.to_string().contains("two"), "{error}");
}

#[test]
fn a_reader_before_the_writer_is_reported_once_for_each_pair_and_component() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.report_read_before_write(true);
    schedule.add((|_: Query<&A>, _: Query<(&A, &B)>| {}).named("reader"));
    schedule.add(each(|a: &mut A, b: &mut B| a.0 += b.0).named("writer"));
    schedule.add((|_: Query<&A>| {}).named("behind"));
    let plan = schedule.build(&mut world).unwrap();
    assert_eq!(plan.diagnostics().iter().map(|found| found.code()).collect::<Vec<_>>(), ["read-before-write"; 2]);
}

#[test]
fn a_schedule_holds_256_systems_unless_its_limit_is_raised() {
    let mut schedule = crate::serial();
    for number in 0..DEFAULT_MAX_SYSTEMS {
        schedule.try_add(idle.named(number.to_string())).unwrap();
    }
    let error = schedule.try_add(idle.named("one more")).unwrap_err();
    assert_eq!((error.code(), DEFAULT_MAX_SYSTEMS, schedule.system_count()), ("too-many-systems", 256, 256));
    assert!(error.to_string().contains("`one more`") && error.to_string().contains("256"), "{error}");
    schedule.set_max_systems(257);
    assert_eq!(schedule.try_add(idle.named("one more")).unwrap().get(), 257);
    schedule.run(&mut World::new()).unwrap();
}

#[test]
fn sixteen_dependencies_are_the_most() {
    let mut schedule = crate::serial();
    (0..=MAX_DEPENDENCIES).for_each(|number| _ = schedule.add(idle.named(number.to_string())));
    let waits = |name: &str, most: usize| {
        (0..most).fold(idle.named(name), |waits, number| match number % 2 {
            0 => waits.after(number.to_string()),
            _ => waits.before(number.to_string()),
        })
    };
    let id = schedule.try_add(waits("waits", MAX_DEPENDENCIES)).unwrap();
    assert_eq!(code(schedule.try_add(waits("too many", MAX_DEPENDENCIES + 1))), "too-many-dependencies");
    let plan = schedule.build(&mut World::new()).unwrap();
    let edges = plan.edges().iter().filter(|edge| [edge.from, edge.to].contains(&id)).count();
    assert_eq!((MAX_DEPENDENCIES, edges), (16, 16));
}

#[test]
fn what_is_known_of_a_system_is_told_access_ascending() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let budget = I16F16::from_num(1.5);
    let system = |_: Query<(&C, &mut B), With<A>>, _: Query<&A>, _: ResMut<Score>| {};
    let config = system.named("steer").after("sense").before("act").labeled("ai").every(4).offset(1).budget_ms(budget);
    let id = schedule.add(config);
    assert_eq!(schedule.system(id).unwrap().name, "steer", "known before it is bound");
    schedule.add(idle.named("sense"));
    schedule.add(idle.named("act"));
    schedule.build(&mut world).unwrap();
    let spec = schedule.system(id).unwrap();
    assert_eq!((spec.name.as_str(), spec.explicit_name, spec.enabled, spec.shape), ("steer", true, true, Shape::Query));
    assert_eq!(
        (&spec.after[..], &spec.before[..], &spec.labels[..]),
        (&["sense".into()][..], &["act".into()][..], &["ai".into()][..])
    );
    assert_eq!((spec.rate, spec.budget), (Rate { every: 4, offset: 1 }, Some(budget)));
    let number = |bit: u32| world.component_id::<A>().unwrap().get() - 1 + bit;
    assert_eq!(spec.access.component_reads().iter().collect::<Vec<_>>(), [number(0), number(2)]);
    assert_eq!(spec.access.component_writes().iter().collect::<Vec<_>>(), [number(1)]);
    assert_eq!(spec.access.resource_writes.iter().count(), 1);
    assert_eq!(schedule.system(SystemId::from_index(3)), None, "a number that was never given");
}

#[test]
fn what_a_system_declares_is_asked_by_component() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let system = |_: Query<(&C, &mut B)>, _: Query<&C>, _: Lookup<&A>| {};
    let id = schedule.add(system.named("steer").after("sense").after("ai").before("act"));
    let whole = schedule.add(|_: &mut World| {});
    ["sense", "ai", "act"].iter().for_each(|&name| _ = schedule.add(idle.named(name)));
    schedule.build(&mut world).unwrap();
    let [a, b, c] =
        [world.component_id::<A>(), world.component_id::<B>(), world.component_id::<C>()].map(Option::unwrap);
    let spec = schedule.system(id).unwrap();
    assert_eq!((spec.reads(), spec.writes()), (vec![a, c], vec![b]));
    assert_eq!(
        [a, b, c].map(|id| (spec.declares_read(id), spec.declares_write(id))),
        [(true, false), (false, true), (true, false)]
    );
    assert_eq!(spec.dependencies().collect::<Vec<_>>(), ["sense", "ai"]);
    let whole = schedule.system(whole).unwrap();
    assert!(whole.is_exclusive() && !whole.declares_read(a) && !whole.declares_write(a) && whole.writes().is_empty());
}

#[test]
fn a_budget_is_a_fixed_point_number_of_milliseconds_above_zero() {
    let mut schedule = crate::serial();
    let error = schedule.try_add(idle.named("free").budget_ms(I16F16::from_num(-0.5))).unwrap_err();
    assert_eq!(error.code(), "invalid-budget");
    assert!(error.to_string().contains("`free`") && error.to_string().contains("-0.5"), "{error}");
    let smallest = I16F16::from_bits(1);
    let id = schedule.try_add(idle.named("tight").budget_ms(smallest)).unwrap();
    assert_eq!(schedule.system(id).unwrap().budget.unwrap().to_bits(), 1);
}

#[test]
fn a_system_that_add_refuses_makes_every_build_fail_with_the_first_such_error() {
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(log.system("fine"));
    schedule.add(idle.named(""));
    schedule.add(idle.named("fine"));
    schedule.chain((idle.named("x"), idle.named("x")));
    for _ in 0..2 {
        assert_eq!(schedule.run(&mut World::new()).unwrap_err().code(), "empty-name");
    }
    assert_eq!(log.take(), "");
    assert!(schedule.explain().contains("no plan yet"), "{}", schedule.explain());
}

#[test]
fn systems_survive_a_clear_of_the_world() {
    let log = Log::default();
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(log.spawner("spawns"));
    schedule.run(&mut world).unwrap();
    world.clear();
    schedule.run(&mut world).unwrap();
    assert_eq!((log.take().as_str(), world.len(), schedule.system_count()), ("spawns spawns", 1, 1));
}

#[test]
fn an_empty_schedule_runs_an_empty_tick() {
    let mut world = World::new();
    let mut schedule = crate::serial();
    schedule.run(&mut world).unwrap();
    schedule.barrier();
    schedule.run(&mut world).unwrap();
    assert_eq!((world.tick(), schedule.system_count()), (2, 0));
}
