use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Sprite {
    pixels: *const u8,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Label {
    text: &'static str,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Borrowed<'a> {
    text: &'a str,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Callback(fn(u32) -> u32);

fn main() {}
