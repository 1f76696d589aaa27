use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn writes(_: &Health, _: Lookup<&mut Health>) {}

fn writes_late(_: Lookup<(&Health, Option<Write<Health>>)>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(each(writes));
    schedule.add(writes_late);
}
