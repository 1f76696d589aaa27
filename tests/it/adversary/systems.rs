//! Odd systems and odd schedules.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tickweave::prelude::*;

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Age(u32);

#[derive(Clone, StateValue, Resource)]
struct Score(u32);

fn raise(mut score: ResMut<Score>, mut calls: Local<u32>) {
    *calls += 1;
    score.0 += *calls;
}

#[test]
fn one_function_in_two_schedules_and_twice_in_one_remembers_for_each_place() {
    let mut world = World::new();
    world.insert_resource(Score(0));
    let (mut one, mut two) = (crate::serial(), crate::serial());
    one.chain((raise, raise));
    let again = two.add(raise);
    for _ in 0..3 {
        one.run(&mut world).unwrap();
        two.run(&mut world).unwrap();
    }
    assert_eq!(world.resource::<Score>().unwrap().0, 3 * (1 + 2 + 3));
    two.remove(again);
    two.add(raise);
    two.run(&mut world).unwrap();
    assert_eq!(world.resource::<Score>().unwrap().0, 18 + 1, "a system that comes back is a new one");
}

#[test]
fn a_chain_goes_on_over_a_link_that_is_disabled_or_skipped_and_is_cut_where_one_is_removed() {
    let mut world = World::new();
    world.insert_resource(Score(0));
    let mut schedule = crate::serial();
    let add = |by: u32| move |mut score: ResMut<Score>| score.0 = score.0 * 10 + by;
    let links = schedule.chain((
        add(1).named("one"),
        add(2).named("two").disabled(),
        add(3).named("three").run_if(|| false),
        add(4).named("four"),
    ));
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Score>().unwrap().0, 14);
    assert!(schedule.remove(links[1]));
    schedule.set_enabled(links[1], true);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Score>().unwrap().0, 1414);
}

#[test]
fn a_condition_that_panics_fails_the_tick_at_its_system_and_drops_what_was_recorded() {
    let mut world = World::new();
    world.ensure_component::<Age>().unwrap();
    let mut schedule = crate::serial();
    schedule.add(|mut commands: Commands| _ = commands.spawn(Age(1)));
    let panics = |tick: Tick| -> bool { panic!("asked in tick {}", tick.0) };
    schedule.add((|| ()).named("never").run_if(panics));
    let error = schedule.run(&mut world).unwrap_err();
    assert_eq!((error.code(), world.len()), ("system-panic", 0));
    assert!(error.to_string().contains("never") && error.to_string().contains("asked in tick 1"), "{error}");
}

#[test]
fn a_system_that_fails_after_it_recorded_changes_nothing_by_its_commands_also_later() {
    let drops = Arc::new(AtomicU32::new(0));
    struct Count(Arc<AtomicU32>);
    impl Drop for Count {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let mut world = World::new();
    let mut schedule = crate::serial();
    let counted = Arc::clone(&drops);
    let id = schedule.add(move |mut commands: Commands| -> Result<(), &'static str> {
        let count = Count(Arc::clone(&counted));
        commands.spawn(());
        commands.queue(move |_| drop(count));
        Err("after it recorded")
    });
    schedule.run(&mut world).unwrap_err();
    assert_eq!((drops.load(Ordering::Relaxed), world.len()), (1, 0));
    world.clear_torn();
    schedule.set_enabled(id, false);
    schedule.run(&mut world).unwrap();
    assert_eq!((drops.load(Ordering::Relaxed), world.len(), schedule.report().applied), (1, 0, 0));
}

#[test]
fn a_thousand_systems_with_odd_names_run_in_order_and_are_explained_on_lines_of_their_own() {
    let mut world = World::new();
    world.insert_resource(Score(0));
    let mut schedule = crate::serial();
    schedule.set_max_systems(1000);
    for number in 0..1000u32 {
        let check = move |mut score: ResMut<Score>| {
            assert_eq!(score.0, number);
            score.0 += 1;
        };
        schedule.add(check.named(format!("{number}\n\u{1b}[31m\"]}}`--> \u{202e}\0")));
    }
    schedule.run(&mut world).unwrap();
    let plan = schedule.plan().unwrap();
    for text in [schedule.explain(), plan.explain().dot(), plan.explain().mermaid(), plan.explain().json()] {
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "a control character came through");
    }
    assert_eq!(plan.hash(), schedule.plan().unwrap().hash());
}
