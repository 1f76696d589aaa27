//! The game: two ships shoot at rocks that drift over a square whose edges meet.
//!
//! All numbers are integers. Rocks fall apart when they are hit, and others come from the edge, so that entities are spawned
//! and despawned all the time. Nothing here knows of rollback: what is needed for it is that all state is in the world.

use tickweave::prelude::*;

/// The side of the square.
const SIDE: i32 = 1 << 12;
/// How many rocks there are at first, and at least.
const ROCKS: usize = 300;
/// Ticks that a shot flies.
const FLIGHT: u32 = 60;
/// Ticks between two shots of a ship.
const COOLING: u32 = 5;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Place {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Drift {
    x: i32,
    y: i32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Ship {
    player: u32,
    /// Ticks until it can shoot again.
    heat: u32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Shot {
    player: u32,
    /// Ticks that it still flies.
    left: u32,
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Rock {
    radius: i32,
}

/// What each player holds down: one bit a button.
#[derive(Clone, StateValue, Resource)]
#[resource(input)]
pub(crate) struct Buttons(pub(crate) [u8; 2]);

impl Buttons {
    const LEFT: u8 = 1;
    const RIGHT: u8 = 2;
    const UP: u8 = 4;
    const DOWN: u8 = 8;
    const FIRE: u8 = 16;
}

/// Rocks that each player hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, StateValue, Resource)]
pub(crate) struct Score(pub(crate) [u32; 2]);

#[derive(Clone, StateValue, Event)]
struct Hit {
    player: u32,
}

impl Place {
    fn is_within(self, radius: i32, of: Self) -> bool {
        let (x, y) = (shortest(self.x - of.x), shortest(self.y - of.y));
        x * x + y * y <= radius * radius
    }
}

/// A distance along one side, over the edge if that is shorter.
fn shortest(distance: i32) -> i32 {
    (distance + SIDE / 2).rem_euclid(SIDE) - SIDE / 2
}

fn steer(drift: &mut Drift, ship: &Ship, buttons: Res<Buttons>) {
    let held = buttons.0[ship.player as usize];
    let push = |less: u8, more: u8| i32::from(held & more != 0) - i32::from(held & less != 0);
    drift.x = (drift.x + push(Buttons::LEFT, Buttons::RIGHT)).clamp(-20, 20);
    drift.y = (drift.y + push(Buttons::UP, Buttons::DOWN)).clamp(-20, 20);
}

fn fly(place: &mut Place, drift: &Drift) {
    place.x = (place.x + drift.x).rem_euclid(SIDE);
    place.y = (place.y + drift.y).rem_euclid(SIDE);
}

fn shoot(ship: &mut Ship, place: &Place, drift: &Drift, buttons: Res<Buttons>, mut commands: Commands) {
    ship.heat = ship.heat.saturating_sub(1);
    if buttons.0[ship.player as usize] & Buttons::FIRE != 0 && ship.heat == 0 {
        ship.heat = COOLING;
        let ahead = Drift { x: 2 * drift.x + 9, y: 2 * drift.y };
        commands.spawn((*place, ahead, Shot { player: ship.player, left: FLIGHT }));
    }
}

fn fade(shot: &mut Shot, entity: Entity, mut commands: Commands) {
    shot.left -= 1;
    if shot.left == 0 {
        commands.despawn(entity);
    }
}

/// A rock that is hit falls apart; where its pieces fly to is drawn from the stream of the rock.
fn collide(
    mut rocks: Query<(Entity, &Place, &Rock)>,
    shots: Query<(&Place, &Shot)>,
    rng: Rng,
    mut commands: Commands<Hit>,
) {
    rocks.par_for_each_with(&mut commands, |(entity, place, rock), lane| {
        let Some((_, shot)) = shots.iter().find(|(at, _)| at.is_within(rock.radius, *place)) else { return };
        lane.send(Hit { player: shot.player });
        lane.despawn(entity);
        let mut stream = rng.for_entity(entity);
        for _ in 0..2 {
            if rock.radius > 10 {
                lane.spawn((*place, any_drift(&mut stream), Rock { radius: rock.radius / 2 }));
            }
        }
    });
}

/// Rocks come from the edge while there are few.
fn arrive(rocks: Query<&Rock>, mut rng: Rng, mut commands: Commands) {
    if rocks.count() < ROCKS {
        let (y, drift) = (rng.range(0..SIDE), any_drift(&mut rng));
        commands.spawn((Place { x: 0, y }, drift, Rock { radius: 40 }));
    }
}

fn count(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    hits.read().for_each(|hit| score.0[hit.player as usize] += 1);
}

fn any_drift(stream: &mut tickweave::rng::Stream) -> Drift {
    Drift { x: stream.range(-12..=12), y: stream.range(-12..=12) }
}

/// The square at the start.
pub(crate) fn world(seed: u64) -> Result<World, Box<dyn std::error::Error>> {
    // Types are met before the first tick: nothing has shot yet.
    let mut world = World::builder().seed(seed).with_component::<Shot>().build()?;
    world.add_event::<Hit>()?;
    world.insert_resource(Buttons([0; 2]));
    world.insert_resource(Score::default());
    world.spawn_batch((0..2).map(|player| {
        let place = Place { x: SIDE / 2, y: (1 + player as i32) * SIDE / 3 };
        (place, Drift { x: 0, y: 0 }, Ship { player, heat: 0 })
    }));
    let mut scatter = tickweave::rng::Stream::new(seed, "scatter");
    world.spawn_batch((0..ROCKS).map(|_| {
        let place = Place { x: scatter.range(0..SIDE), y: scatter.range(0..SIDE) };
        (place, any_drift(&mut scatter), Rock { radius: 40 })
    }));
    Ok(world)
}

/// What happens in a tick.
pub(crate) fn schedule() -> Schedule {
    let mut schedule = Schedule::new();
    // A command without effect is an error: whoever is hit here is there.
    schedule.set_strict(true);
    schedule.add(each(steer));
    schedule.add(each(fly));
    schedule.add(each(shoot));
    schedule.add(each(fade));
    schedule.add(collide.named("collide"));
    schedule.add(arrive.named("arrive"));
    schedule.barrier();
    schedule.add(count);
    schedule
}
