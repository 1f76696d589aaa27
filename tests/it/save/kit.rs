//! A small game with every kind of value, and random steps on its world.

use proptest::prelude::*;
use tickweave::hash::StateHasher;
use tickweave::prelude::*;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub(crate) struct Small(pub(crate) u8);

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(u8)]
pub(crate) enum Mood {
    Calm = 1,
    Angry = 3,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[component(track)]
#[repr(C)]
pub(crate) struct Link {
    pub(crate) to: Entity,
    pub(crate) other: Option<Entity>,
}

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C, align(16))]
pub(crate) struct Wide([f32; 4]);

#[derive(Component)]
#[component(track)]
pub(crate) struct Enemy;

#[derive(Component, Clone, Debug, PartialEq, StateValue)]
#[component(opaque, state)]
pub(crate) struct Name {
    pub(crate) word: String,
    pub(crate) friends: Vec<Entity>,
}

/// Can't be saved.
#[derive(Component)]
#[component(opaque)]
pub(crate) struct Secret(pub(crate) String);

#[derive(Component)]
pub(crate) struct Ghost;

#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
pub(crate) struct Score {
    pub(crate) points: u64,
    pub(crate) lost: Vec<Entity>,
    pub(crate) best: Option<String>,
}

#[derive(Clone, StateValue, Resource)]
#[resource(constant)]
pub(crate) struct Rules(pub(crate) u32);

#[derive(Resource)]
#[resource(host)]
pub(crate) struct Window(pub(crate) u32);

/// A world with the registrations of the game.
pub(crate) fn empty() -> World {
    let builder = World::builder().chunk_rows(4).batch_rows(2).removal_ticks(4).seed(42);
    let builder = builder.with_component::<Small>().with_component::<Mood>().with_component::<Link>();
    let builder = builder.with_component::<Wide>().with_component::<Enemy>().with_component::<Name>();
    let mut world = builder.with_component::<Secret>().with_hidden_component::<Ghost>().build().unwrap();
    world.insert_resource(Score::default());
    world.add_event::<Told>().unwrap().keep(3);
    world.insert_resource(Rules(3));
    world.insert_resource(Window(0));
    world
}

fn grow(small: &mut Small, rules: Res<Rules>) {
    small.0 = small.0.wrapping_mul(3).wrapping_add(rules.0 as u8);
}

fn notice(changed: Query<&Link, Changed<Link>>, mut seen: Local<u64>, mut score: ResMut<Score>) {
    *seen += 1;
    score.points = score.points.wrapping_mul(31).wrapping_add(*seen + changed.count() as u64);
}

/// Something that is told.
#[derive(Clone, Debug, PartialEq, StateValue, Event)]
pub(crate) struct Told(pub(crate) Entity);

fn tell(links: Query<&Link>, mut events: EventWriter<Told>) {
    links.iter().take(3).for_each(|link| events.send(Told(link.to)));
}

fn listen(mut events: EventReader<Told>, mut score: ResMut<Score>) {
    score.points ^= events.read().map(|told| u64::from(told.0.slot())).sum::<u64>();
}

fn draw(mut seen: ResMut<Score>, mut rng: tickweave::system::Rng) {
    seen.points ^= rng.range(0..=u64::MAX);
}

fn mourn(removed: Removed<Link>, added: Query<Entity, Added<Enemy>>, mut score: ResMut<Score>) {
    score.lost = removed.iter().chain(&added).collect();
}

fn relink(mut links: Query<(&mut Link, &Small)>) {
    for (link, small) in links.iter_mut() {
        if small.0 % 3 == 0 {
            link.other = Some(link.to);
        }
    }
}

fn breed(parents: Query<(Entity, &Small)>, mut commands: Commands) {
    for (entity, small) in &parents {
        match small.0 % 16 {
            0 => commands.despawn(entity),
            1 => {
                commands.spawn((Small(5), Link { to: entity, other: None }));
            }
            2 => commands.remove::<Link>(entity),
            3 => commands.insert(entity, Name { word: "named".into(), friends: vec![entity] }),
            _ => {}
        }
    }
}

/// The schedule of the game.
pub(crate) fn schedule() -> Schedule {
    let mut schedule = Schedule::new();
    schedule.add(each(grow));
    schedule.add(notice);
    schedule.add(draw.named("draw"));
    schedule.add(mourn.every(2));
    schedule.add(relink);
    schedule.add(tell);
    schedule.add(listen.every(3));
    schedule.add(breed);
    schedule
}

/// A world and its schedule, built.
pub(crate) fn game() -> (World, Schedule) {
    let (mut world, mut schedule) = (empty(), schedule());
    schedule.build(&mut world).unwrap();
    (world, schedule)
}

/// A step of a random history.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Spawn(u8, u8),
    Despawn(u8),
    Insert(u8, u8),
    Remove(u8, u8),
    Retire,
    Tick,
}

pub(crate) fn any_history() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => any::<(u8, u8)>().prop_map(|(kind, seed)| Step::Spawn(kind, seed)),
        2 => any::<u8>().prop_map(Step::Despawn),
        3 => any::<(u8, u8)>().prop_map(|(pick, kind)| Step::Insert(pick, kind)),
        2 => any::<(u8, u8)>().prop_map(|(pick, kind)| Step::Remove(pick, kind)),
        1 => Just(Step::Retire),
        3 => Just(Step::Tick),
    ];
    proptest::collection::vec(step, 0..40)
}

/// Plays a history; the world is whole afterwards.
pub(crate) fn play(world: &mut World, schedule: &mut Schedule, history: &[Step]) {
    for step in history {
        let all: Vec<Entity> = world.query::<Entity, Show<Ghost>>().iter().collect();
        let pick = |number: u8| all.get(number as usize % all.len().max(1)).copied();
        match *step {
            Step::Spawn(kind, seed) => spawn(world, kind, seed, pick(seed)),
            Step::Despawn(number) => pick(number).into_iter().for_each(|entity| world.despawn(entity).unwrap()),
            Step::Insert(number, kind) => pick(number).into_iter().for_each(|entity| insert(world, entity, kind)),
            Step::Remove(number, kind) => pick(number).into_iter().for_each(|entity| remove(world, entity, kind)),
            Step::Retire => retire(world),
            Step::Tick => schedule.run(world).unwrap(),
        }
    }
}

fn spawn(world: &mut World, kind: u8, seed: u8, friend: Option<Entity>) {
    match (kind % 6, friend) {
        (0, _) => world.spawn(()),
        (1, _) => world.spawn((Small(seed), Mood::Angry)),
        (2, Some(to)) => world.spawn((Small(seed), Link { to, other: Some(to) }, Enemy)),
        (3, _) => world.spawn((Wide([f32::from(seed), -0.0, f32::NAN, 0.5]), Enemy)),
        (4, _) => {
            world.spawn((Name { word: "n".repeat(seed as usize % 9), friends: friend.into_iter().collect() }, Ghost))
        }
        _ => world.spawn((Small(seed), Mood::Calm, Wide([1.0; 4]))),
    };
}

fn insert(world: &mut World, entity: Entity, kind: u8) {
    match kind % 4 {
        0 => world.insert(entity, Link { to: entity, other: None }),
        1 => world.insert(entity, (Enemy, Small(kind))),
        2 => world.insert(entity, Name { word: "late".into(), friends: Vec::new() }),
        _ => world.insert(entity, Secret("gone before anybody saves".into())).map(|()| {
            world.remove::<Secret>(entity).unwrap();
        }),
    }
    .unwrap();
}

fn remove(world: &mut World, entity: Entity, kind: u8) {
    match kind % 3 {
        0 => world.remove::<Link>(entity),
        1 => world.remove::<(Small, Name)>(entity),
        _ => world.remove::<Enemy>(entity),
    }
    .unwrap();
}

/// Uses up all generations of a slot.
fn retire(world: &mut World) {
    let entity = world.spawn(());
    world.despawn(entity).unwrap();
    world.set_next_generation(entity.slot(), tickweave::entity::MAX_GENERATION);
    let last = world.spawn(());
    world.despawn(last).unwrap();
}

/// A world in which something of everything has happened, and its schedule.
pub(crate) fn lived() -> (World, Schedule) {
    let (mut world, mut schedule) = game();
    let mut history = Vec::new();
    for seed in 0..14 {
        history.extend([Step::Spawn(seed, seed), Step::Insert(seed, seed)]);
    }
    history.extend([Step::Retire, Step::Despawn(3), Step::Remove(2, 0), Step::Tick, Step::Despawn(1), Step::Tick]);
    play(&mut world, &mut schedule, &history);
    world.resource_mut::<Score>().unwrap().best = Some("wolf".into());
    (world, schedule)
}

/// Both worlds are the same, now and after some ticks, whoever runs them.
#[track_caller]
pub(crate) fn assert_same_future((mut a, mut first): (World, Schedule), (mut b, mut second): (World, Schedule)) {
    for tick in 0..6 {
        assert_eq!(a.dump().diff(&b.dump()).map(|difference| difference.to_string()), None, "after {tick} ticks");
        assert_eq!(a.state_hash().unwrap(), b.state_hash().unwrap());
        assert_eq!(a.save().unwrap(), b.save().unwrap());
        let spawn = |world: &mut World| [world.spawn(Small(1)), world.spawn((Small(17), Enemy))];
        assert_eq!(spawn(&mut a), spawn(&mut b));
        first.run(&mut a).unwrap();
        second.run(&mut b).unwrap();
    }
}

/// Gives changed bytes the length and the checksum that the format asks for (`docs/save.md`).
pub(crate) fn seal(bytes: &mut [u8]) {
    let length = bytes.len();
    if length < 32 {
        return;
    }
    bytes[16..24].copy_from_slice(&(length as u64).to_le_bytes());
    let mut hasher = StateHasher::new(9);
    hasher.bytes(&bytes[..length - 8]);
    bytes[length - 8..].copy_from_slice(&hasher.finish().to_le_bytes());
}
