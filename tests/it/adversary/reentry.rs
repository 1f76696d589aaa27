//! Code of the user that comes back in while the library works: destructors that record, panic, or free memory.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tickweave::entity::EntityMapper;
use tickweave::prelude::*;

thread_local! {
    static BUFFER: RefCell<CommandBuffer> = const { RefCell::new(CommandBuffer::new()) };
}

/// Records the spawn of a smaller one when it is dropped.
#[derive(Component)]
#[component(opaque)]
struct Phoenix(u32, #[allow(dead_code, reason = "owns memory")] Box<[u8; 64]>);

impl Phoenix {
    fn new(lives: u32) -> Self {
        Self(lives, Box::new([7; 64]))
    }
}

impl Drop for Phoenix {
    fn drop(&mut self) {
        if let (Some(lives), false) = (self.0.checked_sub(1), std::thread::panicking()) {
            BUFFER.with_borrow_mut(|buffer| _ = buffer.spawn(Self::new(lives)));
        }
    }
}

#[test]
fn destructors_that_record_into_a_buffer_are_applied_with_the_next_round() {
    let mut world = World::builder().chunk_rows(2).batch_rows(1).build().unwrap();
    let entities = world.spawn_batch((0..5).map(|_| Phoenix::new(3)));
    world.insert(entities[0], Phoenix::new(3)).unwrap();
    world.remove::<Phoenix>(entities[1]).unwrap();
    drop(world.take::<Phoenix>(entities[2]).unwrap());
    world.despawn(entities[3]).unwrap();
    let mut rounds = Vec::new();
    loop {
        let mut buffer = BUFFER.with_borrow_mut(std::mem::take);
        let applied = buffer.apply(&mut world).applied;
        if applied == 0 {
            break;
        }
        rounds.push(applied);
        world.clear();
    }
    assert_eq!(rounds, [4, 6, 6, 2], "four died by hand and two by the first `clear`; each had three lives to come");
}

/// Panics in whatever it is asked to do.
#[derive(Component)]
#[component(opaque, entities)]
struct Mine(Box<Entity>);

impl MapEntities for Mine {
    fn map_entities(&mut self, mapper: &mut dyn EntityMapper) {
        *self.0 = mapper.map(*self.0);
        panic!("stepped on while it is mapped");
    }
}

#[test]
fn a_map_that_panics_leaves_a_whole_world_and_gives_reserved_entities_up() {
    let mut world = World::new();
    let wolf = world.spawn(());
    for spawns in [false, true] {
        let mut buffer = CommandBuffer::new();
        let pup = buffer.spawn(()).id();
        if spawns {
            buffer.spawn(Mine(Box::new(pup)));
        } else {
            buffer.insert(wolf, Mine(Box::new(pup)));
        }
        buffer.spawn(());
        assert!(catch_unwind(AssertUnwindSafe(|| buffer.apply(&mut world))).is_err());
    }
    assert_eq!((world.len(), world.query::<Entity, ()>().count()), (3, 3));
}

#[derive(Component, Clone, Copy)]
#[repr(C, align(4096))]
struct Page([u8; 4096]);

#[derive(Component)]
#[component(opaque)]
#[repr(align(2048))]
struct WideNothing;

impl Drop for WideNothing {
    fn drop(&mut self) {
        assert_eq!(std::ptr::from_mut(self).addr() % 2048, 0, "a value without bytes is aligned");
    }
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Large([u8; 1 << 16]);

#[derive(Component)]
#[component(opaque)]
#[repr(align(256))]
struct WideBox(Box<u32>);

#[test]
fn huge_alignments_large_values_and_values_without_bytes_move_whole() {
    for rows in [1, 4, 1 << 16] {
        let mut world = World::builder().chunk_rows(rows).batch_rows(1).build().unwrap();
        let mut entities = Vec::new();
        for number in 0..20u8 {
            let entity = world.spawn((Page([number; 4096]), WideBox(Box::new(number.into()))));
            world.insert(entity, (WideNothing, Large([number; 1 << 16]))).unwrap();
            entities.push((entity, number));
        }
        for (entity, _) in entities.extract_if_even() {
            world.remove::<(WideNothing, Large)>(entity).unwrap();
            world.despawn(entity).unwrap();
        }
        for (entity, number) in entities {
            let page = world.get::<Page>(entity).unwrap();
            assert_eq!(std::ptr::from_ref(page).addr() % 4096, 0);
            assert_eq!((page.0[4095], *world.get::<WideBox>(entity).unwrap().0), (number, number.into()));
            assert_eq!(world.take::<Large>(entity).unwrap().0[65535], number);
            drop(world.take::<WideNothing>(entity).unwrap());
        }
    }
}

trait ExtractEven {
    fn extract_if_even(&mut self) -> Self;
}

impl ExtractEven for Vec<(Entity, u8)> {
    fn extract_if_even(&mut self) -> Self {
        let (even, odd) = self.drain(..).partition(|(_, number)| number % 2 == 0);
        *self = odd;
        even
    }
}
