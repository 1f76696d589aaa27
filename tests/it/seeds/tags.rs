//! Tags, filters, counts, hidden components, inspection.

use tickweave::prelude::*;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Health {
    current: f32,
    most: f32,
}

impl Default for Health {
    fn default() -> Self {
        Self { current: 100.0, most: 100.0 }
    }
}

#[derive(Component, Default)]
struct Player;

#[derive(Component)]
struct Dead;

#[derive(Component)]
struct Enemy;

#[derive(Component)]
struct Disabled;

#[derive(Component)]
struct Prefab;

#[test]
fn a_tag_separates_archetypes_and_costs_no_byte() {
    let fill = |tagged: bool| {
        let mut world = World::builder().with_component::<Health>().with_component::<Enemy>().build().unwrap();
        for _ in 0..1000 {
            match tagged {
                true => world.spawn((Health::default(), Enemy)),
                false => world.spawn(Health::default()),
            };
        }
        world
    };
    let (plain, tagged) = (fill(false), fill(true));
    assert_eq!(plain.reserved_bytes(), tagged.reserved_bytes());
    let names = |world: &World| world.archetypes().filter(|a| !a.is_empty()).map(|a| a.name()).collect::<Vec<_>>();
    assert_ne!(names(&plain), names(&tagged));
    assert!(names(&tagged)[0].ends_with("Enemy]"), "{:?}", names(&tagged));
}

#[test]
fn a_tag_is_a_filter_for_and_against() {
    let mut world = World::new();
    let player = world.spawn((Health::default(), Player));
    let corpse = world.spawn((Health::default(), Dead));
    world.spawn((Health::default(), Enemy));
    world.spawn((Player, Dead));
    let with: Vec<Entity> = world.query::<Entity, (With<Player>, With<Health>)>().into_iter().collect();
    assert_eq!(with, [player]);
    assert_eq!(world.query::<&Health, Without<Dead>>().count(), 2, "the living");
    assert_eq!(world.query::<(&Health, Has<Dead>), ()>().into_iter().filter(|(_, dead)| *dead).count(), 1);
    world.insert(player, Dead).unwrap();
    world.remove::<Dead>(corpse).unwrap();
    assert_eq!(world.query::<&Health, Without<Dead>>().count(), 2);
    assert_eq!(world.query::<Entity, (With<Player>, With<Dead>)>().count(), 2);
}

#[test]
fn two_excluded_types_leave_out_whoever_has_any_of_them() {
    let mut world = World::new();
    world.spawn(Health::default());
    world.spawn((Health::default(), Dead));
    world.spawn((Health::default(), Enemy));
    world.spawn((Health::default(), Dead, Enemy));
    assert_eq!(world.query::<&Health, (Without<Dead>, Without<Enemy>)>().count(), 1);
    assert_eq!(world.query::<&Health, Or<(Without<Dead>, Without<Enemy>)>>().count(), 3);
    assert_eq!(world.query::<&Health, Or<(With<Dead>, With<Enemy>)>>().count(), 3);
}

#[test]
fn a_count_is_that_of_a_walk_and_only_one_row_is_single() {
    let mut world = World::builder().chunk_rows(4).batch_rows(2).build().unwrap();
    assert_eq!(world.query::<&Health, ()>().single().unwrap_err().code(), "single-none");
    for n in 0..25 {
        match n % 3 {
            0 => world.spawn(Health::default()),
            1 => world.spawn((Health::default(), Enemy)),
            _ => world.spawn(Enemy),
        };
    }
    let rows = world.query::<Entity, With<Health>>();
    assert_eq!((rows.count(), rows.iter().count(), rows.is_empty()), (17, 17, false));
    assert_eq!(world.query::<Entity, ()>().count(), world.len());
    assert_eq!(world.query::<&Health, ()>().single().unwrap_err().code(), "single-many");
    let one = world.spawn((Health { current: 1.0, most: 2.0 }, Player));
    assert_eq!(world.query::<(Entity, &Health), With<Player>>().single().unwrap().0, one);
}

#[test]
fn components_that_hide_by_default_are_left_out_unless_named() {
    let builder = World::builder().with_hidden_component::<Disabled>().with_hidden_component::<Prefab>();
    let mut world = builder.build().unwrap();
    let plain = world.spawn(Health::default());
    let off = world.spawn((Health::default(), Disabled));
    let model = world.spawn((Health::default(), Prefab));
    let both = world.spawn((Health::default(), Disabled, Prefab));
    fn rows<F: tickweave::query::QueryFilter>(world: &World) -> Vec<Entity> {
        world.query::<Entity, (With<Health>, F)>().into_iter().collect()
    }
    assert_eq!(rows::<()>(&world), [plain]);
    assert_eq!(rows::<Show<Disabled>>(&world), [plain, off]);
    assert_eq!(rows::<(Show<Disabled>, Show<Prefab>)>(&world), [plain, off, model, both]);
    assert_eq!(rows::<With<Prefab>>(&world), [model], "named by a filter; `Disabled` still hides");
    assert_eq!(rows::<Without<Disabled>>(&world), [plain]);
    assert_eq!(world.query::<(&Health, Has<Disabled>), ()>().count(), 2, "named by a term");
    assert!(world.get::<Health>(off).is_ok() && world.contains(both), "handles reach them always");
    assert!(world.query::<&Health, ()>().get(off).is_err());
    world.remove::<Disabled>(off).unwrap();
    world.insert(plain, Disabled).unwrap();
    assert_eq!(rows::<()>(&world), [off]);
}

#[test]
fn hiding_holds_for_systems_of_every_shape() {
    let mut world = World::builder().with_hidden_component::<Disabled>().build().unwrap();
    let on = world.spawn(Health { current: 1.0, most: 9.0 });
    let off = world.spawn((Health { current: 1.0, most: 9.0 }, Disabled));
    let mut schedule = crate::serial();
    schedule.add(each(|health: &mut Health| health.current += 1.0));
    schedule.add(chunk(|health: &mut [Health]| health.iter_mut().for_each(|health| health.current += 1.0)));
    schedule.add(|mut rows: Query<&mut Health>| rows.for_each(|health| health.current += 1.0));
    schedule.add(|mut rows: Query<&mut Health, Show<Disabled>>| rows.for_each(|health| health.most += 1.0));
    schedule.add(each(|health: &mut Health| health.most += 1.0).filter::<With<Disabled>>());
    schedule.run(&mut world).unwrap();
    assert_eq!(world.get::<Health>(on).unwrap(), &Health { current: 4.0, most: 10.0 });
    assert_eq!(world.get::<Health>(off).unwrap(), &Health { current: 1.0, most: 11.0 });
}

#[test]
fn defaults_make_a_valid_entity() {
    let mut world = World::new();
    let entity = world.spawn_default::<(Health, Player)>();
    assert_eq!(world.get::<Health>(entity).unwrap(), &Health { current: 100.0, most: 100.0 });
    assert!(world.has::<Player>(entity));
}

#[test]
fn archetypes_can_be_looked_through_with_names_counts_chunks_and_components() {
    let mut world = World::builder().chunk_rows(4).batch_rows(2).build().unwrap();
    let rows = world.spawn_batch((0..9).map(|_| (Health::default(), Enemy)));
    world.spawn(Player);
    let seen: Vec<(String, usize, usize)> = world
        .archetypes()
        .map(|archetype| (short(&archetype.name()), archetype.len(), archetype.chunk_count()))
        .collect();
    assert_eq!(seen, [("[]".into(), 0, 0), ("[Health Enemy]".into(), 9, 3), ("[Player]".into(), 1, 1)]);
    let full = world.archetype_of(rows[0]).unwrap();
    assert_eq!(full.components().map(|info| info.id().get()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(full.entities().collect::<Vec<_>>(), rows);
}

/// The name of an archetype without the modules of its types.
fn short(name: &str) -> String {
    let names = name.trim_matches(['[', ']']).split(", ").map(|name| name.rsplit("::").next().unwrap_or_default());
    format!("[{}]", names.collect::<Vec<_>>().join(" "))
}

#[test]
fn a_batch_of_none_makes_nothing_and_a_type_twice_in_a_bundle_is_an_error() {
    let mut world = World::new();
    assert!(world.spawn_batch(Vec::<(Health, Enemy)>::new()).is_empty());
    assert_eq!((world.archetypes().len(), world.component_count()), (1, 0));
    let error = world.try_spawn((Enemy, (Player, Enemy))).unwrap_err();
    assert_eq!((error.code(), world.len()), ("bundle-duplicate", 0));
}

#[test]
fn components_are_carried_along_when_their_entity_changes_its_archetype() {
    let mut world = World::new();
    let entity = world.spawn((Health { current: 7.0, most: 8.0 }, Player));
    world.insert(entity, Enemy).unwrap();
    world.remove::<Player>(entity).unwrap();
    assert_eq!(world.get::<Health>(entity).unwrap(), &Health { current: 7.0, most: 8.0 });
    world.remove::<(Health, Enemy)>(entity).unwrap();
    assert!(world.contains(entity) && world.archetype_of(entity).unwrap().name() == "[]", "it lives on without any");
}
