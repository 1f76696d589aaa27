//! What the types and the derives forbid, with the message that the user sees.

use std::process::Command;

/// The compiler whose words are kept in `tests/compile_fail/*.stderr`.
const PINNED: &str = "rustc 1.95.";

#[test]
fn what_is_forbidden_does_not_compile_and_says_why_and_strict_crates_compile() {
    let compiler = compiler();
    if !compiler.starts_with(PINNED) || compiler.contains("nightly") || compiler.contains("beta") {
        println!("skipped: the messages are those of {PINNED}x stable, this is {compiler}");
        return;
    }
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/compile_fail/*.rs");
    // The case that compiles has the others built as well: what a generic type is asked for comes to light only then.
    cases.pass("tests/compile_pass/strict.rs");
}

fn compiler() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    match Command::new(rustc).arg("--version").output() {
        Ok(output) => String::from_utf8_lossy(&output.stdout).trim().to_owned(),
        Err(error) => format!("unknown ({error})"),
    }
}
