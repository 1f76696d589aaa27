//! What a load of forged bytes may take: a binary of its own, since its allocator counts.

#![expect(unsafe_code, reason = "a global allocator that counts")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use tickweave::hash::StateHasher;
use tickweave::prelude::*;

/// The allocator of the system, which notes how much this thread holds, and the most that it held.
struct Counted;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn note(bytes: isize) {
    HELD.set(HELD.get() + bytes);
    PEAK.set(PEAK.get().max(HELD.get()));
}

// SAFETY: every call goes to the allocator of the system with the arguments that it came with.
unsafe impl GlobalAlloc for Counted {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(layout.size() as isize);
        // SAFETY: the contract is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        note(-(layout.size() as isize));
        // SAFETY: the contract is passed on.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may be there at the same time.
        note(size as isize);
        note(-(layout.size() as isize));
        // SAFETY: the contract is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counted = Counted;

/// The most that `action` held beyond what there was before.
fn peak<T>(action: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    PEAK.set(before);
    let result = action();
    ((PEAK.get() - before) as usize, result)
}

macro_rules! components {
    ($($name:ident)*) => {
        $(
            #[derive(Component, Clone, Copy)]
            #[component(track)]
            #[repr(C)]
            struct $name(u8);
        )*

        fn world() -> World {
            let world = World::builder()$(.with_component::<$name>())*;
            world.with_component::<Large>().build().unwrap()
        }

        /// An entity with each subset of two components, so that archetypes are many and small.
        fn crowd(world: &mut World) {
            $(
                let alone = world.spawn($name(1));
                world.spawn(($name(1), Large::new()));
                world.insert(alone, Large::new()).unwrap();
            )*
            let all = world.spawn(());
            $(world.insert(all, $name(2)).unwrap();)*
        }
    };
}

components! { A B C D E F G H I J K L M N O P Q R S T U V W X Y Z }

const COMPONENTS: usize = 27;

/// Large in memory, of few bytes when it is saved.
#[derive(Component, Clone)]
#[component(opaque, state)]
struct Large(#[expect(dead_code, reason = "its size is enough")] [u64; 64]);

impl Large {
    const fn new() -> Self {
        Self([0; 64])
    }
}

impl MapEntities for Large {}

impl StateValue for Large {
    fn encode(&self, _: &mut tickweave::value::Sink<'_>) {}

    fn decode(_: &mut tickweave::value::Source<'_>) -> Result<Self, tickweave::value::DecodeError> {
        Ok(Self::new())
    }
}

/// What `docs/save.md` says.
fn bound(bytes: &[u8]) -> usize {
    (128 + COMPONENTS + size_of::<Large>()) * bytes.len() + (64 << 10)
}

#[track_caller]
fn stays_in_bounds(bytes: &[u8]) {
    let mut world = world();
    let (most, _) = peak(|| world.load(bytes).is_ok());
    assert!(most <= bound(bytes), "{most} bytes for {} of input", bytes.len());
    let mut world = self::world();
    let (most, _) = peak(|| world.load_entities(bytes).is_ok());
    assert!(most <= bound(bytes), "{most} bytes for {} of input, as entities", bytes.len());
}

fn seal(bytes: &mut [u8]) {
    let length = bytes.len();
    bytes[16..24].copy_from_slice(&(length as u64).to_le_bytes());
    let mut hasher = StateHasher::new(9);
    hasher.bytes(&bytes[..length - 8]);
    bytes[length - 8..].copy_from_slice(&hasher.finish().to_le_bytes());
}

#[test]
fn worlds_of_many_small_archetypes_take_no_more_than_the_page_says() {
    let mut crowded = world();
    crowd(&mut crowded);
    stays_in_bounds(&crowded.save().unwrap());
    let all: Vec<Entity> = crowded.query::<Entity, ()>().iter().collect();
    stays_in_bounds(&crowded.save_entities(all).unwrap());
}

#[test]
fn counts_that_lie_take_no_more_than_the_page_says() {
    let mut crowded = world();
    crowd(&mut crowded);
    let bytes = crowded.save().unwrap();
    for at in (24..bytes.len() - 12).step_by(3) {
        for count in [u32::MAX, 1 << 24, bytes.len() as u32 / 8] {
            let mut forged = bytes.clone();
            forged[at..at + 4].copy_from_slice(&count.to_le_bytes());
            seal(&mut forged);
            stays_in_bounds(&forged);
        }
    }
}

#[test]
fn lists_of_nothing_take_no_more_than_the_page_says() {
    // As many archetypes without components and rows as fit: twice 32 bits of 0 each.
    let empty = world().save_entities([]).unwrap();
    for count in [1_000u32, 100_000] {
        let mut forged = empty[..empty.len() - 12].to_vec();
        forged.extend_from_slice(&count.to_le_bytes());
        forged.resize(forged.len() + 8 * count as usize + 8, 0);
        seal(&mut forged);
        stays_in_bounds(&forged);
    }
}
