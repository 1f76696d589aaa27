use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn main() {
    let mut schedule = Schedule::new();
    let mut sum = 0;
    schedule.add(each(move |health: &Health| sum += health.0));
}
