//! What is looked at: fireflies over a meadow, which live for a while, and are followed by others.

use tickweave::prelude::*;
use tickweave::rng::Stream;

/// The sides of the meadow.
pub(crate) const WIDTH: i32 = 72 << 8;
pub(crate) const HEIGHT: i32 = 18 << 8;
/// Ticks that a firefly lives at most.
const LIFE: u32 = 400;

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(crate) struct Place {
    pub(crate) x: i32,
    pub(crate) y: i32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Course {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

/// Two fireflies in a hundred turn in a tick.
fn turn(course: &mut Course, mut rng: Rng) {
    if rng.chance(2, 100) {
        *course = any_course(&mut rng);
    }
}

/// Those that come to an edge turn back.
fn fly(place: &mut Place, course: &mut Course) {
    let (x, y) = (place.x + course.x, place.y + course.y);
    if !(0..WIDTH).contains(&x) {
        course.x = -course.x;
    }
    if !(0..HEIGHT).contains(&y) {
        course.y = -course.y;
    }
    (place.x, place.y) = (x.clamp(0, WIDTH - 1), y.clamp(0, HEIGHT - 1));
}

fn grow_old(age: &mut Age, firefly: Entity, mut rng: Rng, mut commands: Commands) {
    age.0 += 1;
    if age.0 == LIFE {
        commands.despawn(firefly);
        commands.spawn(any_firefly(&mut rng, 0));
    }
}

fn any_course(stream: &mut Stream) -> Course {
    Course { x: stream.range(-40..=40), y: stream.range(-20..=20) }
}

fn any_firefly(stream: &mut Stream, age: u32) -> (Place, Course, Age) {
    let place = Place { x: stream.range(0..WIDTH), y: stream.range(0..HEIGHT) };
    (place, any_course(stream), Age(age))
}

/// A meadow with as many fireflies.
pub(crate) fn world(fireflies: u32) -> Result<World, Box<dyn std::error::Error>> {
    let mut world = World::builder().seed(42).build()?;
    let mut scatter = Stream::new(42, "scatter");
    world.spawn_batch((0..fireflies).map(|number| any_firefly(&mut scatter, number % LIFE)));
    Ok(world)
}

/// What happens in a tick.
pub(crate) fn schedule() -> Schedule {
    let mut schedule = Schedule::new();
    schedule.add(each(turn).named("turn"));
    schedule.add(each(fly));
    schedule.add(each(grow_old).named("grow old"));
    schedule
}
