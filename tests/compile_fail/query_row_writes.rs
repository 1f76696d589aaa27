use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Health(u32);

#[derive(QueryRow)]
struct Patient<'w> {
    health: &'w mut Health,
}

#[derive(QueryRow)]
struct Ward<'w> {
    patient: Patient<'w>,
}

fn main() {
    let world = World::new();
    for patient in world.query::<Patient, ()>() {
        patient.health.0 = 0;
    }
}
