use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn look(_: Query<&Health, Changed<Health>>) {}

fn new(_: Query<&Health, Added<Health>>) {}

fn gone(_: Removed<Health>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(look);
    schedule.add(new);
    schedule.add(gone);
}
