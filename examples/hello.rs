//! The program of the README: wolves that age, have pups and die, for a thousand ticks.

use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component)]
struct Wolf;

fn grow(age: &mut Age) {
    age.0 += 1;
}

fn breed(wolves: Query<&Age, With<Wolf>>, mut commands: Commands) {
    for age in &wolves {
        if age.0 % 40 == 0 {
            commands.spawn((Age(0), Wolf));
        }
    }
}

fn die(age: &Age, wolf: Entity, mut commands: Commands) {
    if age.0 > 60 {
        commands.despawn(wolf);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    world.spawn_batch((0..100).map(|age| (Age(age % 60), Wolf)));
    let mut schedule = Schedule::new();
    schedule.add(each(grow));
    schedule.add(breed);
    schedule.add(each(die).after("breed"));
    for _ in 0..1_000 {
        schedule.run(&mut world)?;
    }
    println!("{} wolves, state {}", world.len(), world.state_hash()?);
    Ok(())
}
