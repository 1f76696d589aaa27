use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

fn resource(_: Res<'static, Score>) {}

fn rows(_: Query<'static, &'static Health>) {}

fn row(_: &'static mut Health) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(resource);
    schedule.add(rows);
    schedule.add(each(row));
}
