use proptest::prelude::*;
use tickweave::prelude::*;

use super::kit::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_world_comes_back_from_its_bytes_with_its_future(history in any_history(), other in any_history()) {
        let (mut world, mut schedule) = game();
        play(&mut world, &mut schedule, &history);
        let bytes = world.save().unwrap();
        let (mut fresh, fresh_schedule) = game();
        fresh.load(&bytes).unwrap();
        prop_assert_eq!(&fresh.save().unwrap(), &bytes);
        let (mut used, mut used_schedule) = game();
        play(&mut used, &mut used_schedule, &other);
        used.load(&bytes).unwrap();
        prop_assert_eq!(&used.save().unwrap(), &bytes);
        assert_same_future((fresh, fresh_schedule), (used, used_schedule));
        let (mut again, again_schedule) = game();
        again.load(&bytes).unwrap();
        assert_same_future((world, schedule), (again, again_schedule));
    }
}

#[test]
fn a_world_goes_back_in_place_as_often_as_one_likes() {
    let (mut world, mut schedule) = lived();
    let bytes = world.save().unwrap();
    let mut hashes = Vec::new();
    for _ in 0..3 {
        world.load(&bytes).unwrap();
        let tick = |_| {
            schedule.run(&mut world).unwrap();
            world.state_hash().unwrap()
        };
        hashes.push((0..5).map(tick).collect::<Vec<_>>());
    }
    assert_eq!(hashes[0], hashes[1]);
    assert_eq!(hashes[0], hashes[2]);
}

#[test]
fn what_belongs_to_the_host_stays() {
    let (mut world, _schedule) = lived();
    let bytes = world.save().unwrap();
    world.insert_resource(Window(7));
    world.load(&bytes).unwrap();
    assert_eq!(world.resource::<Window>().unwrap().0, 7);
    assert_eq!(world.resource::<Score>().unwrap().best.as_deref(), Some("wolf"));
}

/// Takes a resource out of a world.
type TakeOut = fn(&mut World) -> Option<u32>;

/// Two resources whose types have one name.
fn namesakes() -> (World, [TakeOut; 2]) {
    let mut world = World::new();
    let mut takes = Vec::<TakeOut>::new();
    {
        #[derive(Clone, StateValue, Resource)]
        struct Namesake(u32);
        world.insert_resource(Namesake(1));
        takes.push(|world| world.remove_resource::<Namesake>().map(|taken| taken.0));
    }
    {
        #[derive(Clone, StateValue, Resource)]
        struct Namesake(u32);
        world.insert_resource(Namesake(2));
        takes.push(|world| world.remove_resource::<Namesake>().map(|taken| taken.0));
    }
    (world, [takes[0], takes[1]])
}

#[test]
fn what_types_of_one_name_hold_comes_back_to_the_same_type() {
    for gone in [0, 1] {
        let (mut saved, takes) = namesakes();
        takes[gone](&mut saved);
        let bytes = saved.save().unwrap();
        let (mut loaded, takes) = namesakes();
        loaded.load(&bytes).unwrap();
        assert_eq!((loaded.state_hash(), loaded.save().unwrap()), (saved.state_hash(), bytes));
        let there = takes.map(|take| take(&mut loaded));
        assert_eq!(there, if gone == 0 { [None, Some(2)] } else { [Some(1), None] });
    }
}

#[test]
fn a_resource_that_was_not_there_is_gone_after_a_load() {
    let (mut world, _schedule) = game();
    let score = world.remove_resource::<Score>();
    let bytes = world.save().unwrap();
    world.insert_resource(score.unwrap());
    world.load(&bytes).unwrap();
    assert!(!world.has_resource::<Score>());
    assert_eq!(world.save().unwrap(), bytes);
}

#[test]
fn a_query_that_was_prepared_before_a_load_looks_at_the_archetypes_of_afterwards() {
    let mut one = World::builder().with_component::<Small>().with_component::<Mood>().build().unwrap();
    let mut two = World::builder().with_component::<Small>().with_component::<Mood>().build().unwrap();
    one.spawn(Mood::Calm);
    one.spawn(Small(1));
    two.spawn(Small(2));
    two.spawn(Mood::Calm);
    let mut prepared = PreparedQuery::<&Small, ()>::new();
    assert_eq!(prepared.query(&one).iter().collect::<Vec<_>>(), [&Small(1)]);
    one.load(&two.save().unwrap()).unwrap();
    assert_eq!(prepared.query(&one).iter().collect::<Vec<_>>(), [&Small(2)]);
}

#[derive(Component, Clone, Copy)]
#[repr(C)]
struct Late(u64);

#[derive(Clone, Default, StateValue, Resource)]
struct LateScore(u32);

#[test]
fn a_world_with_more_registrations_behind_those_of_the_save_takes_it() {
    fn late(mut runs: Local<u32>, mut score: ResMut<LateScore>, mut told: EventReader<Told>) {
        told.read().for_each(drop);
        *runs += 1;
        score.0 = *runs;
    }
    let (world, _schedule) = lived();
    let bytes = world.save().unwrap();
    let (mut more, mut schedule) = game();
    more.register_component::<Late>().unwrap();
    more.insert_resource(LateScore(7));
    let mut another = Schedule::new();
    another.add(late);
    another.build(&mut more).unwrap();
    another.run(&mut more).unwrap();
    more.load(&bytes).unwrap();
    assert_eq!(more.content_hash().unwrap(), world.content_hash().unwrap());
    assert!(!more.has_resource::<LateScore>());
    more.insert_resource(LateScore(0));
    another.run(&mut more).unwrap();
    assert_eq!(more.resource::<LateScore>().unwrap().0, 1, "the local began anew");
    schedule.build(&mut more).unwrap();
    schedule.run(&mut more).unwrap();
}

#[test]
fn a_torn_world_is_torn_when_it_comes_back_and_a_whole_one_is_whole() {
    fn fail() -> Result<(), String> {
        Err("on purpose".into())
    }
    let (whole, _schedule) = lived();
    let (mut torn, _schedule) = game();
    let mut bad = Schedule::new();
    bad.add(fail);
    let saved = whole.save().unwrap();
    bad.build(&mut torn).unwrap();
    bad.run(&mut torn).unwrap_err();
    let bytes = torn.save().unwrap();
    torn.load(&saved).unwrap();
    assert_eq!(torn.torn(), None);
    torn.load(&bytes).unwrap();
    assert!(torn.torn().is_some());
    assert_eq!(torn.save().unwrap(), bytes);
}

#[test]
fn bytes_are_saved_into_the_room_that_is_given() {
    let (world, _schedule) = lived();
    let mut bytes = vec![7; 3];
    world.save_into(&mut bytes).unwrap();
    assert_eq!(bytes, world.save().unwrap());
    let room = bytes.as_ptr();
    world.save_into(&mut bytes).unwrap();
    assert_eq!(bytes.as_ptr(), room);
}

#[test]
fn snapshots_and_saves_of_one_world_do_not_get_in_each_others_way() {
    let (mut world, mut schedule) = lived();
    let (snapshot, bytes) = (world.snapshot().unwrap(), world.save().unwrap());
    assert_eq!(snapshot.world().save().unwrap(), bytes, "a snapshot can be saved while its world runs on");
    schedule.run(&mut world).unwrap();
    let later = world.save().unwrap();
    for _ in 0..3 {
        world.load(&bytes).unwrap();
        assert_eq!(world.state_hash().unwrap(), snapshot.world().state_hash_from_scratch().unwrap());
        schedule.run(&mut world).unwrap();
        assert_eq!(world.save().unwrap(), later);
        world.restore(&snapshot).unwrap();
        assert_eq!(world.save().unwrap(), bytes);
        let (mut other, mut other_schedule) = game();
        other.load(&later).unwrap();
        other.restore(&snapshot).unwrap();
        other_schedule.run(&mut other).unwrap();
        assert_eq!(other.save().unwrap(), later);
        assert_eq!(other.state_hash().unwrap(), other.state_hash_from_scratch().unwrap());
    }
}
