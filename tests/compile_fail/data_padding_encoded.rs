use tickweave::value::{Sink, StateValue};
use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Pair<T> {
    kind: u8,
    value: T,
}

fn main() {
    let mut bytes = Vec::new();
    Pair { kind: 1, value: 2u16 }.encode(&mut Sink::new(&mut bytes));
}
