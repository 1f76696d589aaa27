//! Reads of other entities by their handles, in systems of every shape that has parameters.

use super::kit::{A, B, C, Link, T, Tag, small_world, spawn, values};
use tickweave::prelude::*;
use tickweave::schedule::BindError;
use tickweave::system::{ParamError, Shape, SystemId};

/// A world in which entity `n` of twenty has `A(n)`, `B(0)` and a link to the entity in front of it, the first to the last.
fn ring(world: &mut World) -> Vec<Entity> {
    let entities = world.spawn_batch((0..20).map(|n| (A(n), B(0))));
    for (place, &entity) in entities.iter().enumerate() {
        world.insert(entity, Link(entities[(place + 19) % 20])).unwrap();
    }
    entities
}

fn follow(b: &mut B, link: &Link, all: Lookup<&A>) {
    b.0 = all.get(link.0).map_or(-1, |a| a.0);
}

fn follow_in_slices(b: &mut [B], links: &[Link], all: Lookup<&A>) {
    for (b, link) in b.iter_mut().zip(links) {
        b.0 = all.get(link.0).map_or(-1, |a| a.0);
    }
}

fn follow_in_a_loop(mut rows: Query<(&mut B, &Link)>, all: Lookup<&A>) {
    rows.par_for_each(|(b, link)| b.0 = all.get(link.0).map_or(-1, |a| a.0));
}

/// What `B` is after a run of one system on the ring.
fn found<M>(system: impl IntoSystemConfig<M>) -> Vec<i32> {
    let mut world = small_world();
    ring(&mut world);
    let mut schedule = crate::serial();
    schedule.add(system);
    schedule.run(&mut world).unwrap();
    values::<B>(&world).into_iter().map(|b| b.0).collect()
}

#[test]
fn rows_slices_and_queries_read_other_entities_by_their_handles() {
    let expected: Vec<i32> = [19].into_iter().chain(0..19).collect();
    assert_eq!(found(each(follow)), expected);
    assert_eq!(found(chunk(follow_in_slices)), expected);
    assert_eq!(found(follow_in_a_loop), expected);
}

#[test]
fn several_lookups_of_several_terms_stand_side_by_side() {
    type Both<'a> = (&'a A, Option<&'a C>);
    let system = |b: &mut B, link: &Link, both: Lookup<Both>, links: Lookup<(&Link, Has<Tag>)>, own: &A| {
        let (next, tagged) = links.get(link.0).unwrap();
        let (a, c) = both.get(next.0).unwrap();
        assert_eq!((tagged, c), (false, None));
        b.0 = own.0 - a.0;
    };
    assert_eq!(found(each(system))[..4], [-18, -18, 2, 2]);
    let nested = |mut rows: Query<(&mut B, &Link)>, (one, other): (Lookup<&A>, Lookup<(&A, &Link)>)| {
        rows.for_each(|(b, link)| b.0 = one.get(link.0).unwrap().0 - other.get(link.0).unwrap().0.0);
    };
    assert_eq!(found(nested), [0; 20]);
}

#[test]
fn a_handle_that_is_stale_pending_or_of_an_entity_without_the_component_is_refused() {
    let mut world = small_world();
    let [rich, poor, dead] = [world.spawn(A(1)), world.spawn(B(1)), world.spawn(A(2))];
    world.despawn(dead).unwrap();
    let heir = world.spawn(A(3));
    assert_eq!(heir.slot(), dead.slot());
    let mut schedule = crate::serial();
    schedule.add(move |lookup: Lookup<&A>, mut commands: Commands| {
        let pending = commands.spawn(A(4)).id();
        let code = |entity| lookup.get(entity).map_err(|error| error.code());
        assert_eq!([rich, heir].map(code), [Ok(&A(1)), Ok(&A(3))]);
        assert_eq!(
            [poor, dead, pending].map(code),
            [Err("query-mismatch"), Err("no-such-entity"), Err("no-such-entity")]
        );
        assert_eq!([rich, poor, dead, pending].map(|entity| lookup.contains(entity)), [true, false, false, false]);
    });
    schedule.run(&mut world).unwrap();
}

#[test]
fn a_handle_reaches_an_entity_that_a_component_hides_from_queries() {
    let mut world = World::builder().with_component::<A>().with_hidden_component::<Tag>().build().unwrap();
    let hidden = world.spawn((A(1), Tag));
    let mut schedule = crate::serial();
    schedule.add(move |lookup: Lookup<&A>, query: Query<&A>| {
        assert_eq!((lookup.get(hidden), query.count()), (Ok(&A(1)), 0));
    });
    schedule.run(&mut world).unwrap();
}

#[test]
fn a_type_that_is_not_registered_is_found_nowhere_until_it_is() {
    let mut world = World::builder().with_component::<A>().build().unwrap();
    world.spawn(A(0));
    let mut schedule = crate::serial();
    schedule.add(each(|a: &mut A, entity: Entity, all: Lookup<&B>| a.0 = all.get(entity).map_or(-1, |b| b.0)));
    schedule.run(&mut world).unwrap();
    assert_eq!(
        (values::<A>(&world), world.component_id::<B>()),
        (vec![A(-1)], None),
        "and the lookup registers nothing"
    );
    let last = world.spawn((A(0), B(7)));
    schedule.build(&mut world).unwrap();
    schedule.run(&mut world).unwrap();
    assert_eq!(world.get::<A>(last).unwrap(), &A(7));
}

/// What a build says to a system of this name.
#[track_caller]
fn refusal<M>(system: impl IntoSystemConfig<M>) -> (ParamError, String) {
    let mut schedule = crate::serial();
    schedule.add(system.named("mirrors"));
    let error = schedule.build(&mut small_world()).unwrap_err();
    let text = error.to_string();
    let BindError::Param { error, .. } = error else { panic!("not an error of a parameter: {text}") };
    (error, text)
}

#[track_caller]
fn refused<M>(system: impl IntoSystemConfig<M>, writes: &str) {
    let (error, text) = refusal(system);
    assert_eq!(error.code(), "lookup-of-written");
    let ParamError::LookupOfWritten { lookup, writer, data } = error else { panic!("{text}") };
    assert!(
        text.contains("`mirrors`") && text.contains(lookup) && text.contains(writer) && text.contains(&data),
        "{text}"
    );
    assert!(lookup.contains("Lookup<") && writer.contains(writes) && data.ends_with("kit::A"), "{text}");
}

fn mirror(a: &mut A, link: &Link, all: Lookup<&A>) {
    a.0 = all.get(link.0).map_or(0, |a| a.0);
}

#[test]
fn what_a_system_writes_it_does_not_look_up_and_the_refusal_names_system_parameters_and_type() {
    refused(each(mirror), "mirror");
    refused(each(|_: Lookup<&A>, _: Write<A>| {}), "closure");
    refused(each(|_: Option<&mut A>, _: Lookup<(&B, Option<&A>)>| {}), "closure");
    refused(each(|_: &mut A, _: Lookup<(&A, &B)>| {}).filter::<Without<B>>(), "closure");
    refused(chunk(|_: &mut [A], _: Lookup<&B>, _: Lookup<&A>| {}), "closure");
    refused(|_: Lookup<&A>, _: Query<&mut A, With<B>>| {}, "Query<");
    refused(|_: Query<(&B, &mut A)>, _: (Tick, Lookup<&A>)| {}, "(&it");
}

#[test]
fn what_a_system_reads_or_only_names_it_may_look_up() {
    let accepted = |schedule: &mut Schedule| schedule.build(&mut small_world()).map(|_| ()).unwrap();
    let mut schedule = crate::serial();
    schedule.add(each(|_: &A, _: &mut B, _: Lookup<&A>, _: Lookup<&A>| {}));
    schedule.add(each(|_: &mut A, _: Lookup<Has<A>>| {}));
    schedule.add(|_: Query<&A>, _: Lookup<(&A, Entity)>, _: Query<&mut B>| {});
    accepted(&mut schedule);
}

fn edges(schedule: &mut Schedule, world: &mut World) -> Vec<(SystemId, SystemId)> {
    let plan = schedule.build(world).unwrap();
    plan.edges().iter().map(|edge| (edge.from, edge.to)).collect()
}

#[test]
fn a_gathering_system_is_ordered_against_every_writer_of_what_it_looks_up_whatever_the_filters() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let before = schedule.add(each(|_: &mut A| {}).filter::<Without<B>>().named("before"));
    let gathers = schedule.add(each(|_: &mut B, _: Lookup<&A>| {}).filter::<With<B>>().named("gathers"));
    let also = schedule.add(each(|_: &mut C, _: Lookup<(&A, &B)>| {}).filter::<Without<B>>().named("also"));
    let reads = schedule.add(each(|_: &A, _: &mut T| {}).filter::<With<B>>().named("reads"));
    let after = schedule.add(each(|_: Option<&mut A>| {}).filter::<(Without<B>, Without<Tag>)>().named("after"));
    let found = edges(&mut schedule, &mut world);
    assert_eq!(found, [(before, gathers), (gathers, also), (also, after)], "a reader with a filter needs no edge");
    assert_eq!([before, gathers, also, reads, after].map(SystemId::get), [1, 2, 3, 4, 5]);
    let text = schedule.explain().to_string();
    for line in [
        "`before` -> s2 `gathers`: conflict on A",
        "`gathers` -> s3 `also`: conflict on B",
        "`also` -> s5 `after`: conflict on A",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn systems_that_gather_the_same_are_in_no_order() {
    let mut schedule = crate::serial();
    schedule.add(each(|_: &mut B, _: Lookup<&A>| {}));
    schedule.add(each(|_: &mut C, _: Lookup<&A>| {}));
    schedule.add(|_: Query<&A>, _: Lookup<&A>| {});
    assert_eq!(edges(&mut schedule, &mut small_world()), []);
}

#[test]
fn a_plan_tells_who_gathers_and_what() {
    let mut world = small_world();
    let mut schedule = crate::serial();
    let ids =
        [schedule.add(each(follow)), schedule.add(follow_in_a_loop), schedule.add(each(|_: &mut B, _: &Link| {}))];
    let plan = schedule.build(&mut world).unwrap();
    assert_eq!(ids.map(|id| plan.spec(id).is_row_local()), [false, false, true]);
    assert_eq!(ids.map(|id| plan.spec(id).shape), [Shape::Each, Shape::Query, Shape::Each]);
    assert_eq!(ids.map(|id| plan.spec(id).access.lookups.len()), [1, 1, 0]);
    let explained = plan.explain();
    let text = explained.to_string();
    assert!(text.contains("`follow`: each, reads A Link, looks up A, writes B"), "{text}");
    assert!(explained.json().contains(r#""lookups": ["A"]"#));
}

#[test]
fn a_system_that_runs_once_looks_up_too() {
    let mut world = small_world();
    ring(&mut world);
    world.run_once(each(follow)).unwrap();
    assert_eq!(values::<B>(&world)[1], B(0));
    world
        .run_once(|rows: Query<(Entity, &B)>, all: Lookup<&A>, mut commands: Commands| {
            let least = rows.iter().min_by_key(|(entity, b)| (b.0, all.get(*entity).unwrap().0));
            spawn(&mut commands, A(least.unwrap().1.0));
        })
        .unwrap();
    assert_eq!(values::<A>(&world).len(), 21);
}
