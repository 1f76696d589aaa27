use super::queue::AnyQueue;
use super::*;
use crate::value::{DecodeError, Sink, Source};

#[derive(Clone, Debug, PartialEq, StateValue, Event)]
struct Noise(u32);

fn queue(keep: u32) -> Queue<Noise> {
    let mut queue = Queue::default();
    if keep > 0 {
        queue.set_keep(keep);
    }
    queue
}

fn seen(queue: &Queue<Noise>, from: u64) -> Vec<u32> {
    queue.since(from).map(|noise| noise.0).collect()
}

/// Commits with one event in each commit, numbered as they come.
fn commit_one(queue: &mut Queue<Noise>, passed: Option<u64>) {
    let number = queue.end() as u32;
    queue.push(Noise(number), false);
    queue.commit(EventScope::Barrier, passed);
}

#[test]
fn an_event_waits_for_a_commit_of_its_scope_and_one_of_the_host_does_not() {
    let mut queue = queue(0);
    queue.set_scope(EventScope::Tick);
    queue.push(Noise(1), true);
    queue.push(Noise(2), false);
    assert_eq!(seen(&queue, 0), [1]);
    queue.commit(EventScope::Barrier, None);
    assert_eq!(seen(&queue, 0), [1]);
    queue.commit(EventScope::Tick, None);
    assert_eq!(seen(&queue, 0), [1, 2]);
    assert_eq!(seen(&queue, 1), [2]);
    assert!(seen(&queue, 9).is_empty());
}

#[test]
fn what_every_reader_has_passed_is_released_and_all_where_nobody_reads() {
    let mut queue = queue(0);
    (0..4).for_each(|_| commit_one(&mut queue, Some(0)));
    queue.push(Noise(9), false);
    queue.release(Some(3));
    assert_eq!((queue.first(), seen(&queue, 0)), (3, vec![3]));
    queue.release(None);
    assert_eq!((queue.first(), queue.end()), (4, 4));
    queue.commit(EventScope::Barrier, None);
    assert_eq!(seen(&queue, 0), [9]);
}

#[test]
fn an_event_that_is_kept_leaves_at_the_commit_whose_number_was_asked_for() {
    for keep in 1..5_u32 {
        let mut queue = queue(keep);
        for commit in 0..10 {
            commit_one(&mut queue, None);
            queue.release(None);
            assert_eq!(queue.first(), (commit + 1_u64).saturating_sub(u64::from(keep)), "keep {keep}, commit {commit}");
        }
        assert_eq!(queue.dropped(), 0, "nobody read them");
    }
}

#[test]
fn events_that_leave_before_a_reader_has_passed_them_are_counted_once() {
    let mut queue = queue(2);
    for _ in 0..3 {
        commit_one(&mut queue, Some(0));
    }
    assert_eq!((queue.first(), queue.dropped()), (1, 1));
    commit_one(&mut queue, Some(1));
    assert_eq!((queue.first(), queue.dropped()), (2, 2));
    commit_one(&mut queue, Some(5));
    assert_eq!((queue.first(), queue.dropped()), (3, 2));
}

#[test]
fn what_waits_is_forgotten_and_what_is_visible_stays() {
    let mut queue = queue(0);
    commit_one(&mut queue, None);
    queue.push(Noise(7), false);
    queue.forget_waiting();
    queue.commit(EventScope::Barrier, None);
    assert_eq!((seen(&queue, 0), queue.end()), (vec![0], 1));
}

#[test]
fn a_queue_comes_back_from_its_bytes_and_bytes_that_contradict_themselves_do_not() {
    let mut queue = queue(3);
    queue.set_scope(EventScope::Tick);
    for _ in 0..5 {
        queue.push(Noise(4), false);
        queue.commit(EventScope::Tick, Some(0));
    }
    queue.push(Noise(5), false);
    let mut bytes = Vec::new();
    queue.encode(&mut Sink::new(&mut bytes));
    let back = Queue::<Noise>::decode(&mut Source::new(&bytes)).unwrap();
    assert_eq!(format!("{back:?}"), format!("{queue:?}"));
    let visible = 4 + 4 + 8;
    bytes[visible] = 200;
    let error = Queue::<Noise>::decode(&mut Source::new(&bytes)).unwrap_err();
    assert_eq!(error, DecodeError::invalid::<Queue<Noise>>());
}

#[test]
fn a_cursor_that_was_left_behind_counts_what_it_missed() {
    let mut cursor = Cursor::at(2);
    cursor.catch_up(1);
    assert_eq!(cursor, Cursor { next: 2, missed: 0 });
    cursor.catch_up(5);
    cursor.catch_up(6);
    assert_eq!(cursor, Cursor { next: 6, missed: 4 });
}

#[test]
fn a_set_of_events_names_each_type_in_order() {
    fn names<E: EventSet>() -> Vec<&'static str> {
        let mut names = Vec::new();
        E::for_each_type(&mut |_, name| names.push(name));
        names
    }
    #[derive(Clone, StateValue, Event)]
    struct Other;
    assert!(names::<()>().is_empty());
    assert_eq!(names::<(Other, Noise)>(), [names::<Other>()[0], names::<Noise>()[0]]);
}

/// Its clone panics.
#[derive(StateValue, Event)]
struct Fragile;

impl Clone for Fragile {
    fn clone(&self) -> Self {
        panic!("no clone today")
    }
}

#[test]
fn a_copy_over_another_queue_is_equal_and_shows_nothing_if_a_clone_panics() {
    let (mut source, mut copy) = (queue(2), queue(0));
    (0..3).for_each(|_| commit_one(&mut source, None));
    copy.push(Noise(9), true);
    copy.clone_from(&source);
    assert_eq!(format!("{copy:?}"), format!("{source:?}"));
    let (mut source, mut copy) = (Queue::default(), Queue::default());
    copy.push(Fragile, true);
    source.push(Fragile, true);
    let cloned = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| copy.clone_from(&source)));
    assert!(cloned.is_err() && copy.since(0).count() == 0);
}

#[test]
fn the_hash_of_a_queue_without_events_stays_known_at_whatever_commits() {
    let mut world = crate::world::World::new();
    world.add_event::<Noise>().unwrap();
    let section = world.event_registry().section_of::<Noise>().unwrap();
    world.state_hash().unwrap();
    world.begin_events(1, |_| true);
    for scope in [EventScope::Barrier, EventScope::Pass, EventScope::Phase, EventScope::Tick] {
        assert_eq!(world.commit_events(scope), 0);
    }
    world.end_event_phase();
    world.forget_waiting_events();
    assert!(world.sections().knows_hash(section));

    world.send_event(Noise(1)).unwrap();
    world.state_hash().unwrap();
    world.commit_events(EventScope::Barrier);
    assert!(!world.sections().knows_hash(section), "with an event in it, it may have changed");
}
