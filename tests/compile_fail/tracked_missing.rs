use tickweave::component::Tracked;
use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Position {
    x: f32,
}

fn needs<T: Tracked>() {}

fn main() {
    needs::<Position>();
}
