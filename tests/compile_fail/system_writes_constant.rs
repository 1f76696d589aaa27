use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
#[resource(constant)]
struct Map(Vec<u8>);

#[derive(Clone, StateValue, Resource)]
#[resource(input)]
struct Keys(u8);

fn dig(_: ResMut<Map>) {}

fn press(_: Option<ResMut<Keys>>, _: Query<&Health>) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(dig);
    schedule.add(press);
}
