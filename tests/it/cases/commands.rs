//! C9 and commands that panic: a buffer fits any world, and a merge that fails leaves it whole.

use tickweave::command::RefusalReason;
use tickweave::entity::EntityMapper;
use tickweave::world::Missing;

use super::*;

#[test]
fn c9_a_buffer_fits_a_world_that_lacks_its_types_or_numbers_them_otherwise() {
    let count = Count::default();
    let [mut first, mut second] = [tiny(), tiny()];
    first.spawn((Number(1), Watched(2), Enemy));
    second.spawn((Enemy, Parent(Entity::from_bits(1 << 32).unwrap())));
    let mut buffer = CommandBuffer::new();
    for world in [&mut first, &mut second] {
        let wolf = buffer.spawn((Number(5), count.held())).id();
        buffer.spawn((Watched(6), Parent(wolf))).remove::<(Enemy, Watched)>();
        let report = buffer.apply(world);
        assert_eq!((report.applied, report.refused), (3, 0));
        let wolf = world.query::<Entity, (With<Number>, With<Held>)>().single().unwrap();
        let pup = world.query::<(&Parent, Has<Watched>), Without<Enemy>>().single().map(|row| (row.0.0, row.1));
        assert_eq!(pup, Ok((wolf, false)));
        assert_whole(world);
    }
    assert_eq!(count.alive(), 2);
}

#[test]
fn c9_a_schedule_on_another_world_is_refused_and_touches_neither() {
    let [mut first, mut second] = [tiny(), tiny()];
    let mut schedule = crate::serial();
    schedule.add(|mut numbers: Query<&mut Number>| numbers.for_each(|number| number.0 += 1));
    for world in [&mut first, &mut second] {
        world.spawn(Number(1));
    }
    schedule.run(&mut first).unwrap();
    assert_unchanged(&mut second, |second| {
        assert_eq!(schedule.run(second).unwrap_err().code(), "schedule-other-world");
    });
    schedule.run(&mut first).unwrap();
    assert_eq!(first.query::<&Number, ()>().single(), Ok(&Number(3)));
}

#[test]
fn c9_removing_a_type_that_nobody_has_registered_is_no_registration_not_even_inside_of_a_tick() {
    let mut world = tiny();
    let entity = world.spawn((Number(1), Watched(2)));
    assert_unchanged(&mut world, |world| world.remove::<(Enemy, Parent)>(entity).unwrap());
    let mut schedule = crate::serial();
    schedule.add(move |mut commands: Commands| commands.remove::<(Enemy, Number)>(entity));
    schedule.run(&mut world).unwrap();
    assert_eq!((schedule.report().applied, schedule.report().refused), (1, 0));
    assert!(!world.has::<Number>(entity) && world.has::<Watched>(entity));
    assert!(!world.is_component_registered::<Enemy>());
}

#[test]
fn pending_handles_of_another_recording_never_reach_an_entity() {
    let mut world = tiny();
    let [mut buffer, mut other] = [CommandBuffer::new(), CommandBuffer::new()];
    let applied = buffer.spawn(Number(1)).id();
    buffer.apply(&mut world);
    let cleared = buffer.spawn(Number(2)).id();
    buffer.clear();
    let foreign = other.spawn(Number(3)).id();
    let mine = buffer.spawn(Number(4)).id();
    for stale in [applied, cleared, foreign] {
        assert_ne!(stale, mine);
        buffer.despawn(stale);
        buffer.insert(stale, Enemy);
        buffer.spawn((Enemy, Parent(stale)));
        buffer.insert(mine, Parent(stale));
    }
    let report = buffer.apply(&mut world);
    assert_eq!((report.applied, report.refused), (1, 12));
    for (refusal, stale) in report.refusals.iter().zip([applied; 4].into_iter().chain([cleared; 4]).chain([foreign; 4]))
    {
        assert_eq!(refusal.reason, RefusalReason::UnknownPending(stale), "{}", refusal.command);
    }
    let numbers: Vec<u32> =
        world.query::<&Number, (Without<Enemy>, Without<Parent>)>().into_iter().map(|n| n.0).collect();
    assert_eq!(numbers, [1, 4]);
    assert_whole(&mut world);
}

#[test]
fn a_buffer_that_was_applied_gives_other_handles() {
    let mut world = tiny();
    let mut buffer = CommandBuffer::new();
    let mut given = Vec::new();
    for round in 0..20 {
        let pending = [buffer.spawn(()).id(), buffer.spawn(()).id()];
        assert!(pending.iter().all(|handle| !given.contains(handle)), "round {round}");
        given.extend(pending);
        if round % 3 == 0 { buffer.clear() } else { drop(buffer.apply(&mut world)) }
    }
}

#[test]
fn a_world_refuses_a_pending_handle_in_every_verb() {
    let mut world = tiny();
    let mut buffer = CommandBuffer::new();
    let pending = buffer.spawn(Number(1)).id();
    assert_unchanged(&mut world, |world| {
        assert!(pending.is_pending() && !world.contains(pending));
        assert_eq!(world.despawn(pending).unwrap_err().why, Missing::Pending);
        assert_eq!(world.insert(pending, Enemy).unwrap_err().code(), "no-such-entity");
        assert_eq!(world.get::<Number>(pending).unwrap_err().code(), "no-such-entity");
        assert!(world.query::<Entity, ()>().get(pending).is_err());
    });
}

/// What a command in the middle of a buffer does.
type Fault = fn(&mut CommandBuffer, &Count, Entity);

/// Panics when the entities inside of it are mapped.
#[derive(Component)]
#[component(opaque, entities)]
struct Unmappable(#[expect(dead_code, reason = "kept for its destructor")] Held);

impl tickweave::entity::MapEntities for Unmappable {
    fn map_entities(&mut self, _: &mut dyn EntityMapper) {
        panic!("a mapper that panics");
    }
}

#[test]
fn what_came_before_a_panic_in_a_merge_is_applied_the_rest_dropped_once_and_nobody_is_left_reserved() {
    let faults: [(&str, usize, Fault); 7] = [
        ("a closure that panics", 1, |buffer, _, _| buffer.queue(|_| panic!("a closure that panics"))),
        ("a closure that panics", 1, |buffer, count, target| {
            let inside = count.held();
            buffer.entity(target).queue(move |_| {
                let _inside = inside;
                panic!("a closure that panics")
            });
        }),
        ("a destructor that panics", 0, |buffer, _, target| buffer.despawn(target)),
        ("a destructor that panics", 0, |buffer, _, target| buffer.remove::<(Held, Number)>(target)),
        ("a destructor that panics", 1, |buffer, count, target| buffer.insert(target, count.held())),
        ("a mapper that panics", 1, |buffer, count, target| buffer.insert(target, Unmappable(count.held()))),
        ("a mapper that panics", 1, |buffer, count, _| {
            buffer.spawn(Unmappable(count.held()));
        }),
    ];
    for (words, left, fault) in faults {
        let (mut world, count) = (tiny(), Count::default());
        let fused = world.spawn((count.fused(), Number(1)));
        let mut buffer = CommandBuffer::new();
        let first = buffer.spawn((count.held(), Number(2))).id();
        buffer.insert(first, Parent(first));
        fault(&mut buffer, &count, fused);
        let second = buffer.spawn((count.held(), Number(3))).insert(Enemy).id();
        buffer.insert(first, (Watched(1), Parent(second), count.held()));
        buffer.queue(|world| world.clear());
        assert_panics(words, || buffer.apply(&mut world));
        let numbers: Vec<u32> = world.query::<&Number, ()>().iter_sorted_by_entity().map(|number| number.0).collect();
        assert_eq!(*numbers.last().unwrap(), 2, "what came before is applied");
        let parent = world.query::<(Entity, &Parent), ()>().single().map(|(entity, parent)| entity == parent.0);
        assert_eq!(parent, Ok(true), "handles inside were made real");
        assert_eq!(world.query::<Entity, Or<(With<Watched>, With<Enemy>)>>().count(), 0, "what came after is not");
        assert_eq!(count.alive(), 1 + left, "{words}: the one spawned, and what the fault leaves in the world");
        assert!(buffer.is_empty());
        let again = buffer.spawn(Number(9)).id();
        buffer.insert(again, Enemy);
        assert_eq!(buffer.apply(&mut world).applied, 2, "the buffer can be used again");
        assert_whole_but_fused(world, &count);
    }
}

/// As `assert_whole`, for a world with a value that must not be dropped.
#[track_caller]
fn assert_whole_but_fused(mut world: World, count: &Count) {
    for mut held in world.query_mut::<Write<Held>, ()>() {
        held.panics = false;
    }
    assert_whole(&mut world);
    drop(world);
    assert_eq!(count.alive(), 0);
}

#[test]
fn a_despawned_pending_entity_refuses_what_comes_after_and_its_slot_is_free() {
    let (mut world, count) = (tiny(), Count::default());
    let mut buffer = CommandBuffer::new();
    let short = buffer.spawn(count.held()).id();
    buffer.despawn(short);
    buffer.insert(short, Enemy);
    buffer.spawn(Parent(short));
    let report = buffer.apply(&mut world);
    assert_eq!((report.applied, report.refused), (3, 1));
    assert_eq!(report.refusals[0].reason.code(), "no-such-entity");
    let parent = world.query::<&Parent, ()>().single().unwrap().0;
    assert!(!parent.is_pending() && !world.contains(parent), "a real handle of an entity that is gone");
    assert_eq!(world.spawn(()).slot(), parent.slot());
    assert_eq!(count.alive(), 0);
}

#[test]
fn a_handle_of_a_buffer_names_nothing_however_many_others_spawned_since() {
    let mut world = World::builder().with_component::<Number>().build().unwrap();
    let mut buffer = CommandBuffer::new();
    let old = buffer.spawn(Number(1)).id();
    buffer.apply(&mut world);
    for _ in 0..1 << 20 {
        assert_ne!(CommandBuffer::new().spawn(()).id(), old);
    }
    for _ in 0..1000 {
        let new = buffer.spawn(Number(2)).id();
        buffer.despawn(old);
        buffer.despawn(new);
        let report = buffer.apply(&mut world);
        assert_eq!((report.applied, report.refused), (2, 1));
        assert_eq!(report.refusals[0].reason.code(), "pending-unknown");
    }
    assert_eq!(world.query::<&Number, ()>().single().unwrap().0, 1);
}

#[test]
fn every_one_of_thousands_of_handles_of_a_round_names_its_own_entity() {
    let mut world = World::builder().with_component::<Number>().build().unwrap();
    let mut buffer = CommandBuffer::new();
    for round in 0..3 {
        let handles: Vec<Entity> = (0..1500).map(|_| buffer.spawn(()).id()).collect();
        for (handle, health) in handles.into_iter().zip(0..) {
            buffer.insert(handle, Number(health));
        }
        assert_eq!(buffer.apply(&mut world).refused, 0);
        let found: Vec<_> =
            world.query::<&Number, ()>().into_iter().skip(1500 * round).map(|health| health.0).collect();
        assert!(found.iter().copied().eq(0..1500), "round {round}");
    }
}
