//! Types that lie, and types that look alike.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tickweave::component::ComponentDescriptor;
use tickweave::entity::EntityMapper;
use tickweave::prelude::*;
use tickweave::resource::{ResourceClass, ResourceDescriptor};

#[derive(Component)]
#[component(opaque, state)]
#[derive(Clone, StateValue)]
struct Text(String);

macro_rules! lies {
    ($name:ident, $descriptor:expr) => {
        #[allow(dead_code, reason = "bytes that are no `Text`")]
        struct $name([u64; 8]);

        impl Component for $name {
            const ENTITIES_INSIDE: bool = false;

            fn descriptor() -> ComponentDescriptor {
                $descriptor
            }

            fn map_inside(&mut self, _: &mut dyn EntityMapper) {}
        }
    };
}

lies!(SaysText, Text::descriptor());
lies!(HashesLikeText, ComponentDescriptor::opaque::<Self>().with_state::<Text>());
lies!(MapsLikeText, ComponentDescriptor::opaque::<Self>().with_entities::<Text>());

#[track_caller]
fn assert_refused<T: Component>(make: fn() -> T) {
    let mut world = World::new();
    let good = world.spawn(Text("good".into()));
    for attempt in [
        |world: &mut World, _, value| _ = world.spawn(value),
        |world: &mut World, good, value| _ = world.insert(good, (value,)),
        |world: &mut World, _, value| {
            let mut buffer = CommandBuffer::new();
            buffer.spawn((value,));
            buffer.apply(world);
        },
    ] as [fn(&mut World, Entity, T); 3]
    {
        let value = make();
        assert!(catch_unwind(AssertUnwindSafe(|| attempt(&mut world, good, value))).is_err(), "a lie was believed");
    }
    assert_eq!((world.len(), world.get::<Text>(good).map(|text| &*text.0)), (1, Ok("good")));
    world.state_hash().unwrap();
}

#[test]
fn a_component_that_gives_the_descriptor_of_another_type_is_never_stored() {
    assert_refused(|| SaysText([u64::MAX; 8]));
}

#[test]
fn a_component_that_borrows_the_hooks_of_another_type_is_never_stored() {
    assert_refused(|| HashesLikeText([u64::MAX; 8]));
    assert_refused(|| MapsLikeText([u64::MAX; 8]));
}

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

struct SaysScore;

impl Resource for SaysScore {
    const CLASS: ResourceClass = ResourceClass::State;

    fn descriptor() -> ResourceDescriptor {
        Score::descriptor()
    }
}

#[test]
fn a_resource_that_gives_the_descriptor_of_another_type_is_never_kept() {
    let mut world = World::new();
    world.insert_resource(Score(3));
    assert!(catch_unwind(AssertUnwindSafe(|| world.insert_resource(SaysScore))).is_err(), "a lie was believed");
    assert_eq!(world.resource::<Score>().unwrap().0, 3);
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Plain(u32);

impl tickweave::component::Tracked for Plain {}

#[test]
fn a_component_that_claims_to_be_tracked_and_is_not_has_no_rows_that_changed() {
    let mut world = World::new();
    let wolf = world.spawn(Plain(1));
    world.get_mut::<Plain>(wolf).unwrap().0 += 1;
    assert_eq!(world.query::<Entity, Changed<Plain>>().count(), 0);
    assert_eq!(world.query::<Entity, Or<(Added<Plain>, Changed<Plain>)>>().count(), 0);
    world.despawn(wolf).unwrap();
    world.run_once(|gone: Removed<Plain>| assert_eq!(gone.iter().count(), 0)).unwrap();
}

/// Two types with one name, as two blocks of a function or two expansions of a macro make them.
fn spawn_namesakes(world: &mut World) -> Entity {
    let wolf = {
        #[derive(Component, Clone, Copy)]
        #[repr(C)]
        struct Health(u32);
        world.spawn(Health(1))
    };
    #[derive(Component, Clone, Copy)]
    #[component(track)]
    #[repr(C)]
    struct Health(u32);
    world.insert(wolf, Health(2)).unwrap();
    wolf
}

#[test]
fn a_dump_tells_types_of_one_name_apart() {
    let (mut one, mut other) = (World::new(), World::new());
    spawn_namesakes(&mut one);
    spawn_namesakes(&mut other);
    assert_eq!(one.dump().diff(&other.dump()), None);
    let dump = one.dump();
    let mut paths: Vec<&str> = dump.lines().iter().map(|line| line.path.as_str()).collect();
    let all = paths.len();
    paths.sort_unstable();
    paths.dedup();
    assert_eq!(paths.len(), all, "{dump}");
}
