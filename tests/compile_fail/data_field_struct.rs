use tickweave_derive::Component;

#[derive(Clone, Copy)]
#[repr(C)]
struct Inner(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Outer {
    inner: Inner,
}

fn main() {}
