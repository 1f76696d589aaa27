//! What holds in every build, whichever features are on.

use std::thread;

use super::{Label, Parent, Zone, frame, plot_entities};

/// Has one implementation for a type that can't be sent, and two for one that can.
trait Stays<Reason> {
    fn stays() {}
}

impl<T> Stays<()> for T {}
impl<T: Send> Stays<u8> for T {}

fn travels<T: Send + Sync>() {}

#[test]
fn zones_stay_on_their_thread_and_what_they_are_made_of_travels() {
    <Zone as Stays<_>>::stays();
    travels::<Label>();
    travels::<Parent>();
}

#[test]
fn a_tick_is_profiled_on_two_threads() {
    let [move_all, bite] = ["move_all", "bite"].map(Label::new);
    let tick = Zone::tick(7);
    let parent = Parent::current();
    thread::scope(|scope| {
        scope.spawn(|| drop_in_order(Zone::system(&bite, &parent), Zone::batches(&bite, &parent)));
        drop_in_order(Zone::system(&move_all, &parent), Zone::batches(&move_all, &Parent::current()));
    });
    drop_in_order(tick, Zone::barrier(0, &parent));
    plot_entities(3);
    frame(7);
}

fn drop_in_order(_outer: Zone, _inner: Zone) {}

#[cfg(not(any(feature = "trace", feature = "tracy")))]
#[test]
fn nothing_is_left_when_both_features_are_off() {
    assert_eq!([size_of::<Label>(), size_of::<Parent>(), size_of::<Zone>()], [0; 3]);
    assert!(!core::mem::needs_drop::<(Label, Parent, Zone)>());
}
