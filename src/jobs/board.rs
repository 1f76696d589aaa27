#![expect(unsafe_code, reason = "a loop on one hand's stack is lent to others")]

use core::any::Any;
use core::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::crew::{Hand, Patience, leaving};
use super::pool::{MAX_HANDS, Pool};
use crate::fault::{Fault, planted};
use crate::profile::{Label, Parent, Zone};
use crate::sync::{AtomicU32, Door, Failure, Ordering, Span};

/// What a unit of a loop failed with: the payload of a panic, or an error in a box.
pub type Payload = Box<dyn Any + Send>;

/// Units that one hand takes at once, at most. What comes of them never depends on it.
pub(crate) const GRAIN: u32 = 16;
/// How long a hand that is done with its own span leaves the rest to those whose spans have some, in nanoseconds: about what
/// it takes to get the rows of a unit from another core, and back at the next tick.
const POLITENESS: u64 = 1_000;

/// Where hands find the loops of others: a desk for each hand.
#[derive(Debug)]
pub struct Board {
    desks: Box<[Desk]>,
    /// Desks that can have a loop on them.
    in_use: AtomicU32,
    /// Hands that are at work, or would be at once.
    present: Apart<AtomicU32>,
}

/// Cache lines of its own, so that hands that look at one thing don't slow down the work with another.
#[derive(Debug)]
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

type Desk = Apart<Door<SharedLoop>>;

impl Board {
    /// A board with nothing on it, and so many hands around it.
    pub fn new(present: u32) -> Self {
        let desks = (0..MAX_HANDS).map(|_| Apart(Door::closed())).collect();
        Self { desks, in_use: AtomicU32::new(0), present: Apart(AtomicU32::new(present)) }
    }

    /// Says how many hands there can be from now on.
    pub fn set_hands(&self, hands: u32) {
        if self.in_use.load(Ordering::Relaxed) != hands {
            self.in_use.store(hands, Ordering::Relaxed);
        }
    }

    /// How many hands are at work, or would be at once.
    pub fn present(&self) -> u32 {
        self.present.0.load(Ordering::Relaxed)
    }

    pub fn come(&self) {
        self.present.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn go(&self) {
        self.present.0.fetch_sub(1, Ordering::Relaxed);
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

    /// How many hands are at work, or would be at once.
    pub fn present(self) -> u32 {
        self.board.present()
    }

    /// How often units of a loop are taken at once, at most: full grains of each span, and of what is left of it then halves.
    pub fn most_takes(self, units: u32) -> u32 {
        let spans = self.board.in_use.load(Ordering::Relaxed).max(self.present()).max(1);
        units.min(units / GRAIN + spans * (GRAIN.ilog2() + 2))
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
        opening.close(leaving());
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

/// Units that one hand was given. A claim at the front of a span goes on for as long as the span does.
pub struct Claim<'c> {
    left: Range<u32>,
    /// The first of those that were taken at once.
    first: u32,
    at: u32,
    more: Option<More<'c>>,
    failure: Option<&'c Failure<Payload>>,
}

impl core::fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Claim").field("left", &self.left).finish_non_exhaustive()
    }
}

/// Where a claim goes on when its units are done.
struct More<'c> {
    span: &'c Span,
    interleave: Option<&'c dyn Interleave>,
}

impl More<'_> {
    /// The units from `next` on, unless others have them.
    fn take(&self, next: u32) -> Option<Range<u32>> {
        let most = match self.interleave {
            None => GRAIN,
            Some(interleave) => {
                interleave.pause();
                interleave.pick(3)
            }
        };
        self.span.go_on(next, most)
    }
}

impl Claim<'_> {
    fn whole(units: u32) -> Self {
        Self { left: 0..units, first: 0, at: 0, more: None, failure: None }
    }

    /// The next unit; `None` behind the last one, and when a lower unit failed.
    #[inline]
    pub fn next(&mut self) -> Option<u32> {
        if self.left.is_empty() {
            self.left = self.more.as_ref()?.take(self.left.end)?;
            self.first = self.left.start;
        }
        if self.left.is_empty() || self.failure.is_some_and(|failure| !failure.allows(self.left.start)) {
            return None;
        }
        self.at = self.left.start;
        self.left.start += 1;
        Some(self.at)
    }

    /// The first of the units that were taken at once with the one that was asked for last, or will be next.
    pub fn first(&self) -> u32 {
        self.first
    }
}

/// A loop on its owner's stack.
struct Loop<'l> {
    spans: Spans,
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
        let (failure, zone) = (Failure::none(), Parent::current());
        Self { spans: Spans::new(units, spans), each, failure, label, zone }
    }

    /// Claims and does units until none is left.
    fn work(&self, hand: u32, interleave: Option<&dyn Interleave>) {
        let mut patience = None;
        loop {
            let claimed = match interleave {
                None => self.claim(hand).or_else(|| self.claim_of_others(hand, &mut patience)),
                Some(interleave) => {
                    interleave.pause();
                    self.claim_any(interleave)
                }
            };
            let Some((units, front)) = claimed else { return };
            let _zone = Zone::batches(self.label, &self.zone);
            let more = front.map(|span| More { span, interleave });
            let mut claim =
                Claim { first: units.start, at: units.start, left: units, more, failure: Some(&self.failure) };
            let outcome = catch_unwind(AssertUnwindSafe(|| (self.each)(&mut claim)));
            if let Err(payload) | Ok(Err(payload)) = outcome {
                if let Some(lost) = self.failure.note(claim.at, payload) {
                    discard(lost);
                }
            }
        }
    }

    /// From the front of the hand's own span, which is returned too.
    fn claim(&self, hand: u32) -> Option<Claimed<'_>> {
        let own = self.spans.from(hand).next()?;
        Some((own.take_front(GRAIN)?, Some(own)))
    }

    /// From the back of another's span, when the others have had their time.
    fn claim_of_others(&self, hand: u32, patience: &mut Option<Patience>) -> Option<Claimed<'_>> {
        let others = || self.spans.from(hand).skip(1);
        let mut is_over = || patience.get_or_insert_with(|| Patience::of(POLITENESS)).is_over();
        while others().any(|span| !span.is_empty()) && !is_over() {}
        others().find_map(|span| Some((span.take_back(GRAIN)?, None)))
    }

    /// From either end of any span, as many as it likes.
    fn claim_any(&self, interleave: &dyn Interleave) -> Option<Claimed<'_>> {
        let first = interleave.pick(self.spans.used);
        let most = 1 + interleave.pick(3);
        self.spans.from(first).find_map(|span| match interleave.pick(2) {
            0 => Some((span.take_front(most)?, Some(span))),
            _ => Some((span.take_back(most)?, None)),
        })
    }
}

/// Units, and the span at whose front they were, if they were at one.
type Claimed<'l> = (Range<u32>, Option<&'l Span>);

/// One span for each hand that was there when the loop began; those who come later help out.
///
/// Spans of the first hands lie on different cache lines: to claim from one's own span costs little then.
struct Spans {
    places: Apart<[Span; MAX_HANDS as usize]>,
    used: u32,
}

/// Spans of hands one after the other lie so many places apart.
const APART: u32 = if MAX_HANDS % 8 == 0 { 8 } else { 1 };

impl Spans {
    /// So many units in so many spans.
    fn new(units: u32, used: u32) -> Self {
        let border = |span: u32| (u64::from(units) * u64::from(span) / u64::from(used)) as u32;
        let span = |place: usize| match span_at(place as u32) {
            span if span < used => Span::new(border(span)..border(span + 1)),
            _ => Span::new(0..0),
        };
        Self { places: Apart(core::array::from_fn(span)), used }
    }

    /// Every span once, from that of a hand on.
    fn from(&self, hand: u32) -> impl Iterator<Item = &Span> {
        (0..self.used).map(move |step| &self.places.0[place_of((hand + step) % self.used) as usize])
    }
}

const fn place_of(span: u32) -> u32 {
    span * APART % MAX_HANDS + span * APART / MAX_HANDS
}

const fn span_at(place: u32) -> u32 {
    place / APART + place % APART * (MAX_HANDS / APART)
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

#[cfg(all(test, not(tickweave_loom)))]
mod tests;
