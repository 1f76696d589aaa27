//! The log of removals: what is told, to whom, and when.

use super::kit::{A, B, Log, T, small_world};
use tickweave::prelude::*;

/// Says the slots of the entities that it is told.
fn teller(log: &Log, name: &'static str) -> impl FnMut(Removed<T>) + Send + use<> {
    let log = log.clone();
    move |removed: Removed<T>| {
        let slots: Vec<String> = removed.iter().map(|entity| entity.slot().to_string()).collect();
        log.say(format!("{name}[{}]", slots.join(",")));
    }
}

/// What a reader is told after the host did something to an entity with a `T` (slot 0) and one without (slot 1).
fn told(edit: impl FnOnce(&mut World, Entity, Entity)) -> String {
    let log = Log::default();
    let mut world = small_world();
    let (with, without) = (world.spawn((T(0), A(0))), world.spawn(A(0)));
    let mut schedule = crate::serial();
    schedule.add(teller(&log, ""));
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "[]", "a spawn is no removal");
    edit(&mut world, with, without);
    schedule.run(&mut world).unwrap();
    let told = log.take();
    schedule.run(&mut world).unwrap();
    assert_eq!(log.take(), "[]", "nothing is told twice");
    told
}

#[test]
fn the_truth_table_of_what_is_a_removal() {
    assert_eq!(told(|world, with, _| world.remove::<T>(with).unwrap()), "[0]", "remove");
    assert_eq!(told(|world, with, _| world.remove::<(A, T)>(with).unwrap()), "[0]", "as part of a bundle");
    assert_eq!(told(|world, with, _| assert_eq!(world.take::<T>(with).unwrap(), T(0))), "[0]", "take");
    assert_eq!(told(|world, with, _| world.despawn(with).unwrap()), "[0]", "despawn");
    assert_eq!(told(|world, _, _| world.clear()), "[0]", "clear");
    assert_eq!(told(|world, _, without| world.remove::<T>(without).unwrap()), "[]", "remove where absent");
    assert_eq!(told(|world, _, without| world.despawn(without).unwrap()), "[]", "despawn without it");
    assert_eq!(told(|world, with, _| world.remove::<A>(with).unwrap()), "[]", "another component");
    assert_eq!(told(|world, with, _| world.insert(with, T(9)).unwrap()), "[]", "replace");
    assert_eq!(told(|world, with, _| world.insert(with, B(9)).unwrap()), "[]", "a move to another archetype");
    assert_eq!(told(|world, with, _| world.get_mut::<T>(with).unwrap().0 = 9), "[]", "a write");
}

#[test]
fn remove_and_insert_at_once_is_told_once_and_twice_is_told_twice() {
    let again = |world: &mut World, with, _| {
        world.remove::<T>(with).unwrap();
        world.insert(with, T(1)).unwrap();
    };
    assert_eq!(told(again), "[0]");
    let twice = |world: &mut World, with, _| {
        world.remove::<T>(with).unwrap();
        world.insert(with, T(1)).unwrap();
        world.despawn(with).unwrap();
    };
    assert_eq!(told(twice), "[0,0]");
    let passing = |world: &mut World, _, without| {
        world.insert(without, T(1)).unwrap();
        world.remove::<T>(without).unwrap();
    };
    assert_eq!(told(passing), "[1]", "it was there and is gone");
}

#[test]
fn commands_of_one_barrier_are_told_like_the_calls_one_after_the_other() {
    let buffer = |record: fn(&mut CommandBuffer, Entity, Entity)| {
        told(move |world, with, without| {
            let mut buffer = CommandBuffer::new();
            record(&mut buffer, with, without);
            buffer.apply(world);
        })
    };
    let remove_and_insert = |buffer: &mut CommandBuffer, with, _| {
        buffer.remove::<T>(with);
        buffer.insert(with, T(1));
    };
    assert_eq!(buffer(remove_and_insert), "[0]");
    let insert_and_remove = |buffer: &mut CommandBuffer, _, without| {
        buffer.insert(without, T(1));
        buffer.remove::<T>(without);
        buffer.remove::<T>(without);
    };
    assert_eq!(buffer(insert_and_remove), "[1]");
    let despawn_twice = |buffer: &mut CommandBuffer, with, _| {
        buffer.despawn(with);
        buffer.despawn(with);
    };
    assert_eq!(buffer(despawn_twice), "[0]");
}

/// A system that removes `T` by a command on the given tick.
fn remover(target: Entity, on: u64) -> impl FnMut(Tick, Commands) + Send {
    move |tick: Tick, mut commands: Commands| {
        if tick.0 == on {
            commands.remove::<T>(target);
        }
    }
}

#[test]
fn a_removal_is_told_when_it_took_effect_whether_the_reader_is_before_or_behind() {
    let log = Log::default();
    let mut world = small_world();
    let target = world.spawn(T(0));
    let mut schedule = crate::serial();
    schedule.add(teller(&log, "before"));
    schedule.add(remover(target, 2));
    schedule.add(teller(&log, "same"));
    schedule.barrier();
    schedule.add(teller(&log, "behind"));
    for expected in ["before[] same[] behind[]", "before[] same[] behind[0]", "before[0] same[0] behind[]"] {
        schedule.run(&mut world).unwrap();
        assert_eq!(log.take(), expected);
    }
}

#[test]
fn an_exclusive_remover_is_told_behind_it_at_once_and_before_it_on_the_next_tick() {
    let log = Log::default();
    let mut world = small_world();
    let target = world.spawn(T(0));
    let mut schedule = crate::serial();
    schedule.add(teller(&log, "before"));
    schedule.add((move |world: &mut World| world.remove::<T>(target).unwrap()).run_if(|tick: Tick| tick.0 == 2));
    schedule.add(teller(&log, "behind"));
    for expected in ["before[] behind[]", "before[] behind[0]", "before[0] behind[]"] {
        schedule.run(&mut world).unwrap();
        assert_eq!(log.take(), expected);
    }
}

#[test]
fn a_slow_reader_is_told_everything_since_its_own_last_run_in_order() {
    let log = Log::default();
    let mut world = small_world();
    let rows = world.spawn_batch((0..6).map(T));
    let mut schedule = crate::serial();
    schedule.add(teller(&log, "slow").every(3));
    schedule.add(move |tick: Tick, mut commands: Commands| {
        if let Some(&row) = rows.get(6_usize.wrapping_sub(tick.0 as usize)) {
            commands.despawn(row);
        }
    });
    let mut said = Vec::new();
    for _ in 0..9 {
        schedule.run(&mut world).unwrap();
        said.push(log.take());
    }
    assert_eq!(said, ["", "", "slow[5,4]", "", "", "slow[3,2,1]", "", "", "slow[0]"]);
}

#[test]
fn a_reader_that_is_rarer_than_the_log_lasts_is_refused_when_the_schedule_is_built() {
    let mut world = World::builder().removal_ticks(4).with_component::<T>().build().unwrap();
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(teller(&log, "").every(5).named("rare"));
    let error = schedule.run(&mut world).unwrap_err();
    assert_eq!(error.code(), "removals-missed");
    assert!(error.to_string().contains("`rare`") && error.to_string().contains("every 5 ticks"), "{error}");
}

#[test]
fn a_reader_as_rare_as_the_log_lasts_misses_nothing() {
    let mut world = World::builder().removal_ticks(4).with_component::<T>().build().unwrap();
    let log = Log::default();
    let mut schedule = crate::serial();
    schedule.add(teller(&log, "").every(4));
    let rows = world.spawn_batch((0..8).map(T));
    let mut said = String::new();
    for row in rows {
        schedule.run(&mut world).unwrap();
        said += &log.take();
        world.despawn(row).unwrap();
    }
    schedule.run(&mut world).unwrap();
    assert_eq!(said, "[0,1,2][3,4,5,6]");
}

#[test]
fn the_log_is_forgotten_after_its_ticks_and_the_host_can_read_it_until_then() {
    let mut world = World::builder().removal_ticks(2).with_component::<T>().build().unwrap();
    let row = world.spawn(T(0));
    world.despawn(row).unwrap();
    let mut schedule = crate::serial();
    let mut seen = Vec::new();
    for _ in 0..5 {
        seen.push(world.removals::<T>(0).count());
        schedule.run(&mut world).unwrap();
    }
    assert_eq!(seen, [1, 1, 1, 1, 0]);
}

#[test]
fn a_reader_of_a_type_that_is_not_registered_is_told_nothing() {
    let log = Log::default();
    let mut world = World::new();
    let mut schedule = crate::serial();
    schedule.add(teller(&log, ""));
    schedule.run(&mut world).unwrap();
    assert_eq!((log.take().as_str(), world.component_count()), ("[]", 0));
}
