use tickweave_derive::Component;

#[derive(Component)]
#[repr(C)]
struct Inventory {
    items: Vec<u32>,
}

fn main() {}
