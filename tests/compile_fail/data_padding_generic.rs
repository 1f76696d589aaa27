use tickweave::value::{Data, Schema};
use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Pair<T> {
    kind: u8,
    value: T,
}

const _: Schema = <Pair<u8> as Data>::SCHEMA;
const _: Schema = <Pair<u16> as Data>::SCHEMA;
const _: Schema = <Pair<u64> as Data>::SCHEMA;

fn main() {}
