use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Between {
    kind: u8,
    health: u32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct AtTheEnd {
    health: u32,
    alive: bool,
}

#[derive(Component, Clone, Copy)]
#[repr(C, align(16))]
struct Aligned(u32);

fn main() {}
