//! Which parameters a system may have together (accepted or refused when the schedule is built, both named).

#![expect(clippy::type_complexity, reason = "filters that are not simple are what is tested")]

use super::kit::{A, B, C, Link, Score, T, Tag, small_world};
use tickweave::prelude::*;
use tickweave::schedule::BindError;
use tickweave::system::ParamError;

/// A value that is a component and a resource.
#[derive(Component, Clone, Copy, Resource)]
#[repr(C)]
struct Twin(u32);

#[derive(QueryRow)]
#[expect(dead_code, reason = "only what it touches is looked at")]
struct Row<'w> {
    a: &'w mut A,
    b: &'w B,
}

/// What a build says to a system that is alone in its schedule.
fn build<M>(system: impl IntoSystemConfig<M>) -> Result<(), ParamError> {
    let mut world = small_world();
    world.register_component::<Twin>().unwrap();
    let mut schedule = crate::serial();
    schedule.add(system);
    match schedule.build(&mut world) {
        Ok(_) => Ok(()),
        Err(BindError::Param { error, .. }) => Err(error),
        Err(other) => panic!("not an error of a parameter: {other}"),
    }
}

#[track_caller]
fn accepted<M>(system: impl IntoSystemConfig<M>) {
    assert_eq!(build(system), Ok(()));
}

/// Two parameters clash on some data; their names hold `first` and `second`.
#[track_caller]
fn clash<M>(system: impl IntoSystemConfig<M>, first: &str, second: &str, data: &str) {
    let error = build(system).unwrap_err();
    assert_eq!(error.code(), "param-clash");
    let text = error.to_string();
    let ParamError::Clash { first: a, second: b, data: on } = error else { panic!("not two parameters: {text}") };
    assert!(a.contains(first) && b.contains(second) && on.ends_with(data), "{text}");
    assert!(text.contains(a) && text.contains(b) && text.contains(data), "{text}");
}

/// One parameter names a component twice.
#[track_caller]
fn clash_inside<M>(system: impl IntoSystemConfig<M>, component: &str) {
    let error = build(system).unwrap_err();
    assert!(matches!(&error, ParamError::ClashInParam { component: on, .. } if on.ends_with(component)), "{error}");
}

#[test]
fn two_queries_that_can_meet_on_written_data_are_refused_and_both_are_named() {
    clash(|_: Query<&mut A>, _: Query<&mut A>| {}, "&mut it::systems::kit::A", "&mut it::systems::kit::A", "A");
    clash(|_: Query<&A>, _: Query<&mut A>| {}, "&it", "&mut it", "A");
    clash(|_: Query<&mut A>, _: Query<&A>| {}, "&mut it", "&it", "A");
    clash(|_: Query<Write<A>>, _: Query<&A>| {}, "Write", "&it", "A");
    clash(|_: Query<Option<&mut A>>, _: Query<&A>| {}, "Option", "&it", "A");
    clash(|_: Query<&mut A>, _: Query<Option<&A>>| {}, "&mut", "Option", "A");
    clash(|_: Query<(&mut A, &B)>, _: Query<(&C, &A)>| {}, "&mut", "C", "A");
    clash(|_: Query<&mut A, With<B>>, _: Query<&A, With<C>>| {}, "With<it::systems::kit::B>", "kit::C", "A");
    clash(|_: Query<&mut A, With<B>>, _: Query<&A, Or<(Without<B>,)>>| {}, "With", "Or<", "A");
    clash(|_: Query<&mut A, Or<(With<B>, With<C>)>>, _: Query<&A, Without<B>>| {}, "Or<", "Without", "A");
    clash(|_: Query<&mut T>, _: Query<Entity, Changed<T>>| {}, "&mut", "Changed", "T");
    clash(|_: Query<Entity, Added<T>>, _: Query<&mut T>| {}, "Added", "&mut", "T");
    clash(|_: Query<&mut A>, _: Query<Entity, ChunkChanged<A>>| {}, "&mut", "ChunkChanged", "A");
    clash(|_: Query<Row>, _: Query<&A>| {}, "Row", "&it", "A");
    clash(|_: Query<(Entity, (Row,))>, _: Query<Row>| {}, "Row", "Row", "A");
    clash(|_: Query<&mut A>, (_, _): (Tick, Query<&A>)| {}, "&mut", "&it", "A");
    clash(|_: (Query<&B>, Query<&A>), _: (Query<&mut A>,)| {}, "&it", "&mut", "A");
    clash(|_: Query<Option<&mut A>, With<B>>, _: Query<(&A, &B)>| {}, "Option", "B", "A");
}

#[test]
fn queries_that_only_read_or_that_filters_keep_apart_are_accepted() {
    accepted(|_: Query<&A>, _: Query<&A>| {});
    accepted(|_: Query<&mut A>, _: Query<&mut B>| {});
    accepted(|_: Query<&mut A, With<B>>, _: Query<&mut A, Without<B>>| {});
    accepted(|_: Query<(&mut A, &B)>, _: Query<&mut A, Without<B>>| {});
    accepted(|_: Query<(&mut A, &mut B)>, _: Query<&mut A, (Without<B>, With<C>)>| {});
    accepted(|_: Query<&mut A, Without<A>>, _: Query<&A>| {});
    accepted(|_: Query<Row>, _: Query<&A, Without<B>>| {});
    accepted(|_: Query<&mut A>, _: Query<Has<A>>| {});
    accepted(|_: Query<&mut A>, _: Query<Entity, With<A>>| {});
    accepted(|_: Query<&mut A>, _: Query<Entity, Without<A>>| {});
    accepted(|_: Query<(&mut T, Has<T>), Changed<T>>| {});
    accepted(|_: Query<&mut T>, _: Removed<T>| {});
    accepted(|_: Query<Entity>, _: Query<&mut A>| {});
    accepted(|_: Query<(&mut A, Option<&B>)>, _: Query<&B, Without<A>>| {});
    accepted(|_: Query<(&mut T, &A), With<Tag>>, _: Query<Entity, (Changed<T>, Without<Tag>)>| {});
    accepted(|_: Query<&mut Link>, _: Commands| {});
}

#[test]
fn one_query_names_what_it_writes_once() {
    clash_inside(|_: Query<(&mut A, &mut A)>| {}, "A");
    clash_inside(|_: Query<(&A, &mut A)>| {}, "A");
    clash_inside(|_: Query<(Option<&mut A>, &A)>| {}, "A");
    clash_inside(|_: Query<(Option<&mut A>, Option<&mut A>)>| {}, "A");
    clash_inside(|_: Query<(Row, &A)>| {}, "A");
    clash_inside(|_: Query<(Write<A>, &A)>| {}, "A");
    clash_inside(|_: Query<(&B, (&A, &mut A))>| {}, "A");
    clash_inside(each(|_: &mut A, _: &A| {}), "A");
    clash_inside(chunk(|_: &mut [A], _: &[A]| {}), "A");
    accepted(|_: Query<(&A, &A)>| {});
    accepted(each(|_: &A, _: &A, _: Option<&A>| {}));
}

#[test]
fn resources_clash_like_components_whether_optional_or_not() {
    clash(|_: Res<Score>, _: ResMut<Score>| {}, "Res<", "ResMut<", "Score");
    clash(|_: ResMut<Score>, _: ResMut<Score>| {}, "ResMut<", "ResMut<", "Score");
    clash(|_: Option<ResMut<Score>>, _: Res<Score>| {}, "Option<", "Res<", "Score");
    clash(|_: Option<Res<Score>>, _: Option<ResMut<Score>>| {}, "Option<", "ResMut<", "Score");
    clash(|_: (Tick, Res<Score>), _: ResMut<Score>| {}, "Res<", "ResMut<", "Score");
    accepted(|_: Res<Score>, _: Res<Score>, _: Option<Res<Score>>| {});
    accepted(each(|_: &A, _: Res<Score>, _: Res<Score>| {}));
}

#[test]
fn a_component_and_a_resource_of_one_type_never_clash() {
    accepted(|_: Query<&mut Twin>, _: Res<Twin>| {});
    accepted(|_: Query<&Twin>, _: ResMut<Twin>| {});
    accepted(|_: Query<&mut Twin>, _: ResMut<Twin>| {});
    accepted(each(|_: &mut Twin, _: Res<Twin>| {}));
}

#[test]
fn a_system_has_one_lane_and_one_host_value_and_any_number_of_locals() {
    let twice = |error: Result<(), ParamError>| error.unwrap_err().code();
    assert_eq!(twice(build(|_: Commands, _: Commands| {})), "param-twice");
    assert_eq!(twice(build(each(|_: Commands, _: &A, _: Commands| {}))), "param-twice");
    assert_eq!(twice(build(|_: Host<u8>, _: Host<u8>| {})), "param-twice");
    assert_eq!(twice(build(|_: Host<u8>, _: Host<u16>| {})), "param-twice");
    accepted(|_: Local<u32>, _: Local<u32>, _: Local<Vec<u8>>| {});
}

#[test]
fn a_filter_on_a_type_that_is_not_registered_keeps_queries_apart_too() {
    #[derive(Component)]
    struct Unmet;
    accepted(|_: Query<&mut A, With<Unmet>>, _: Query<&mut A, Without<Unmet>>| {});
    accepted(|_: Query<(&mut A, &T), Changed<T>>, _: Query<&mut A, Without<T>>| {});
    clash(|_: Query<&mut A, Without<Unmet>>, _: Query<&A>| {}, "Without", "&it", "A");
    clash(|_: Query<&mut A, Or<(With<Unmet>, With<B>)>>, _: Query<&A>| {}, "Or", "&it", "A");
}
