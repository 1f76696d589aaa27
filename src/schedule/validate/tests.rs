use super::super::testing::*;
use super::*;
use crate::schedule::Item;
use crate::system::Rate;
use fixed::types::I16F16;

fn code(spec: &SystemSpec) -> &'static str {
    let options = Options { max_systems: 1, ..Options::default() };
    validate_system(spec, ["taken"].into_iter(), &options).expect_err("an error").code()
}

#[test]
fn the_first_failure_of_the_fixed_order_wins() {
    let crowd: Vec<_> = (0..17).map(|n| format!("n{n}")).collect();
    let mut spec = SystemSpec {
        stream: Some(String::new()),
        rate: Rate { every: 0, offset: 0 },
        budget: Some(I16F16::ZERO),
        before: strings(&["a", "a"]),
        after: crowd.iter().cloned().chain([String::new()]).collect(),
        ..system("")
    };
    assert_eq!(code(&spec), "empty-name");
    spec.name = "taken".into();
    assert_eq!(code(&spec), "empty-stream");
    spec.stream = None;
    assert_eq!(code(&spec), "invalid-rate");
    spec.rate = Rate::EVERY_TICK;
    assert_eq!(code(&spec), "invalid-budget");
    spec.budget = None;
    assert_eq!(code(&spec), "empty-dependency");
    spec.after.pop();
    assert_eq!(code(&spec), "repeated-dependency");
    spec.before.pop();
    assert_eq!(code(&spec), "too-many-dependencies");
    spec.after.truncate(15);
    assert_eq!(code(&spec), "duplicate-name");
    spec.name = "free".into();
    assert_eq!(code(&spec), "too-many-systems");
    assert!(validate_system(&spec, ["taken"].into_iter(), &Options::default()).is_ok());
}

#[test]
fn a_rate_needs_a_tick_to_run_on() {
    let valid = |every, offset| Rate { every, offset }.is_valid();
    assert!(valid(1, 0) && valid(4, 3));
    assert!(!valid(0, 0) && !valid(1, 1) && !valid(4, 4));
}

#[test]
fn a_budget_must_be_above_zero() {
    let budget = |bits| code(&SystemSpec { budget: Some(I16F16::from_bits(bits)), ..system("taken") });
    assert_eq!([budget(-1), budget(0), budget(1)], ["invalid-budget", "invalid-budget", "duplicate-name"]);
}

#[test]
fn one_name_may_stand_in_both_lists_but_not_twice_in_one() {
    let both = SystemSpec { before: strings(&["a"]), ..after("s", &["a"]) };
    assert!(check_dependencies(&both).is_ok());
    let expected = ScheduleError::RepeatedDependency {
        system: "s".into(),
        relation: Relation::After,
        name: "a".into(),
        position: 3,
    };
    assert_eq!(check_dependencies(&after("s", &["a", "b", "a"])), Err(expected));
}

#[test]
fn a_plan_refuses_what_registration_refuses_and_in_registration_order() {
    let bad_rate = SystemSpec { rate: Rate { every: 2, offset: 2 }, ..system("late") };
    let list = items([system("a"), system("a"), bad_rate]);
    assert_eq!(refused(&list, &many()), ScheduleError::DuplicateName { name: "a".into(), first: id(1) });
    let names: Vec<Item> = items((0..257).map(|n| system(&format!("s{n}"))));
    let expected = ScheduleError::TooManySystems { system: "s256".into(), limit: 256 };
    assert_eq!(refused(&names, &Options::default()), expected);
}

#[test]
fn a_duplicate_name_tells_which_system_had_it_first() {
    let earlier = ["a", "b", "b"];
    let error = validate_system(&system("b"), earlier.into_iter(), &many()).expect_err("an error");
    assert_eq!(error, ScheduleError::DuplicateName { name: "b".into(), first: id(2) });
    assert_eq!(error.to_string(), "two systems are named `b`, of which s2 was first; rename one of them");
}

#[test]
fn a_message_names_the_system_and_the_place_and_says_what_to_do() {
    let error = check_dependencies(&after("steer", &["a", ""])).expect_err("an error");
    assert_eq!(
        error.to_string(),
        "system `steer` has an empty name as entry 2 of its `after` list; name a system or a label"
    );
}
