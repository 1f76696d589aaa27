use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn count(rows: Query<&Health>) -> usize {
    rows.count()
}

fn row(health: &Health) -> u32 {
    health.0
}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(count);
    schedule.add(each(row));
}
