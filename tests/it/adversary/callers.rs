//! A panic that is the caller's fault is told at the caller's line.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use tickweave::prelude::*;

thread_local!(static BLAMED: RefCell<String> = const { RefCell::new(String::new()) });

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Number(u32);

/// The file that a panic of `act` names.
fn blamed(act: impl FnOnce()) -> String {
    assert!(catch_unwind(AssertUnwindSafe(act)).is_err());
    BLAMED.take()
}

#[test]
fn a_spawn_that_is_refused_panics_at_the_line_of_the_caller() {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        BLAMED.set(panic.location().map(|at| at.file().to_owned()).unwrap_or_default());
        before(panic);
    }));
    let mut world = World::builder().entity_capacity(1).build().unwrap();
    let here = |file: String| assert!(file.ends_with("callers.rs"), "{file}");
    here(blamed(|| _ = world.spawn((Number(1), Number(2)))));
    here(blamed(|| _ = world.spawn_batch([Number(1), Number(2)])));
}
