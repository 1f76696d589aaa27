use super::{AtomicU32, Ordering, unless};
use crate::fault::{Fault, planted};

/// Nodes that may start, first come first served. Each node is pushed at most once, so that the list never overflows.
///
/// ```text
/// push   reserves a place, then publishes the node in it     release: what made the node ready
/// take   claims the next place that is published             acquire: the same
/// ```
///
/// A place that is reserved and not yet published looks like the end of the list: whoever pushes looks for work next.
#[derive(Debug, Default)]
pub struct ReadyList {
    /// Node + 1 by place; 0 where nothing is published.
    places: Vec<AtomicU32>,
    reserved: AtomicU32,
    taken: AtomicU32,
}

impl ReadyList {
    /// Empties the list, makes room for nodes below `nodes`, and adds those that may start at once; the memory stays.
    pub fn reset(&mut self, nodes: u32, first: impl Iterator<Item = u32>) {
        self.places.clear();
        self.places.extend(first.map(|node| AtomicU32::new(node + 1)));
        (self.reserved, self.taken) = (AtomicU32::new(self.places.len() as u32), AtomicU32::new(0));
        self.places.resize_with(nodes as usize, || AtomicU32::new(0));
    }

    /// Adds a node, once.
    pub fn push(&self, node: u32) {
        let place = self.reserved.fetch_add(1, Ordering::Relaxed);
        self.places[place as usize].store(node + 1, unless(Fault::ReadyPublishedUnordered, Ordering::Release));
    }

    /// The next node, if there is one.
    pub fn take(&self) -> Option<u32> {
        let mut place = self.taken.load(Ordering::Relaxed);
        loop {
            let published = self.places.get(place as usize)?.load(Ordering::Acquire);
            if published == 0 {
                return None;
            }
            if planted(Fault::ReadyTakenByStore) {
                self.taken.store(place + 1, Ordering::Relaxed);
                return Some(published - 1);
            }
            match self.taken.compare_exchange(place, place + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return Some(published - 1),
                Err(now) => place = now,
            }
        }
    }
}

#[cfg(all(test, not(tickweave_loom)))]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_taken_once_in_the_order_in_which_they_became_ready() {
        let mut ready = ReadyList::default();
        ready.reset(3, [2].into_iter());
        ready.push(0);
        assert_eq!([ready.take(), ready.take(), ready.take()], [Some(2), Some(0), None]);
        ready.push(1);
        assert_eq!([ready.take(), ready.take()], [Some(1), None]);
    }
}
