//! What the systems of one play share without deciding anything by it: the census of values that live, and what was seen.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::data::{Conduct, Door, Form, Office};
use super::journal::{Journal, Word};

/// Declares what can happen in a program, each with the least share of programs, in thousandths, in which it must.
macro_rules! sights {
    ($($name:ident: $share:expr,)*) => {
        /// Something that happened while a program was played.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Sight { $($name,)* }

        impl Sight {
            /// Each, with the least share of programs in which it must happen, in thousandths.
            pub(crate) const ALL: &[(Self, u32)] = &[$((Self::$name, $share),)*];
        }
    };
}

sights! {
    EachRow: 300, LazyWrite: 80, Slice: 200, QueryRow: 220, Tally: 120, NestedRow: 160, NestedCommand: 200,
    NestedBatch: 40, NestedDeep: 20, OuterHandle: 30, Fold: 120, Twin: 30, Follow: 20, Gather: 40, SliceGather: 20, RowDraw: 60, SystemDraw: 60, NestedDraw: 60, Dynamic: 60, Pinned: 80, Exclusive: 150, ExclusiveCommand: 100,
    Removal: 45, ResourceSystem: 80, SubWorld: 30, Spawn: 350, PendingInField: 200, PendingTarget: 100, Insert: 350,
    Remove: 250, Despawn: 250, Queue: 150, QueueOn: 100, Forget: 30, HandleBits: 250, Stash: 25, Send: 200, Event: 80, LateEvent: 35, Refused: 300, CapacityRefused: 60,
    SystemPanic: 25, SystemError: 25, CommandPanic: 15, Escape: 10, StrictRefusal: 15, ResourceRemoved: 3,
    ResourceMissing: 10, Undeclared: 5, BuildRefused: 4, Stale: 5, ConditionFalse: 150, RateSkipped: 150, Edge: 250,
    InnerBarrier: 300, Overlap: 400, TwoSchedules: 100, HostEdit: 300, HostBuffer: 150, RunOnce: 110, Toggle: 100,
    SystemAdded: 40, SystemRemoved: 40, ManyBatches: 400, ManyChunks: 350, Populous: 500, Counted: 400, Unhashable: 60,
    BigChunks: 80,
    Simulated: 250, SecondPass: 150, SecondPhase: 150, HeldStructure: 60, HeldCommands: 60, HeldManagers: 60, HeldEvents: 60, Skipped: 40,
    Submit: 150, PendingInCommand: 16, ToDesk: 80, ToTray: 40, Executed: 60, Delayed: 40, ManagerRefused: 30, CommandUnknown: 20,
    FlushWork: 100, FlushCommand: 30, CommitPanic: 5, HostCommand: 60, Call: 60, PassEvent: 10, PhaseEvent: 10, ManagerRead: 40, Inputs: 40,
    Switch: 30, Rollback: 0,
}

thread_local! {
    /// The kit of what is played from this thread, if anything is: hands of a pool are on others.
    static PLAYED: RefCell<Option<Kit>> = const { RefCell::new(None) };
}

/// Says that a program is played from this thread.
pub(crate) fn enter_host(kit: &Kit) {
    PLAYED.set(Some(kit.clone()));
}

/// Whether this is a thread from which programs are played.
pub(crate) fn is_host() -> bool {
    PLAYED.with_borrow(Option::is_some)
}

/// The kit of the program that is played from this thread.
pub(crate) fn played() -> Kit {
    PLAYED.with_borrow(Clone::clone).expect("a program is played")
}

/// What the systems of one play share.
#[derive(Clone, Debug)]
pub(crate) struct Kit(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    born: AtomicI64,
    living: AtomicI64,
    spare_came: AtomicBool,
    seen: Vec<AtomicU64>,
    /// Seeds the pauses of the systems, if there are any.
    pauses: Option<u64>,
    pauses_made: AtomicU64,
    office: Option<Office>,
    journal: Mutex<Journal>,
    /// Whether a tick is under way that delivers typed commands.
    delivering: AtomicBool,
}

impl Kit {
    pub(crate) fn new(pauses: Option<u64>, office: Option<Office>) -> Self {
        let seen = Sight::ALL.iter().map(|_| AtomicU64::new(0)).collect();
        let (born, living, spare_came) = (AtomicI64::new(0), AtomicI64::new(0), AtomicBool::new(false));
        let (journal, delivering, pauses_made) = (Mutex::default(), AtomicBool::new(false), AtomicU64::new(0));
        Self(Arc::new(Shared { born, living, spare_came, seen, pauses, pauses_made, office, journal, delivering }))
    }

    /// Notes that a counted value came to be.
    pub(crate) fn born(&self) {
        self.0.born.fetch_add(1, Ordering::Relaxed);
        self.0.living.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a counted value is gone.
    pub(crate) fn dropped(&self) {
        self.0.living.fetch_sub(1, Ordering::Relaxed);
    }

    /// Notes that a `Spare` was put into the world.
    pub(crate) fn note_spare(&self) {
        self.0.spare_came.store(true, Ordering::Relaxed);
    }

    /// Whether a `Spare` was ever put into the world.
    pub(crate) fn spare_came(&self) -> bool {
        self.0.spare_came.load(Ordering::Relaxed)
    }

    /// Forgets who was born, and whether a `Spare` came, in ticks that were taken back.
    pub(crate) fn go_back(&self, born: i64, spare_came: bool) {
        self.0.born.store(born, Ordering::Relaxed);
        self.0.spare_came.store(spare_came, Ordering::Relaxed);
    }

    /// How many counted values there ever were, and how many live.
    pub(crate) fn census(&self) -> (i64, i64) {
        (self.0.born.load(Ordering::Relaxed), self.0.living.load(Ordering::Relaxed))
    }

    pub(crate) fn saw(&self, sight: Sight) {
        self.0.seen[sight as usize].fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn has_seen(&self, sight: Sight) -> bool {
        self.0.seen[sight as usize].load(Ordering::Relaxed) > 0
    }

    /// What the simulation has beside its world, which there is.
    pub(crate) fn office(&self) -> &Office {
        self.0.office.as_ref().expect("a simulation is played")
    }

    /// What somebody of the simulation does.
    pub(crate) fn conduct(&self, door: Door) -> &Conduct {
        self.office().conduct(door)
    }

    /// Says whether a tick begins, or ends, that delivers typed commands.
    pub(crate) fn set_delivering(&self, delivering: bool) {
        self.0.delivering.store(delivering, Ordering::Relaxed);
    }

    /// Whether typed commands that are recorded now reach somebody.
    pub(crate) fn delivers(&self, form: Form) -> bool {
        let has_route = |office: &Office| office.routes.iter().any(|route| route.form == form);
        self.0.delivering.load(Ordering::Relaxed) && self.0.office.as_ref().is_some_and(has_route)
    }

    pub(crate) fn journal(&self) -> MutexGuard<'_, Journal> {
        self.0.journal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what happens at a commit point.
    pub(crate) fn say(&self, word: Word) {
        self.journal().say(word);
    }

    /// Pauses for a random while, if this play has pauses: another order of completion, the same results.
    pub(crate) fn pause(&self) {
        let Some(seed) = self.0.pauses else { return };
        let number = self.0.pauses_made.fetch_add(1, Ordering::Relaxed);
        match (seed ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57 {
            0 => std::thread::sleep(std::time::Duration::from_micros(50)),
            1..8 => std::thread::yield_now(),
            spins => (0..spins * 2).for_each(|_| std::hint::spin_loop()),
        }
    }
}
