use tickweave::prelude::*;

struct Health(u32);

fn rows(rows: Query<&Health>) {
    assert!(rows.iter().all(|health| health.0 > 0));
}

fn main() {
    let mut world = World::new();
    let _ = world.register_component::<Health>();
    world.spawn(Health(1));
    let mut schedule = Schedule::new();
    schedule.add(rows);
    schedule.add(DynamicSystem::new("script", |_: &mut DynamicWorld<'_>| {}).reads::<Health>());
}
