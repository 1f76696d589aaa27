use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

fn main() {
    let mut schedule = Schedule::new();
    let shared = std::rc::Rc::new(0);
    schedule.add(move |rows: Query<&Health>| assert!(rows.count() > *shared));
}
