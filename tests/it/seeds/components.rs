//! The registry of component types.

use tickweave::component::{ComponentId, ComponentKind, RegistryError};
use tickweave::prelude::*;
use tickweave::world::{MAX_COMPONENTS, World};

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Copy)]
#[component(track)]
#[repr(C)]
struct Health(u16);

#[derive(Component)]
struct Enemy;

#[derive(Component)]
#[component(opaque)]
struct Name(#[expect(dead_code, reason = "an opaque value")] String);

#[derive(Component, Clone, Copy)]
#[repr(C, align(64))]
struct Wide([u8; 64]);

/// 256 types and more.
#[derive(Component)]
struct Numbered<const ROW: u8, const COLUMN: u8>;

type Register = fn(&mut World) -> Result<ComponentId, RegistryError>;

macro_rules! rows {
    ($($row:literal)*) => {
        [$(rows!(@columns $row 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)),*].concat()
    };
    (@columns $row:literal $($column:literal)*) => {
        vec![$(World::register_component::<Numbered<$row, $column>> as Register),*]
    };
}

fn id<T: Component>(world: &World) -> u32 {
    world.component_id::<T>().unwrap().get()
}

#[test]
fn ids_are_dense_from_one_in_registration_order_and_zero_is_none() {
    let mut world = World::new();
    assert_eq!(world.register_component::<Position>().unwrap().get(), 1);
    assert_eq!(world.register_component::<Enemy>().unwrap().get(), 2);
    assert_eq!(world.register_component::<Name>().unwrap().get(), 3);
    assert_eq!((world.component_count(), ComponentId::new(0)), (3, None));
    assert!(world.component_id::<Position>() < world.component_id::<Enemy>());
}

#[test]
fn ids_come_from_the_order_of_registration_alone_and_belong_to_one_world() {
    let make = || World::builder().with_component::<Health>().with_component::<Position>().build().unwrap();
    let (a, b) = (make(), make());
    assert_eq!((id::<Health>(&a), id::<Position>(&a)), (1, 2));
    assert_eq!((id::<Health>(&b), id::<Position>(&b)), (1, 2));
    let mut other = World::new();
    other.spawn(Position { x: 0.0, y: 0.0 });
    other.spawn((Enemy, Health(1)));
    assert_eq!((id::<Position>(&other), id::<Enemy>(&other), id::<Health>(&other)), (1, 2, 3), "spawned in this order");
}

#[test]
fn a_component_of_the_library_takes_the_same_path_as_one_of_the_game() {
    type Seat = PoolHandle<u8>;
    fn path<T: Component + Copy, U: Component + Copy>(value: T, other: U) {
        let mut world = World::new();
        assert_eq!((world.component_count(), world.component_id::<T>()), (0, None), "nothing is there before");
        let first = world.register_component::<T>().unwrap();
        assert_eq!((first.get(), world.register_component::<U>().unwrap().get()), (1, 2));
        assert_eq!(world.register_component::<T>().unwrap_err().code(), "component-duplicate");
        assert_eq!(world.component_info(first).unwrap().size(), size_of::<T>());
        let entity = world.spawn((other, value));
        assert_eq!((world.query::<&T, With<U>>().count(), world.remove::<T>(entity)), (1, Ok(())));
        world.unregister_component::<T>().unwrap();
        assert!(!world.is_component_registered::<T>() && world.is_component_registered::<U>());
    }
    path(Seat::NOTHING, Health(1));
    path(Health(1), Seat::NOTHING);
}

#[test]
fn a_second_registration_is_an_error_that_names_type_and_id_and_changes_nothing() {
    let mut world = World::new();
    let first = world.register_component::<Position>().unwrap();
    let before = world.state_hash().unwrap();
    let error = world.register_component::<Position>().unwrap_err();
    assert!(matches!(error, RegistryError::Duplicate { id, .. } if id == first));
    assert_eq!((error.code(), world.component_count()), ("component-duplicate", 1));
    for part in ["Position", "id 1", "ensure_component"] {
        assert!(error.to_string().contains(part), "{part} is not in {error}");
    }
    assert_eq!(world.state_hash().unwrap(), before);
    assert_eq!(world.ensure_component::<Position>().unwrap(), first, "this call may be made again");
    let twice = World::builder().with_component::<Enemy>().with_component::<Enemy>().build();
    assert_eq!(twice.unwrap_err().code(), "component-duplicate");
}

#[test]
fn the_257th_type_is_refused_and_the_limit_is_raised_in_the_builder() {
    let types = rows!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    let mut world = World::new();
    for (number, register) in types.iter().enumerate() {
        assert_eq!(register(&mut world).unwrap().get() as usize, number + 1);
    }
    let error = world.register_component::<Enemy>().unwrap_err();
    assert_eq!((error.code(), world.component_count(), MAX_COMPONENTS), ("component-limit", 256, 256));
    assert!(error.to_string().contains("256") && error.to_string().contains("max_components"), "{error}");
    assert_eq!(types[0](&mut world).unwrap_err().code(), "component-duplicate", "a known type is no new one");
    assert_eq!(world.try_spawn(Enemy).unwrap_err().code(), "component-limit");
    assert_eq!(world.len(), 0);
    let mut larger = World::builder().max_components(257).build().unwrap();
    types.iter().for_each(|register| drop(register(&mut larger)));
    let last = larger.spawn(Enemy);
    assert_eq!((id::<Enemy>(&larger), larger.has::<Enemy>(last)), (257, true));
    assert_eq!(larger.query::<Entity, (With<Enemy>, Without<Numbered<15, 15>>)>().count(), 1, "beyond 256 bits");
}

#[test]
fn what_is_known_of_a_type_is_told_by_its_id() {
    let mut world = World::new();
    world.register_component::<Position>().unwrap();
    world.register_component::<Health>().unwrap();
    world.register_component::<Enemy>().unwrap();
    world.register_component::<Name>().unwrap();
    world.register_component::<Wide>().unwrap();
    let told = |number| {
        let info = world.component_info(ComponentId::new(number).unwrap()).unwrap();
        (info.id().get(), info.size(), info.alignment(), info.kind(), info.is_tracked())
    };
    assert_eq!(told(1), (1, 8, 4, ComponentKind::Data, false));
    assert_eq!(told(2), (2, 2, 2, ComponentKind::Data, true));
    assert_eq!(told(3), (3, 0, 1, ComponentKind::Tag, false));
    assert_eq!(told(4), (4, size_of::<String>(), align_of::<String>(), ComponentKind::Opaque, false));
    assert_eq!(told(5), (5, 64, 64, ComponentKind::Data, false));
    let info = world.component_info(ComponentId::new(1).unwrap()).unwrap();
    assert!(info.name().ends_with("components::Position") && info.is_registered() && !info.is_hidden());
    let error = world.component_info(ComponentId::new(6).unwrap()).unwrap_err();
    assert_eq!(error.code(), "component-unregistered");
}

#[test]
fn clear_ends_entities_and_keeps_the_registry() {
    let mut world = World::new();
    let before = [world.spawn((Position { x: 1.0, y: 1.0 }, Enemy)), world.spawn(Health(3))];
    world.clear();
    assert_eq!((world.len(), world.component_count()), (0, 3));
    assert_eq!(world.register_component::<Enemy>().unwrap_err().code(), "component-duplicate");
    let after = world.spawn((Health(4), Enemy));
    assert!(before.iter().all(|&entity| !world.contains(entity)) && world.contains(after));
    assert_eq!((id::<Position>(&world), id::<Enemy>(&world), id::<Health>(&world)), (1, 2, 3));
}

#[test]
fn the_registry_moves_with_its_world() {
    let mut world = World::new();
    let entity = world.spawn((Health(3), Enemy));
    let mut moved = Box::new(world);
    assert_eq!((id::<Health>(&moved), moved.get::<Health>(entity).unwrap().0), (1, 3));
    assert_eq!(moved.register_component::<Enemy>().unwrap_err().code(), "component-duplicate");
    let back = *moved;
    assert!(back.has::<Enemy>(entity));
}

#[test]
fn a_type_may_be_registered_late_and_taken_out_of_use_again() {
    let mut world = World::new();
    world.spawn(Enemy);
    assert!(!world.is_component_registered::<Health>());
    let late = world.register_component::<Health>().unwrap();
    assert!(world.is_component_registered::<Health>());
    world.unregister_component::<Health>().unwrap();
    assert_eq!((world.is_component_registered::<Health>(), world.component_count()), (false, 1));
    assert_eq!(world.component_info(late).unwrap_err().code(), "component-unregistered");
    assert_eq!(world.unregister_component::<Health>().unwrap_err().code(), "component-unregistered");
    assert_eq!(world.unregister_component::<Name>().unwrap_err().code(), "component-unregistered", "never met");
}

#[test]
fn unregistering_is_refused_while_an_entity_has_the_component_and_empty_archetypes_do_not_matter() {
    let mut world = World::new();
    let (a, b) = (world.spawn((Health(1), Enemy)), world.spawn(Health(2)));
    let error = world.unregister_component::<Health>().unwrap_err();
    assert_eq!((error.code(), world.get::<Health>(b).unwrap().0), ("component-in-use", 2));
    assert!(error.to_string().contains("2 entities") && error.to_string().contains("Health"), "{error}");
    world.remove::<Health>(a).unwrap();
    world.despawn(b).unwrap();
    assert!(world.archetypes().any(|archetype| archetype.name().contains("Health")), "they stay, empty");
    world.unregister_component::<Health>().unwrap();
    assert_eq!(world.query::<&Health, ()>().count(), 0);
    assert_eq!(world.query::<Entity, Without<Health>>().count(), 1);
}

#[test]
fn an_id_is_never_recycled_and_a_type_that_comes_back_gets_its_own() {
    let mut world = World::new();
    let health = world.register_component::<Health>().unwrap();
    world.unregister_component::<Health>().unwrap();
    assert_eq!(world.register_component::<Enemy>().unwrap().get(), 2);
    assert!(world.type_name_of(health).unwrap().ends_with("Health"), "it is still called so");
    assert_eq!(world.register_component::<Health>().unwrap(), health);
    world.unregister_component::<Health>().unwrap();
    let entity = world.spawn(Health(9));
    assert_eq!((world.component_id::<Health>(), world.get::<Health>(entity).unwrap().0), (Some(health), 9));
    assert_eq!(world.type_name_of(ComponentId::new(9).unwrap()), None);
}

#[test]
fn setting_up_again_does_not_meet_duplicates_where_ensure_is_used() {
    fn set_up(world: &mut World) -> Result<(), RegistryError> {
        world.ensure_component::<Position>()?;
        world.ensure_component::<Health>()?;
        world.hide_by_default::<Enemy>()?;
        Ok(())
    }
    let mut world = World::new();
    set_up(&mut world).unwrap();
    let hash = world.state_hash().unwrap();
    set_up(&mut world).unwrap();
    assert_eq!(world.state_hash().unwrap(), hash);
}
