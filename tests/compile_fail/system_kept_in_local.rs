use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

fn keep(_: Local<Option<Res<'static, Score>>>, _: Query<&Health>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(keep);
}
