//! Each model is seen to fail with a fault planted in the production code, and each fault of a kernel makes some model fail.

use std::collections::BTreeSet;
use std::env;
use std::process::Command;

use tickweave::fault::Fault;
use tickweave_loom_tests::{Caught, assert_caught};

const CAUGHT: [&[Caught]; 11] = [
    super::block::CAUGHT,
    super::countdown::CAUGHT,
    super::crew::CAUGHT,
    super::door::CAUGHT,
    super::drive::CAUGHT,
    super::failure::CAUGHT,
    super::ready::CAUGHT,
    super::ref_count::CAUGHT,
    super::slots::CAUGHT,
    super::span::CAUGHT,
    super::team::CAUGHT,
];

#[test]
fn planted_faults_are_caught() {
    let missed: Vec<_> =
        CAUGHT.concat().into_iter().filter(|c| std::panic::catch_unwind(|| assert_caught(*c)).is_err()).collect();
    assert!(missed.is_empty(), "{missed:?}");
}

#[test]
fn every_fault_of_a_kernel_is_caught() {
    let caught = CAUGHT.concat();
    let missed = Fault::KERNELS.iter().filter(|fault| caught.iter().all(|caught| caught.fault != **fault));
    assert_eq!(missed.collect::<Vec<_>>(), [] as [&Fault; 0]);
}

#[test]
fn every_model_has_been_seen_to_fail() {
    let listed =
        Command::new(env::current_exe().expect("the path of this test")).arg("--list").output().expect("a list");
    let listed = String::from_utf8(listed.stdout).expect("names");
    let models: BTreeSet<&str> = listed
        .lines()
        .filter_map(|line| line.strip_suffix(": test"))
        .filter(|name| !name.starts_with("faults::"))
        .collect();
    let caught = CAUGHT.concat();
    let failed = caught.iter().map(|caught| caught.by).collect();
    assert_eq!(models, failed);
}
