//! A steady tick on two threads does not allocate, on either: one test, since its allocator counts for all threads.

#![cfg(feature = "parallel")]
mod watched;

use tickweave::prelude::*;

use watched::allocates_nothing;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Health(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u64);

#[derive(Clone, StateValue, Event)]
struct Moved(Entity);

fn age(age: &mut Age) {
    age.0 += 1;
}

fn heal(healths: &mut [Health]) {
    healths.iter_mut().for_each(|health| health.0 += 1);
}

fn die(age: &Age, entity: Entity, mut commands: Commands<Moved>) {
    if age.0 > 20 {
        commands.send(Moved(entity));
        commands.despawn(entity);
        commands.spawn((Age(age.0 % 7), Health(0)));
    }
}

fn wander(mut rows: Query<(Entity, &Health)>, mut commands: Commands<Moved>) {
    rows.par_for_each_with(&mut commands, |(entity, health), lane| {
        if health.0 % 8 == 3 {
            let heir = lane.spawn((Age(3), Health(health.0))).id();
            lane.insert(heir, Health(4));
            lane.send(Moved(heir));
            lane.despawn(entity);
        }
    });
}

fn count(ages: Query<&Age>, mut score: ResMut<Score>) {
    score.0 += u64::from(ages.par_sum(|age| age.0)) + u64::from(ages.par_max(|age| age.0).unwrap_or(0));
}

fn follow(mut moved: EventReader<Moved>, mut score: ResMut<Score>) {
    score.0 += moved.read().filter(|moved| !moved.0.is_pending()).count() as u64;
}

fn steady() -> (World, Schedule) {
    let mut world = World::builder().chunk_rows(256).batch_rows(16).build().unwrap();
    world.spawn_batch((0..10_000).map(|number| (Age(number % 20), Health(number))));
    world.insert_resource(Score(0));
    world.add_event::<Moved>().unwrap();
    let mut schedule = Schedule::new();
    schedule.add(each(age));
    schedule.add(chunk(heal));
    schedule.add(count);
    schedule.add(each(die));
    schedule.barrier();
    schedule.add(wander);
    schedule.add(follow);
    schedule.set_executor(Executor::Parallel);
    schedule.set_pool(Pool::new(2).unwrap());
    (world, schedule)
}

#[test]
fn a_steady_tick_on_two_threads_allocates_nothing_on_either() {
    for eagerness in [Eagerness::Always, Eagerness::Measured, Eagerness::Never] {
        let (mut world, mut schedule) = steady();
        schedule.set_eagerness(eagerness);
        (0..400).for_each(|_| schedule.run(&mut world).unwrap());
        allocates_nothing(&format!("{eagerness:?}"), || (0..100).for_each(|_| schedule.run(&mut world).unwrap()));
        assert!(schedule.report().applied > 0);
    }
}
