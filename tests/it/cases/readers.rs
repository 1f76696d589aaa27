//! F7, F8: what readers of removals and events are told, at any rate, and after a restore. What each of them is told is written
//! down line by line in `systems/removals.rs` and `events/`.

use super::*;

/// What was told, by whom.
#[derive(Clone, Debug, Default, PartialEq, StateValue, Resource)]
struct Told(Vec<(u32, u64)>);

impl Told {
    /// What one reader was told, in order.
    fn to(&self, reader: u32) -> Vec<u64> {
        self.0.iter().filter(|(by, _)| *by == reader).map(|(_, what)| *what).collect()
    }
}

/// Runs a schedule tick by tick, going back by up to three ticks now and then, and returns what was told.
fn told(mut world: World, mut schedule: Schedule, ticks: u64, goes_back: bool) -> Told {
    let mut ring = tickweave::state::SnapshotRing::new(4);
    while world.tick() < ticks {
        ring.push(&world).unwrap();
        schedule.run(&mut world).unwrap();
        let now = world.tick();
        // Each tick is taken back once, by another distance.
        if goes_back && ring.len() == 4 {
            assert!(ring.restore(now - 1 - now % 3, &mut world).unwrap());
            while world.tick() < now {
                ring.push(&world).unwrap();
                schedule.run(&mut world).unwrap();
            }
        }
    }
    world.resource::<Told>().unwrap().clone()
}

fn removals(reader: u32) -> impl FnMut(Removed<Watched>, ResMut<Told>) + Send {
    move |removed: Removed<Watched>, mut told: ResMut<Told>| {
        told.0.extend(removed.iter().map(|entity| (reader, u64::from(entity.slot()))));
    }
}

/// One entity loses its value, or does not, each tick.
fn losses(tick: Tick, rows: Query<(Entity, Has<Watched>)>, mut commands: Commands) {
    let entity = |slot: u32| rows.iter().map(|row| row.0).find(|entity| entity.slot() == slot).expect("it lives");
    match tick.0 {
        1 => commands.remove::<Watched>(entity(1)),
        2 => commands.remove::<Watched>(entity(1)),
        3 => commands.despawn(entity(2)),
        4 => commands.insert(entity(3), Watched(9)),
        5 => {
            commands.remove::<Watched>(entity(4));
            commands.insert(entity(4), Watched(9));
        }
        6 => {
            commands.insert(entity(1), Watched(9));
            commands.remove::<Watched>(entity(1));
        }
        7 => commands.despawn(entity(0)),
        _ => {}
    }
}

#[test]
fn f7_each_loss_is_told_once_to_each_reader_wherever_it_stands_and_however_rare_it_is_also_after_a_restore() {
    for goes_back in [false, true] {
        let mut world = tiny();
        world.insert_resource(Told::default());
        world.spawn(Number(0));
        world.spawn_batch((1..5).map(|number| (Watched(number), Number(number))));
        let mut schedule = crate::serial();
        schedule.add(removals(0).named("before"));
        schedule.add(losses);
        schedule.barrier();
        schedule.add(removals(1).named("behind"));
        schedule.add(removals(2).named("every third").every(3));
        let told = told(world, schedule, 12, goes_back);
        // Not tick 2, where it was absent; nor 4, a replacement; nor 7, a despawn without it.
        for reader in 0..3 {
            assert_eq!(told.to(reader), [1, 2, 4, 1], "reader {reader}, goes back: {goes_back}");
        }
    }
}

#[derive(Clone, StateValue, Event)]
struct Noise(u64);

fn shout(tick: Tick, mut noises: EventWriter<Noise>) {
    noises.send(Noise(tick.0 * 10));
    noises.send(Noise(tick.0 * 10 + 1));
}

/// Reads, and leaves its loop after so many.
fn hears(reader: u32, most: usize) -> impl FnMut(EventReader<Noise>, ResMut<Told>) + Send {
    move |mut noises: EventReader<Noise>, mut told: ResMut<Told>| {
        told.0.extend(noises.read().take(most).map(|noise| (reader, noise.0)));
    }
}

fn loud_world() -> World {
    let mut world = tiny();
    world.add_event::<Noise>().unwrap();
    world.insert_resource(Told::default());
    world
}

#[test]
fn f8_readers_of_every_rate_and_those_that_leave_their_loop_hear_each_event_once_in_order_also_after_a_restore() {
    let sent: Vec<u64> = (1..=12).flat_map(|tick| [tick * 10, tick * 10 + 1]).collect();
    for goes_back in [false, true] {
        let mut schedule = crate::serial();
        schedule.add(shout);
        schedule.barrier();
        schedule.add(hears(0, usize::MAX).named("each tick"));
        schedule.add(hears(1, usize::MAX).named("every third").every(3));
        schedule.add(hears(2, 1).named("leaves after one"));
        for number in 3..6 {
            schedule.add(hears(3, usize::MAX).named(format!("one of three: {number}")).every(3).offset(number % 3));
        }
        let told = told(loud_world(), schedule, 12, goes_back);
        assert_eq!(told.to(0), sent);
        assert_eq!(told.to(1), sent, "all at tick 12");
        assert_eq!(told.to(2), sent[..12], "one a tick, and the rest waits");
        let mut thrice = told.to(3);
        thrice.sort_unstable();
        let expected = |last: u64| sent.iter().filter(move |noise| **noise / 10 <= last);
        let mut all: Vec<u64> = [10, 11, 12].into_iter().flat_map(expected).copied().collect();
        all.sort_unstable();
        assert_eq!(thrice, all, "three readers, each of which ran last at another tick");
    }
}

#[test]
fn f8_frames_with_no_tick_or_many_and_a_reader_that_runs_thrice_as_often_lose_and_double_nothing() {
    let (mut world, mut writers, mut readers) = (loud_world(), crate::serial(), crate::serial());
    writers.add(shout);
    writers.add(hears(0, usize::MAX).named("at home"));
    readers.add(hears(1, usize::MAX).named("abroad"));
    let (mut sent, mut seen, mut shown) = (Vec::new(), 0, Vec::new());
    for frame in [1, 0, 3, 0, 0, 2, 1, 4] {
        for _ in 0..frame {
            writers.run(&mut world).unwrap();
            let tick = world.tick();
            sent.extend([tick * 10, tick * 10 + 1]);
            (0..3).for_each(|_| readers.run(&mut world).unwrap());
        }
        let noises = world.events::<Noise>().unwrap();
        shown.extend(noises.since(seen).map(|noise| noise.0));
        seen = noises.end();
    }
    let told = world.resource::<Told>().unwrap();
    assert_eq!(told.to(1), sent);
    assert_eq!(told.to(0), sent[..sent.len() - 2], "what was sent beside it waits for its next run");
    assert_eq!(seen as usize, sent.len(), "the host knows how many there were");
    assert!(shown.iter().all(|noise| sent.contains(noise)));
}
