//! Where the library promises not to allocate: a binary of its own, since its allocator counts.

#![expect(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};

use tickweave::machine::{MachineState, Rule, Rules};
use tickweave::pool::PoolHooks;
use tickweave::prelude::*;

/// The allocator of the system, which notes what a thread that is watched asks for.
struct Watched;

thread_local! {
    static WATCHED: Cell<bool> = const { Cell::new(false) };
    static COUNT: Cell<u64> = const { Cell::new(0) };
    static FIRST: RefCell<Option<String>> = const { RefCell::new(None) };
}

fn note() {
    if WATCHED.replace(false) {
        COUNT.set(COUNT.get() + 1);
        if COUNT.get() == 1 {
            FIRST.replace(Some(Backtrace::force_capture().to_string()));
        }
        WATCHED.set(true);
    }
}

// SAFETY: every call goes to the allocator of the system with the arguments that it came with.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note();
        // SAFETY: the contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        note();
        // SAFETY: the contract is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Fails with the place of the first allocation if `quiet` makes any on this thread.
#[track_caller]
fn allocates_nothing<T>(quiet: impl FnOnce() -> T) -> T {
    COUNT.set(0);
    WATCHED.set(true);
    let result = quiet();
    WATCHED.set(false);
    let first = FIRST.take().unwrap_or_default();
    assert_eq!(COUNT.get(), 0, "the first allocation:\n{first}");
    result
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Speed(f32);

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Health(u32);

#[derive(Component)]
struct Enemy;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Target(Entity);

#[derive(Component)]
#[component(opaque)]
struct Name(#[expect(dead_code, reason = "an opaque value")] String);

#[derive(Clone, StateValue, Resource)]
struct Score(u64);

#[derive(Clone, StateValue, Event)]
struct Aged {
    entity: Entity,
    kin: Option<Entity>,
}

#[derive(Component, Clone, Copy, Event)]
#[repr(C)]
struct Noise(u32);

#[test]
fn the_watch_sees_an_allocation() {
    let watched = std::panic::catch_unwind(|| allocates_nothing(|| vec![1_u8]));
    WATCHED.set(false);
    let message = *watched.unwrap_err().downcast::<String>().unwrap();
    assert!(message.contains("the first allocation"), "{message}");
}

#[test]
fn registration_allocates_nothing_after_the_construction_of_the_world() {
    let mut world = World::new();
    allocates_nothing(|| {
        world.register_component::<Age>().unwrap();
        world.register_component::<Health>().unwrap();
        world.register_component::<Enemy>().unwrap();
        world.register_component::<Name>().unwrap();
        let id = world.register_component::<Target>().unwrap();
        assert!(world.register_component::<Age>().is_err());
        world.ensure_component::<Speed>().unwrap();
        world.ensure_component::<Speed>().unwrap();
        world.hide_by_default::<Enemy>().unwrap();
        world.unregister_component::<Target>().unwrap();
        assert_eq!(world.register_component::<Target>().unwrap(), id);
        assert_eq!((world.component_count(), world.component_info(id).unwrap().size()), (6, 8));
    });
}

#[test]
fn reading_allocates_nothing() {
    let mut world = World::new();
    let rows = world.spawn_batch((0..3000).map(|n| (Age(n), Health(n))));
    world.insert_resource(Score(0));
    let mut prepared = PreparedQuery::<(Entity, &Age)>::new();
    prepared.query(&world);
    allocates_nothing(|| {
        let sum: u32 = world.query::<&Age, With<Health>>().into_iter().map(|age| age.0).sum();
        assert_eq!(sum, 2999 * 1500);
        assert_eq!(world.get::<Age>(rows[7]).unwrap().0, 7);
        assert_eq!(prepared.query(&world).get(rows[8]).unwrap().1.0, 8);
        assert_eq!(world.query::<&Health, Changed<Health>>().count(), 3000);
        assert_eq!((world.has::<Enemy>(rows[0]), world.resource::<Score>().unwrap().0), (false, 0));
    });
}

#[test]
fn several_rows_at_once_and_rows_that_a_component_hides_are_fetched_without_allocation() {
    let mut world = World::builder().with_hidden_component::<Enemy>().build().unwrap();
    let rows = [world.spawn((Age(1), Enemy)), world.spawn(Age(2)), world.spawn(Age(3))];
    allocates_nothing(|| {
        let mut ages = world.query_mut::<&mut Age, Show<Enemy>>();
        let [to, from, _] = ages.get_many_mut(rows).unwrap();
        core::mem::swap(to, from);
        assert_eq!(ages.get(rows[0]).unwrap().0, 2);
        assert!(world.query::<&Age, ()>().get(rows[0]).is_err());
        assert_eq!(world.query::<&Age, ()>().count(), 2);
        let [first, last] = world.get_many_mut::<Age, 2>([rows[0], rows[2]]).unwrap();
        assert_eq!((first.0, last.0), (2, 3));
    });
}

#[test]
fn verbs_of_the_world_allocate_nothing_once_their_rows_were_used() {
    let mut world = World::new();
    let churn = |world: &mut World| {
        let entity = world.spawn((Age(1), Health(2)));
        world.insert(entity, (Enemy, Speed(1.0))).unwrap();
        world.insert(entity, Age(2)).unwrap();
        world.remove::<Enemy>(entity).unwrap();
        world.take::<Speed>(entity).unwrap();
        world.get_mut::<Health>(entity).unwrap().0 += 1;
        world.despawn(entity).unwrap();
    };
    (0..64).for_each(|_| churn(&mut world));
    // Ticks forget the oldest removals, so that the log has room.
    let mut schedule = Schedule::new();
    (0..32).for_each(|_| schedule.run(&mut world).unwrap());
    allocates_nothing(|| churn(&mut world));
}

fn age(age: &mut Age, speed: Option<&Speed>) {
    age.0 += 1 + speed.map_or(0, |speed| speed.0 as u32);
}

fn heal(health: &mut [Health]) {
    health.iter_mut().for_each(|health| health.0 += 1);
}

fn replace_the_old(old: Query<(Entity, &Age), With<Health>>, mut commands: Commands, mut seen: Local<u64>) {
    for (entity, age) in old.iter().filter(|(_, age)| age.0 > 20) {
        let heir = commands.spawn((Age(age.0 % 7), Health(0))).id();
        commands.insert(heir, Target(heir));
        commands.entity(entity).remove::<Health>().despawn();
        *seen += 1;
    }
}

fn wander(rows: Query<(Entity, Has<Speed>)>, tick: Tick, mut commands: Commands) {
    for (entity, moves) in rows.iter().take(50) {
        match moves {
            true => commands.remove::<Speed>(entity),
            false => commands.insert(entity, Speed(tick.0 as f32 % 3.0)),
        }
    }
}

fn count(lost: Removed<Health>, changed: Query<&Health, Changed<Health>>, mut score: ResMut<Score>) {
    score.0 += (lost.iter().count() + changed.count()) as u64;
}

fn look(world: &mut World, mut commands: Commands) {
    let rows = world.query::<&Age, ()>().count() as u64;
    commands.queue(move |world| world.resource_mut::<Score>().unwrap().0 ^= rows);
}

/// A schedule of every shape that spawns and despawns as many.
fn steady_schedule() -> Schedule {
    let mut schedule = Schedule::new();
    schedule.set_executor(Executor::Serial);
    schedule.add(each(age));
    schedule.add(chunk(heal).filter::<Without<Speed>>());
    schedule.add(replace_the_old);
    schedule.barrier();
    schedule.add(wander.every(2));
    schedule.add(count.run_if(|score: Res<Score>| score.0 < u64::MAX));
    schedule.add(look);
    let read = |world: &mut DynamicWorld<'_>| -> Result<(), SystemError> {
        assert!(world.query::<&Age, With<Health>>()?.count() <= 1000);
        Ok(())
    };
    schedule.add(DynamicSystem::new("read", read).reads::<Age>());
    schedule.add((|ages: Query<&Age>, host: Host<usize>| assert!(ages.count() <= *host)).pinned());
    schedule
}

#[test]
fn a_steady_tick_of_a_serial_schedule_allocates_nothing() {
    let mut world = World::new();
    for _ in 0..2 {
        world.ensure_component::<Target>().unwrap();
        world.ensure_component::<Speed>().unwrap();
    }
    world.spawn_batch((0..1000).map(|n| (Age(n % 20), Health(0))));
    world.insert_resource(Score(0));
    let (mut schedule, mut host) = (steady_schedule(), 1000_usize);
    for _ in 0..200 {
        schedule.run_with(&mut world, &mut host).unwrap();
    }
    for _ in 0..100 {
        allocates_nothing(|| schedule.run_with(&mut world, &mut host).unwrap());
        assert_eq!(world.len(), 1000);
    }
    assert!(schedule.report().applied > 0);
}

fn tell_age(age: &Age, entity: Entity, mut aged: Commands<(Aged, Noise)>) {
    if age.0 % 7 == 0 {
        aged.send(Aged { entity, kin: None });
        aged.send(Noise(age.0));
    }
}

fn bear_and_tell(old: Query<(Entity, &Age)>, mut commands: Commands<Aged>) {
    for (entity, age) in old.iter().filter(|(_, age)| age.0 > 20) {
        let heir = commands.spawn(Age(age.0 % 7)).id();
        commands.send(Aged { entity, kin: Some(heir) });
        commands.despawn(entity);
    }
}

fn hear(mut aged: EventReader<Aged>, mut noises: EventReader<Noise>, mut score: ResMut<Score>) {
    let kin = aged.read().filter(|aged| aged.kin.is_some_and(|kin| kin != aged.entity)).count();
    score.0 += kin as u64 + noises.read().map(|noise| u64::from(noise.0)).sum::<u64>();
}

#[test]
fn a_steady_tick_with_events_allocates_nothing() {
    let mut world = World::new();
    world.add_event::<Aged>().unwrap();
    world.add_event::<Noise>().unwrap().scope(EventScope::Tick).keep(3);
    world.spawn_batch((0..1000).map(|n| Age(n % 20)));
    world.insert_resource(Score(0));
    let mut schedule = Schedule::new();
    schedule.set_executor(Executor::Serial);
    schedule.add(each(age));
    schedule.add(each(tell_age));
    schedule.add(bear_and_tell);
    schedule.barrier();
    schedule.add(hear);
    schedule.add((|mut aged: EventReader<Aged>| aged.clear()).every(4));
    let tick = |world: &mut World, schedule: &mut Schedule| {
        world.send_event(Noise(1)).unwrap();
        schedule.run(world).unwrap();
        assert!(!world.events::<Aged>().unwrap().is_empty());
    };
    for _ in 0..200 {
        tick(&mut world, &mut schedule);
    }
    for _ in 0..100 {
        allocates_nothing(|| tick(&mut world, &mut schedule));
    }
    assert!(world.resource::<Score>().unwrap().0 > 10_000);
}

/// A place for one entity, which lives while the place is taken.
#[derive(Clone, StateValue)]
struct Place(Option<Entity>);

fn appear(place: &mut Place, handle: PoolHandle<Place>, world: &mut World) {
    place.0 = Some(world.spawn((Age(handle.index()), Speed(1.0))));
}

fn vanish(place: &mut Place, _: PoolHandle<Place>, world: &mut World) {
    world.despawn(place.0.take().unwrap()).unwrap();
}

#[test]
fn object_pools_allocate_nothing_and_those_of_entities_neither() {
    let hooks = PoolHooks::new().activate(appear).deactivate(vanish);
    let (mut world, mut places) = (World::new(), ObjectPool::new(&Place(None), 50));
    let mut handles = Vec::with_capacity(50);
    let mut copy = places.clone();
    let mut churn = || {
        handles.extend((0..60).map_while(|_| places.acquire_with(&hooks, &mut world)));
        assert_eq!((world.len(), places.active_count()), (50, 50));
        copy.clone_from(&places);
        assert!(handles.drain(..).all(|handle| places.release_with(&hooks, handle, &mut world)));
        (0..9).for_each(|_| _ = places.acquire());
        assert_eq!((places.retain(|_, _| false), places.release(PoolHandle::NOTHING)), (9, false));
    };
    churn();
    allocates_nothing(|| (0..10).for_each(|_| churn()));
}

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
enum Lamp {
    Dark,
    Bright,
}

impl MachineState for Lamp {
    type Transition = bool;
}

#[test]
fn a_state_machine_that_was_in_use_allocates_nothing() {
    let table = [Rule::new(Lamp::Dark, true, Lamp::Bright), Rule::new(Lamp::Bright, false, Lamp::Dark)];
    let rules = Rules::new(&table).on_enter(|count: &mut u64, _| *count += 1);
    let mut lamp = StateMachine::new(Lamp::Dark);
    let (mut copy, mut count) = (lamp.clone(), 0);
    let mut blink = || {
        for (from, switch) in [(Lamp::Dark, true), (Lamp::Bright, false), (Lamp::Bright, true)] {
            lamp.request(from, switch);
        }
        copy.clone_from(&lamp);
        assert_eq!(lamp.apply(&rules, &mut count), 2);
    };
    blink();
    allocates_nothing(|| (0..10).for_each(|_| blink()));
    assert_eq!((count, lamp.refusals().wrong_state), (22, 11));
}

#[test]
fn budgets_that_are_overrun_and_told_allocate_nothing() {
    let mut world = World::new();
    let mut schedule = Schedule::new();
    schedule.set_executor(Executor::Serial);
    let smallest = fixed::types::I16F16::from_bits(1);
    let slow = || (0..1_000).for_each(|number| _ = std::hint::black_box(number));
    let id = schedule.add(slow.named("slow").budget_ms(smallest));
    schedule.run(&mut world).unwrap();
    for _ in 0..200 {
        allocates_nothing(|| schedule.run(&mut world).unwrap());
    }
    let timing = allocates_nothing(|| schedule.timing(id));
    assert!(timing.is_some_and(|timing| timing.overruns > 0) && world.records().iter().count() > 2);
}

#[test]
fn asking_what_a_system_declares_allocates_nothing() {
    let mut world = World::new();
    let mut schedule = Schedule::new();
    let id = schedule.add(each(|age: &mut Age, _: &Speed| age.0 += 1));
    world.ensure_component::<Age>().unwrap();
    world.ensure_component::<Speed>().unwrap();
    schedule.build(&mut world).unwrap();
    let [age, speed] = [world.component_id::<Age>(), world.component_id::<Speed>()].map(Option::unwrap);
    let asked = allocates_nothing(|| {
        let spec = schedule.system(id).unwrap();
        [spec.declares_write(age), spec.declares_read(age), spec.declares_read(speed), schedule.system_count() == 1]
    });
    assert_eq!(asked, [true, false, true, true]);
}
