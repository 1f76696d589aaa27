use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn main() {
    let world = World::new();
    let _ = world.query::<&mut Health, ()>();
    let _ = world.query::<(Entity, Option<Write<Health>>), ()>();
}
