#![expect(unsafe_code, reason = "virtual workers share what only one thread touches")]

use super::board::{Board, Interleave};
use super::crew::Hand;
use super::drive::{Drive, Graph, Turn, Work};
use super::pool::MAX_HANDS;
use crate::sync::{AtomicU64, Ordering};

/// Chances in 8 that another worker has a turn at a pause.
const RESTLESS: u32 = 5;

/// Virtual workers: hands that take their turns on one thread, in an order that a seed decides.
///
/// A worker's turn is a node or a visit to a loop. Inside a loop there is a pause before each claim, at which other workers
/// have turns on top of this one's stack: so batches of one loop, batches of another and whole nodes mix in every order in
/// which real hands could claim them, and the same seed gives the same order.
pub(crate) struct Workers<'w, G, W> {
    drive: &'w Drive<'w, G, W>,
    hands: Vec<Hand>,
    /// Workers that are in the middle of a turn, by bit.
    busy: AtomicU64,
    random: AtomicU64,
}

// SAFETY: virtual workers take turns on one thread; the cells of their hands never leave it.
unsafe impl<G: Sync, W: Sync> Sync for Workers<'_, G, W> {}

impl<'w, G: Graph, W: Work> Workers<'w, G, W> {
    pub(crate) fn new(drive: &'w Drive<'w, G, W>, workers: u32, seed: u64) -> Self {
        let hands = (0..workers.clamp(1, MAX_HANDS)).map(Hand::new).collect();
        Self { drive, hands, busy: AtomicU64::new(0), random: AtomicU64::new(seed) }
    }

    /// Lets the workers take turns until everything is done.
    pub(crate) fn run(&self, board: &Board) {
        board.set_hands(self.hands.len() as u32);
        self.hands.iter().for_each(|_| board.come());
        while self.turn() != Turn::Done {}
        self.hands.iter().for_each(|_| board.go());
    }

    /// A turn of some worker that is not in the middle of one.
    fn turn(&self) -> Turn {
        let busy = self.busy.load(Ordering::Relaxed);
        let free = self.hands.len() as u32 - busy.count_ones();
        if free == 0 {
            return Turn::Idle;
        }
        let skipped = self.pick(free);
        let mut open = self.hands.iter().filter(|hand| busy & 1 << hand.number() == 0);
        let hand = open.nth(skipped as usize).expect("as many as are not busy");
        self.busy.fetch_or(1 << hand.number(), Ordering::Relaxed);
        let turn = self.drive.turn(hand, Some(self));
        self.busy.fetch_and(!(1 << hand.number()), Ordering::Relaxed);
        turn
    }
}

impl<G: Graph, W: Work> Interleave for Workers<'_, G, W> {
    fn pause(&self) {
        while self.pick(8) < RESTLESS && self.turn() == Turn::Worked {}
    }

    /// Steps of splitmix64.
    fn pick(&self, bound: u32) -> u32 {
        let state = self.random.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let high = (mixed ^ mixed >> 31) >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }
}
