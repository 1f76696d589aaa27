//! Events and systems that the tests share.

use tickweave::prelude::*;
use tickweave::system::SystemConfig;

/// What was heard, or who.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Component, Event)]
#[repr(C)]
pub(crate) struct Noise(pub(crate) u32);

/// What a system has read, in order.
#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
pub(crate) struct Heard(pub(crate) Vec<u32>);

/// A world that knows `Noise` and has heard nothing.
pub(crate) fn quiet() -> World {
    let mut world = World::builder().chunk_rows(8).batch_rows(2).build().unwrap();
    world.add_event::<Noise>().unwrap();
    world.insert_resource(Heard::default());
    world
}

/// A system that sends the number of the tick.
pub(crate) fn shout(tick: Tick, mut noises: EventWriter<Noise>) {
    noises.send(Noise(tick.0 as u32));
}

/// A system that notes everything.
pub(crate) fn listen(mut noises: EventReader<Noise>, mut heard: ResMut<Heard>) {
    heard.0.extend(noises.read().map(|noise| noise.0));
}

/// A reader that notes everything under a name of its own.
pub(crate) fn listener(name: &'static str) -> SystemConfig {
    listen.named(name)
}

/// What was heard since the last call.
pub(crate) fn heard(world: &mut World) -> Vec<u32> {
    std::mem::take(&mut world.resource_mut::<Heard>().unwrap().0)
}

/// What is kept of `Noise`.
pub(crate) fn kept(world: &World) -> Vec<u32> {
    world.events::<Noise>().unwrap().iter().map(|noise| noise.0).collect()
}

/// Runs some ticks.
#[track_caller]
pub(crate) fn run(schedule: &mut Schedule, world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        schedule.run(world).unwrap();
    }
}
