//! Random programs on worlds with tiny chunks, against a plain model, everything compared after each step.
//!
//! The model is written from the documented rules: slots are used last-in first-out, a bundle is one step, the archetype
//! that a step leads to is made if it is new, the last row takes the place of a removed one, a loss of a tracked component
//! is logged when it takes effect, and commands run one at a time after every pending entity was made real.

mod check;
mod commands;
mod oracle;
mod parts;
mod steps;
mod tables;
mod ticks;

use proptest::collection::vec;
use proptest::prelude::*;

use steps::{Step, Subject, any_step};

/// Rows of a chunk and of a batch.
fn any_shape() -> impl Strategy<Value = (u32, u32)> {
    (0u32..4).prop_flat_map(|chunk| (Just(1 << chunk), (0..=chunk).prop_map(|batch| 1 << batch)))
}

fn any_capacity() -> impl Strategy<Value = u32> {
    prop_oneof![4 => Just(u32::MAX), 1 => 0u32..12]
}

fn run((chunk_rows, batch_rows): (u32, u32), capacity: u32, program: &[Step]) {
    parts::reset_ledger();
    let mut subject = Subject::new(chunk_rows, batch_rows, capacity);
    for step in program {
        subject.step(step);
        check::check(&subject, chunk_rows);
    }
    drop(subject);
    assert_eq!(parts::alive(), (0, 0), "values that outlive their world");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_world_does_what_the_model_does(
        shape in any_shape(),
        capacity in any_capacity(),
        program in vec(any_step(1), 1..60),
    ) {
        run(shape, capacity, &program);
    }

    #[test]
    fn commands_do_what_they_do_one_at_a_time(
        shape in any_shape(),
        capacity in any_capacity(),
        program in vec(any_step(60), 1..24),
    ) {
        run(shape, capacity, &program);
    }
}
