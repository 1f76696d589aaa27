use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Position {
    x: f64,
    y: f64,
}

fn main() {}
