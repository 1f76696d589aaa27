#![expect(unsafe_code, reason = "a job on the caller's stack is lent to hands")]

use core::cell::Cell;
use core::fmt;

use super::board::Board;
use super::pool::MAX_HANDS;
use crate::clock;
use crate::fault::{Fault, planted};
use crate::sync::{AtomicU32, AtomicU64, Condvar, Door, Mutex, Ordering, spin_loop, yield_now};

/// How long a hand without work looks for some before it sleeps or goes, in nanoseconds.
const PATIENCE: u64 = 100_000;

/// One thread that works on a segment, and which loops it has been at.
#[derive(Debug)]
pub struct Hand {
    number: u32,
    seen: [Cell<u32>; MAX_HANDS as usize],
}

impl Hand {
    /// Number 0 is the caller.
    pub fn new(number: u32) -> Self {
        Self { number, seen: [const { Cell::new(0) }; MAX_HANDS as usize] }
    }

    pub const fn number(&self) -> u32 {
        self.number
    }

    pub(super) fn seen(&self, desk: usize) -> u32 {
        self.seen[desk].get()
    }

    pub(super) fn note(&self, desk: usize, epoch: u32) {
        self.seen[desk].set(epoch);
    }
}

/// What a hand does for a segment, until nothing is left for it.
pub type Job<'j> = dyn Fn(&Hand) + Sync + 'j;

/// A job on the caller's stack, lent through a door.
#[derive(Clone, Copy, Debug)]
struct SharedJob(*const Job<'static>);

// SAFETY: a job is `Sync`, and shared by reference only.
unsafe impl Send for SharedJob {}

impl SharedJob {
    fn of(job: &Job<'_>) -> Self {
        let job: *const Job<'_> = job;
        // SAFETY: only the lifetime changes; the reference that `get` makes lives no longer than the job.
        Self(unsafe { core::mem::transmute::<*const Job<'_>, *const Job<'static>>(job) })
    }

    /// # Safety
    ///
    /// The job is still in its place while the reference lives.
    unsafe fn get<'j>(self) -> &'j Job<'j> {
        // SAFETY: the contract is passed on.
        unsafe { &*self.0 }
    }
}

/// The hands of a pool: they come when they are called, and work on what is lent through the door.
pub struct Crew {
    door: Door<SharedJob>,
    board: Board,
    /// Hands that spin at the door, or are inside.
    awake: AtomicU32,
    /// Numbers of hands that are on their way or here, by bit.
    taken: AtomicU64,
    /// Whether the hands shall go for good.
    over: Mutex<bool>,
    call: Condvar,
}

impl fmt::Debug for Crew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Crew").field("awake", &self.awake()).finish_non_exhaustive()
    }
}

impl Crew {
    pub fn new() -> Self {
        let (awake, taken) = (AtomicU32::new(0), AtomicU64::new(1));
        Self { door: Door::closed(), board: Board::new(), awake, taken, over: Mutex::new(false), call: Condvar::new() }
    }

    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// How many hands besides the caller would come in at once.
    pub fn awake(&self) -> u32 {
        self.awake.load(Ordering::Relaxed)
    }

    /// Lends `job` to every hand that comes by while the caller works on it too. Returns when the caller is done and the
    /// last hand has left; false if the hands belong to another caller now, and nothing was run.
    pub fn lend(&self, hands: u32, summon: impl FnOnce(), job: &Job<'_>) -> bool {
        self.board.set_hands(hands);
        let Some(opening) = self.door.open(SharedJob::of(job)) else { return false };
        summon();
        self.board.come();
        job(&Hand::new(0));
        opening.close(yield_now);
        self.board.go();
        true
    }

    /// Lets hands in again that left during this opening.
    pub fn ring(&self) {
        self.door.ring();
    }

    /// Wakes hands that sleep.
    pub fn wake(&self) {
        if !planted(Fault::CrewWakesUnlocked) {
            drop(self.over.lock().expect("no code of a user runs under this lock"));
        }
        self.call.notify_all();
    }

    /// Sends every hand home.
    pub fn dismiss(&self) {
        *self.over.lock().expect("no code of a user runs under this lock") = true;
        if !planted(Fault::CrewDismissesSilently) {
            self.call.notify_all();
        }
    }

    /// Works on whatever is lent, as hand `number`; returns when out of patience if the hand may `leave`, else when the
    /// crew is dismissed.
    pub fn serve(&self, number: u32, leave: bool) {
        let hand = Hand::new(number);
        let mut seen = 0;
        loop {
            self.awake.fetch_add(1, Ordering::Relaxed);
            self.serve_awake(&hand, &mut seen);
            self.awake.fetch_sub(1, Ordering::Relaxed);
            if leave || !self.sleep(seen) {
                return;
            }
        }
    }

    fn serve_awake(&self, hand: &Hand, seen: &mut u32) {
        let mut patience = Patience::new();
        while !patience.is_over() {
            if let Some(inside) = self.door.enter(*seen) {
                *seen = inside.epoch();
                self.board.come();
                // SAFETY: the caller keeps the job in place until every hand that came in has left, which `inside` does
                // when it is dropped.
                let job = unsafe { inside.value().get() };
                job(hand);
                self.board.go();
                drop(inside);
                patience = Patience::new();
            }
        }
    }

    /// Sleeps until there is something new behind the door; false if the crew is dismissed.
    fn sleep(&self, seen: u32) -> bool {
        let mut over = self.over.lock().expect("no code of a user runs under this lock");
        while !*over && !self.door.calls(seen) {
            over = self.call.wait(over).expect("no code of a user runs under this lock");
        }
        !*over
    }

    /// Takes the number of a hand that is not here; whoever gets it sends that hand.
    pub fn take_number(&self, number: u32) -> bool {
        self.taken.fetch_or(1 << number, Ordering::Relaxed) & 1 << number == 0 || planted(Fault::CrewSendsTwins)
    }

    /// Gives the number of a hand back that has left.
    pub fn give_number(&self, number: u32) {
        self.taken.fetch_and(!(1 << number), Ordering::Relaxed);
    }
}

/// How long somebody without work has looked for some.
#[derive(Debug)]
pub(crate) struct Patience {
    since: u64,
}

impl Patience {
    pub(crate) fn new() -> Self {
        Self { since: clock::now() }
    }

    /// Whether it is over; else a short rest.
    pub(crate) fn is_over(&mut self) -> bool {
        spin_loop();
        clock::now() - self.since > PATIENCE
    }
}
