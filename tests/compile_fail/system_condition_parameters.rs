use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

fn idle() {}

fn writes(score: ResMut<Score>) -> bool {
    score.0 > 0
}

fn asks(rows: Query<&Health>) -> bool {
    rows.is_empty()
}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(idle.run_if(writes));
    schedule.add(idle.run_if(asks));
}
