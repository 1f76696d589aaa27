use tickweave_derive::{Component, MapEntities, StateValue};

#[derive(Component, Clone, Copy)]
#[repr(C)]
union Bits {
    float: f32,
    word: u32,
}

#[derive(Clone, Copy, StateValue)]
union Either {
    left: u8,
}

#[derive(MapEntities)]
union Other {
    left: u8,
}

fn main() {}
