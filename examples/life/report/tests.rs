use std::num::NonZeroU32;

use super::Report;
use crate::cli::Executor;

fn report(executor: Executor) -> String {
    Report { generation: 130, population: 0, state_hash: 0xbeef, executor }.to_string()
}

#[test]
fn serial_report_has_one_thread_and_sixteen_hex_digits() {
    let expected = "generation=130 population=0 state_hash=0x000000000000beef executor=serial threads=1";
    assert_eq!(report(Executor::Serial), expected);
}

#[test]
fn parallel_report_names_its_threads() {
    let threads = NonZeroU32::new(8).unwrap();
    assert!(report(Executor::Parallel(threads)).ends_with(" executor=parallel threads=8"));
}
