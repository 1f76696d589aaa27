use tickweave_derive::Component;

#[derive(Component, Clone, Copy)]
#[repr(u8)]
enum Order {
    Wait,
    Walk(u32),
}

#[derive(Component, Clone, Copy)]
enum Never {}

fn main() {}
