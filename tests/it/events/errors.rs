//! What is refused, and what the refusal says.

use tickweave::prelude::*;
use tickweave::schedule::BindError;

use super::kit::{Noise, kept, listen, quiet, run, shout};

#[derive(Clone, Debug, StateValue, Event)]
struct Unknown(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

fn refusal<M>(system: impl IntoSystemConfig<M>) -> BindError {
    let mut schedule = Schedule::new();
    schedule.add(system.named("sinner"));
    schedule.build(&mut quiet()).unwrap_err()
}

#[test]
fn a_type_that_was_not_added_is_refused_before_anything_runs_whatever_the_shape() {
    let refusals = [
        refusal(|_: EventWriter<Unknown>| {}),
        refusal(|_: Commands<(Noise, Unknown)>| {}),
        refusal(each(|_: &Number, _: EventWriter<Unknown>| {})),
        refusal(chunk(|_: &[Number], _: EventWriter<Unknown>| {})),
        refusal(|_: EventReader<Unknown>| {}),
    ];
    for error in refusals {
        assert_eq!(error.code(), "event-not-added");
        let text = error.to_string();
        assert!(text.contains("system `sinner`") && text.contains("world.add_event::<Unknown>()"), "{text}");
    }
}

#[test]
fn a_late_add_between_ticks_lets_the_refused_schedule_run() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(|mut unknown: EventWriter<Unknown>| unknown.send(Unknown(1)));
    assert_eq!(schedule.run(&mut world).unwrap_err().code(), "event-not-added");
    world.add_event::<Unknown>().unwrap();
    run(&mut schedule, &mut world, 1);
    assert_eq!(world.events::<Unknown>().unwrap().len(), 1);
}

#[test]
fn a_type_is_added_once_and_between_ticks_only() {
    let mut world = quiet();
    assert_eq!(world.add_event::<Noise>().unwrap_err().code(), "event-duplicate");
    let mut schedule = Schedule::new();
    schedule.add(|world: &mut World, mut commands: Commands| {
        assert_eq!(world.add_event::<Unknown>().unwrap_err().code(), "event-inside-tick");
        commands.queue(|world| assert_eq!(world.add_event::<Unknown>().unwrap_err().code(), "event-inside-tick"));
    });
    run(&mut schedule, &mut world, 1);
    assert_eq!(world.events::<Unknown>().unwrap_err().code(), "event-not-added");
    assert_eq!(world.send_event(Unknown(1)).unwrap_err().code(), "event-not-added");
}

#[test]
fn an_undeclared_event_of_a_lane_whose_type_was_not_added_is_refused_and_counted() {
    let mut world = quiet();
    let mut schedule = Schedule::new();
    schedule.add(|mut commands: Commands| {
        commands.send(Unknown(1));
        commands.send(Noise(2));
    });
    run(&mut schedule, &mut world, 1);
    let report = schedule.report();
    assert_eq!((report.applied, report.refused), (1, 1));
    assert_eq!(report.refusals[0].reason.code(), "event-not-added");
    assert_eq!(kept(&world), [2]);
}

#[test]
fn a_system_records_into_one_lane() {
    let error = refusal(|_: Commands, _: EventWriter<Noise>| {});
    assert_eq!(error.code(), "param-twice");
    assert!(error.to_string().contains("name all events in one parameter"), "{error}");
    let error = refusal(each(|_: &Number, _: EventWriter<Noise>, _: EventWriter<Noise>| {}));
    assert_eq!(error.code(), "param-twice");
}

#[test]
fn a_reader_is_kept_from_run_to_run_so_that_run_once_has_none() {
    let mut world = quiet();
    let error = world.run_once(listen).unwrap_err();
    assert_eq!(error.code(), "param-not-once");
    world.run_once(shout).unwrap();
    assert_eq!(kept(&world), [0]);
}
