use std::env;
use std::process::{Command, Output};

use tickweave::fault::Fault;

/// Where a model that runs on its own learns which fault to plant.
const PLANT: &str = "TICKWEAVE_FAULT";

/// A fault, the test whose model catches it, and what the model says then.
#[derive(Clone, Copy, Debug)]
pub struct Caught {
    /// The fault.
    pub fault: Fault,
    /// Module and name of the test.
    pub by: &'static str,
    /// A part of the message.
    pub says: &'static str,
}

/// The fault that this process was started with.
pub(crate) fn asked_for() -> Option<Fault> {
    let name = env::var(PLANT).ok()?;
    Some(Fault::named(&name).unwrap_or_else(|| panic!("there is no fault of the name {name}")))
}

/// Runs a test of this binary once more, with a fault planted, and sees it fail for the reason that is given.
///
/// In a process of its own: a model that failed leaves its threads where they are, and a fault is planted for all.
///
/// # Panics
///
/// If the model does not see the fault.
pub fn assert_caught(caught: Caught) {
    let Caught { fault, by, says } = caught;
    let output = run(fault, by);
    let said = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("running 1 test"), "there is no test `{by}`:\n{said}");
    assert!(!output.status.success(), "`{by}` does not see {fault:?}:\n{said}");
    assert!(said.contains(says), "`{by}` fails with {fault:?}, but does not say `{says}`:\n{said}");
}

fn run(fault: Fault, test: &str) -> Output {
    let program = env::current_exe().expect("the path of this test");
    let mut command = Command::new(program);
    command.args([test, "--exact", "--nocapture"]).env(PLANT, format!("{fault:?}"));
    command.output().unwrap_or_else(|error| panic!("`{test}` could not be started: {error}"))
}
