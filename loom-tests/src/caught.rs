use std::env;
use std::io::{Write, stderr};
use std::panic::{PanicHookInfo, set_hook};
use std::process::{Command, Output, exit};
use std::sync::Once;

use tickweave::fault::{Fault, plant};

/// Where a model that runs on its own learns which fault to plant.
const PLANT: &str = "TICKWEAVE_FAULT";

/// What a panic says that a model provokes.
const REFUSAL: &str = "was written twice";

/// What a process ends with whose model failed.
const FAILED: i32 = 101;

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

/// Plants the fault that this process was started with, if any.
pub(crate) fn plant_what_is_asked_for() {
    let Ok(name) = env::var(PLANT) else { return };
    plant(Some(Fault::named(&name).unwrap_or_else(|| panic!("there is no fault of the name {name}"))));
}

/// Lets the first panic end this process: a model that failed leaves its threads in the middle of what they do, and some of
/// them would wait for others for ever.
pub(crate) fn end_with_the_first_panic() {
    static ONCE: Once = Once::new();
    let end = |panic: &PanicHookInfo<'_>| {
        if !panic.to_string().contains(REFUSAL) {
            // Past the test's own capture, which would be lost.
            drop(writeln!(stderr(), "{panic}"));
            exit(FAILED);
        }
    };
    // Before the first thread of a model: those end with panics of their own, which loom hides from the hook that it finds.
    ONCE.call_once(|| set_hook(Box::new(end)));
}

/// Runs a test of this binary once more, with a fault planted, and sees it fail for the reason that is given.
///
/// In a process of its own: a fault is planted for all of it.
///
/// # Errors
///
/// What is not as it should be, if the model does not see the fault.
pub fn check(caught: Caught) -> Result<(), String> {
    let Caught { fault, by, says } = caught;
    let output = run(fault, by);
    let said = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let said = String::from_utf8_lossy(&said);
    if !said.contains("running 1 test") {
        return Err(format!("there is no test `{by}`"));
    }
    if output.status.code() != Some(FAILED) {
        return Err(format!("`{by}` does not see {fault:?}"));
    }
    if !said.contains(says) {
        return Err(format!("`{by}` fails with {fault:?}, but does not say `{says}`:\n{said}"));
    }
    Ok(())
}

fn run(fault: Fault, test: &str) -> Output {
    let program = env::current_exe().expect("the path of this test");
    let mut command = Command::new(program);
    command.args([test, "--exact", "--nocapture"]).env(PLANT, format!("{fault:?}"));
    command.output().unwrap_or_else(|error| panic!("`{test}` could not be started: {error}"))
}
