//! Systems that take the whole world.

use super::kit::{A, B, Log, Tag, failed, small_world, values};
use tickweave::prelude::*;
use tickweave::system::Shape;

#[test]
fn an_exclusive_system_does_what_the_host_can_do() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let id = schedule.add(|world: &mut World| {
        let entity = world.spawn((A(1), B(2)));
        world.remove::<B>(entity)?;
        world.query_mut::<&mut A, ()>().for_each(|a| a.0 += 1);
        Ok::<(), tickweave::world::NoSuchEntity>(())
    });
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(values::<A>(&world), [A(3), A(2)]);
    let spec = schedule.system(id).unwrap();
    assert!(spec.shape == Shape::Exclusive && spec.is_exclusive() && !spec.records_commands);
}

#[test]
fn its_commands_are_applied_at_the_barrier_behind_it() {
    let log = Log::default();
    let (inside, behind) = (log.clone(), log.clone());
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World, mut commands: Commands| {
        commands.spawn(Tag);
        inside.say(world.len().to_string());
    });
    schedule.add(move |tagged: Query<Entity, With<Tag>>| behind.say(tagged.count().to_string()));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "0 1");
}

#[test]
fn its_error_and_its_panic_fail_the_tick() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add((|_: &mut World| Err::<(), _>("no")).named("refuses"));
    assert_eq!(failed(schedule.run(&mut world)), ("refuses".into(), 2, "system-error"));
    world.clear_torn();
    let mut schedule = crate::serial();
    schedule.add((|_: &mut World| -> () { panic!("no") }).named("panics"));
    assert_eq!(failed(schedule.run(&mut world)), ("panics".into(), 2, "system-panic"));
}

#[test]
fn registries_are_closed_inside_of_a_tick() {
    #[derive(Component, Debug)]
    struct Late;
    let mut world = small_world();
    let count = world.component_count();
    let log = Log::default();
    let said = log.clone();
    let mut schedule = crate::serial();
    schedule.add(move |world: &mut World| {
        said.say(world.register_component::<Late>().unwrap_err().code());
        said.say(world.ensure_component::<Late>().unwrap_err().code());
        said.say(world.unregister_component::<A>().unwrap_err().code());
        said.say(world.hide_by_default::<A>().unwrap_err().code());
        said.say(world.try_spawn(Late).unwrap_err().code());
        said.say(world.run_once(|| {}).unwrap_err().code());
        said.say(crate::serial().run(world).unwrap_err().code());
        said.say(crate::serial().build(world).unwrap_err().code());
    });
    schedule.run(&mut world).unwrap();
    let closed = "component-inside-tick";
    let nested = "schedule-inside-tick";
    assert_eq!(log.take(), format!("{closed} {closed} {closed} {closed} {closed} {nested} {nested} {nested}"));
    assert_eq!(world.component_count(), count);
    world.register_component::<Late>().unwrap();
}

#[test]
fn a_command_that_needs_a_type_unknown_to_the_world_is_refused_inside_of_a_tick() {
    #[derive(Component)]
    struct Late;
    let mut world = small_world();
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| {
        commands.spawn(Late);
        commands.spawn(A(0));
    });
    schedule.run(&mut world).unwrap();
    let report = schedule.report();
    assert_eq!((report.applied, report.refused, world.len()), (1, 1, 1));
    assert_eq!(report.refusals[0].reason.code(), "component-inside-tick");
    world.register_component::<Late>().unwrap();
    schedule.build(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!((schedule.report().refused, world.len()), (0, 3));
}

#[test]
fn a_system_that_puts_another_world_in_place_fails_the_tick() {
    let mut world = small_world();
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add((|world: &mut World| *world = World::new()).named("swaps"));
    schedule.add((|_: Query<&A>| {}).named("reads"));
    schedule.add(log.system("after"));
    assert_eq!(failed(schedule.run(&mut world)), ("swaps".into(), 2, "world-replaced"));
    assert_eq!(log.take(), "");
    assert!(world.torn().is_some() && world.component_count() == 0);
}

#[test]
fn a_command_that_puts_another_world_in_place_fails_the_tick() {
    let mut world = small_world();
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(log.system("first"));
    let swap = |mut commands: Commands| commands.queue(|world| *world = World::new());
    schedule.add(swap.named("swaps"));
    schedule.barrier();
    schedule.add(log.system("after"));
    assert_eq!(failed(schedule.run(&mut world)).2, "world-replaced");
    assert_eq!(log.take(), "first");
}

#[test]
fn a_system_may_swap_worlds_if_it_swaps_them_back() {
    let mut world = small_world();
    world.spawn(A(1));
    let mut schedule = crate::serial();
    schedule.add(|world: &mut World| {
        let mut other = World::new();
        std::mem::swap(world, &mut other);
        assert_eq!(world.len(), 0);
        std::mem::swap(world, &mut other);
    });
    schedule.run(&mut world).unwrap();
    assert_eq!((world.len(), world.tick()), (1, 1));
}
