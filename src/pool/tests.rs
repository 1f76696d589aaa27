use super::*;
use crate::prelude::*;
use crate::rng::Stream;
use crate::value::{Sink, Source};

fn numbers(amount: u32) -> ObjectPool<u32> {
    (0..amount).map(|number| number * 10).collect()
}

fn taken(pool: &mut ObjectPool<u32>) -> PoolHandle<u32> {
    pool.acquire().expect("an object is free").0
}

#[test]
fn objects_come_by_index_at_first_and_then_the_last_released_comes_first() {
    let mut pool = numbers(4);
    let handles = [(); 3].map(|()| taken(&mut pool));
    assert_eq!(handles.map(PoolHandle::index), [0, 1, 2]);
    assert!(pool.release(handles[0]) && pool.release(handles[2]));
    assert_eq!([(); 3].map(|()| taken(&mut pool).index()), [2, 0, 3]);
}

#[test]
fn an_exhausted_pool_gives_none_counts_it_and_stays_as_it_is() {
    let mut pool = numbers(1);
    let only = taken(&mut pool);
    assert!((0..2).all(|_| pool.acquire().is_none()));
    assert_eq!((pool.exhausted(), pool.capacity(), pool.active_count(), pool.get(only)), (2, 1, 1, Some(&0)));
    assert!(numbers(0).acquire().is_none());
}

#[test]
fn each_acquire_has_a_generation_of_its_own_and_old_handles_name_nothing() {
    let mut pool = numbers(1);
    let mut old = Vec::new();
    for generation in 1..=5 {
        let handle = taken(&mut pool);
        assert_eq!((handle.index(), handle.generation()), (0, generation));
        assert!(pool.contains(handle) && old.iter().all(|&old| !pool.contains(old)));
        assert!(pool.release(handle) && !pool.contains(handle));
        old.push(handle);
    }
    assert_eq!(format!("{}", old[4]), "0g5");
}

#[test]
fn a_release_with_a_stale_handle_is_ignored_and_counted() {
    let mut pool = numbers(2);
    let first = taken(&mut pool);
    assert!(pool.release(first) && !pool.release(first), "twice");
    let second = taken(&mut pool);
    let of_a_larger_pool = PoolHandle::new(9, 1);
    assert!(![first, PoolHandle::NOTHING, of_a_larger_pool].into_iter().any(|stale| pool.release(stale)));
    assert_eq!((pool.stale_releases(), pool.active_count(), pool.contains(second)), (4, 1, true));
}

#[test]
fn active_objects_are_iterated_by_index_and_counted() {
    let mut pool = numbers(5);
    let handles = [(); 5].map(|()| taken(&mut pool));
    for index in [3, 0] {
        pool.release(handles[index]);
    }
    pool.iter_mut().for_each(|(handle, number)| *number += handle.index());
    assert_eq!(pool.iter().collect::<Vec<_>>(), [(handles[1], &11), (handles[2], &22), (handles[4], &44)]);
    assert_eq!((pool.active_count(), pool.inactive_count(), pool.capacity()), (3, 2, 5));
}

#[test]
fn retain_releases_by_index_what_is_not_kept() {
    let mut pool = numbers(4);
    let handles = [(); 4].map(|()| taken(&mut pool));
    pool.release(handles[3]);
    assert_eq!(pool.retain(|handle, number| handle.index() == 1 && *number == 10), 2);
    assert_eq!(pool.iter().map(|(handle, _)| handle).collect::<Vec<_>>(), [handles[1]]);
    assert_eq!([(); 3].map(|()| taken(&mut pool).index()), [2, 0, 3]);
}

#[test]
fn a_group_that_does_not_fit_is_taken_in_part_or_not_at_all_as_the_caller_likes() {
    let mut pool = numbers(3);
    let wanted = 5;
    let in_part: Vec<_> = (0..wanted).map_while(|_| pool.acquire().map(|(handle, _)| handle)).collect();
    assert_eq!((in_part.len(), pool.exhausted()), (3, 1));
    let at_once = pool.inactive_count() >= wanted;
    assert!(!at_once);
}

#[derive(Default)]
struct Stage {
    trace: Vec<String>,
    /// Which hook panics.
    trap: &'static str,
}

macro_rules! hooks {
    ($($name:ident),*) => {
        PoolHooks::<u32, Stage>::new()$(.$name(|number, handle, stage| {
            assert_ne!(stringify!($name), stage.trap, "the trap");
            stage.trace.push(format!("{} {handle} {number}", stringify!($name)));
            *number += 1;
        }))*
    };
}

const HOOKS: PoolHooks<u32, Stage> = hooks!(deactivate, activate, initialize, place);

#[test]
fn hooks_place_initialize_and_activate_and_on_the_way_out_deactivate() {
    let (mut pool, mut stage) = (numbers(1), Stage::default());
    let handle = pool.acquire_with(&HOOKS, &mut stage).unwrap();
    assert_eq!(stage.trace, ["place 0g1 0", "initialize 0g1 1", "activate 0g1 2"]);
    assert!(pool.acquire_with(&HOOKS, &mut stage).is_none());
    assert!(pool.release_with(&HOOKS, handle, &mut stage));
    assert!(!pool.release_with(&HOOKS, handle, &mut stage));
    assert_eq!(stage.trace[3..], ["deactivate 0g1 3"], "hooks of what happened, and no others");
}

#[test]
fn a_hook_that_panics_loses_no_object() {
    for trap in ["place", "initialize", "activate", "deactivate"] {
        let (mut pool, mut stage) = (numbers(1), Stage { trap, ..Stage::default() });
        let attempt = std::panic::AssertUnwindSafe(|| {
            let handle = pool.acquire_with(&HOOKS, &mut stage).unwrap();
            pool.release_with(&HOOKS, handle, &mut stage);
        });
        assert!(std::panic::catch_unwind(attempt).is_err());
        let is_active = trap == "deactivate";
        assert_eq!((pool.active_count(), pool.inactive_count()), if is_active { (1, 0) } else { (0, 1) }, "{trap}");
        pool.retain(|_, _| false);
        assert_eq!(taken(&mut pool).generation(), 1 + u32::from(is_active));
    }
}

#[test]
fn an_object_whose_generations_are_used_up_is_retired() {
    let mut pool = numbers(2);
    pool.slots[0].generation = LAST_GENERATION - 1;
    let last = taken(&mut pool);
    assert_eq!(last.generation(), LAST_GENERATION);
    assert!(pool.release(last) && !pool.contains(last));
    assert_eq!((pool.inactive_count(), taken(&mut pool).index()), (1, 1));
    assert!(pool.acquire().is_none());
    assert_eq!(decoded(&encoded(&pool)), Some(pool));
}

fn encoded<T: StateValue>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.encode(&mut Sink::new(&mut bytes));
    bytes
}

fn decoded(bytes: &[u8]) -> Option<ObjectPool<u32>> {
    let mut source = Source::new(bytes);
    ObjectPool::decode(&mut source).ok().filter(|_| source.remaining() == 0)
}

fn used() -> ObjectPool<u32> {
    let mut pool = numbers(3);
    let (first, _) = (taken(&mut pool), taken(&mut pool));
    pool.release(first);
    pool.release(first);
    pool
}

#[test]
fn a_pool_is_the_same_after_bytes_and_every_truncation_is_refused() {
    let bytes = encoded(&used());
    let mut read = decoded(&bytes).expect("a pool");
    assert_eq!(read, used());
    assert_eq!(encoded(&read), bytes);
    assert_eq!([taken(&mut read), taken(&mut read)], [PoolHandle::new(0, 2), PoolHandle::new(2, 1)]);
    assert!((0..bytes.len()).all(|cut| decoded(&bytes[..cut]).is_none()));
}

#[test]
fn bytes_of_a_pool_that_no_use_leads_to_are_refused() {
    let forged = |change: fn(&mut ObjectPool<u32>)| {
        let mut pool = used();
        change(&mut pool);
        decoded(&encoded(&pool))
    };
    assert!(forged(|_| {}).is_some());
    assert_eq!(forged(|pool| pool.free[0] = 1), None, "an active object that waits");
    assert_eq!(forged(|pool| pool.free[0] = 0), None, "an object that waits twice");
    assert_eq!(forged(|pool| pool.free[0] = 3), None, "an index beyond the pool");
    assert_eq!(forged(|pool| pool.free.truncate(1)), None, "an object that is lost");
    assert_eq!(forged(|pool| pool.slots[0].generation = LAST_GENERATION), None, "a retired object that waits");
    assert_eq!(forged(|pool| pool.slots[1].generation = 0), None, "an active object that was never acquired");
}

struct Shift;

impl crate::entity::EntityMapper for Shift {
    fn map(&mut self, entity: Entity) -> Entity {
        Entity::new(entity.slot() + 100, entity.generation())
    }
}

#[test]
fn entities_are_mapped_in_active_and_inactive_objects() {
    let mut pool = ObjectPool::new(&Some(Entity::new(1, 1)), 2);
    pool.acquire();
    pool.map_entities(&mut Shift);
    assert!(pool.slots.iter().all(|slot| slot.object == Some(Entity::new(101, 1))));
}

#[test]
fn overwriting_a_pool_keeps_its_memory_and_gives_the_same_value() {
    let mut copy = numbers(3);
    let memory = copy.slots.as_ptr();
    copy.clone_from(&used());
    assert_eq!((&copy, copy.slots.as_ptr()), (&used(), memory));
    assert_eq!(used().clone(), used());
}

/// What a pool does, said in the plainest way.
#[derive(Default)]
struct Model {
    generations: [u32; 5],
    active: Vec<PoolHandle<u32>>,
    free: Vec<u32>,
}

impl Model {
    fn acquire(&mut self) -> Option<PoolHandle<u32>> {
        let index = self.free.pop()?;
        self.generations[index as usize] += 1;
        self.active.push(PoolHandle::new(index, self.generations[index as usize]));
        self.active.last().copied()
    }

    fn release(&mut self, handle: PoolHandle<u32>) -> bool {
        let place = self.active.iter().position(|&active| active == handle);
        place.map(|place| self.free.push(self.active.swap_remove(place).index())).is_some()
    }
}

#[test]
fn a_pool_does_as_its_model_over_random_uses_and_restores() {
    for seed in 0..20 {
        let (mut random, mut pool) = (Stream::new(seed, "pool"), numbers(5));
        let mut model = Model { free: vec![4, 3, 2, 1, 0], ..Model::default() };
        let mut known = vec![PoolHandle::NOTHING];
        for _ in 0..200 {
            if random.chance(1, 2) {
                let handle = pool.acquire().map(|(handle, _)| handle);
                assert_eq!(handle, model.acquire());
                known.extend(handle);
            } else {
                let handle = *random.pick(&known).expect("not empty");
                assert_eq!(pool.release(handle), model.release(handle));
            }
            model.active.sort();
            assert!(pool.iter().map(|(handle, _)| handle).eq(model.active.iter().copied()));
            assert_eq!(decoded(&encoded(&pool)).as_ref(), Some(&pool));
        }
    }
}

#[test]
fn a_pool_in_a_world_is_hashed_and_restored_with_the_handles_to_come() {
    fn shoot(mut pool: ResMut<ObjectPool<u32>>) {
        pool.acquire();
    }
    let mut world = World::new();
    world.insert_resource(numbers(3));
    let mut schedule = Schedule::new();
    schedule.add(shoot);
    schedule.run(&mut world).unwrap();
    let early = world.snapshot().unwrap();
    schedule.run(&mut world).unwrap();
    let (late, hash) = (world.resource::<ObjectPool<u32>>().unwrap().clone(), world.state_hash().unwrap());
    world.restore(&early).unwrap();
    assert_ne!(world.state_hash().unwrap(), hash);
    schedule.run(&mut world).unwrap();
    assert_eq!((world.resource().ok(), world.state_hash().unwrap()), (Some(&late), hash));
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Flies(u32);

/// A place for one entity, which lives while the place is taken.
#[derive(Clone, Debug, StateValue)]
struct Place {
    entity: Option<Entity>,
}

fn appear(place: &mut Place, handle: PoolHandle<Place>, world: &mut World) {
    place.entity = Some(world.spawn(Flies(handle.index())));
}

fn vanish(place: &mut Place, _: PoolHandle<Place>, world: &mut World) {
    let entity = place.entity.take().expect("an active place has its entity");
    world.despawn(entity).expect("only the pool despawns it");
}

const PLACES: PoolHooks<Place, World> = PoolHooks::new().activate(appear).deactivate(vanish);

#[test]
fn a_pool_bounds_how_many_entities_there_are_and_each_use_has_a_new_entity() {
    let (mut world, mut places) = (World::new(), ObjectPool::new(&Place { entity: None }, 2));
    let [first, second, none] = [(); 3].map(|()| places.acquire_with(&PLACES, &mut world));
    assert!(none.is_none() && world.len() == 2);
    let entity = places.get(first.unwrap()).unwrap().entity.unwrap();
    assert!(places.release_with(&PLACES, first.unwrap(), &mut world) && !world.contains(entity));
    let third = places.acquire_with(&PLACES, &mut world).unwrap();
    let next = places.get(third).unwrap().entity.unwrap();
    assert!(next.slot() == entity.slot() && next != entity && third != first.unwrap());
    assert_eq!((world.len(), places.contains(second.unwrap())), (2, true));
}
