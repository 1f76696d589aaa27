//! A pending handle that leaves the commands of its lane is found, in every build.

use super::kit::{A, B, Census, Link, Log, Tag, failure, small_world};
use tickweave::executor::Cause;
use tickweave::prelude::*;

#[derive(Component, Clone, Copy, Debug, PartialEq)]
#[repr(C)]
struct Squad {
    name: u64,
    members: [Option<Entity>; 3],
}

#[derive(Component, MapEntities)]
#[component(opaque, entities)]
struct Party(Vec<Entity>);

#[derive(Clone, Default, StateValue, Resource)]
struct Target(Option<Entity>);

#[derive(Clone, StateValue, Resource)]
struct Late(Entity);

fn world() -> World {
    let mut world = small_world();
    world.register_component::<Squad>().unwrap();
    world.register_component::<Party>().unwrap();
    world.insert_resource(Target(None));
    world
}

/// Runs a system that lets a pending handle escape; returns where it was found.
#[track_caller]
fn escaped<M>(world: &mut World, system: impl IntoSystemConfig<M>) -> (String, Option<Entity>) {
    let (log, entities) = (Log::default(), world.len());
    let mut schedule = crate::serial();
    schedule.add(log.system("before"));
    schedule.add(system.named("leaky"));
    schedule.add(log.system("after"));
    let failure = failure(schedule.run(world));
    assert_eq!((failure.system.as_str(), failure.cause.code()), ("leaky", "pending-escaped"));
    assert_eq!((log.take().as_str(), world.len()), ("before", entities));
    assert!(world.torn().unwrap().contains("leaky"));
    match failure.cause {
        Cause::PendingEscaped { holder, owner } => (holder, owner),
        other => panic!("{other}"),
    }
}

#[test]
fn in_a_data_component_it_is_found_with_type_and_entity() {
    let mut world = world();
    let first = world.spawn(Link(Entity::from_bits(1 << 32).unwrap()));
    let links = world.spawn_batch([Link(first), Link(first), Link(first)]);
    let system = move |mut rows: Query<&mut Link>, mut commands: Commands| {
        rows.get_mut(links[1]).unwrap().0 = commands.spawn(A(0)).id();
    };
    let (holder, owner) = escaped(&mut world, system);
    assert!(holder.ends_with("Link"));
    assert_eq!(owner.map(|e| e.slot()), Some(2));
}

#[test]
fn behind_an_offset_of_a_struct_and_an_array_it_is_found() {
    let mut world = world();
    let squad = world.spawn(Squad { name: u64::MAX, members: [None; 3] });
    let system = |squad: &mut Squad, mut commands: Commands| squad.members[2] = Some(commands.spawn(A(0)).id());
    let (holder, owner) = escaped(&mut world, each(system));
    assert!(holder.ends_with("Squad"));
    assert_eq!(owner, Some(squad));
}

#[test]
fn in_a_component_written_through_write_or_as_a_slice_it_is_found() {
    let mut world = world();
    let squad = world.spawn(Squad { name: 0, members: [None; 3] });
    let through_write = |mut squad: Write<Squad>, mut commands: Commands| {
        squad.members[0] = Some(commands.spawn(A(0)).id());
    };
    assert_eq!(escaped(&mut world, each(through_write)).1, Some(squad));
    world.clear_torn();
    world.get_mut::<Squad>(squad).unwrap().members = [None; 3];
    let slices = |squads: &mut [Squad], mut commands: Commands| squads[0].members[1] = Some(commands.spawn(A(0)).id());
    assert_eq!(escaped(&mut world, chunk(slices)).1, Some(squad));
}

#[test]
fn in_an_opaque_component_it_is_found_through_its_hook() {
    let mut world = world();
    let party = world.spawn(Party(vec![]));
    let system = |mut parties: Query<&mut Party>, mut commands: Commands| {
        parties.for_each(|party| party.0.push(commands.spawn(A(0)).id()));
    };
    let (holder, owner) = escaped(&mut world, system);
    assert!(holder.ends_with("Party"));
    assert_eq!(owner, Some(party));
}

#[test]
fn in_a_resource_it_is_found_by_the_name_of_the_resource() {
    let system = |mut target: ResMut<Target>, mut commands: Commands| target.0 = Some(commands.spawn(A(0)).id());
    let (holder, owner) = escaped(&mut world(), system);
    assert!(holder.contains("Target"), "{holder}");
    assert_eq!(owner, None);
}

#[test]
fn in_a_local_it_is_found_by_the_place_of_the_local() {
    let system = |_: Local<u8>, mut last: Local<Option<Entity>>, mut commands: Commands| {
        *last = Some(commands.spawn(A(0)).id());
    };
    let (holder, owner) = escaped(&mut world(), system);
    assert_eq!((holder.as_str(), owner), ("local 2 of system 2 of schedule 1", None));
}

#[test]
fn an_exclusive_system_is_looked_through_whole() {
    let mut world = world();
    let row = world.spawn(B(0));
    let component = move |world: &mut World, mut commands: Commands| {
        let pending = commands.spawn(A(0)).id();
        world.insert(row, Link(pending)).unwrap();
    };
    let (holder, owner) = escaped(&mut world, component);
    assert!(holder.ends_with("Link"));
    assert_eq!(owner, Some(row));
    world.clear_torn();
    world.remove::<Link>(row).unwrap();
    let resource = |world: &mut World, mut commands: Commands| {
        world.resource_mut::<Target>().unwrap().0 = Some(commands.spawn(A(0)).id());
    };
    assert!(escaped(&mut world, resource).0.contains("Target"));
    world.clear_torn();
    world.remove_resource::<Target>();
    let new_resource = |world: &mut World, mut commands: Commands| {
        world.insert_resource(Late(commands.spawn(A(0)).id()));
    };
    assert!(escaped(&mut world, new_resource).0.contains("Late"));
}

#[test]
fn a_script_is_looked_through_where_it_declared_to_write() {
    let mut world = world();
    let row = world.spawn(Squad { name: 0, members: [None; 3] });
    let body = |world: &mut DynamicWorld<'_>| {
        let pending = world.commands()?.spawn(A(0)).id();
        world.query_mut::<&mut Squad, ()>()?.for_each(|squad| squad.members[0] = Some(pending));
        Ok::<(), SystemError>(())
    };
    let script = DynamicSystem::new("leaky", body).writes::<Squad>().records_commands();
    assert_eq!(escaped(&mut world, script).1, Some(row));
}

#[test]
fn pending_handles_inside_of_commands_are_legal_and_become_real() {
    let mut world = world();
    let mut schedule = crate::serial();
    let census = Census::default();
    world.ensure_component::<super::kit::Counted>().unwrap();
    let born = census.clone();
    schedule.add(move |mut commands: Commands, mut target: ResMut<Target>, mut count: Local<u32>| {
        let leader = commands.spawn((A(1), born.born())).id();
        let member = commands.spawn(Link(leader)).insert(Tag).id();
        commands.insert(leader, Squad { name: 1, members: [Some(member), None, Some(leader)] });
        commands.spawn(Party(vec![leader, member]));
        *count += 1;
        target.0 = None;
    });
    schedule.run(&mut world).unwrap();
    assert_eq!((schedule.report().refused, census.living()), (0, 1));
    let leader = world.query::<Entity, With<A>>().single().unwrap();
    let member = world.query::<Entity, With<Tag>>().single().unwrap();
    assert_eq!(world.get::<Link>(member).unwrap(), &Link(leader));
    assert_eq!(world.get::<Squad>(leader).unwrap().members, [Some(member), None, Some(leader)]);
    assert_eq!(world.query::<&Party, ()>().single().unwrap().0, [leader, member]);
}

#[test]
fn real_handles_written_beside_a_spawn_are_legal() {
    let mut world = world();
    let real = world.spawn(A(0));
    let rows = world.spawn_batch((0..20).map(|_| Link(real)));
    let mut schedule = crate::serial();
    schedule.add(move |mut links: Query<&mut Link>, mut target: ResMut<Target>, mut commands: Commands| {
        links.for_each(|link| link.0 = rows[3]);
        target.0 = Some(rows[4]);
        commands.spawn(A(1));
    });
    schedule.run(&mut world).unwrap();
    assert_eq!(world.len(), 22);
}

#[test]
fn a_pending_handle_of_an_earlier_tick_names_nothing_and_its_command_is_refused() {
    let mut world = world();
    let kept = std::sync::Arc::new(std::sync::Mutex::new(None));
    let mut schedule = crate::serial();
    schedule.add(move |mut commands: Commands| {
        let stale = kept.lock().unwrap().replace(commands.spawn(A(0)).id());
        if let Some(stale) = stale {
            commands.insert(stale, B(1));
        }
    });
    schedule.run(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(schedule.report().refusals[0].reason.code(), "pending-unknown");
    assert_eq!((world.len(), world.query::<&B, ()>().count()), (2, 0));
}

#[test]
fn a_closure_that_captures_a_pending_handle_gets_no_entity_by_it() {
    let mut world = world();
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| {
        let pending = commands.spawn(A(1)).id();
        commands.queue(move |world| {
            assert!(pending.is_pending() && !world.contains(pending));
            assert_eq!(world.get::<A>(pending).unwrap_err().code(), "no-such-entity");
            assert_eq!(world.despawn(pending).unwrap_err().code(), "no-such-entity");
        });
        commands.entity(pending).queue(|real| assert!(!real.id().is_pending()));
    });
    schedule.run(&mut world).unwrap();
    assert_eq!((schedule.report().applied, world.len()), (3, 1));
}
