//! Each model is seen to fail with a fault planted in the production code, and each fault of a kernel makes some model fail.

use std::collections::BTreeSet;
use std::env;
use std::process::Command;

use tickweave::fault::Fault;
use tickweave_loom_tests::{Caught, check};

const CAUGHT: [&[Caught]; 14] = [
    super::block::CAUGHT,
    super::countdown::CAUGHT,
    super::crew::CAUGHT,
    super::door::CAUGHT,
    super::drive::CAUGHT,
    super::failure::CAUGHT,
    super::latch::CAUGHT,
    super::ready::CAUGHT,
    super::ref_count::CAUGHT,
    super::shared::CAUGHT,
    super::slots::CAUGHT,
    super::span::CAUGHT,
    super::team::CAUGHT,
    super::tick::CAUGHT,
];

#[test]
fn planted_faults_are_caught() {
    let missed: Vec<String> = CAUGHT.concat().into_iter().filter_map(|caught| check(caught).err()).collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn every_fault_of_a_kernel_is_caught() {
    let caught = CAUGHT.concat();
    let missed = Fault::KERNELS.iter().filter(|fault| caught.iter().all(|caught| caught.fault != **fault));
    assert_eq!(missed.collect::<Vec<_>>(), [] as [&Fault; 0]);
}

#[test]
fn every_model_is_seen_to_fail() {
    let listed = Command::new(env::current_exe().expect("this test")).arg("--list").output().expect("a list");
    let listed = String::from_utf8(listed.stdout).expect("names");
    let tests = listed.lines().filter_map(|line| line.strip_suffix(": test"));
    let models: BTreeSet<&str> = tests.filter(|name| !name.starts_with("faults::")).collect();
    let seen: BTreeSet<&str> = CAUGHT.concat().iter().map(|caught| caught.by).collect();
    assert_eq!(models, seen);
}
