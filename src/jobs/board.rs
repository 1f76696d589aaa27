#![expect(unsafe_code, reason = "a loop on one hand's stack is lent to others")]

use core::any::Any;
use core::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::crew::Hand;
use super::pool::{MAX_HANDS, Pool};
use crate::fault::{Fault, planted};
use crate::profile::{Label, Parent, Zone};
use crate::sync::{AtomicU32, Door, Failure, Ordering, Span, yield_now};

/// What a unit of a loop failed with: the payload of a panic, or an error in a box.
pub type Payload = Box<dyn Any + Send>;

/// Units that one hand claims at a time, at most. What comes of them never depends on it.
const GRAIN: u32 = 16;

/// Where hands find the loops of others: a desk for each hand.
#[derive(Debug)]
pub struct Board {
    desks: Box<[Desk]>,
    /// Desks that can have a loop on them.
    in_use: AtomicU32,
    /// Hands that are at work or look for some.
    present: AtomicU32,
}

/// A cache line of its own, so that hands that look at one desk don't slow down the work at another.
#[derive(Debug)]
#[repr(align(128))]
struct Desk(Door<SharedLoop>);

impl Board {
    pub fn new() -> Self {
        let desks = (0..MAX_HANDS).map(|_| Desk(Door::closed())).collect();
        Self { desks, in_use: AtomicU32::new(0), present: AtomicU32::new(0) }
    }

    /// Says how many hands there can be from now on.
    pub fn set_hands(&self, hands: u32) {
        self.in_use.store(hands, Ordering::Relaxed);
    }

    /// How many hands are at work or look for some.
    pub fn present(&self) -> u32 {
        self.present.load(Ordering::Relaxed)
    }

    pub fn come(&self) {
        self.present.fetch_add(1, Ordering::Relaxed);
    }

    pub fn go(&self) {
        self.present.fetch_sub(1, Ordering::Relaxed);
    }

    /// Works on the loop of another hand, if there is one that this hand has not been at; returns whether there was.
    pub fn help(&self, hand: &Hand, interleave: Option<&dyn Interleave>) -> bool {
        let desks = self.in_use.load(Ordering::Relaxed) as usize;
        let others = (1..desks).map(|step| (hand.number() as usize + step) % desks);
        let found = others.into_iter().find_map(|desk| Some((desk, self.desks[desk].0.enter(hand.seen(desk))?)));
        let Some((desk, inside)) = found else { return false };
        hand.note(desk, inside.epoch());
        // SAFETY: the owner keeps the loop in place until every hand that came in has left, which `inside` does when it is
        // dropped.
        unsafe { inside.value().get() }.work(hand.number(), interleave);
        true
    }
}

/// How virtual workers take their turns in the middle of a loop, and who claims what: a test's way to be nasty.
pub trait Interleave: Sync {
    /// Others may have a turn now.
    fn pause(&self);

    /// Any number below `bound`.
    fn pick(&self, bound: u32) -> u32;
}

/// The hand that runs a system, and the others around it.
#[derive(Clone, Copy)]
pub struct Team<'t> {
    board: &'t Board,
    hand: u32,
    interleave: Option<&'t dyn Interleave>,
    /// Whose hands are called back, if its loops are worth that.
    pool: Option<&'t Pool>,
    /// The system, for profilers.
    label: &'t Label,
}

impl core::fmt::Debug for Team<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Team").field("hand", &self.hand).finish_non_exhaustive()
    }
}

impl<'t> Team<'t> {
    pub fn new(
        board: &'t Board,
        hand: &Hand,
        interleave: Option<&'t dyn Interleave>,
        pool: Option<&'t Pool>,
        label: &'t Label,
    ) -> Self {
        Self { board, hand: hand.number(), interleave, pool, label }
    }

    /// How many hands are at work or look for some.
    pub fn present(self) -> u32 {
        self.board.present()
    }

    /// Shares the units out among this hand and those that come by, and returns when all are done.
    fn run(self, units: u32, each: &Each<'_>) -> Result<(), Payload> {
        let shared = Loop::new(units, self.board.present().clamp(1, MAX_HANDS), each, self.label);
        // The desk is taken if this is a loop inside a batch of another one: that batch is one hand's anyway.
        let Some(opening) = self.board.desks[self.hand as usize].0.open(SharedLoop::of(&shared)) else {
            return each(&mut Claim::whole(units));
        };
        if let Some(pool) = self.pool {
            pool.call_back();
        }
        shared.work(self.hand, self.interleave);
        opening.close(yield_now);
        let failed = shared.failure.take().filter(|_| !planted(Fault::PanicSwallowed));
        failed.map_or(Ok(()), |(_, payload)| Err(payload))
    }
}

/// What is done for the units of a claim, in ascending order.
pub type Each<'e> = dyn Fn(&mut Claim<'_>) -> Result<(), Payload> + Sync + 'e;

/// Does something for each of `units` numbers: on this hand alone, or with a team.
///
/// # Errors
///
/// What the lowest unit failed with; units below it were done, units above it perhaps not.
pub fn run_units(team: Option<Team<'_>>, units: u32, each: &Each<'_>) -> Result<(), Payload> {
    match team.filter(|_| units > 1) {
        Some(team) => team.run(units, each),
        None => each(&mut Claim::whole(units)),
    }
}

/// Units that one hand was given.
#[derive(Debug)]
pub struct Claim<'c> {
    left: Range<u32>,
    at: u32,
    failure: Option<&'c Failure<Payload>>,
}

impl Claim<'_> {
    fn whole(units: u32) -> Self {
        Self { left: 0..units, at: 0, failure: None }
    }

    /// The next unit; `None` behind the last one, and when a lower unit failed.
    #[inline]
    pub fn next(&mut self) -> Option<u32> {
        if self.left.is_empty() || self.failure.is_some_and(|failure| !failure.allows(self.left.start)) {
            return None;
        }
        self.at = self.left.start;
        self.left.start += 1;
        Some(self.at)
    }

    /// The first of the units that were not asked for yet.
    pub fn first(&self) -> u32 {
        self.left.start
    }
}

/// A loop on its owner's stack.
struct Loop<'l> {
    /// One span for each hand that was there when the loop began; those who come later help out.
    spans: [Span; MAX_HANDS as usize],
    used: u32,
    grain: u32,
    each: &'l Each<'l>,
    failure: Failure<Payload>,
    label: &'l Label,
    zone: Parent,
}

/// A loop that is lent to other hands through a door.
#[derive(Clone, Copy, Debug)]
struct SharedLoop(*const Loop<'static>);

// SAFETY: a loop is shared by reference: its spans and its failure are `Sync`, and so is what it calls.
unsafe impl Send for SharedLoop {}

impl SharedLoop {
    fn of(shared: &Loop<'_>) -> Self {
        Self(core::ptr::from_ref(shared).cast())
    }

    /// # Safety
    ///
    /// The loop is still in its place while the reference lives.
    unsafe fn get<'l>(self) -> &'l Loop<'l> {
        // SAFETY: the contract is passed on.
        unsafe { &*self.0.cast() }
    }
}

impl<'l> Loop<'l> {
    fn new(units: u32, spans: u32, each: &'l Each<'l>, label: &'l Label) -> Self {
        let border = |span: u64| (u64::from(units) * span / u64::from(spans)) as u32;
        let span = |index: usize| match index as u64 {
            index if index < u64::from(spans) => Span::new(border(index)..border(index + 1)),
            _ => Span::new(0..0),
        };
        let grain = (units / spans / 8).clamp(1, GRAIN);
        let spans_of_hands = core::array::from_fn(span);
        let (failure, zone) = (Failure::none(), Parent::current());
        Self { spans: spans_of_hands, used: spans, grain, each, failure, label, zone }
    }

    /// Claims and does units until none is left.
    fn work(&self, hand: u32, interleave: Option<&dyn Interleave>) {
        loop {
            let claimed = match interleave {
                None => self.claim(hand),
                Some(interleave) => {
                    interleave.pause();
                    self.claim_any(interleave)
                }
            };
            let Some(units) = claimed else { return };
            let _zone = Zone::batches(self.label, &self.zone);
            let mut claim = Claim { at: units.start, left: units, failure: Some(&self.failure) };
            let outcome = catch_unwind(AssertUnwindSafe(|| (self.each)(&mut claim)));
            if let Err(payload) | Ok(Err(payload)) = outcome {
                if let Some(lost) = self.failure.note(claim.at, payload) {
                    discard(lost);
                }
            }
        }
    }

    /// From the front of the hand's own span, or from the back of another.
    fn claim(&self, hand: u32) -> Option<Range<u32>> {
        let own = hand % self.used;
        let others = (1..self.used).map(|step| (own + step) % self.used);
        let front = self.spans[own as usize].take_front(self.grain);
        front.or_else(|| others.into_iter().find_map(|span| self.spans[span as usize].take_back(self.grain)))
    }

    /// From either end of any span, as many as it likes.
    fn claim_any(&self, interleave: &dyn Interleave) -> Option<Range<u32>> {
        let first = interleave.pick(self.used);
        let most = 1 + interleave.pick(3);
        (0..self.used).map(|step| &self.spans[((first + step) % self.used) as usize]).find_map(|span| match interleave
            .pick(2)
        {
            0 => span.take_front(most),
            _ => span.take_back(most),
        })
    }
}

/// Payloads of panics in a row that are dropped; one whose destructor still panics is kept for ever.
const PAYLOADS_IN_A_ROW: usize = 8;

/// Drops the payload of a panic, which is a value of the user: its destructor may panic as well, with a payload of its own.
pub(crate) fn discard(payload: Payload) {
    let mut left = Some(payload);
    for _ in 0..PAYLOADS_IN_A_ROW {
        let Some(payload) = left.take() else { return };
        left = catch_unwind(AssertUnwindSafe(|| drop(payload))).err();
    }
    core::mem::forget(left);
}
