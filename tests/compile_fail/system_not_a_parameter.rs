use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn number(_: u32) {}

fn shared(_: &World) {}

fn world_and_rows(_: &mut World, _: Query<&Health>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(number);
    schedule.add(shared);
    schedule.add(world_and_rows);
}
