//! Systems built by hand are held to what they declare, in every build.

use super::kit::{A, B, Other, Score, failed, failure, small_world, values};
use tickweave::executor::Cause;
use tickweave::prelude::*;
use tickweave::system::UndeclaredAccess;

/// Runs a system on a world with an `A`, a `B` and two resources.
fn run<M>(system: impl IntoSystemConfig<M>) -> Result<(), RunError> {
    let mut world = small_world();
    world.spawn((A(1), B(2)));
    world.insert_resource(Score(0));
    world.insert_resource(Other(0));
    let mut schedule = crate::serial();
    schedule.add(system);
    schedule.run(&mut world)
}

#[test]
fn declared_access_is_given() {
    let system = DynamicSystem::new("free", |world: &mut DynamicWorld<'_>| {
        let read = world.query::<&B, With<A>>()?.iter().map(|b| b.0).sum::<i32>();
        world.query_mut::<&mut A, ()>()?.for_each(|a| a.0 += read);
        world.query_mut::<Write<A>, ()>()?.for_each(|mut a| a.0 += 1);
        let score = world.resource::<Score>()?.0;
        world.resource_mut::<Other>()?.0 = score + 1;
        assert_eq!(world.resource::<Other>()?.0, 1, "what is written may be read");
        let tick = world.tick() as i32;
        world.commands()?.spawn(A(tick));
        Ok::<(), SystemError>(())
    });
    let system = system.writes::<A>().reads::<B>().reads_resource::<Score>().writes_resource::<Other>();
    run(system.records_commands()).unwrap();
}

#[test]
fn undeclared_access_fails_the_tick_and_names_what_was_touched() {
    type Body = fn(&mut DynamicWorld<'_>) -> Result<(), SystemError>;
    let cases: [(Body, &str); 8] = [
        (|world| Ok(world.query::<&A, ()>().map(|_| ())?), "A"),
        (|world| Ok(world.query_mut::<&mut B, ()>().map(|_| ())?), "B"),
        (|world| Ok(world.query_mut::<(&B, Option<&mut A>), ()>().map(|_| ())?), "A"),
        (|world| Ok(world.query::<Entity, ChunkChanged<A>>().map(|_| ())?), "Entity"),
        (|world| world.resource::<Score>().map(|_| ()), "Score"),
        (|world| world.resource_mut::<Other>().map(|_| ()), "Other"),
        (|world| Ok(world.query_mut::<(&B, &mut B), ()>().map(|_| ())?), "B"),
        (|world| Ok(world.commands().map(|_| ())?), "commands"),
    ];
    for (body, touched) in cases {
        let system = DynamicSystem::new("script", body).reads::<B>().reads_resource::<Other>();
        let failure = failure(run(system));
        assert_eq!((failure.system.as_str(), failure.position, failure.tick), ("script", 1, 1));
        let Cause::Error(error) = failure.cause else { panic!("not an error") };
        let undeclared = error.downcast::<UndeclaredAccess>().unwrap();
        assert!(undeclared.touched.contains(touched), "{undeclared}");
        assert_eq!(undeclared.code(), "undeclared-access");
    }
}

#[test]
fn an_undeclared_access_whose_error_is_swallowed_fails_the_tick_all_the_same() {
    let swallowed = DynamicSystem::new("quiet", |world: &mut DynamicWorld<'_>| {
        let _ = world.query_mut::<&mut A, ()>();
    });
    let outcome = run(swallowed.reads::<A>());
    assert_eq!(failed(outcome), ("quiet".into(), 1, "system-error"));
}

#[test]
fn what_an_undeclared_access_had_recorded_is_dropped() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let body = |world: &mut DynamicWorld<'_>| {
        world.commands()?.spawn(A(1));
        world.resource::<Score>().map(|_| ())
    };
    schedule.add(DynamicSystem::new("half", body).records_commands());
    schedule.run(&mut world).unwrap_err();
    assert_eq!(values::<A>(&world), []);
}

#[test]
fn a_declared_component_is_registered_and_declared_once() {
    #[derive(Component)]
    struct Unmet;
    let system = |_: &mut DynamicWorld<'_>| {};
    let code = |outcome: Result<(), RunError>| outcome.unwrap_err().code();
    assert_eq!(code(run(DynamicSystem::new("s", system).reads::<Unmet>())), "io-unregistered");
    assert_eq!(code(run(DynamicSystem::new("s", system).reads::<A>().reads::<A>())), "io-duplicate");
    assert_eq!(code(run(DynamicSystem::new("s", system).writes::<A>().reads::<A>())), "io-duplicate");
    assert_eq!(code(run(DynamicSystem::new("s", system).reads::<A>().reads::<A>().reads::<Unmet>())), "io-duplicate");
    assert_eq!(
        code(run(DynamicSystem::new("s", system).reads::<Unmet>().reads::<A>().reads::<A>())),
        "io-unregistered"
    );
    let twice = [
        DynamicSystem::new("s", system).reads::<Unmet>().reads::<Unmet>(),
        DynamicSystem::new("s", system).writes::<Unmet>().reads::<Unmet>(),
    ];
    assert_eq!(twice.map(|system| code(run(system))), ["io-unregistered"; 2]);
    assert_eq!(
        code(run(DynamicSystem::new("s", system).reads_resource::<Score>().writes_resource::<Score>())),
        "param-clash"
    );
}

#[test]
fn a_resource_that_a_script_declares_may_be_missing() {
    #[derive(Clone, StateValue, Resource)]
    struct Absent(u8);
    let system = DynamicSystem::new("asks", |world: &mut DynamicWorld<'_>| {
        assert!(world.resource::<Absent>().is_err_and(|error| error.to_string().contains("Absent")));
    });
    run(system.reads_resource::<Absent>()).unwrap();
}
