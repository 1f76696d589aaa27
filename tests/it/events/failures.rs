//! Ticks that fail.

use std::sync::Arc;

use tickweave::entity::MapEntities;
use tickweave::prelude::*;
use tickweave::value::{DecodeError, Sink, Source};

use super::kit::{Noise, heard, kept, listen, quiet, run};
use crate::parallel::kit::ways;
use crate::systems::kit::failed;

/// An event that is counted while it lives, and whose mapping panics on demand.
#[derive(Clone, Debug, Event)]
struct Held(#[expect(dead_code, reason = "its owners are counted")] Arc<()>, Bomb);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bomb {
    None,
    Mapped,
    Dropped,
}

impl MapEntities for Held {
    fn map_entities(&mut self, _: &mut dyn tickweave::entity::EntityMapper) {
        assert!(self.1 != Bomb::Mapped, "a mapping that panics");
    }
}

impl StateValue for Held {
    fn encode(&self, sink: &mut Sink<'_>) {
        sink.bytes(&[self.1 as u8]);
    }

    fn decode(_: &mut Source<'_>) -> Result<Self, DecodeError> {
        Ok(Self(Arc::new(()), Bomb::None))
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if std::mem::replace(&mut self.1, Bomb::None) == Bomb::Dropped && !std::thread::panicking() {
            panic!("a destructor that panics");
        }
    }
}

/// A world in which `Held` becomes visible as the scope says, and what counts the values that live.
fn world(scope: EventScope, keep: u32) -> (World, Arc<()>) {
    let mut world = quiet();
    let setup = world.add_event::<Held>().unwrap().scope(scope);
    if keep > 0 {
        setup.keep(keep);
    }
    (world, Arc::new(()))
}

fn living(count: &Arc<()>) -> usize {
    Arc::strong_count(count) - 1
}

/// A system that sends, and keeps no event itself.
fn sender(count: &Arc<()>, bombs: &'static [Bomb]) -> impl FnMut(EventWriter<Held>) + Send + 'static {
    let count = Arc::downgrade(count);
    move |mut events| {
        let count = count.upgrade().unwrap();
        bombs.iter().for_each(|&bomb| events.send(Held(Arc::clone(&count), bomb)));
    }
}

const TWO: &[Bomb] = &[Bomb::None, Bomb::None];

#[test]
fn what_a_failed_tick_had_not_committed_is_dropped_and_what_it_had_stays() {
    for (scope, committed) in [(EventScope::Barrier, 2), (EventScope::Tick, 0)] {
        for way in ways() {
            let (mut world, count) = world(scope, 0);
            let mut schedule = Schedule::new();
            schedule.add(sender(&count, TWO).named("first"));
            schedule.barrier();
            schedule.add(sender(&count, TWO).named("second"));
            schedule.add((|| Err::<(), _>("no")).named("fails"));
            way.prepare(&mut schedule);
            assert_eq!(failed(schedule.run(&mut world)), ("fails".into(), 4, "system-error"));
            assert_eq!(world.events::<Held>().unwrap().len(), committed, "{scope:?}, {way:?}");
            assert_eq!(living(&count), committed);
            world.clear_torn();
            drop(schedule);
            run(&mut Schedule::new(), &mut world, 1);
            assert_eq!((world.events::<Held>().unwrap().len(), living(&count)), (0, 0));
        }
    }
}

#[test]
fn a_panic_in_a_merge_drops_what_waits_for_its_barrier_once() {
    let (mut world, count) = world(EventScope::Barrier, 0);
    let mut schedule = Schedule::new();
    schedule.add(sender(&count, &[Bomb::None, Bomb::Mapped, Bomb::None]).named("sends"));
    assert_eq!(failed(schedule.run(&mut world)), ("sends".into(), 1, "command-panic"));
    assert_eq!((world.events::<Held>().unwrap().end(), living(&count)), (0, 0));
    world.clear_torn();
    schedule.add(listen);
    world.send_event(Noise(1)).unwrap();
    schedule.remove(schedule.system_named("sends").unwrap());
    run(&mut schedule, &mut world, 1);
    assert_eq!(heard(&mut world), [1]);
}

#[test]
fn a_destructor_that_panics_fails_the_tick_and_loses_no_count() {
    for keep in [0, 1] {
        let (mut world, count) = world(EventScope::Barrier, keep);
        let mut schedule = Schedule::new();
        let sends = schedule.add(sender(&count, &[Bomb::None, Bomb::Dropped, Bomb::None]));
        run(&mut schedule, &mut world, 1);
        assert_eq!(living(&count), 3);
        schedule.remove(sends);
        let code = failed(schedule.run(&mut world)).2;
        assert_eq!((code, living(&count)), ("system-panic", 0), "keep {keep}");
        let events = world.events::<Held>().unwrap();
        assert_eq!((events.len(), events.end()), (0, 3));
        world.clear_torn();
        run(&mut schedule, &mut world, 1);
    }
}

#[test]
fn a_failure_is_told_also_when_what_waits_panics_as_it_is_dropped() {
    let (mut world, count) = world(EventScope::Tick, 0);
    let mut schedule = Schedule::new();
    schedule.add(sender(&count, &[Bomb::Dropped, Bomb::None]).named("sends"));
    schedule.barrier();
    schedule.add((|| Err::<(), _>("no")).named("fails"));
    assert_eq!(failed(schedule.run(&mut world)).0, "fails");
    assert_eq!((world.events::<Held>().unwrap().end(), living(&count)), (0, 0));
}

#[test]
fn events_are_dropped_with_their_world_and_with_a_buffer_that_is_not_applied() {
    let (mut world, count) = world(EventScope::Tick, 5);
    let mut schedule = Schedule::new();
    schedule.add(sender(&count, TWO));
    run(&mut schedule, &mut world, 3);
    let mut buffer = CommandBuffer::new();
    buffer.send(Held(Arc::clone(&count), Bomb::None));
    assert_eq!(living(&count), 7);
    drop(buffer);
    assert_eq!(living(&count), 6);
    drop(world);
    assert_eq!(living(&count), 0);
}

#[test]
fn a_reader_that_fails_has_passed_what_it_was_given() {
    let mut world = quiet();
    (0..3).for_each(|number| world.send_event(Noise(number)).unwrap());
    let mut schedule = Schedule::new();
    let fussy = |mut noises: EventReader<Noise>| match noises.read().find(|noise| noise.0 == 1) {
        Some(_) => Err("one"),
        None => Ok(()),
    };
    schedule.add(fussy.named("fussy"));
    assert_eq!(failed(schedule.run(&mut world)).0, "fussy");
    world.clear_torn();
    run(&mut schedule, &mut world, 1);
    assert_eq!(kept(&world), [2]);
}
