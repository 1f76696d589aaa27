//! Random numbers: keyed by seed and name, whoever else draws; where a stream stands is state.

use tickweave::rng::Stream;

use super::kit::{A, B, failed, failure, small_world, spawn, values};
use tickweave::prelude::*;
use tickweave::system::SystemConfig;
use tickweave::world::WorldBuilder;

fn builder() -> WorldBuilder {
    World::builder().chunk_rows(8).batch_rows(4).with_component::<A>().with_component::<B>()
}

/// What the systems of a world drew.
#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
struct Drawn(Vec<u32>);

fn seeded(seed: u64) -> World {
    let mut world = builder().seed(seed).build().unwrap();
    world.insert_resource(Drawn::default());
    world
}

fn draw(mut drawn: ResMut<Drawn>, mut rng: Rng) {
    drawn.0.push(rng.next_u32());
}

fn draw_by_row(a: &mut A, mut rng: Rng) {
    a.0 = rng.range(0..1_000_000);
}

/// What the system `draw` under the key `key` drew in each of some ticks of a schedule.
#[track_caller]
fn run(world: &mut World, ticks: u32, systems: impl IntoIterator<Item = SystemConfig>) -> Vec<u32> {
    let mut schedule = Schedule::new();
    for system in systems {
        schedule.add(system);
    }
    for _ in 0..ticks {
        schedule.run(world).unwrap();
    }
    std::mem::take(&mut world.resource_mut::<Drawn>().unwrap().0)
}

/// What keeps a schedule of these systems from being built.
#[track_caller]
fn refused(world: &mut World, systems: impl IntoIterator<Item = SystemConfig>) -> (&'static str, String) {
    let mut schedule = Schedule::new();
    for system in systems {
        schedule.add(system);
    }
    let before = world.dump();
    let error = schedule.run(world).unwrap_err();
    assert_eq!(world.dump().diff(&before), None, "the world is as it was");
    (error.code(), error.to_string())
}

fn sections(world: &World) -> usize {
    world.dump().lines().iter().filter(|line| line.path.contains(", stream ")).count()
}

#[test]
fn golden_draws_of_a_named_system() {
    let drawn = run(&mut seeded(42), 3, [draw.named("draw")]);
    let mut world = seeded(42);
    world.spawn_batch([A(0), A(0)]);
    run(&mut world, 1, [each(draw_by_row).named("row")]);
    assert_eq!(
        (drawn, values::<A>(&world)),
        (vec![3_523_659_648, 1_466_733_830, 1_346_507_489], vec![A(894_802), A(991_507)])
    );
}

#[test]
fn seed_and_key_decide_what_is_drawn() {
    let plain = run(&mut seeded(1), 4, [draw.named("draw")]);
    assert_eq!(run(&mut seeded(1), 4, [draw.named("draw")]), plain);
    assert_eq!(run(&mut seeded(1), 4, [draw.named("renamed").stream("draw")]), plain, "the key is what counts");
    assert_eq!(run(&mut seeded(1), 4, [draw.stream("draw")]), plain);
    assert_ne!(run(&mut seeded(2), 4, [draw.named("draw")]), plain);
    assert_ne!(run(&mut seeded(1), 4, [draw.named("other")]), plain);
    let mut host = Stream::new(1, "draw");
    assert_ne!((0..4).map(|_| host.next_u32()).collect::<Vec<_>>(), plain, "streams of the host are none of a system");
}

#[test]
fn other_systems_change_no_draw() {
    fn idle(_: Query<&A>) {}
    fn draws_too(mut rng: Rng) {
        rng.shuffle(&mut [1, 2, 3]);
    }
    let plain = run(&mut seeded(1), 4, [draw.named("draw")]);
    assert_eq!(run(&mut seeded(1), 4, [idle.named("idle"), draw.named("draw")]), plain);
    assert_eq!(run(&mut seeded(1), 4, [draws_too.named("too"), draw.named("draw"), idle.named("idle")]), plain);
    assert_eq!(run(&mut seeded(1), 4, [draw.named("draw"), draws_too.named("too")]), plain);
}

#[test]
fn a_stream_moves_only_when_its_system_runs_and_draws() {
    let plain = run(&mut seeded(1), 2, [draw.named("draw")]);
    assert_eq!(run(&mut seeded(1), 4, [draw.named("draw").every(2)]), plain);
    let second_and_third = |tick: Tick| [2, 3].contains(&tick.0);
    assert_eq!(run(&mut seeded(1), 5, [draw.named("draw").run_if(second_and_third)]), plain);

    let mut world = seeded(1);
    let mut schedule = Schedule::new();
    let id = schedule.add(draw.named("draw").disabled());
    schedule.run(&mut world).unwrap();
    schedule.set_enabled(id, true);
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Drawn>().unwrap().0, plain[..1]);
}

#[test]
fn a_stream_belongs_to_the_world_and_its_key_and_goes_on_under_another_schedule() {
    let plain = run(&mut seeded(1), 4, [draw.named("draw")]);
    let mut world = seeded(1);
    let mut drawn = run(&mut world, 2, [draw.named("draw")]);
    drawn.extend(run(&mut world, 1, [draw.stream("draw")]));
    assert_eq!(drawn, plain[..3]);

    let mut schedule = Schedule::new();
    let id = schedule.add(draw.named("draw"));
    schedule.build(&mut world).unwrap();
    schedule.remove(id);
    schedule.add(draw.named("draw"));
    schedule.run(&mut world).unwrap();
    assert_eq!(world.resource::<Drawn>().unwrap().0, plain[3..]);
}

#[test]
fn seed_and_streams_are_state_and_what_is_not_used_costs_nothing() {
    let hash = |world: &World| world.state_hash().unwrap();
    assert_eq!((seeded(1).seed(), World::new().seed()), (Some(1), None));
    assert_ne!(hash(&seeded(1)), hash(&seeded(2)));

    let mut world = seeded(1);
    run(&mut world, 1, [draw.named("draw")]);
    assert_eq!(sections(&world), 1);
    let after = |draws: u32| {
        let mut world = seeded(1);
        let system = move |mut rng: Rng| (0..draws).for_each(|_| _ = rng.next_u64());
        run(&mut world, 1, [system.named("draw")]);
        hash(&world)
    };
    assert_ne!(after(1), after(2), "where a stream stands is hashed");

    let mut world = seeded(1);
    world.spawn_batch([A(0); 3]);
    run(&mut world, 2, [each(draw_by_row).named("row"), (|| {}).stream("idle")]);
    assert_eq!(sections(&world), 0, "rows need no state, and a key that nobody draws under makes none");
}

#[test]
fn rows_draw_by_tick_and_entity_alone() {
    let drawn = |chunk_rows: u32, batch_rows: u32, before: usize| {
        let builder = World::builder().chunk_rows(chunk_rows).batch_rows(batch_rows).seed(9);
        let mut world = builder.build().unwrap();
        let rows = world.spawn_batch([A(0); 40]);
        for &entity in &rows[..before] {
            world.despawn(entity).unwrap();
        }
        let mut schedule = Schedule::new();
        schedule.add(each(draw_by_row).named("row"));
        schedule.run(&mut world).unwrap();
        let first: Vec<(Entity, A)> = rows_of(&world);
        schedule.run(&mut world).unwrap();
        assert!(
            first.iter().zip(rows_of(&world)).all(|(a, b)| a.0 == b.0 && a.1 != b.1),
            "another tick, other numbers"
        );
        first
    };
    let all = drawn(64, 16, 0);
    for (chunk_rows, batch_rows) in [(1, 1), (8, 2), (32, 32)] {
        assert_eq!(drawn(chunk_rows, batch_rows, 0), all);
    }
    let rest = drawn(8, 4, 11);
    assert!(rest.len() == 29 && rest.iter().all(|row| all.contains(row)), "other rows do not matter");
}

fn rows_of(world: &World) -> Vec<(Entity, A)> {
    let rows = world.query::<(Entity, &A), ()>();
    rows.iter().map(|(entity, a)| (entity, *a)).collect()
}

#[test]
fn an_each_system_and_a_loop_over_entities_draw_the_same() {
    fn by_loop(mut rows: Query<(Entity, &mut A)>, mut rng: Rng) {
        rng.next_u64();
        rows.par_for_each(|(entity, a)| a.0 = rng.for_entity(entity).range(0..1_000_000));
    }
    fn by_batch(mut rows: Query<(Entity, &mut A)>, rng: Rng) {
        rows.par_for_each_batch(|(entities, values)| {
            for (entity, a) in entities.iter().zip(values) {
                a.0 = rng.for_entity(*entity).range(0..1_000_000);
            }
        });
    }
    let drawn = |system: SystemConfig| {
        let mut world = seeded(5);
        world.spawn_batch([A(0); 20]);
        run(&mut world, 3, [system]);
        values::<A>(&world)
    };
    let expected = drawn(each(draw_by_row).stream("rows"));
    assert_eq!(drawn(by_loop.stream("rows")), expected);
    assert_eq!(drawn(by_batch.stream("rows")), expected);
    assert_eq!(
        drawn(
            each(|a: &mut A, entity: Entity, rng: Rng| {
                a.0 = rng.for_entity(entity).range(0..1_000_000);
            })
            .stream("rows")
        ),
        expected
    );
}

#[test]
fn a_system_that_draws_has_a_key_and_its_world_a_seed() {
    let (code, said) = refused(&mut seeded(1), [draw.into_config()]);
    assert_eq!(code, "stream-unkeyed");
    assert!(said.contains("system `draw`") && said.contains("`named`") && said.contains("`stream`"), "{said}");
    let (code, said) = refused(&mut seeded(1), [each(draw_by_row).into_config()]);
    assert_eq!((code, said.contains("system `draw_by_row`")), ("stream-unkeyed", true), "{said}");
    let mut world = small_world();
    world.insert_resource(Drawn::default());
    let (code, said) = refused(&mut world, [draw.named("draw")]);
    assert_eq!(code, "world-unseeded");
    assert!(said.contains("system `draw`") && said.contains("`seed`"), "{said}");
    assert_eq!(refused(&mut world, [each(draw_by_row).named("rows")]).0, "world-unseeded");
    assert_eq!(refused(&mut seeded(1), [draw.named("draw").stream("")]).0, "empty-stream");
}

#[test]
fn no_two_systems_of_a_schedule_draw_under_one_key() {
    let (code, said) = refused(&mut seeded(1), [draw.named("first"), draw.named("second").stream("first")]);
    assert_eq!(code, "stream-shared");
    assert!(said.contains("`first`") && said.contains("`second`") && said.contains("another key"), "{said}");
    let rows = each(draw_by_row).stream("draw");
    assert_eq!(refused(&mut seeded(1), [draw.named("draw"), rows]).0, "stream-shared", "rows too");
    let (code, _) = refused(&mut seeded(1), [draw.named("draw").disabled(), draw.stream("draw")]);
    assert_eq!(code, "stream-shared", "one that is disabled may be enabled");
    run(&mut seeded(1), 1, [draw.named("draw"), (|| {}).stream("draw")]);
}

#[test]
fn a_system_draws_through_one_parameter_in_a_schedule() {
    fn twice(_: Rng, _: Rng) {}
    fn nested(_: Rng, _: (Tick, Rng)) {}
    let (code, said) = refused(&mut seeded(1), [twice.named("twice")]);
    assert_eq!((code, said.contains("`Rng`")), ("param-twice", true), "{said}");
    assert_eq!(refused(&mut seeded(1), [nested.named("nested")]).0, "param-twice");
    let rows = each(|_: &A, _: Rng, _: Rng| {});
    assert_eq!(refused(&mut seeded(1), [rows.named("rows")]).0, "param-twice");
    let error = seeded(1).run_once(draw.named("draw")).unwrap_err();
    assert_eq!((error.code(), error.to_string().contains("`Stream`")), ("param-not-once", true), "{error}");
}

#[test]
fn a_stream_of_ones_own_lives_in_a_resource() {
    #[derive(Clone, StateValue, Resource)]
    struct Dice(Stream);
    let mut world = World::new();
    world.insert_resource(Dice(Stream::new(7, "dice")));
    let before = world.state_hash().unwrap();
    let roll = |mut dice: ResMut<Dice>, mut commands: Commands| spawn(&mut commands, A(dice.0.range(1..=6)));
    world.run_once(roll).unwrap();
    assert_eq!(values::<A>(&world), [A(Stream::new(7, "dice").range(1..=6))]);
    assert_ne!(world.state_hash().unwrap(), before);
}

#[test]
fn a_system_built_by_hand_draws_if_it_says_so() {
    let plain = run(&mut seeded(1), 2, [draw.named("draw")]);
    let by_hand = DynamicSystem::new("by hand", |world: &mut DynamicWorld<'_>| {
        let number = world.rng()?.next_u32();
        world.resource_mut::<Drawn>()?.0.push(number);
        Ok::<(), SystemError>(())
    });
    let by_hand = by_hand.writes_resource::<Drawn>().draws();
    assert_eq!(run(&mut seeded(1), 2, [by_hand.stream("draw")]), plain);

    let undeclared = DynamicSystem::new("by hand", |world: &mut DynamicWorld<'_>| {
        world.rng().map(|_| ()).map_err(SystemError::from)
    });
    let mut schedule = Schedule::new();
    schedule.add(undeclared.named("draw"));
    let failure = failure(schedule.run(&mut seeded(1)));
    assert!(failure.to_string().contains("random numbers") && failure.to_string().contains("`draws`"), "{failure}");
    let unnamed = DynamicSystem::new("by hand", |_: &mut DynamicWorld<'_>| {}).draws();
    assert_eq!(refused(&mut seeded(1), [unnamed.into_config()]).0, "stream-unkeyed");
}

#[test]
fn what_can_not_be_drawn_fails_the_tick_with_the_system_named() {
    fn pending(rng: Rng, mut commands: Commands) {
        let pup = commands.spawn(A(0)).id();
        assert_eq!(rng.for_entity(pup), rng.for_entity(pup));
    }
    let fails = |system: SystemConfig, said: &str| {
        let mut schedule = Schedule::new();
        schedule.add(system);
        let mut world = seeded(1);
        let failure = failure(schedule.run(&mut world));
        assert!(failure.to_string().contains(said), "{failure}");
        world.clear_torn();
        assert_eq!(failed(schedule.run(&mut world)), ("draw".to_owned(), 1, "system-panic"));
    };
    fails((|mut rng: Rng| assert!(rng.range(3..3) > 0)).named("draw"), "nothing to draw from the empty range 3..3");
    fails((|mut rng: Rng| assert!(rng.chance(1, 0))).named("draw"), "the denominator must be at least 1");
    fails(pending.named("draw"), "it is pending");
}

#[test]
fn a_plan_says_who_draws_and_under_which_key() {
    let mut schedule = Schedule::new();
    let id = schedule.add(draw.named("draw").stream("dice"));
    schedule.add((|| {}).named("idle").stream("unused"));
    let plan = schedule.build(&mut seeded(1)).unwrap().clone();
    assert_eq!((plan.spec(id).draws, plan.spec(id).stream_key()), (true, Some("dice")));
    let explained = plan.explain();
    assert!(explained.to_string().contains("draws from dice") && !explained.to_string().contains("unused"));
    assert!(explained.json().contains(r#""draws_from": "dice""#) && explained.json().contains(r#""draws_from": null"#));
}
