use core::num::NonZeroU32;

/// Parts of the capacity at which a rail stands, in percent.
pub(crate) const RAILS: [u32; 3] = [25, 50, 100];

/// Guard rails of the number of entities: which of them was reached, at no cost to those that reach none.
///
/// A spawn compares the number of live entities with [`stop`](Self::stop), where it would else compare it with the capacity.
/// Rails are no state.
#[derive(Debug)]
pub(super) struct Rails {
    /// The number of live entities at which the next spawn reaches a rail, or is refused.
    stop: u32,
    reached: [bool; RAILS.len()],
}

impl Rails {
    /// For a capacity that nobody declared (the highest number) there are none.
    pub(super) fn new(capacity: u32) -> Self {
        let mut rails = Self { stop: 0, reached: [false; RAILS.len()] };
        rails.arm(capacity, 0);
        rails
    }

    #[inline(always)]
    pub(super) const fn stop(&self) -> u32 {
        self.stop
    }

    /// Sets up all rails above so many live entities, and lets those below be.
    pub(super) fn arm(&mut self, capacity: u32, live: u32) {
        let above = RAILS.iter().filter_map(|&percent| rail(capacity, percent)).filter(|rail| rail.get() > live);
        self.stop = above.map(|rail| rail.get() - 1).min().unwrap_or(capacity);
    }

    /// Notes that the next entity after `live` reaches the rail at which this stopped.
    #[cold]
    pub(super) fn pass(&mut self, capacity: u32, live: u32) {
        for (reached, percent) in self.reached.iter_mut().zip(RAILS) {
            *reached |= rail(capacity, percent).is_some_and(|rail| rail.get() == live + 1);
        }
        self.arm(capacity, live + 1);
    }

    /// The rails that were reached since this was last asked, lowest first: percent, and the number of entities.
    pub(super) fn take_reached(&mut self, capacity: u32) -> impl Iterator<Item = (u32, u32)> + use<> {
        let reached = core::mem::take(&mut self.reached);
        let rails = reached.into_iter().zip(RAILS).filter(|(reached, _)| *reached);
        rails.filter_map(move |(_, percent)| Some((percent, rail(capacity, percent)?.get())))
    }

    pub(super) fn is_any_reached(&self) -> bool {
        self.reached.contains(&true)
    }
}

/// The number of entities at which a rail stands; `None` if that is 0, or nobody declared a capacity.
fn rail(capacity: u32, percent: u32) -> Option<NonZeroU32> {
    let declared = capacity != u32::MAX;
    NonZeroU32::new((u64::from(capacity) * u64::from(percent) / 100) as u32).filter(|_| declared)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Raises the number of live entities one by one; returns at which of them a rail was noted.
    fn stops(capacity: u32) -> Vec<(u32, u32)> {
        let mut rails = Rails::new(capacity);
        for live in 0..capacity {
            if live >= rails.stop() {
                rails.pass(capacity, live);
            }
        }
        assert_eq!(rails.stop(), capacity, "beyond the last rail is the capacity");
        rails.take_reached(capacity).collect()
    }

    #[test]
    fn rails_stand_at_a_quarter_a_half_and_all_of_the_capacity_rounded_down() {
        assert_eq!(stops(100), [(25, 25), (50, 50), (100, 100)]);
        assert_eq!(stops(7), [(25, 1), (50, 3), (100, 7)]);
    }

    #[test]
    fn a_rail_at_zero_is_none_and_two_at_one_number_are_both_reached() {
        assert_eq!(stops(3), [(50, 1), (100, 3)]);
        assert_eq!(stops(1), [(100, 1)]);
        assert_eq!(stops(0), []);
    }

    #[test]
    fn a_capacity_that_nobody_declared_has_no_rails() {
        let mut rails = Rails::new(u32::MAX);
        assert_eq!((rails.stop(), rails.is_any_reached()), (u32::MAX, false));
        assert_eq!(rails.take_reached(u32::MAX).count(), 0);
    }

    #[test]
    fn what_was_reached_is_told_once_and_is_set_up_again_only_when_asked() {
        let mut rails = Rails::new(8);
        rails.pass(8, 1);
        assert_eq!((rails.take_reached(8).collect::<Vec<_>>(), rails.stop()), (vec![(25, 2)], 3));
        assert_eq!((rails.take_reached(8).count(), rails.stop()), (0, 3), "one entity fewer and one more: not again");
        rails.arm(8, 1);
        assert_eq!(rails.stop(), 1);
        rails.arm(8, 2);
        assert_eq!(rails.stop(), 3, "a rail at which the world stands already is none");
    }
}
