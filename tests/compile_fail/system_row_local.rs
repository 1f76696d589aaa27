use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

fn looks_around(_: &mut Health, _: Query<&Health>) {}

fn counts(_: &Health, _: ResMut<Score>) {}

fn keeps(_: &[Health], _: Local<u32>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(each(looks_around));
    schedule.add(each(counts));
    schedule.add(chunk(keeps));
}
