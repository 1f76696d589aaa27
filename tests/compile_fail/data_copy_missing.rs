use tickweave_derive::Component;

#[derive(Component)]
#[repr(C)]
struct Position {
    x: f32,
}

#[derive(Component, Clone)]
#[repr(u8)]
enum Mood {
    Calm,
}

fn main() {}
