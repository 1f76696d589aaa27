#![expect(unsafe_code, reason = "a job on the caller's stack is lent to hands")]

use core::cell::Cell;
use core::fmt;

use super::board::{Apart, Board};
use super::pool::MAX_HANDS;
use crate::clock;
use crate::fault::{Fault, planted};
use crate::sync::{AtomicU32, AtomicU64, Condvar, Door, Mutex, Ordering, spin_loop, yield_now};

/// How long a hand without work looks for some before it sleeps or goes, in nanoseconds.
const PATIENCE: u64 = 100_000;
/// How long somebody looks again at once before there are rests between two looks, in nanoseconds.
const BRISK: u64 = 20_000;
/// How long an owner looks for others to leave before it lets other threads of the machine run, in nanoseconds.
const PATIENCE_AT_THE_DOOR: u64 = 5_000;

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
    door: Apart<Door<SharedJob>>,
    board: Board,
    /// Numbers of hands that are on their way or here, by bit.
    taken: AtomicU64,
    /// How often hands that sleep were called.
    calls: AtomicU32,
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
        Self {
            door: Apart(Door::closed()),
            // The caller, whoever that is.
            board: Board::new(1),
            taken: AtomicU64::new(1),
            calls: AtomicU32::new(0),
            over: Mutex::new(false),
            call: Condvar::new(),
        }
    }

    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// How many hands besides the caller would come in at once.
    pub fn awake(&self) -> u32 {
        self.board.present() - 1
    }

    /// Lends `job` to every hand that comes by while the caller works on it too. Returns when the caller is done and the
    /// last hand has left; false if the hands belong to another caller now, and nothing was run.
    pub fn lend(&self, hands: u32, summon: impl FnOnce(), job: &Job<'_>) -> bool {
        self.board.set_hands(hands);
        let Some(opening) = self.door.0.open(SharedJob::of(job)) else { return false };
        summon();
        job(&Hand::new(0));
        opening.close(leaving());
        true
    }

    /// Lets hands in again that left during this opening.
    pub fn ring(&self) {
        self.door.0.ring();
    }

    /// Wakes hands that sleep: they look for work even if what they were called for is over when they come.
    pub fn wake(&self) {
        let lock = || self.over.lock().expect("no code of a user runs under this lock");
        let locked = (!planted(Fault::CrewWakesUnlocked)).then(lock);
        self.calls.fetch_add(1, Ordering::Relaxed);
        drop(locked);
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
        let (mut seen, mut answered) = (0, 0);
        loop {
            self.board.come();
            self.serve_awake(&hand, &mut seen);
            self.board.go();
            if leave || !self.sleep(&mut answered) {
                return;
            }
        }
    }

    fn serve_awake(&self, hand: &Hand, seen: &mut u32) {
        let mut patience = Patience::new();
        while !patience.is_over() {
            if let Some(inside) = self.door.0.enter(*seen) {
                *seen = inside.epoch();
                // SAFETY: the caller keeps the job in place until every hand that came in has left, which `inside` does
                // when it is dropped.
                let job = unsafe { inside.value().get() };
                job(hand);
                drop(inside);
                patience = Patience::new();
            }
        }
    }

    /// Sleeps until there is a call that this hand has not answered; false if the crew is dismissed.
    ///
    /// Not until the door is open: small ticks are over before a thread is awake, and there are more of them.
    fn sleep(&self, answered: &mut u32) -> bool {
        let mut over = self.over.lock().expect("no code of a user runs under this lock");
        let calls = || self.calls.load(Ordering::Relaxed);
        while !*over && calls() == *answered {
            over = self.call.wait(over).expect("no code of a user runs under this lock");
        }
        *answered = calls();
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

/// What an owner does until the last hand has left: it looks again, and yields when that takes long.
pub(super) fn leaving() -> impl FnMut() {
    let patience = Patience::of(PATIENCE_AT_THE_DOOR);
    move || {
        if patience.is_over() {
            yield_now();
        }
    }
}

/// How long somebody without work has looked for some.
#[derive(Debug)]
pub(crate) struct Patience {
    since: u64,
    limit: u64,
}

impl Patience {
    pub(crate) fn new() -> Self {
        Self::of(PATIENCE)
    }

    pub(super) fn of(limit: u64) -> Self {
        Self { since: clock::now(), limit }
    }

    /// Whether it is over; else a short rest, if it takes long.
    pub(crate) fn is_over(&self) -> bool {
        let looked = clock::now() - self.since;
        if looked > BRISK {
            spin_loop();
        }
        looked > self.limit
    }
}
