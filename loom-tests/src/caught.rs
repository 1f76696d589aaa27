use std::env;
use std::panic::{set_hook, take_hook};
use std::process::{Command, Output, exit};

use tickweave::fault::{Fault, plant};

/// Where a model that runs on its own learns which fault to plant.
const PLANT: &str = "TICKWEAVE_FAULT";

/// What such a model ends with when it failed.
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

/// Plants the fault that this process was started with, if any. The first panic ends such a process: a model that failed
/// leaves its threads in the middle of what they do, and some of them would wait for ever for others.
pub(crate) fn plant_what_is_asked_for() {
    let Ok(name) = env::var(PLANT) else { return };
    plant(Some(Fault::named(&name).unwrap_or_else(|| panic!("there is no fault of the name {name}"))));
    let print = take_hook();
    set_hook(Box::new(move |panic| {
        print(panic);
        exit(FAILED);
    }));
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
