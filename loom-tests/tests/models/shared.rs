//! A chunk of a column that a world and a snapshot share: `Latch`, `RefCount` and `BlockPool` as columns use them.
//!
//! Bounds: a writer of the world, and one other thread that has the snapshot; every order. The pool checks when it is dropped
//! that every block is home.

use std::collections::BTreeSet;

use loom::sync::Mutex;
use tickweave::fault::Fault;
use tickweave::kernels::SharedColumn;
use tickweave_loom_tests::{Caught, Plain, explore, hands};

pub(crate) const CAUGHT: &[Caught] = &[
    Caught { fault: Fault::RefCountSoleUnordered, by: DROP, says: "Causality violation" },
    Caught { fault: Fault::RefCountLeftUnordered, by: DROP, says: "Causality violation" },
    Caught { fault: Fault::SharedWritten, by: DROP, says: "Causality violation" },
    Caught { fault: Fault::RefCountSoleUnordered, by: CLONE, says: "Causality violation" },
    Caught { fault: Fault::SharedWritten, by: CLONE, says: "Causality violation" },
];
const DROP: &str = "shared::a_writer_comes_after_whoever_dropped_the_snapshot_or_leaves_its_block_alone";
const CLONE: &str = "shared::a_world_and_a_clone_of_its_snapshot_never_write_to_one_block";

/// What a writer finds: the rows of the first block, which it copies if others hold it, and has for itself if not.
fn write(column: &SharedColumn, rows: &Plain<u32>) -> &'static str {
    let copied = column.enter();
    if copied {
        rows.get();
    } else {
        rows.set(6);
    }
    column.settle();
    if copied { "copied" } else { "in place" }
}

#[test]
fn a_writer_comes_after_whoever_dropped_the_snapshot_or_leaves_its_block_alone() {
    let written = explore(None, || {
        let (world, rows) = (SharedColumn::new(), Plain::new(5));
        let snapshot = Mutex::new(Some(world.share()));
        let written = hands(2, move |number| {
            if number == 0 {
                return Some(write(&world, &rows));
            }
            let snapshot = snapshot.lock().expect("no panic").take();
            rows.get();
            drop(snapshot);
            None
        });
        written[0].expect("the writer is the first")
    });
    assert_eq!(written, BTreeSet::from(["copied", "in place"]));
}

#[test]
fn a_world_and_a_clone_of_its_snapshot_never_write_to_one_block() {
    // loom looks at too few orders in which the second thread comes first.
    let mut written = world_and_clone(0);
    written.extend(world_and_clone(1));
    assert_eq!(written, BTreeSet::from([("copied", "copied"), ("copied", "in place"), ("in place", "copied")]));
}

/// What the world and the clone find, if the world has this number.
fn world_and_clone(number_of_world: u32) -> BTreeSet<(&'static str, &'static str)> {
    explore(None, move || {
        let (world, rows) = (SharedColumn::new(), Plain::new(5));
        let snapshot = Mutex::new(Some(world.share()));
        let written = hands(2, move |number| {
            if number == number_of_world {
                return write(&world, &rows);
            }
            let snapshot = snapshot.lock().expect("no panic").take().expect("taken once");
            let clone = snapshot.share();
            drop(snapshot);
            rows.get();
            write(&clone, &rows)
        });
        let of_world = number_of_world as usize;
        (written[of_world], written[1 - of_world])
    })
}
