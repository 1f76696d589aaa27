use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C, packed(2))]
struct Position {
    x: f32,
}

fn main() {}
