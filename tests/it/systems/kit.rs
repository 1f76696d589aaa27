//! Components, resources and a log that the tests of systems and schedules share.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use tickweave::executor::{Cause, TickFailure};
use tickweave::prelude::*;
use tickweave::system::SystemConfig;

#[derive(Component, Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)]
pub(crate) struct A(pub(crate) i32);

#[derive(Component, Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)]
pub(crate) struct B(pub(crate) i32);

#[derive(Component, Clone, Copy, Debug, PartialEq, Default)]
#[repr(C)]
pub(crate) struct C(pub(crate) i32);

#[derive(Component, Clone, Copy, Debug, PartialEq, Default)]
#[component(track)]
#[repr(C)]
pub(crate) struct T(pub(crate) i32);

#[derive(Component)]
pub(crate) struct Tag;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Link(pub(crate) Entity);

#[derive(Clone, Debug, PartialEq, Default, StateValue, Resource)]
pub(crate) struct Score(pub(crate) i32);

#[derive(Clone, Debug, PartialEq, Default, StateValue, Resource)]
pub(crate) struct Other(pub(crate) i32);

/// What was said, in order.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    pub(crate) fn say(&self, what: impl Into<String>) {
        self.0.lock().unwrap().push(what.into());
    }

    /// What was said since the last call, with blanks between.
    pub(crate) fn take(&self) -> String {
        std::mem::take(&mut *self.0.lock().unwrap()).join(" ")
    }

    /// A system that says its name.
    pub(crate) fn system(&self, name: &'static str) -> SystemConfig {
        let log = self.clone();
        (move || log.say(name)).named(name)
    }

    /// A system that says its name and records the spawn of an `A`.
    pub(crate) fn spawner(&self, name: &'static str) -> SystemConfig {
        let log = self.clone();
        let spawn = move |mut commands: Commands| {
            log.say(name);
            spawn(&mut commands, A(0));
        };
        spawn.named(name)
    }
}

/// Counts the values that live.
#[derive(Clone, Default)]
pub(crate) struct Census(Arc<AtomicI64>);

impl Census {
    pub(crate) fn born(&self) -> Counted {
        self.0.fetch_add(1, Ordering::Relaxed);
        Counted(self.clone())
    }

    pub(crate) fn living(&self) -> i64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A component that the census counts.
#[derive(Component)]
#[component(opaque)]
pub(crate) struct Counted(Census);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Records a spawn, and no more.
pub(crate) fn spawn(lane: &mut Lane, bundle: impl Bundle) {
    lane.spawn(bundle);
}

/// A world with tiny chunks that knows `A`, `B`, `C`, `T` and `Tag`.
pub(crate) fn small_world() -> World {
    let builder = World::builder().chunk_rows(8).batch_rows(4);
    let builder = builder.with_component::<A>().with_component::<B>().with_component::<C>();
    builder.with_component::<T>().with_component::<Tag>().with_component::<Link>().build().unwrap()
}

/// The values of a component, in query order.
pub(crate) fn values<V: Component + Copy>(world: &World) -> Vec<V> {
    world.query::<&V, ()>().into_iter().copied().collect()
}

/// The failure of a tick.
#[track_caller]
pub(crate) fn failure(outcome: Result<(), RunError>) -> TickFailure {
    match outcome {
        Err(RunError::Failed(failure)) => failure,
        other => panic!("the tick did not fail as a tick: {other:?}"),
    }
}

/// Which system failed, at which position, with which code.
#[track_caller]
pub(crate) fn failed(outcome: Result<(), RunError>) -> (String, u32, &'static str) {
    let TickFailure { system, position, cause, .. } = failure(outcome);
    (system, position, Cause::code(&cause))
}
