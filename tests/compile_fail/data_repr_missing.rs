use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
struct Position {
    x: f32,
}

#[derive(Component, Clone, Copy)]
enum Mood {
    Calm,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
enum Weather {
    Rain,
}

#[derive(Component, Clone, Copy)]
#[repr(usize)]
enum Season {
    Spring,
}

fn main() {}
