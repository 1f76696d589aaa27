//! Known ways in which systems like this one fail, each as a test. The letter and number of a case stand in the name.

mod bundles;
mod commands;
mod draws;
mod drops;
mod entities;
mod order;
mod readers;
mod state;
mod storage;
mod traps;
mod values;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tickweave::prelude::*;

/// Counts the values that are alive.
#[derive(Clone, Debug, Default)]
struct Count(Arc<()>);

impl Count {
    fn alive(&self) -> usize {
        Arc::strong_count(&self.0) - 1
    }

    /// A value that counts as long as it lives.
    fn held(&self) -> Held {
        Held { text: "a value with memory of its own".to_owned(), count: self.clone(), panics: false }
    }

    /// The same, whose destructor panics.
    fn fused(&self) -> Held {
        let mut held = self.held();
        held.panics = true;
        held
    }
}

/// An opaque component that counts.
#[derive(Component, Debug)]
#[component(opaque)]
struct Held {
    text: String,
    #[expect(dead_code, reason = "kept for its destructor")]
    count: Count,
    panics: bool,
}

impl Drop for Held {
    fn drop(&mut self) {
        assert!(self.text.starts_with("a value"), "a value is dropped whole");
        assert!(!self.panics, "a destructor that panics");
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Number(u32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
struct Watched(u32);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Parent(Entity);

#[derive(Component, Debug)]
struct Enemy;

/// A world of chunks of four rows in batches of two.
fn tiny() -> World {
    World::builder().chunk_rows(4).batch_rows(2).build().expect("a possible shape")
}

/// Nothing of the world changed while `step` ran, a tick after the last change: a write would leave a new stamp.
#[track_caller]
fn assert_unchanged<T>(world: &mut World, step: impl FnOnce(&mut World) -> T) -> T {
    crate::serial().run(world).expect("an empty tick");
    let before = world.dump();
    let result = step(world);
    if let Some(difference) = world.dump().diff(&before) {
        panic!("the world changed: {difference}");
    }
    result
}

/// The step panics, with these words.
#[track_caller]
fn assert_panics<T>(words: &str, step: impl FnOnce() -> T) {
    let panic = catch_unwind(AssertUnwindSafe(step)).err().expect("the step panics");
    let said = panic.downcast_ref::<String>().cloned();
    let said = said.or_else(|| panic.downcast_ref::<&str>().map(|said| (*said).to_owned())).unwrap_or_default();
    assert!(said.contains(words), "it says {said:?}");
}

/// Handles, archetypes, rows and queries tell the same story, and the world still works.
#[track_caller]
fn assert_whole(world: &mut World) {
    let everyone: Vec<Entity> = world.archetypes().flat_map(|archetype| archetype.entities()).collect();
    assert_eq!(everyone.len(), world.len(), "every entity has a row: none is reserved");
    assert_eq!(world.query::<Entity, ()>().into_iter().collect::<Vec<_>>(), everyone);
    for &entity in &everyone {
        assert!(world.contains(entity) && world.archetype_of(entity).is_some());
    }
    for held in world.query::<&Held, ()>() {
        assert!(held.text.starts_with("a value"));
    }
    let more = world.spawn((Number(7), Enemy));
    assert_eq!(world.get::<Number>(more), Ok(&Number(7)));
    world.despawn(more).expect("it lives");
}
