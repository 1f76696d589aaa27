use super::*;

fn round_trip(queue: &TypedQueue<u32>) -> Result<TypedQueue<u32>, DecodeError> {
    let mut bytes = Vec::new();
    queue.encode(&mut Sink::new(&mut bytes));
    TypedQueue::decode(&mut Source::new(&bytes))
}

fn drained(mut queue: TypedQueue<u32>) -> Vec<u32> {
    let delayed: Vec<u32> = core::iter::from_fn(|| queue.pop_delayed()).collect();
    delayed.into_iter().chain(core::iter::from_fn(|| queue.pop_next())).collect()
}

#[test]
fn what_is_delayed_stands_in_the_order_of_its_ticks_and_then_as_it_came() {
    let mut queue = TypedQueue::default();
    for (due, value) in [(Some(9), 1), (None, 2), (Some(3), 3), (Some(9), 4), (Some(3), 5)] {
        queue.push(due, value);
    }
    assert_eq!((queue.due(2), queue.due(3), queue.due(9)), ((0, 1), (2, 1), (4, 1)));
    assert_eq!(drained(round_trip(&queue).unwrap()), [3, 5, 1, 4, 2]);
    assert_eq!(drained(queue), [3, 5, 1, 4, 2]);
}

#[test]
fn bytes_whose_ticks_do_not_ascend_are_no_queue() {
    let delayed = [Delayed { due: 4, value: 1 }, Delayed { due: 2, value: 2 }];
    let queue = TypedQueue { next: VecDeque::new(), delayed: delayed.into() };
    assert!(round_trip(&queue).is_err());
}

#[test]
fn a_command_is_due_later_only_if_its_tick_is_to_come() {
    assert_eq!([Due::Next, Due::After(0), Due::At(4), Due::At(3)].map(|due| due.later_than(4)), [None; 4]);
    assert_eq!((Due::After(2).later_than(4), Due::At(5).later_than(4)), (Some(6), Some(5)));
    assert_eq!(Due::After(u64::MAX).later_than(4), Some(u64::MAX));
}
