//! The same calls give the same bits, wherever the heap begins and whatever else the process does.

use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Parent(Entity);

#[derive(Component)]
struct Enemy;

#[derive(Component, Clone, StateValue)]
#[component(opaque, state)]
struct Name(String);

#[derive(Clone, StateValue, Resource)]
struct Births(Vec<Entity>);

fn age(age: &mut Age) {
    age.0 = age.0.wrapping_mul(0x9E37_79B9) ^ 5;
}

fn breed(parents: Query<(Entity, &Age), Without<Enemy>>, mut commands: Commands, mut calls: Local<u32>) {
    *calls += 1;
    for (parent, age) in parents.iter().filter(|(_, age)| age.0 % 3 == 0) {
        let pup = commands.spawn((Age(age.0 / 2), Parent(parent))).id();
        commands.insert(pup, Name(format!("pup {}", age.0)));
        commands.queue(move |world| world.resource_mut::<Births>().map_or((), |births| births.0.push(parent)));
    }
}

fn cull(old: Query<(Entity, &Age), Changed<Age>>, mut commands: Commands, tick: Tick) {
    for (index, (entity, age)) in old.iter().enumerate() {
        match (u64::from(age.0) + tick.0 + index as u64) % 5 {
            0 => commands.despawn(entity),
            1 => commands.insert(entity, Enemy),
            2 => commands.remove::<(Enemy, Name)>(entity),
            _ => {}
        }
    }
}

fn play(mut world: World, ticks: u32) -> World {
    world.insert_resource(Births(Vec::new()));
    for seed in 0..50 {
        let entity = world.spawn((Age(seed), Name(seed.to_string())));
        world.insert(entity, Parent(entity)).unwrap();
    }
    world.ensure_component::<Enemy>().unwrap();
    let mut schedule = crate::serial();
    schedule.add(each(age));
    schedule.add(breed);
    schedule.barrier();
    schedule.add(cull.every(2));
    for _ in 0..ticks {
        schedule.run(&mut world).unwrap();
    }
    world
}

fn shaped(chunk: u32, batch: u32) -> World {
    World::builder().chunk_rows(chunk).batch_rows(batch).build().unwrap()
}

#[test]
fn a_shifted_heap_other_worlds_and_other_threads_change_no_bit() {
    let plain = play(World::new(), 12);
    let garbage: Vec<Box<[u8]>> = (1..200).map(|size| vec![1; size * 37].into()).collect();
    let worlds: Vec<World> = (0..50).map(|_| World::new()).collect();
    let _kept: Vec<_> = garbage.into_iter().step_by(2).collect();
    for _ in 0..3 {
        drop(CommandBuffer::new());
    }
    let shifted = std::thread::spawn(|| play(World::new(), 12)).join().unwrap();
    assert_eq!(shifted.dump().diff(&plain.dump()).map(|difference| difference.to_string()), None);
    assert_eq!(shifted.state_hash(), plain.state_hash());
    drop(worlds);
}

#[test]
fn the_content_does_not_depend_on_the_rows_of_chunks_and_batches() {
    let plain = play(World::new(), 6);
    assert!(plain.len() > 20, "the game is alive");
    for (chunk, batch) in [(1, 1), (2, 1), (8, 8), (1 << 16, 1 << 16)] {
        let other = play(shaped(chunk, batch), 6);
        assert_eq!(other.content_hash(), plain.content_hash(), "chunks of {chunk}, batches of {batch}");
    }
}

/// What a build or a process says of its bits, to compare it with another.
#[test]
fn a_game_tells_its_bits_and_looking_twice_changes_none() {
    let world = play(shaped(16, 4), 12);
    let told = bits(&world);
    println!("{told}");
    assert_eq!(bits(&world), told);
}

fn bits(world: &World) -> String {
    format!("state {} content {}", world.state_hash().unwrap(), world.content_hash().unwrap())
}

#[test]
fn another_process_gets_the_same_bits() {
    let mut child = std::process::Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", "adversary::bits::a_game_tells_its_bits_and_looking_twice_changes_none", "--nocapture"]);
    let output = child.env("SHIFTS_THE_STACK", "x".repeat(5000)).output().unwrap();
    let (said, mine) = (String::from_utf8(output.stdout).unwrap(), bits(&play(shaped(16, 4), 12)));
    assert!(said.contains(&mine), "{mine} against {said}");
}
