use tickweave::prelude::*;
use tickweave::save::LoadError;

use super::kit::*;

/// The world refuses the bytes with this code, and is as it was.
#[track_caller]
fn refuses(world: &mut World, bytes: &[u8], code: &str) -> LoadError {
    let (dump, saved) = (world.dump(), world.save().unwrap());
    let error = world.load(bytes).unwrap_err();
    assert_eq!(error.code(), code, "{error}");
    assert_eq!(world.dump().diff(&dump), None);
    assert_eq!(world.save().unwrap(), saved);
    error
}

#[test]
fn what_is_no_save_or_of_another_format_is_told_so() {
    let (mut world, _schedule) = lived();
    let bytes = world.save().unwrap();
    refuses(&mut world, b"", "load-not-a-save");
    refuses(&mut world, b"a picture of a wolf, and more", "load-not-a-save");
    refuses(&mut world, &bytes[..20], "load-length");
    refuses(&mut world, &bytes[..bytes.len() - 1], "load-length");
    refuses(&mut world, &[&bytes[..], &[0]].concat(), "load-length");
    let mut newer = bytes.clone();
    newer[8] = 2;
    refuses(&mut world, &newer, "load-version");
    let entities = world.save_entities([]).unwrap();
    refuses(&mut world, &entities, "load-not-a-world");
}

#[test]
fn the_pieces_of_a_schema_that_differ_are_listed_with_both_sides() {
    #[derive(Component, Clone, Copy)]
    #[component(track)]
    #[repr(C)]
    struct Position {
        x: f32,
        y: f32,
    }
    mod earlier {
        use super::*;
        #[derive(Component, Clone, Copy)]
        #[repr(C)]
        pub(super) struct Position {
            x: f32,
        }
    }
    let saved = World::builder().with_component::<Small>().with_component::<earlier::Position>().build().unwrap();
    let bytes = saved.save().unwrap();
    let mut here = World::builder().with_component::<Small>().with_component::<Position>().build().unwrap();
    let text = refuses(&mut here, &bytes, "load-components").to_string();
    let module = module_path!();
    for words in [
        "component 2: saved as `",
        &format!(
            "{module}::the_pieces_of_a_schema_that_differ_are_listed_with_both_sides::earlier::Position` (data, 4 bytes aligned to 4, {{x@0: f32}})"
        ),
        "Position` (data, 8 bytes aligned to 4, tracked, {x@0: f32, y@4: f32})",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
    assert!(!text.contains("component 1"), "{text}");
    let mut less = World::builder().with_component::<Small>().build().unwrap();
    let text = refuses(&mut less, &bytes, "load-components").to_string();
    assert!(text.contains("here not registered"), "{text}");
    let mut other_order =
        World::builder().with_component::<earlier::Position>().with_component::<Small>().build().unwrap();
    let LoadError::Components(all) = refuses(&mut other_order, &bytes, "load-components") else { panic!() };
    assert_eq!(all.len(), 2);
}

#[test]
fn other_settings_are_listed_with_both_sides() {
    let bytes = World::builder().chunk_rows(8).batch_rows(4).build().unwrap().save().unwrap();
    let mut world = World::builder().chunk_rows(16).batch_rows(4).removal_ticks(3).build().unwrap();
    let text = refuses(&mut world, &bytes, "load-settings").to_string();
    assert!(text.contains("`chunk_rows`): saved as 8, here 16"), "{text}");
    assert!(text.contains("`removal_ticks`): saved as 16, here 3") && !text.contains("batch"), "{text}");
}

#[test]
fn a_world_that_lacks_what_the_save_has_is_told_what_to_register() {
    let (world, _schedule) = lived();
    let bytes = world.save().unwrap();
    let mut unbuilt = empty();
    let text = refuses(&mut unbuilt, &bytes, "load-unknown-section").to_string();
    assert!(text.contains("local 1 of system 2 of schedule 1") && text.contains("schedule.build"), "{text}");
    let mut shorter = empty();
    let mut two = Schedule::new();
    two.add(|_: Res<Score>| {});
    two.build(&mut shorter).unwrap();
    refuses(&mut shorter, &bytes, "load-unknown-section");
    let mut saved = World::new();
    let mut schedule = Schedule::new();
    schedule.add(|| {});
    schedule.add(|| {});
    schedule.build(&mut saved).unwrap();
    let mut fewer = World::new();
    let mut schedule = Schedule::new();
    schedule.add(|| {});
    schedule.build(&mut fewer).unwrap();
    let text = refuses(&mut fewer, &saved.save().unwrap(), "load-systems").to_string();
    assert!(text.contains("2 systems"), "{text}");
}

#[test]
fn a_world_with_an_event_type_that_the_save_lacks_is_told_so() {
    let bytes = World::new().save().unwrap();
    let mut world = World::new();
    world.add_event::<Told>().unwrap();
    let text = refuses(&mut world, &bytes, "load-missing-section").to_string();
    assert!(text.contains("Told"), "{text}");
}

#[test]
fn a_world_without_room_refuses() {
    let mut many = World::new();
    many.spawn_batch([(), (), ()]);
    let bytes = many.save().unwrap();
    let mut small = World::builder().entity_capacity(2).build().unwrap();
    refuses(&mut small, &bytes, "entity-capacity");
    assert_eq!(small.load_entities(&bytes).unwrap_err().code(), "entity-capacity");
    World::builder().entity_capacity(3).build().unwrap().load(&bytes).unwrap();
}

#[test]
fn what_cannot_be_saved_is_named() {
    let (mut world, _schedule) = lived();
    let secret = world.spawn(Secret("x".into()));
    assert_eq!(world.get::<Secret>(secret).unwrap().0, "x");
    let error = world.save().unwrap_err();
    assert_eq!(error.code(), "save-opaque");
    assert!(error.to_string().contains("Secret"), "{error}");
    assert_eq!(world.save_entities([secret]).unwrap_err(), error);
    world.despawn(secret).unwrap();
    assert!(world.save().is_ok());
}

#[test]
fn a_pending_handle_in_a_component_is_named() {
    let mut world = World::new();
    let mut buffer = CommandBuffer::new();
    let pending = buffer.spawn(()).id();
    let to = world.spawn(());
    world.spawn(Link { to, other: None });
    let bad = world.spawn(Link { to, other: Some(pending) });
    let error = world.save().unwrap_err();
    assert_eq!(error.code(), "save-pending");
    assert!(error.to_string().contains(&bad.to_string()), "{error}");
    assert_eq!(world.save_entities([bad]).unwrap_err(), error);
}

#[test]
fn inside_of_a_tick_nothing_is_saved_or_loaded() {
    #[derive(Clone, StateValue, Resource)]
    struct Codes(Vec<String>);
    fn look(world: &mut World) {
        let codes = [
            world.save().unwrap_err().code(),
            world.save_entities([]).unwrap_err().code(),
            world.load(b"").unwrap_err().code(),
            world.load_entities(b"").unwrap_err().code(),
        ];
        world.insert_resource(Codes(codes.map(String::from).into()));
    }
    let mut world = World::new();
    let mut schedule = Schedule::new();
    schedule.add(look);
    schedule.run(&mut world).unwrap();
    let codes = &world.resource::<Codes>().unwrap().0;
    assert_eq!(codes[..], ["save-inside-tick", "save-inside-tick", "load-inside-tick", "load-inside-tick"]);
}
