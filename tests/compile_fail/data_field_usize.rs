use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Slots {
    used: [usize; 4],
}

fn main() {}
