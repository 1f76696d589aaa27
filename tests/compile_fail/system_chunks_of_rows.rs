use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Health(u32);

fn chunks(mut rows: Query<&Health, Changed<Health>>) {
    for slice in rows.iter_chunks() {
        assert!(!slice.is_empty());
    }
}

fn batch(_: &[Health]) {}

fn main() {
    let mut schedule = Schedule::new();
    schedule.add(chunks);
    schedule.add(chunk(batch).filter::<Changed<Health>>());
}
